/* attend: the program. It includes only the public headers of the library. */
#include "commands.h"
#include "help.h"

#include <attend/processor.h>
#include <attend/status.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- The environment of the process ---- */

/* If the caller closed stdin, stdout or stderr, the first file that is opened would get its
 * descriptor, and messages would be written into a corpus or a model. So /dev/null is opened
 * instead, in the mode in which reading a closed input and writing a closed output still fail. */
static void fill_descriptors(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0 && open("/dev/null", modes[i]) != i)
            _exit(EXIT_FAILED);
}

/* By default, a reader that closes its pipe and a limit on file sizes kill the program by a signal,
 * and temporary files and locks stay behind. Without the signals, the write fails and the program
 * cleans up. */
static void ignore_signals(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

/* Models are mapped into memory. If the file is truncated meanwhile, the kernel sends SIGBUS. A
 * mapping costs nothing, a copy a tenth of a second for 100 MB; attend serve, which runs long, does
 * copy. Replacing a file by renaming another over it is always safe. */
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
        signal(number, SIG_DFL); /* no message could be written: die by the signal */
    else
        _exit(EXIT_FAILED);
}

static void catch_lost_pages(void)
{
    struct sigaction action = {.sa_sigaction = on_lost_page, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

/* A line of stderr is one write, so that the lines of several processes do not run into each other,
 * and a process that is killed leaves a whole line or none. What ends without a newline is flushed
 * where it is printed. */
static void write_whole_lines(void)
{
    static char line[BUFSIZ]; /* a message about missing memory must not need any */
    setvbuf(stderr, line, _IOLBF, sizeof line);
}

/* Flush stdout for every command, so that a full disk is an error. */
static int finish(const struct command *command, int code)
{
    errno = 0;
    return code == EXIT_DONE ? args_flush(command, stdout) : code;
}

/* Iterates over the names of the commands, for attend_nearest. */
static const char *next_command(void *context)
{
    const struct command *const **at = context;
    return **at ? (*(*at)++)->name : NULL;
}

static int no_command(const char *name)
{
    const struct command *const *at = commands;
    const char *near = attend_nearest(name, next_command, &at);
    fprintf(stderr, "attend: there is no command '%.64s'; %s%s%s\n", name,
            near ? "did you mean '" : "attend --help lists them", near ? near : "",
            near ? "'?" : "");
    return EXIT_USAGE;
}

/* attend help [COMMAND] */
static int help(int argc, char **argv)
{
    static char *ask[] = {NULL, "--help", NULL};
    if (argc < 3)
        return help_program(stdout);
    const struct command *command = command_find(argv[2]);
    return command ? args_run(command, 2, ask) : no_command(argv[2]);
}

static int run(const struct command *command, int argc, char **argv)
{
    if (argc < 2)
        return help_program(stderr);
    if (command)
        return args_run(command, argc - 1, argv + 1);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0)
        return help(argc, argv);
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("attend %s\n", attend_version());
        return EXIT_DONE;
    }
    return no_command(argv[1]);
}

/* ATTEND_SIMD limits the vector instructions. */
static bool limit_processor(void)
{
    const char *level = getenv("ATTEND_SIMD");
    struct attend_error err;
    if (!level || !*level || !attend_processor_limit(level, &err))
        return true;
    fprintf(stderr, "attend: ATTEND_SIMD: %s\n", err.message);
    return false;
}

int main(int argc, char **argv)
{
    fill_descriptors();
    write_whole_lines();
    ignore_signals();
    catch_lost_pages();
    if (!limit_processor())
        return EXIT_USAGE;
    const struct command *command = argc > 1 ? command_find(argv[1]) : NULL;
    return finish(command, run(command, argc, argv));
}
