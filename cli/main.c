/* attend: the program. It knows the public headers only. */
#include "commands.h"

#include <attend/status.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>

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

int main(int argc, char **argv)
{
    /* Whoever reads the output may stop: writing then fails, and the program ends in order. */
    signal(SIGPIPE, SIG_IGN);
    if (argc < 2)
        return help(stderr);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(stdout);
    if (strcmp(argv[1], "--version") == 0) {
        printf("attend %s\n", ATTEND_VERSION);
        return EXIT_DONE;
    }
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, argv[1]) == 0)
            return args_run(&commands[i], argc - 1, argv + 1);
    fprintf(stderr, "attend: there is no command '%s'; attend --help lists them\n", argv[1]);
    return EXIT_USAGE;
}
