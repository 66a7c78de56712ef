/* What a token brings into the decoder's first frame, emb(y) [R_input | W_input], luong: emb(y)
 * W_input. A table keeps the rows of tokens that have come before, so that they cost a copy instead
 * of a product; a token's row is the same whether it comes from the table or not. */
#ifndef ATTEND_MODEL_TOKEN_TABLE_H
#define ATTEND_MODEL_TOKEN_TABLE_H

#include "model/decoder.h"

/* Shared by threads, for one decoder whose weights do not change. */
struct token_table;

enum { TOKEN_TABLE_BYTES = 64 << 20 }; /* at most; touched only as tokens come */
enum attend_status token_table_new(struct token_table **out, const struct decoder *,
                                   struct attend_error *err);
void token_table_free(struct token_table *);

/* Add to row i of `to` (count, embed.N) what token[i] brings. Without a table (NULL) every token
 * costs a product. */
enum { TOKENS_AT_ONCE = 64 };
void tokens_add(struct token_table *, const struct decoder *, struct compute *, const int *token,
                struct view to, real *work);
/* Numbers of its work space for `rows` tokens. */
size_t tokens_work(const struct decoder *, int rows);

#endif
