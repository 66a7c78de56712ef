/* attend: the program. It knows the public headers only. */
#include "commands.h"

#include <attend/status.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ROW(name, operands, synopsis, summary) {#name, summary, synopsis, operands, cmd_##name},
static const struct command commands[] = {COMMAND_LIST(ROW)};
#undef ROW
enum { COMMANDS = sizeof commands / sizeof *commands };

static int help(FILE *out)
{
    fprintf(out, "attend: sequence-to-sequence models with attention\n\nUsage: attend COMMAND "
                 "[OPTION]...\n\n");
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-12s %s\n", commands[i].name, commands[i].summary);
    fprintf(out, "\nattend COMMAND --help lists the command's options; attend --version tells the "
                 "version.\n");
    return out == stdout ? EXIT_DONE : EXIT_USAGE;
}

/* ---- What the process stands on ---- */

/* A descriptor that the caller closed would go to the first file that is opened, and messages would
 * end in a corpus or a model. /dev/null takes its place, opened so that reading from a closed input
 * and writing to a closed output still fail. */
static void fill_descriptors(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0 && open("/dev/null", modes[i]) != i)
            _exit(EXIT_FAILED);
}

/* A reader that stops and a limit on the size of files make writes fail, and the program ends in
 * order: by default either signal kills it, and it would leave temporary files and locks. */
static void ignore_signals(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

/* Models are mapped: the kernel sends this signal when somebody has cut the file short meanwhile. A
 * mapping costs nothing, a copy a tenth of a second for 100 MB; attend serve, which runs long, does
 * copy. Whoever replaces a file by renaming another disturbs nobody. */
static void on_lost_page(int number, siginfo_t *info, void *context)
{
    static const char message[] =
        "attend: a model or another file was cut short while it was in use; replace files by "
        "renaming, not by writing into them\n";
    (void)context;
    if (info->si_code != BUS_ADRERR) {
        signal(number, SIG_DFL);
        return;
    }
    if (write(STDERR_FILENO, message, sizeof message - 1) < 0)
        signal(number, SIG_DFL); /* nobody hears us: the signal itself tells */
    else
        _exit(EXIT_FAILED);
}

static void catch_lost_pages(void)
{
    struct sigaction action = {.sa_sigaction = on_lost_page, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

/* What stdout still holds is written here for every command: a full disk is not a success. */
static int finish(const struct command *command, int code)
{
    errno = 0;
    return code == EXIT_DONE ? args_flush(command, stdout) : code;
}

static const struct command *find_command(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static int run(const struct command *command, int argc, char **argv)
{
    if (argc < 2)
        return help(stderr);
    if (command)
        return args_run(command, argc - 1, argv + 1);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(stdout);
    if (strcmp(argv[1], "--version") == 0) {
        printf("attend %s\n", ATTEND_VERSION);
        return EXIT_DONE;
    }
    fprintf(stderr, "attend: there is no command '%s'; attend --help lists them\n", argv[1]);
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    fill_descriptors();
    ignore_signals();
    catch_lost_pages();
    const struct command *command = argc > 1 ? find_command(argv[1]) : NULL;
    return finish(command, run(command, argc, argv));
}
