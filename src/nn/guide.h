/* Guided attention (Chen, Matusov, Khadivi and Peter 2016): links between source and target words, made by another
 * aligner or by hand, teach the attention where to look. With L_i the source positions linked to row i, the loss of the
 * weights is added to that of the words, for rows that have links:
 *
 *     loss = weight sum_i -1/|L_i| sum_{j in L_i} log(a_ij + FLOOR)          a_i: the mean of the heads
 *
 * FLOOR keeps the loss finite where a mechanism gives a position no weight at all, as outside a window.
 *
 * Dims: M rows, S longest source, G heads. */
#ifndef ATTEND_NN_GUIDE_H
#define ATTEND_NN_GUIDE_H

#include "tensor/view.h"

struct arena;

/* The links of the rows of a batch; all zero if there are none. */
struct guide {
    int rows;          /* M */
    int *from, *count; /* (M) row i is linked to at[from[i]] .. at[from[i] + count[i] - 1] */
    int *at;           /* source positions; one that occurs twice counts twice */
    int used;
};

void guide_bind(struct guide *, struct arena *, int rows, int links);
void guide_clear(struct guide *);
/* Link a row to a source position. The links of a row are added one after the other. */
void guide_add(struct guide *, int row, int position);

/* The loss of weights (M, G S), without its weight. */
double guide_loss(const struct guide *, struct view weight, int heads);
/* Adds the gradient of rows `row` and following, times `factor`. */
void guide_backward(const struct guide *, int row, struct view weight, int heads, double factor,
                    struct view d_weight);

#endif
