#include "writing.h"

#include "input.h"
#include "picture.h"
#include "unknown_words.h"

#include <stdlib.h>

enum { LINES = 64 }; /* at once */

/* All that was written so far. */
struct writings {
    struct attend_writing *item;
    int count, size;
    long cut_off;
    struct unknown_words unknown;
};

static void writings_release(struct writings *w)
{
    for (int i = 0; i < w->count; i++)
        attend_writing_release(&w->item[i]);
    free(w->item);
}

/* ---- Output: to add a format, add its row ---- */

static char *inkml(const struct attend_trace *traces, int count, const struct attend_style *style)
{
    (void)style;
    return attend_writing_inkml(traces, count);
}

static const struct format {
    const char *ending;
    char *(*text)(const struct attend_trace *, int count, const struct attend_style *);
} formats[] = {{".html", attend_writing_page}, {".inkml", inkml}, {0}};

static const struct format *find_format(const char *path)
{
    const struct format *format = formats;
    while (format->ending && !picture_ends_in(path, format->ending))
        format++;
    return format;
}

static int check_output(const struct command *command, const char *path)
{
    return !path || picture_takes(path) || find_format(path)->ending
               ? EXIT_DONE
               : args_usage(command, "a model that writes by hand needs an --output that ends in "
                                     ".svg, .png, .pdf, .html or .inkml");
}

static int no_memory(const struct command *command)
{
    return args_fail(command, ATTEND_NO_MEMORY, &(struct attend_error){.message = "out of memory"});
}

static int print(const struct command *command, char *text)
{
    if (!text)
        return no_memory(command);
    fputs(text, stdout);
    attend_text_free(text);
    return args_flush(command, stdout);
}

static int save(const struct writings *w, const struct command *command, const char *path)
{
    const struct attend_style style = {0};
    struct attend_trace *traces = calloc((size_t)w->count + 1, sizeof *traces);
    if (!traces)
        return no_memory(command);
    for (int i = 0; i < w->count; i++)
        traces[i] = attend_writing_trace(&w->item[i]);
    int code;
    if (!path)
        code = print(command, inkml(traces, w->count, &style));
    else if (find_format(path)->ending)
        code = picture_save_text(command, find_format(path)->text(traces, w->count, &style), path);
    else
        code = picture_save(command, attend_picture_writing(traces, w->count, &style), path);
    free(traces);
    return code;
}

/* ---- Lines ---- */

static bool grow(struct writings *w, int more)
{
    if (w->count + more <= w->size)
        return true;
    const int size = 2 * w->size + more;
    struct attend_writing *item = realloc(w->item, (size_t)size * sizeof *item);
    if (item) {
        w->item = item;
        w->size = size;
    }
    return item;
}

/* What is to be said of the writing of line i, which --strict may refuse. */
static enum attend_status judge(struct writings *w, int i, const char *line, const char *strict,
                                struct attend_error *err)
{
    const struct attend_writing *writing = &w->item[i];
    if (strict && writing->unknowns) {
        unknown_words_refuse(writing->unknown, strict, i + 1, err);
        return ATTEND_DATA;
    }
    w->cut_off += !writing->complete;
    unknown_words_add(&w->unknown, writing->unknown, writing->unknowns, line, i + 1);
    return ATTEND_OK;
}

static int write_block(struct writings *w, const struct session *s, const struct command *command,
                       const struct flags *flags, const struct block *block, const char *name)
{
    struct attend_writer_options options = flags->writer;
    struct attend_error err;
    options.seed = flags->search.seed;
    options.max_length = flags->search.max_length;
    options.first_line = w->count;
    if (!grow(w, block->count))
        return no_memory(command);
    enum attend_status status =
        attend_write(s->model[0], (const char *const *)block->line, block->count, &options, NULL,
                     w->item + w->count, &err);
    if (status)
        return args_fail(command, status, &err);
    const int first = w->count;
    w->count += block->count;
    for (int i = 0; i < block->count && !status; i++)
        status = judge(w, first + i, block->line[i], flags->strict ? name : NULL, &err);
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}

static int write_lines(struct writings *w, const struct session *s, const struct command *command,
                       const struct flags *flags, struct input *in)
{
    struct block block = {0};
    struct attend_error err;
    int code = EXIT_DONE;
    for (bool more = true; more && code == EXIT_DONE;) {
        const enum attend_status status = input_read(in, &block, LINES, &err);
        more = !status && block.count > 0;
        if (status)
            code = args_fail(command, status, &err);
        else if (more)
            code = write_block(w, s, command, flags, &block, input_name(in));
    }
    block_release(&block);
    if (code == EXIT_DONE)
        unknown_words_say(&w->unknown, command->name);
    if (code == EXIT_DONE && w->cut_off)
        fprintf(stderr, "attend translate: %ld trace%s met the length limit (--max-length)\n",
                w->cut_off, w->cut_off == 1 ? "" : "s");
    return code;
}

/* Options of attend translate that are about words. */
static const char *const about_words[] = {
    "beam",      "nbest",       "length-penalty", "coverage-penalty",
    "no-repeat", "finish-all",  "temperature",    "top-k",
    "top-p",     "scores",      "alignment",      "words",
    "pieces",    "json",        "unk-replace",    "prefix",
    "require",   "ban",         "lexicon",        "probabilities",
    "mass",      "tags",        "glossary",       "mask",
    "format",    "retranslate", "lexicon-first",  "split-sentences",
    NULL};

int writing_run(const struct session *s, const struct command *command, const struct flags *flags,
                const char *const *argument, int count)
{
    struct input in = {0};
    struct writings w = {0};
    struct attend_error err;
    if (s->models > 1)
        return args_usage(command, "a model that writes by hand writes alone, not in an ensemble");
    if (!args_none(command, flags, about_words, "does not go with a model that writes by hand"))
        return EXIT_USAGE;
    int code = check_output(command, flags->output);
    if (code != EXIT_DONE)
        return code;
    const enum attend_status status = input_open(&in, flags->input, argument, count, &err);
    code = status ? args_fail(command, status, &err) : write_lines(&w, s, command, flags, &in);
    if (code == EXIT_DONE)
        code = save(&w, command, flags->output);
    input_close(&in);
    writings_release(&w);
    return code;
}
