/* The tags, masks and terms of the lines that attend translate reads: taken out before, and put
 * back after translating. */
#ifndef ATTEND_CLI_PREPARE_H
#define ATTEND_CLI_PREPARE_H

#include "block.h"
#include "session.h"

#include <attend/markup.h>

struct prepare {
    bool used; /* any of --tags, --mask and --glossary was given */
    struct attend_markup_options options;
    struct attend_glossary *glossary;
    struct attend_markup *line[BLOCK_LINES]; /* of the block's lines */
    const char **required[BLOCK_LINES];      /* phrases of the user's and of the line */
    bool moves;                              /* a line of the block has tags */
    long left_out;                           /* terms beyond ATTEND_MAX_PHRASES, in all lines */
};

/* Take the flags. Returns EXIT_DONE, or an exit code after an error message. */
int prepare_open(struct prepare *, const struct session *, const struct command *,
                 const struct flags *);
/* The lines come from a document with this markup of its own, which may be broken. */
void prepare_document(struct prepare *, enum attend_tags own);
/* Take line i of a block apart. */
enum attend_status prepare_line(struct prepare *, int i, const char *line,
                                struct attend_error *err);
/* Replace a line by its text to translate, and add its terms to the constraint. */
enum attend_status prepare_ask(struct prepare *, int i, const char **line,
                               struct attend_constraint *, struct attend_error *err);
/* Put the tags of line i back. */
enum attend_status prepare_answer(const struct prepare *, int i, struct attend_translation *,
                                  struct attend_error *err);
/* Forget the lines of a block. */
void prepare_clear(struct prepare *);
void prepare_close(struct prepare *);

#endif
