/* Embedding: row i of the output is the table's row ids[i]. */
#ifndef ATTEND_NN_EMBEDDING_H
#define ATTEND_NN_EMBEDDING_H

#include "nn/linear.h"

struct embedding {
    struct param table; /* (V, E) */
};

void embedding_declare(struct embedding *, struct param_set *, const char *path, int V, int E);
/* out: (N, E); the team divides the rows. */
void embedding_forward(const struct embedding *, struct compute *, const int *ids, struct view out);
/* table.grad[ids[i]] += d_out[i]. The team divides the columns, so a repeated token causes no
 * race. */
void embedding_backward(const struct embedding *, struct compute *, const int *ids,
                        struct view d_out);

#endif
