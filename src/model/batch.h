/* A batch laid out for the engine: no padding anywhere.
 *
 * The sentences are dealt into lanes, one for each thread of the team, so that the lanes hold about
 * the same number of words. Within a lane the encoder sees them longest source first and the
 * decoder longest target first; `memory_row` is the one permutation between the two. Sentences are
 * numbered in the decoder's order, lane by lane. */
#ifndef ATTEND_MODEL_BATCH_H
#define ATTEND_MODEL_BATCH_H

#include "nn/steps.h"
#include "text/sequences.h"

#include <stdint.h>

struct arena;
struct batch_order;

enum { BATCH_LANES = 64 };

struct batch {
    int B, lanes;
    int S;                        /* longest source, </s> included */
    int source_rows, target_rows; /* N of each side, </s> included; target_rows 0 without targets */
    struct steps source[BATCH_LANES]; /* sentences in the encoder's order */
    struct steps target[BATCH_LANES];
    int *item;          /* (B) index in the corpus */
    int *memory_start;  /* (B) first row of the sentence's annotations */
    int *memory_length; /* (B) its source length, </s> included */
    int *memory_row;    /* (source_rows) the encoder's row of each annotation */
    int *source_id;     /* (source_rows) tokens in the encoder's order */
    int *target_in;     /* (target_rows) <s> y_1 .. y_n */
    int *target_out;    /* (target_rows) y_1 .. y_n </s> */
    int *target_choice; /* (target_rows) the model's own word in place of target_out */
    /* (source_rows, 2) item and position of each encoder row, the key of dropout */
    int *source_place;
    int *target_place;         /* (target_rows, 2) the same for target rows */
    int *active;               /* workspace of the steps: active and start of every lane and side */
    struct batch_order *order; /* (B) workspace for sorting */
};

/* The sentences of a batch: items of the source sequences and, unless target is NULL, of the target
 * sequences. */
struct batch_text {
    const struct sequences *source, *target;
    const int *item; /* (count) */
    int count;
};

/* Allocate room for these sentences in this many lanes. */
void batch_bind(struct batch *, struct arena *, const struct batch_text *, int lanes);
/* Lay the sentences out, after batch_bind with the same arguments. */
void batch_fill(struct batch *, const struct batch_text *);
/* Scheduled sampling: each word of target_in except <s> is replaced, with probability `rate`, by
 * the model's choice at the step before. <unk>, <s> and </s> are never taken. */
void batch_feed_back(struct batch *, double rate, uint64_t key);

#endif
