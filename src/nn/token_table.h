/* What tokens bring into a layer, their embeddings times its input weights: out_i += emb(y_i) W. A
 * table keeps the rows of tokens that have come before, so that they cost a copy instead of a
 * product; a token's row is the same whether it comes from the table or not. */
#ifndef ATTEND_NN_TOKEN_TABLE_H
#define ATTEND_NN_TOKEN_TABLE_H

#include "nn/embedding.h"

struct tokens {
    const struct embedding *embedding; /* (V, E) */
    const struct packed *weights;      /* (E, N) W */
    struct token_table *table;         /* or NULL: every row is a product */
};

/* Of one embedding and weights that do not change; threads may share it. */
enum { TOKEN_TABLE_BYTES = 64 << 20 }; /* at most; touched only as tokens come */
enum attend_status token_table_new(struct token_table **out, int V, int N,
                                   struct attend_error *err);
void token_table_free(struct token_table *);

/* Add to row i of `to` (count, N) what token[i] brings; by one thread. */
void tokens_add(const struct tokens *, struct compute *, const int *token, struct view to,
                real *work);
/* Numbers of its work space, for `count` tokens. */
size_t tokens_work(const struct tokens *, int count);

#endif
