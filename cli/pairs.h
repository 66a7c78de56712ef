/* Runs sentences or sentence pairs through a model, a block at a time. */
#ifndef ATTEND_CLI_PAIRS_H
#define ATTEND_CLI_PAIRS_H

#include "block.h"

#include <attend/translate.h>

/* All zero holds nothing. */
struct pairs {
    bool forced;                          /* translations are given */
    bool pieces;                          /* they are pieces separated by spaces */
    struct attend_lines *source, *target; /* NULL after pairs_one */
    struct block source_block, target_block;
    bool read; /* the pair of pairs_one was read */
};

/* Open files; target may be NULL. */
enum attend_status pairs_open(struct pairs *, const char *source, const char *target,
                              struct attend_error *err);
/* Use one sentence; target may be NULL. */
enum attend_status pairs_one(struct pairs *, const char *source, const char *target,
                             struct attend_error *err);
/* Read up to `most` of them into the blocks; none at the end. */
enum attend_status pairs_read(struct pairs *, int most, struct attend_error *err);
/* Translate the block, or score the given translations; the caller releases each of out. */
enum attend_status pairs_run(const struct pairs *, struct attend_translator *,
                             struct attend_translation *out, struct attend_error *err);
/* The lines of the blocks, source_block.count of each. */
const char *const *pairs_sources(const struct pairs *);
const char *const *pairs_targets(const struct pairs *);
/* Move an error about a line of the block to its file and line. */
void pairs_name_line(const struct pairs *, struct attend_error *err);
void pairs_close(struct pairs *);

/* Move an error about a sentence from the command line, which has no file, to "the sentence" or
 * "the translation". */
void pairs_name_operand(struct attend_error *err);

#endif
