/* The contribution of tokens to a layer, their embeddings times its input weights: out_i +=
 * emb(y_i) W. A table caches the rows of tokens that have occurred, so that they cost a copy
 * instead of a product. A row is the same whether it is cached or computed. */
#ifndef ATTEND_NN_TOKEN_TABLE_H
#define ATTEND_NN_TOKEN_TABLE_H

#include "nn/embedding.h"

struct tokens {
    const struct embedding *embedding; /* (V, E) */
    const struct packed *weights;      /* (E, N) W */
    struct token_table *table;         /* or NULL: every row is computed */
};

/* A cache for one embedding and weights that do not change; threads may share it. */
enum { TOKEN_TABLE_BYTES = 64 << 20 }; /* upper limit; memory is touched only as tokens occur */
enum attend_status token_table_new(struct token_table **out, int V, int N,
                                   struct attend_error *err);
void token_table_free(struct token_table *);
/* The bytes of the rows that are filled, and of the index. NULL is fine. */
size_t token_table_memory(const struct token_table *);

/* Add the contribution of token[i] to row i of `to` (count, N); on one thread. */
void tokens_add(const struct tokens *, struct compute *, const int *token, struct view to,
                real *work);
/* The size of `work` in numbers, for `count` tokens. */
size_t tokens_work(const struct tokens *, int count);

#endif
