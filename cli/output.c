#include "output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Formats ---- */

/* To add a format: a function that makes the text of a translation, a row in both tables, and its
 * name among the choices of --alignment. */
struct output_form {
    const char *alignment; /* the value of --alignment */
    int parts;             /* parts of a line that this format adds */
    bool ended;            /* the text already has its last line end */
    char *(*text)(const struct output *, const struct attend_translation *, long id);
};

static char *line(const struct output *o, const struct attend_translation *t, long id)
{
    (void)id;
    return attend_translation_line(t, o->parts);
}

static char *nbest(const struct output *o, const struct attend_translation *t, long id)
{
    return attend_translation_nbest(t, id, o->parts);
}

static char *matrix(const struct output *o, const struct attend_translation *t, long id)
{
    (void)o;
    return attend_translation_matrix(t, id);
}

static char *json(const struct output *o, const struct attend_translation *t, long id)
{
    (void)id;
    return attend_translation_json_parts(t, o->parts);
}

static const struct output_form forms[] = {
    {"none", 0, false, line},
    {"hard", ATTEND_LINE_LINKS, false, line},
    {"soft", 0, true, matrix},
    {"json", 0, false, json},
};
/* The same with several hypotheses. */
static const struct output_form nbest_forms[] = {
    {"none", 0, true, nbest},
    {"hard", ATTEND_LINE_LINKS, true, nbest},
    {"soft", 0, true, matrix},
    {"json", 0, false, json},
};
enum { FORMS = sizeof forms / sizeof *forms };

static const struct output_form *find_form(const struct flags *flags)
{
    const char *name = flags->alignment;
    const bool several = flags->search.nbest > 1;
    int i = FORMS - 1;
    if (!flags->json)
        while (i > 0 && strcmp(forms[i].alignment, name) != 0)
            i--;
    return several ? &nbest_forms[i] : &forms[i];
}

/* ---- Opening, writing, closing ---- */

/* Whether standard input is read and comes from this file. Opening the file would truncate it. */
static bool is_input(const char *path, const struct flags *flags)
{
    struct stat in, out;
    return !flags->input && fstat(STDIN_FILENO, &in) == 0 && stat(path, &out) == 0 &&
           S_ISREG(in.st_mode) && in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

int output_open(struct output *o, const struct session *session, const struct command *command,
                const struct flags *flags)
{
    const char *path = flags->output;
    const bool pieces = flags->pieces;
    *o = (struct output){
        .model = session->model[0], .form = find_form(flags), .words = flags->words};
    if (pieces && o->words)
        return args_usage(command, "--words and --pieces exclude each other");
    o->parts = o->form->parts | (pieces ? ATTEND_LINE_PIECES : 0) |
               (flags->scores ? ATTEND_LINE_SCORES : 0) |
               (flags->probabilities ? ATTEND_LINE_PROBABILITIES : 0);
    /* People read the probabilities of words; in JSON the tokens stay. */
    if (flags->probabilities && !pieces && o->form->text != json)
        o->words = true;
    const bool shows = strcmp(flags->alignment, "none") != 0;
    if (shows && !session_attends(session, command))
        return EXIT_FAILED;
    if (path && is_input(path, flags))
        return args_usage(command, "--output is the same file as standard input");
    o->file = path ? fopen(path, "wbe") : stdout;
    if (o->file)
        return EXIT_DONE;
    fprintf(stderr, "attend %s: %s: cannot be opened: %s\n", command->name, path, strerror(errno));
    return EXIT_FAILED;
}

static enum attend_status print(const struct output *o, const struct attend_translation *t, long id,
                                struct attend_error *err)
{
    char *text = o->form->text(o, t, id);
    if (!text) {
        snprintf(err->message, sizeof err->message, "out of memory for line %ld", id + 1);
        return ATTEND_NO_MEMORY;
    }
    if (fputs(text, o->file) != EOF && !o->form->ended)
        putc('\n', o->file);
    attend_text_free(text);
    return ATTEND_OK;
}

enum attend_status output_print(const struct output *o, const struct attend_translation *t, long id,
                                struct attend_error *err)
{
    struct attend_translation folded;
    if (!o->words)
        return print(o, t, id, err);
    enum attend_status status = attend_translation_fold(&folded, t, o->model, err);
    if (!status) {
        status = print(o, &folded, id, err);
        attend_translation_release(&folded);
    }
    return status;
}

int output_close(struct output *o, const struct command *command, int code)
{
    if (!o->file || o->file == stdout)
        return code;
    errno = 0;
    if (code == EXIT_DONE) /* otherwise there was an error message already */
        code = args_flush(command, o->file);
    const bool closed = fclose(o->file) == 0;
    if (code == EXIT_DONE && !closed) {
        fprintf(stderr, "attend %s: the output cannot be written: %s\n", command->name,
                strerror(errno));
        code = EXIT_FAILED;
    }
    return code;
}
