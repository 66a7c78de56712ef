#include "document.h"

#include <stdlib.h>
#include <string.h>

struct attend_choice document_choice(int i)
{
    static const struct attend_choice own[] = {
        {"auto", "by the ending of --input", NULL},
        {"lines", "a sentence a line", NULL},
    };
    enum { OWN = sizeof own / sizeof *own };
    struct attend_document_format format;
    if (i < OWN)
        return own[i];
    if (!attend_document_format(i - OWN, &format))
        return (struct attend_choice){0};
    return (struct attend_choice){.name = format.name, .help = format.help};
}

/* ---- The format ---- */

/* Without --format, .txt is lines, as it always was. */
static const char *by_ending(const struct command *command, const struct flags *flags, int *code)
{
    const bool asked = flags->document_format != NULL;
    const char *name = flags->input ? attend_document_format_of(flags->input) : NULL;
    if (!asked && name && strcmp(name, "text") == 0)
        name = NULL;
    if (!name && flags->split_sentences)
        name = "text";
    if (!name && asked)
        *code = args_usage(command, flags->input
                                        ? "--format auto does not know the ending of --input; name "
                                          "the format"
                                        : "--format auto needs --input, whose ending it looks at");
    return name;
}

const char *document_format(const struct command *command, const struct flags *flags, int *code)
{
    static const char *const lines_only[] = {"scores", "alignment", "words", "pieces",
                                             "json",   "nbest",     NULL};
    const char *name = flags->document_format;
    *code = EXIT_DONE;
    if (!name || strcmp(name, "auto") == 0)
        name = by_ending(command, flags, code);
    else if (strcmp(name, "lines") == 0)
        name = flags->split_sentences ? "text" : NULL;
    if (name && !args_none(command, flags, lines_only,
                           "needs --format lines and whole lines: a document has only its text"))
        *code = EXIT_USAGE;
    return *code == EXIT_DONE ? name : NULL;
}

int document_open(struct document *d, const char *format, const struct session *session,
                  const struct command *command, const struct flags *flags)
{
    struct attend_error err;
    const bool split =
        flags->split_sentences || !attend_settings_given(flags->settings, "split-sentences");
    const struct attend_document_setup setup = {
        .format = format,
        .splitting = {.sentences = split ? sentences_load(&d->sentences, command->name) : NULL,
                      .model = session->model[0]},
        .overwrite = flags->retranslate,
    };
    const enum attend_status status =
        attend_document_open(&d->document, flags->input, &setup, &err);
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}

/* ---- Reading and writing ---- */

static bool write_bytes(void *context, const char *bytes, size_t length)
{
    FILE *file = context;
    return fwrite(bytes, 1, length, file) == length;
}

enum attend_status document_read(struct document *d, struct block *b, int most, FILE *out,
                                 struct attend_error *err)
{
    const struct attend_sink sink = {write_bytes, out};
    const char *const *lines;
    int count;
    block_cut(b, 0);
    b->first = d->lines + 1;
    enum attend_status status = attend_document_read(d->document, &sink, most, &lines, &count, err);
    for (int i = 0; i < count && !status; i++)
        status = block_add(b, lines[i], err);
    d->lines += b->count;
    return status;
}

enum attend_status document_write(struct document *d, const struct attend_translation *result,
                                  int count, FILE *out, struct attend_error *err)
{
    const struct attend_sink sink = {write_bytes, out};
    const char *text[BLOCK_LINES];
    for (int i = 0; i < count; i++)
        text[i] = result[i].text;
    return attend_document_write(d->document, &sink, text, err);
}

void document_say(const struct document *d, const struct command *command)
{
    const struct attend_document_report report = attend_document_report(d->document);
    if (report.cut)
        fprintf(stderr,
                "attend %s: %ld sentences are longer than any source in training and were cut\n",
                command->name, report.cut);
    if (report.left)
        fprintf(stderr,
                "attend %s: %ld texts are not translated, because their placeholders were lost\n",
                command->name, report.left);
}

void document_close(struct document *d)
{
    attend_document_close(d->document);
    sentences_close(&d->sentences);
}
