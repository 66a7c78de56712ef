#include "given_ink.h"

#include <errno.h>
#include <stdlib.h>

enum { AT_ONCE = 64 };

/* The traces of the pairs of a block: given, or written if there is only text. */
static enum attend_status traces_of(const struct attend_model *model, const struct flags *flags,
                                    const struct pairs *p, struct attend_writing *out,
                                    struct attend_error *err)
{
    const char *const *text = pairs_sources(p);
    const int count = p->source_block.count;
    const struct attend_given_ink given = {.texts = text,
                                           .paths = pairs_targets(p),
                                           .count = count,
                                           .beside = flags->tgt,
                                           .threads = flags->search.threads};
    struct attend_writer_options options = flags->writer;
    options.seed = flags->search.seed;
    options.max_length = flags->search.max_length;
    options.first_line = p->source_block.first - 1;
    const enum attend_status status =
        p->forced ? attend_write_given(model, &given, out, err)
                  : attend_write(model, text, count, &options, NULL, out, err);
    if (status)
        pairs_name_line(p, err);
    return status;
}

static void release(struct attend_writing *w, int count)
{
    for (int i = 0; i < count; i++)
        attend_writing_release(&w[i]);
}

/* ---- attend score ---- */

struct scores {
    double total; /* log-probability of all pairs */
    long strokes; /* with the ends */
};

static int score_block(const struct command *command, const struct flags *flags,
                       const struct attend_model *model, const struct pairs *p, struct scores *s)
{
    struct attend_writing given[AT_ONCE];
    struct attend_error err;
    const int count = p->source_block.count;
    const enum attend_status status = traces_of(model, flags, p, given, &err);
    if (status)
        return args_fail(command, status, &err);
    errno = 0;
    for (int i = 0; i < count; i++) {
        printf("%.6f\n", given[i].log_probability);
        s->total += given[i].log_probability;
        s->strokes += given[i].count + 1;
    }
    release(given, count);
    return args_flush(command, stdout);
}

int given_ink_score(const struct command *command, const struct flags *flags,
                    const struct attend_model *model, struct pairs *p)
{
    static const char *const about_words[] = {"tokens", "json", "pieces", NULL};
    struct scores s = {0};
    int code = EXIT_DONE;
    if (!args_none(command, flags, about_words, "does not go with a model that writes by hand"))
        return EXIT_USAGE;
    for (bool more = true; more && code == EXIT_DONE;) {
        struct attend_error err;
        const enum attend_status status = pairs_read(p, AT_ONCE, &err);
        more = !status && p->source_block.count > 0;
        if (status)
            code = args_fail(command, status, &err);
        else if (more)
            code = score_block(command, flags, model, p, &s);
    }
    if (code == EXIT_DONE)
        fprintf(stderr, "total %.4f  strokes %ld  loss %.4f\n", s.total, s.strokes,
                s.strokes ? -s.total / (double)s.strokes : 0);
    return code;
}

/* ---- attend plot ---- */

static int draw(const struct command *command, const struct attend_writing *w, long number,
                struct plot_sink *sink)
{
    struct attend_matrices panels = {0};
    struct attend_error err;
    const struct attend_trace trace = attend_writing_trace(w);
    const enum attend_status status = attend_matrices_add_trace(&panels, &trace, number, &err);
    const int code =
        status ? args_fail(command, status, &err) : plot_sink_put(sink, &panels, number);
    attend_matrices_release(&panels);
    return code;
}

int given_ink_plot(const struct command *command, const struct flags *flags,
                   const struct attend_model *model, const struct pairs *p, struct plot_sink *sink)
{
    struct attend_writing *w = calloc((size_t)p->source_block.count + 1, sizeof *w);
    struct attend_error err = {.message = "out of memory"};
    enum attend_status status = w ? traces_of(model, flags, p, w, &err) : ATTEND_NO_MEMORY;
    int code = status ? args_fail(command, status, &err) : EXIT_DONE;
    const int count = code == EXIT_DONE ? p->source_block.count : 0;
    for (int i = 0; i < count && code == EXIT_DONE; i++)
        code = draw(command, &w[i], p->source_block.first + i, sink);
    release(w, count);
    free(w);
    return code;
}
