/* Translates the sources of a test. */
#include "block.h"
#include "eval.h"
#include "session.h"

#include <stdlib.h>

struct asking {
    const struct command *command;
    const struct flags *flags;
    struct session session;
    struct attend_eval_set *set;
    struct attend_answer *answers; /* (lines of the set) or NULL */
    const char *line[BLOCK_LINES];
    struct attend_translation result[BLOCK_LINES];
    long cut_off, unseen;
};

/* An error about a source is moved to its file and line. */
static void name_line(const struct asking *a, int first, struct attend_error *err)
{
    const struct attend_eval_options *o = &a->flags->eval;
    if (err->argument)
        attend_error_move(err, o->test ? o->test : o->src,
                          attend_eval_set_number(a->set, first + err->item));
}

static enum attend_status take(struct asking *a, int first, int count, struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < count; i++) {
        struct attend_translation *t = &a->result[i];
        if (!status)
            status = attend_eval_set_answer(a->set, first + i, t->text, err);
        if (!status && a->answers)
            a->answers[first + i] =
                (struct attend_answer){.log_probability = t->log_probability,
                                       .tokens = t->target_count,
                                       .confidence = (double)t->confidence,
                                       .right = attend_eval_set_right(a->set, first + i) > 0};
        a->cut_off += !t->complete;
        a->unseen += t->unseen > 0;
        attend_translation_release(t);
    }
    return status;
}

static enum attend_status ask(struct asking *a, struct attend_error *err)
{
    const int count = attend_eval_set_count(a->set);
    const int most = a->session.reader ? BLOCK_FILES : BLOCK_LINES;
    enum attend_status status = ATTEND_OK;
    for (int first = 0; first < count && !status; first += most) {
        const int lines = count - first < most ? count - first : most;
        for (int i = 0; i < lines; i++)
            a->line[i] = attend_eval_set_source(a->set, first + i);
        status = attend_translate(a->session.translator, a->line, lines, a->result, err);
        if (status)
            name_line(a, first, err);
        else
            status = take(a, first, lines, err);
    }
    return status;
}

static void say_shortcomings(const struct asking *a)
{
    if (a->unseen)
        fprintf(stderr,
                "attend eval: %ld sources are longer than any in training; location attention "
                "cannot see their ends\n",
                a->unseen);
    if (a->cut_off)
        fprintf(stderr, "attend eval: %ld translations met the length limit (--max-length)\n",
                a->cut_off);
}

int eval_translate(const struct command *command, const struct flags *flags,
                   struct attend_eval_set *set, struct attend_answer *answers)
{
    struct attend_error err = {.message = "out of memory"};
    struct flags searching = *flags;
    struct asking *a = calloc(1, sizeof *a);
    if (!a)
        return args_fail(command, ATTEND_NO_MEMORY, &err);
    searching.search.seed = flags->eval.seed;
    a->command = command;
    a->flags = flags;
    a->set = set;
    a->answers = answers;
    int code = session_open(&a->session, command, &searching);
    if (code == EXIT_DONE) {
        const enum attend_status status = ask(a, &err);
        code = status ? args_fail(command, status, &err) : EXIT_DONE;
        say_shortcomings(a);
    }
    session_close(&a->session);
    free(a);
    return code;
}
