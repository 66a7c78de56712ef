/* Subword sampling: in every epoch, the training pairs are cut into other pieces, sampled from the
 * text, which stays in its temporary file. The pieces of an epoch are a function of the seed, the
 * epoch and the line, so that a resumed run, and every process of a run, has the same ones. */
#ifndef ATTEND_CORPUS_RESAMPLING_H
#define ATTEND_CORPUS_RESAMPLING_H

#include "corpus/encode.h"

struct store;
struct resampling;

/* Makes the store of an epoch when the epoch begins. The store must depend only on the epoch.
 * Stores of earlier epochs are not kept. */
struct pair_source {
    /* The caller frees the store. NULL: every epoch has the same pairs. */
    enum attend_status (*sample)(void *context, int epoch, struct store **out,
                                 struct attend_error *err);
    void *context;
};

/* Takes ownership of *text and sets it to NULL. The rule has an alpha; its pointers are borrowed.
 * Stores are made in `folder`. */
enum attend_status resampling_new(struct resampling **out, struct pairs **text, const char *folder,
                                  const struct encode_rule *, struct attend_error *err);
void resampling_free(struct resampling *);

/* The pair source for a feed, which borrows the resampling. For NULL, one that samples nothing. */
struct pair_source resampling_source(struct resampling *);

#endif
