/* Documents of attend translate: a block is filled with their sentences instead of lines. */
#ifndef ATTEND_CLI_DOCUMENT_H
#define ATTEND_CLI_DOCUMENT_H

#include "block.h"
#include "sentences.h"
#include "session.h"

#include <attend/document.h>

/* All zero: the input is lines. */
struct document {
    struct attend_document *document;
    struct sentences sentences;
    long lines; /* lines read so far */
};

/* The format that the flags and the ending of --input select; NULL: lines. *code is EXIT_DONE, or
 * an exit code after an error message. */
const char *document_format(const struct command *, const struct flags *, int *code);
/* Open --input in this format. Returns EXIT_DONE, or an exit code after an error message. */
int document_open(struct document *, const char *format, const struct session *,
                  const struct command *, const struct flags *);
/* Replace the lines of a block by the next sentences; none at the end. `out` gets what is before
 * them. */
enum attend_status document_read(struct document *, struct block *, int most, FILE *out,
                                 struct attend_error *err);
/* Write the translations of the block's lines, in place of the lines. */
enum attend_status document_write(struct document *, const struct attend_translation *, int count,
                                  FILE *out, struct attend_error *err);
/* Say what is special about the result, if anything. */
void document_say(const struct document *, const struct command *);
void document_close(struct document *);

/* The choices of --format. */
struct attend_choice document_choice(int i);

#endif
