#include "args.h"

#include "config.h"
#include "folders.h"
#include "help.h"

#include <attend/shelf.h>

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* ---- Messages ---- */

/* The length of the option name before the next backquote; 0 if the text is not an option name. */
static size_t name_length(const char *text)
{
    const size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return text[length] == '`' ? length : 0;
}

void args_say(const char *message)
{
    for (const char *c = message; *c; c++) {
        const size_t length = *c == '`' ? name_length(c + 1) : 0;
        if (length) {
            fputs("--", stderr);
            for (size_t i = 1; i <= length; i++)
                putc(c[i] == '_' ? '-' : c[i], stderr);
            c += length + 1;
        } else {
            putc(*c, stderr);
        }
    }
}

int args_fail(const struct command *command, enum attend_status status,
              const struct attend_error *err)
{
    fprintf(stderr, "attend %s: ", command->name);
    args_say(err->message);
    putc('\n', stderr);
    return status == ATTEND_USAGE ? EXIT_USAGE : EXIT_FAILED;
}

int args_usage(const struct command *command, const char *message)
{
    fprintf(stderr, "attend %s: %s; see attend %s --help\n", command->name, message, command->name);
    return EXIT_USAGE;
}

/* Whether the reader of a pipe has gone. If an earlier write failed, errno may be lost, so the pipe
 * is asked too. */
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

bool args_none(const struct command *command, const struct flags *flags, const char *const *names,
               const char *why)
{
    for (; *names; names++) {
        char message[128];
        snprintf(message, sizeof message, "--%s %s", *names, why);
        if (attend_settings_given(flags->settings, *names)) {
            args_usage(command, message);
            return false;
        }
    }
    return true;
}

bool args_need(const struct command *command, const void *value, const char *name)
{
    const char *kind =
        strcmp(name, "model") ? "" : ": a file, or the name of a ready model (attend models)";
    if (!value)
        fprintf(stderr, "attend %s: --%s is needed%s; see attend %s --help\n", command->name, name,
                kind, command->name);
    return value;
}

bool args_engine(const struct command *command, char out[PLACE_SIZE])
{
    if (folders_engine(out))
        return true;
    fprintf(stderr,
            "attend %s: %s is not there, which runs models in pages: build it with `make wasm`, "
            "or name another file in ATTEND_WASM\n",
            command->name, out);
    return false;
}

int args_models(const struct command *command, const struct flags *flags, const char *const *models,
                bool needed)
{
    enum attend_status status = ATTEND_OK;
    struct attend_error err;
    if (needed && !args_need(command, models ? *models : NULL, "model"))
        return EXIT_USAGE;
    for (; models && *models && !status; models++) {
        char *path = NULL;
        status = attend_model_find(&path, *models, flags->folders, &err);
        attend_text_free(path);
    }
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}

int args_fail_models(const struct command *command, const struct flags *flags,
                     const char *const *models, enum attend_status status,
                     const struct attend_error *err)
{
    const int code = status == ATTEND_IO ? args_models(command, flags, models, false) : EXIT_DONE;
    return code == EXIT_DONE ? args_fail(command, status, err) : code;
}

/* ---- Settings ---- */

static enum attend_status add_groups(const struct command *command, struct attend_settings *s,
                                     struct flags *flags, struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (const struct flag_group *g = command->group; g->title && !status; g++)
        status = g->rows
                     ? attend_settings_add_rows(s, g->title, g->rows, flags, err)
                     : attend_settings_add(s, g->title, g->table, (char *)flags + g->offset, err);
    for (int i = 0; i < COMMAND_DEFAULTS && command->defaults[i].name && !status; i++)
        status =
            attend_settings_default(s, command->defaults[i].name, command->defaults[i].text, err);
    return status;
}

struct attend_settings *args_settings(const struct command *command, struct flags *flags)
{
    struct attend_settings *s = NULL;
    *flags = (struct flags){.data = attend_data_defaults(),
                            .network = attend_network_defaults(),
                            .train = attend_train_defaults(),
                            .frames = attend_frame_defaults(),
                            .search = attend_translator_defaults(),
                            .writer = attend_writer_defaults(),
                            .align = attend_align_defaults(),
                            .eval = attend_eval_defaults(),
                            .serve = attend_serve_defaults(),
                            .bench = attend_bench_defaults(),
                            .distill = attend_distill_defaults()};
    struct attend_error err;
    if (attend_settings_new(&s, &err))
        return NULL;
    if (add_groups(command, s, flags, &err)) {
        attend_settings_free(s);
        return NULL;
    }
    flags->settings = s;
    return s;
}

/* ---- Parsing ---- */

/* A command line, and what was read from it. */
struct args {
    const struct command *command;
    int argc;
    char **argv;
    struct attend_settings *settings;
    struct flags flags;
    struct folders folders; /* of ready models */
    const char **operand;   /* room for all arguments */
    int operands;
    int help; /* 0: not requested; 1: --help; 2: --help-all */
};

/* The setting with this name, or the only one whose name begins with it; NULL when there is none or
 * when the abbreviation is ambiguous. */
static const struct attend_setting *find_setting(const struct args *p, const char *name)
{
    struct attend_setting_info info;
    const struct attend_setting *found = NULL;
    int count = 0;
    for (int i = 0; attend_settings_describe(p->settings, i, &info); i++) {
        if (strcmp(info.row->name, name) == 0)
            return info.row;
        if (*name && strncmp(info.row->name, name, strlen(name)) == 0) {
            found = info.row;
            count++;
        }
    }
    return count == 1 ? found : NULL;
}

static enum attend_status ambiguous(const struct args *p, const char *name,
                                    struct attend_error *err)
{
    struct attend_setting_info info;
    int length = snprintf(err->message, sizeof err->message, "--%s could be", name), count = 0;
    for (int i = 0; attend_settings_describe(p->settings, i, &info); i++)
        if (*name && strncmp(info.row->name, name, strlen(name)) == 0 && length > 0 &&
            (size_t)length < sizeof err->message)
            length += snprintf(err->message + length, sizeof err->message - (size_t)length,
                               "%s --%s", count++ ? "," : "", info.row->name);
    return count ? ATTEND_USAGE : ATTEND_OK;
}

/* A walk over the names of the settings. */
struct name_walk {
    const struct attend_settings *settings;
    int at;
};

static const char *next_name(void *context)
{
    struct name_walk *w = context;
    struct attend_setting_info info;
    return attend_settings_describe(w->settings, w->at++, &info) ? info.row->name : NULL;
}

static enum attend_status unknown(const struct args *p, const char *name, struct attend_error *err)
{
    const char *near = attend_nearest(name, next_name, &(struct name_walk){p->settings, 0});
    if (near)
        snprintf(err->message, sizeof err->message, "unknown option --%s; did you mean --%s?", name,
                 near);
    else
        snprintf(err->message, sizeof err->message, "unknown option --%s; see attend %s --help-all",
                 name, p->command->name);
    return ATTEND_USAGE;
}

static enum attend_status set(struct args *p, const char *name, const char *text,
                              struct attend_error *err)
{
    const char *without = p->command->without;
    if (without && strcmp(without, name) == 0) {
        snprintf(err->message, sizeof err->message, "--%s has no effect in attend %s", name,
                 p->command->name);
        return ATTEND_USAGE;
    }
    return attend_settings_set(p->settings, name, text, err);
}

/* Parse the flag at argv[*i]; `text` is what follows its dashes. The forms are `name value`,
 * `name=value`, and `name` for a flag without a value. */
static enum attend_status parse_flag(struct args *p, const char *text, int *i,
                                     struct attend_error *err)
{
    char name[64];
    const char *equals = strchr(text, '=');
    snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - text) : (int)strlen(text), text);
    const struct attend_setting *row = find_setting(p, name);
    if (!row && ambiguous(p, name, err))
        return ATTEND_USAGE;
    if (!row)
        return unknown(p, name, err);
    if (equals)
        return set(p, row->name, equals + 1, err);
    if (!row->value)
        return set(p, row->name, "true", err);
    if (*i + 1 == p->argc) {
        snprintf(err->message, sizeof err->message, "--%s needs a value", row->name);
        return ATTEND_USAGE;
    }
    return set(p, row->name, p->argv[++*i], err);
}

/* -m FILE is --model FILE. No other command-specific letter exists. */
static enum attend_status parse_letter(struct args *p, int *i, struct attend_error *err)
{
    if (strcmp(p->argv[*i], "-m") == 0 && find_setting(p, "model"))
        return parse_flag(p, "model", i, err);
    snprintf(err->message, sizeof err->message,
             "unknown option %.32s; options start with two dashes; see attend %s --help",
             p->argv[*i], p->command->name);
    return ATTEND_USAGE;
}

static enum attend_status take_operand(struct args *p, const char *text, struct attend_error *err)
{
    if (p->operands < p->command->operands) {
        p->operand[p->operands++] = text;
        return ATTEND_OK;
    }
    snprintf(err->message, sizeof err->message, "%s; see attend %s --help",
             p->command->operands ? "too many arguments" : "it takes only options, no arguments",
             p->command->name);
    return ATTEND_USAGE;
}

static enum attend_status parse(struct args *p, struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    bool flags = true;
    for (int i = 1; i < p->argc && !status && !p->help; i++) {
        const char *text = p->argv[i];
        if (flags && (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0))
            p->help = 1;
        else if (flags && strcmp(text, "--help-all") == 0)
            p->help = 2;
        else if (flags && strcmp(text, "--") == 0)
            flags = false;
        else if (flags && strncmp(text, "--", 2) == 0)
            status = parse_flag(p, text + 2, &i, err);
        else if (flags && text[0] == '-' && text[1])
            status = parse_letter(p, &i, err);
        else
            status = take_operand(p, text, err);
    }
    return status;
}

/* Start with every setting at its default. */
static bool begin(struct args *p)
{
    p->settings = args_settings(p->command, &p->flags);
    p->flags.folders = (const char *const *)p->folders.path;
    if (p->settings)
        attend_settings_models(p->settings, p->flags.folders);
    return p->settings;
}

/* Flags take precedence over the file of --config, wherever that flag stands. So the flags are
 * parsed once to find the file, and again after it was read. */
static enum attend_status parse_all(struct args *p, struct attend_error *err)
{
    enum attend_status status = parse(p, err);
    if (!status && p->flags.config && !p->help) {
        char *path = strdup(p->flags.config);
        attend_settings_free(p->settings);
        p->settings = NULL;
        p->operands = 0;
        if (path && begin(p)) {
            status = attend_settings_load(p->settings, path, config_read, err);
        } else {
            snprintf(err->message, sizeof err->message, "out of memory for settings");
            status = ATTEND_NO_MEMORY;
        }
        free(path);
        if (!status)
            status = parse(p, err);
    }
    if (!status && p->flags.preset)
        status = attend_settings_preset(p->settings, p->flags.preset, err);
    if (!status)
        status = attend_settings_check_files(p->settings, err);
    p->flags.args = p;
    /* These flags belong to the program but change the search. */
    p->flags.search.allow_unk = p->flags.unk_replace;
    p->flags.search.each_head = p->flags.each_head;
    return status;
}

/* Room for parsing a command line; NULL when out of memory. */
static struct args *args_new(const struct command *command, int argc, char **argv)
{
    struct args *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    *p = (struct args){.command = command, .argc = argc, .argv = argv};
    folders_init(&p->folders);
    p->operand = calloc((size_t)argc, sizeof *p->operand);
    if (p->operand && begin(p))
        return p;
    args_free(p);
    return NULL;
}

void args_free(struct args *p)
{
    if (!p)
        return;
    attend_settings_free(p->settings);
    folders_release(&p->folders);
    free(p->operand);
    free(p);
}

const struct flags *args_flags(const struct args *p) { return &p->flags; }

enum attend_status args_again(struct args **out, const struct args *from, struct attend_error *err)
{
    struct args *p = args_new(from->command, from->argc, from->argv);
    if (!p) {
        snprintf(err->message, sizeof err->message, "out of memory for settings");
        return ATTEND_NO_MEMORY;
    }
    const enum attend_status status = parse_all(p, err);
    if (status)
        args_free(p);
    else
        *out = p;
    return status;
}

static int run(const struct args *p)
{
    return p->command->run(p->command, &p->flags, p->operand, p->operands);
}

int args_run(const struct command *command, int argc, char **argv)
{
    struct attend_error err = {.message = "out of memory for settings"};
    struct args *p = args_new(command, argc, argv);
    int code;
    if (!p)
        return args_fail(command, ATTEND_NO_MEMORY, &err);
    const enum attend_status status = parse_all(p, &err);
    if (p->help)
        code = help_command(command, p->settings, p->help == 2);
    else if (status)
        code = args_fail(command, status, &err);
    else
        code = run(p);
    args_free(p);
    return code;
}
