#include "nn/token_table.h"

#include "base/bug.h"
#include "base/error.h"
#include "tensor/vec.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The state of a token: its row in the table, or one of these. */
enum { ABSENT = -1, COMING = -2 };

struct token_table {
    int width, limit; /* row length; number of rows */
    int tokens;       /* V */
    real *at;         /* (limit, width) */
    atomic_int used;
    atomic_int *place; /* (V) */
};

enum attend_status token_table_new(struct token_table **out, int V, int N, struct attend_error *err)
{
    const size_t width = (size_t)N, tokens = (size_t)V;
    const size_t most = TOKEN_TABLE_BYTES / (width * sizeof(real));
    const size_t limit = tokens < most ? tokens : most;
    struct token_table *t = calloc(1, sizeof *t);
    if (t) {
        t->width = N;
        t->tokens = V;
        t->limit = (int)limit;
        t->at = malloc((limit * width + 1) * sizeof(real));
        t->place = malloc(tokens * sizeof *t->place);
    }
    if (!t || !t->at || !t->place) {
        token_table_free(t);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a table of %d tokens", V);
    }
    for (int i = 0; i < V; i++)
        atomic_init(&t->place[i], ABSENT);
    *out = t;
    return ATTEND_OK;
}

void token_table_free(struct token_table *t)
{
    if (!t)
        return;
    free(t->at);
    free(t->place);
    free(t);
}

size_t token_table_memory(const struct token_table *t)
{
    if (!t)
        return 0;
    const int used = atomic_load(&t->used), rows = used < t->limit ? used : t->limit;
    return (size_t)rows * (size_t)t->width * sizeof(real) + (size_t)t->tokens * sizeof *t->place;
}

static real *row_at(const struct token_table *t, int place)
{
    return t->at + (size_t)place * (size_t)t->width;
}

/* The cached row of a token, or NULL. */
static const real *look_up(struct token_table *t, int token)
{
    const int place = t ? atomic_load_explicit(&t->place[token], memory_order_acquire) : ABSENT;
    return place >= 0 ? row_at(t, place) : NULL;
}

/* One thread claims the token and fills its row; the others use their own copy. */
static void keep(struct token_table *t, int token, const real *row)
{
    int absent = ABSENT;
    if (atomic_load(&t->used) >= t->limit ||
        !atomic_compare_exchange_strong(&t->place[token], &absent, COMING))
        return;
    const int place = atomic_fetch_add(&t->used, 1);
    if (place >= t->limit) /* other threads took the last rows: this token is not cached */
        return;
    memcpy(row_at(t, place), row, (size_t)t->width * sizeof(real));
    atomic_store_explicit(&t->place[token], place, memory_order_release);
}

enum { AT_ONCE = 64 }; /* tokens per product */

size_t tokens_work(const struct tokens *t, int count)
{
    const int rows = count < AT_ONCE ? count : AT_ONCE;
    return (size_t)rows * (size_t)(t->embedding->table.cols + t->weights->N);
}

/* Compute the rows of `count` tokens with one product, in `work`. */
static const real *make_rows(const struct tokens *t, struct compute *c, const int *token, int count,
                             real *work)
{
    const struct view emb = view_of(work, count, t->embedding->table.cols);
    const struct view out = view_of(work + (size_t)count * (size_t)emb.cols, count, t->weights->N);
    embedding_forward(t->embedding, c, token, emb);
    linear_forward(c, emb, t->weights, out, false);
    return out.at;
}

void tokens_add(const struct tokens *t, struct compute *c, const int *token, struct view to,
                real *work)
{
    const size_t width = (size_t)to.cols;
    BUG_ON(to.cols != t->weights->N);
    for (int next = 0; next < to.rows;) {
        int wanted[AT_ONCE], who[AT_ONCE], missing = 0;
        for (; next < to.rows && missing < AT_ONCE; next++) {
            const real *row = look_up(t->table, token[next]);
            if (row) {
                vec_add(to.at + next * to.row, row, width);
                continue;
            }
            wanted[missing] = token[next];
            who[missing++] = next;
        }
        const real *made = make_rows(t, c, wanted, missing, work);
        for (int i = 0; i < missing; i++, made += width) {
            vec_add(to.at + who[i] * to.row, made, width);
            if (t->table)
                keep(t->table, wanted[i], made);
        }
    }
}
