/* A batch laid out for the engine: no padding anywhere.
 *
 * The sentences are dealt into lanes, one for each thread of the team, so that the lanes hold about
 * the same number of words. Within a lane the encoder sees them longest source first and the
 * decoder longest target first; `memory_row` is the one permutation between the two. Sentences are
 * numbered in the decoder's order, lane by lane.
 *
 * With a pyramid, the source has further levels: element t of level k + 1 joins the elements 2 t and
 * 2 t + 1 of level k, so a level is half as long as the one below, rounded up. The order of the
 * sentences in a lane is the same at every level. Annotations are the elements of the top level. */
#ifndef ATTEND_MODEL_BATCH_H
#define ATTEND_MODEL_BATCH_H

#include "nn/guide.h"
#include "nn/steps.h"
#include "tensor/real.h"
#include "text/sequences.h"

#include <stdint.h>

struct arena;
struct batch_order;

enum { BATCH_LANES = 64, BATCH_LEVELS = 8, BATCH_STROKE = 3 }; /* dx, dy, pen */

/* One level of the source, in the encoder's order. */
struct batch_level {
    int rows;
    struct steps *lane; /* (lanes) */
    int *place;         /* (rows, 2) item and position of each row, the key of dropout */
    int *ends;          /* (B, 2) the rows of each sentence's first and last element */
    int *below; /* (rows, 2) the rows of the level below that a row joins; the second is -1 for the
                 * last element of an odd number. NULL at level 0 */
};

struct batch {
    int B, lanes;
    int pyramid;                  /* the top level */
    int S;                        /* most annotations of a sentence */
    int source_rows, target_rows; /* N of each side, </s> included; target_rows 0 without targets */
    int memory_rows;              /* annotations of all sentences; source_rows without a pyramid */
    int width;                    /* numbers in a frame of the source, which has no </s>; or 0 */
    int stroke_width;             /* 3 if the target is strokes; or 0 */
    struct batch_level level[BATCH_LEVELS]; /* (pyramid + 1) from the source up */
    struct steps target[BATCH_LANES];
    int *item;          /* (B) index in the corpus */
    int *memory_start;  /* (B) first row of the sentence's annotations */
    int *memory_length; /* (B) the number of its annotations */
    int *memory_row;    /* (memory_rows) the encoder's row, at the top level, of each annotation */
    int *source_id;     /* (source_rows) tokens in the encoder's order; NULL for frames */
    real *source_frame; /* (source_rows, width) frames in the encoder's order; NULL for tokens */
    int *target_in;     /* (target_rows) <s> y_1 .. y_n */
    int *target_out;    /* (target_rows) y_1 .. y_n </s> */
    /* If the target is strokes, target_out is 1 where the trace is over and 0 elsewhere, and the
     * strokes are (target_rows, 3): y_0 y_1 .. y_n and y_1 .. y_n, 0 at the end; y_0 = (0, 0, 1) */
    real *stroke_in, *stroke_out;
    int *target_choice; /* (target_rows) the model's own word in place of target_out */
    int *target_place;  /* (target_rows, 2) item and position of each row, the key of dropout */
    struct guide guide; /* the links of the target rows, if the pairs have any */
    int *active;        /* workspace of the steps: active and start of every lane and side */
    struct batch_order *order; /* (B) workspace for sorting */
};

/* The sentences of a batch: items of the source sequences and, unless target is NULL, of the target
 * sequences. A source of frames has at least one frame. */
struct batch_text {
    const struct sequences *source, *target;
    const int *item; /* (count) */
    int count;
    const struct sequences
        *links; /* (source, target) positions, in the order of the targets; or NULL */
};

/* The number of annotations of a source: one for each of its `length` frames, if they have a width,
 * or one for each token and </s>; a pyramid halves them, rounded up, at each of its levels. */
int batch_annotations(int length, int width, int pyramid);

/* Allocate room for these sentences in this many lanes. */
void batch_bind(struct batch *, struct arena *, const struct batch_text *, int lanes, int pyramid);
/* Lay the sentences out, after batch_bind with the same arguments. */
void batch_fill(struct batch *, const struct batch_text *);
/* Scheduled sampling: each word of target_in except <s> is replaced, with probability `rate`, by
 * the model's choice at the step before. <unk>, <s> and </s> are never taken. */
void batch_feed_back(struct batch *, double rate, uint64_t key);

#endif
