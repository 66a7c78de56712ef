/* Sentences, or pairs of them, on their way through a model, a block at a time. */
#ifndef ATTEND_CLI_PAIRS_H
#define ATTEND_CLI_PAIRS_H

#include "block.h"

#include <attend/translate.h>

/* All zero holds nothing. */
struct pairs {
    bool forced;                          /* translations are given */
    struct attend_lines *source, *target; /* NULL: given by pairs_one, which is read once */
    struct block source_block, target_block;
    bool read;
};

/* From files; target may be NULL. */
enum attend_status pairs_open(struct pairs *, const char *source, const char *target,
                              struct attend_error *err);
/* One sentence; target may be NULL. */
enum attend_status pairs_one(struct pairs *, const char *source, const char *target,
                             struct attend_error *err);
/* Up to `most` of them into the blocks; none at the end. */
enum attend_status pairs_read(struct pairs *, int most, struct attend_error *err);
/* What the translator makes of the block, or of the given translations; release each of out. */
enum attend_status pairs_run(const struct pairs *, struct attend_translator *,
                             struct attend_translation *out, struct attend_error *err);
void pairs_close(struct pairs *);

#endif
