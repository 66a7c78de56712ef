#include "args.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int args_fail(const struct command *command, enum attend_status status,
              const struct attend_error *err)
{
    fprintf(stderr, "attend %s: %s\n", command->name, err->message);
    return status == ATTEND_USAGE ? EXIT_USAGE : EXIT_FAILED;
}

int args_usage(const struct command *command, const char *message)
{
    fprintf(stderr, "attend %s: %s; see attend %s --help\n", command->name, message, command->name);
    return EXIT_USAGE;
}

void args_name_operands(struct attend_error *err)
{
    static const char *const names[][2] = {
        {"input:", "the sentence"}, {"source:", "the sentence"}, {"target:", "the translation"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct attend_error moved;
        const size_t length = strlen(names[i][0]);
        if (strncmp(err->message, names[i][0], length) != 0)
            continue;
        const char *rest = err->message + length + strspn(err->message + length, "1: ");
        snprintf(moved.message, sizeof moved.message, "%s: %.400s", names[i][1], rest);
        char *advice = strstr(moved.message, " of the line;"); /* to convert a file */
        if (advice)
            *advice = '\0';
        *err = moved;
        return;
    }
}

/* An earlier write that failed may not have left its reason in errno. */
static bool is_unread(FILE *file)
{
    struct pollfd pipe = {.fd = fileno(file)};
    return errno == EPIPE || (errno == 0 && poll(&pipe, 1, 0) == 1 && pipe.revents & POLLERR);
}

int args_flush(const struct command *command, FILE *file)
{
    if (fflush(file) == 0 && !ferror(file))
        return EXIT_DONE;
    const int saved = errno;
    if (!is_unread(file))
        fprintf(stderr, "attend%s%s: the output cannot be written%s%s\n", command ? " " : "",
                command ? command->name : "", saved ? ": " : "; is the disk full?",
                saved ? strerror(saved) : "");
    return EXIT_FAILED;
}

bool args_none(const struct command *command, const struct attend_options *options,
               const char *const *names, const char *why)
{
    for (; *names; names++) {
        char message[128];
        snprintf(message, sizeof message, "--%s %s", *names, why);
        if (attend_options_text(options, *names) || attend_options_number(options, *names) != 0) {
            args_usage(command, message);
            return false;
        }
    }
    return true;
}

bool args_need(const struct command *command, const struct attend_options *options,
               const char *name, const char **out)
{
    *out = attend_options_text(options, name);
    if (!*out)
        fprintf(stderr, "attend %s: --%s is needed; see attend %s --help\n", command->name, name,
                command->name);
    return *out;
}

/* ---- Help, from the rows ---- */

enum { HELP_INDENT = 27, HELP_WIDTH = 100 };

/* Words, wrapped; *column is where the line has got to. */
static void print_wrapped(const char *text, int *column)
{
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (*column > HELP_INDENT && *column + 1 + length > HELP_WIDTH)
            *column = printf("\n%*s", HELP_INDENT, "") - 1;
        else if (*column > HELP_INDENT)
            *column += printf(" ");
        *column += printf("%.*s", length, text);
        text += length + (text[length] == ' ');
    }
}

static void print_option(const struct attend_option_info *o)
{
    char text[512];
    int column = HELP_INDENT;
    snprintf(text, sizeof text, "--%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
    printf("  %-24s ", text);
    snprintf(text, sizeof text, "%s%s", o->help, o->choices ? ":" : "");
    print_wrapped(text, &column);
    for (int i = 0; o->choices && o->choices(i); i++) {
        snprintf(text, sizeof text, "%s%s", o->choices(i), o->choices(i + 1) ? "," : "");
        print_wrapped(text, &column);
    }
    if (o->fallback) {
        snprintf(text, sizeof text, "(default %s)", o->fallback);
        print_wrapped(text, &column);
    }
    printf("\n");
}

static int print_help(const struct command *command, const struct attend_options *options)
{
    struct attend_option_info o;
    const char *group = NULL;
    printf("attend %s: %s\n\nUsage: attend %s [OPTION]...%s%s\n", command->name, command->summary,
           command->name, *command->synopsis ? " " : "", command->synopsis);
    for (int i = 0; attend_options_describe(options, i, &o); i++) {
        if (!group || strcmp(group, o.group) != 0)
            printf("\n%s:\n", o.group);
        group = o.group;
        print_option(&o);
    }
    return EXIT_DONE;
}

/* ---- Parsing ---- */

/* Whether the setting exists and takes a value. */
static bool takes_value(const struct attend_options *options, const char *name)
{
    struct attend_option_info o;
    for (int i = 0; attend_options_describe(options, i, &o); i++)
        if (strcmp(o.name, name) == 0)
            return o.value;
    return false;
}

/* One flag at argv[*i]: --name value, --name=value, or --name alone for one that takes none. An
 * unknown name goes to the setter as it is, which answers with the nearest known one. */
static enum attend_status parse_flag(struct attend_options *options, int argc, char **argv, int *i,
                                     struct attend_error *err)
{
    char name[64];
    const char *text = argv[*i] + 2, *equals = strchr(text, '=');
    const int length = equals ? (int)(equals - text) : (int)strlen(text);
    snprintf(name, sizeof name, "%.*s", length, text);
    if (equals)
        return attend_options_set(options, name, equals + 1, err);
    if (!takes_value(options, name))
        return attend_options_set(options, name, "true", err);
    if (*i + 1 == argc) {
        snprintf(err->message, sizeof err->message, "--%s needs a value", name);
        return ATTEND_USAGE;
    }
    return attend_options_set(options, name, argv[++*i], err);
}

/* The file that --config names comes first, wherever the flag stands, so that other flags win over
 * it. */
static enum attend_status load_config(struct attend_options *options, int argc, char **argv,
                                      struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (int i = 1; i < argc && !status && strcmp(argv[i], "--") != 0; i++) {
        if (!takes_value(options, "config"))
            return ATTEND_OK;
        if (strncmp(argv[i], "--config=", 9) == 0)
            status = attend_options_load(options, argv[i] + 9, err);
        else if (strcmp(argv[i], "--config") == 0 && i + 1 < argc)
            status = attend_options_load(options, argv[i + 1], err);
    }
    return status;
}

static int parse_and_run(const struct command *command, struct attend_options *options, int argc,
                         char **argv)
{
    const char *operand[8];
    int operands = 0;
    bool flags = true;
    struct attend_error err;
    const enum attend_status loaded = load_config(options, argc, argv, &err);
    if (loaded)
        return args_fail(command, loaded, &err);
    for (int i = 1; i < argc; i++) {
        if (flags && (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0))
            return print_help(command, options);
        if (flags && strcmp(argv[i], "--") == 0)
            flags = false;
        else if (flags && strncmp(argv[i], "--", 2) == 0) {
            const enum attend_status status = parse_flag(options, argc, argv, &i, &err);
            if (status)
                return args_fail(command, status, &err);
        } else if (flags && argv[i][0] == '-' && argv[i][1]) {
            return args_usage(command, "options are written with two dashes");
        } else if (operands == command->operands) {
            return args_usage(command,
                              command->operands ? "too many arguments" : "it takes options only");
        } else {
            operand[operands++] = argv[i];
        }
    }
    const enum attend_status checked = attend_options_check_files(options, &err);
    return checked ? args_fail(command, checked, &err)
                   : command->run(command, options, operand, operands);
}

int args_run(const struct command *command, int argc, char **argv)
{
    struct attend_options *options;
    struct attend_error err;
    const enum attend_status status = attend_options_new(&options, command->name, &err);
    if (status)
        return args_fail(command, status, &err);
    const int code = parse_and_run(command, options, argc, argv);
    attend_options_free(options);
    return code;
}
