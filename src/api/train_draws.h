/* --subword-sampling: the training pairs in other pieces in every epoch, drawn from the text, which
 * stays in its temporary file. An epoch's pieces are a function of the seed, the epoch and the
 * line, so that training goes on from a checkpoint, and runs in several processes, with the same
 * ones. */
#ifndef ATTEND_API_TRAIN_DRAWS_H
#define ATTEND_API_TRAIN_DRAWS_H

#include "text/encode.h"
#include "train/feed.h"

struct train_draws;

/* Takes *text over, which becomes NULL; the rule has an alpha, and borrows. Stores will lie in
 * `folder`. */
enum attend_status train_draws_new(struct train_draws **out, struct pairs **text,
                                   const char *folder, const struct encode_rule *,
                                   struct attend_error *err);
void train_draws_free(struct train_draws *);

/* What a feed takes; of NULL, one that draws nothing. Borrows. */
struct feed_source train_draws_source(struct train_draws *);

#endif
