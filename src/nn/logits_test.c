#include "nn/logits.h"

#include "base/arena.h"
#include "base/rng.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More rows than are computed together; several blocks, the last one incomplete. */
enum { M = 200, R = 17, V = 3 * LOGITS_BLOCK + 41 };

struct fixture {
    struct cross_entropy layer;
    struct param_set params;
    struct arena arena;
    struct compute compute;
    struct worker alone;
    real *values, *o, *logits, *most, *sum, *norm;
};

static real *numbers(size_t count, uint64_t key, double size)
{
    real *x = malloc(count * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < count; i++)
        x[i] = (real)(size * (2 * rng_uniform(key, i) - 1));
    return x;
}

static void bind(struct fixture *f, struct arena *arena)
{
    gemm_scratch_bind(&f->compute.gemm, arena);
    cross_entropy_bind(&f->layer, arena, PACKING_RUN);
}

static void fixture_init(struct fixture *f)
{
    struct arena count = {0};
    *f = (struct fixture){.alone = worker_alone()};
    f->compute.worker = &f->alone;
    cross_entropy_declare(&f->layer, &f->params, "output", R, V, NULL);
    f->values = numbers(f->params.size, 1, 3);
    param_bind(&f->params, f->values, NULL);
    bind(f, &count);
    assert_int_equal(arena_reserve(&f->arena, count.used, NULL), ATTEND_OK);
    bind(f, &f->arena);
    cross_entropy_pack(&f->layer, &f->compute, false);
    f->o = numbers((size_t)M * R, 2, 1);
    f->logits = numbers((size_t)M * V, 3, 1e9); /* the old content must not matter */
    f->most = numbers((size_t)M * (size_t)logits_blocks(V), 4, 1e9);
    f->sum = numbers((size_t)M * (size_t)logits_blocks(V), 6, 1e9);
    f->norm = numbers(M, 5, 1e9);
}

static void fixture_release(struct fixture *f)
{
    free(f->values);
    free(f->o);
    free(f->logits);
    free(f->most);
    free(f->sum);
    free(f->norm);
    arena_release(&f->arena);
}

static struct logits logits_of(const struct fixture *f, int first, int rows)
{
    return (struct logits){.at = view_rows(view_of(f->logits, M, V), first, rows),
                           .most = view_rows(view_of(f->most, M, logits_blocks(V)), first, rows),
                           .sum = view_rows(view_of(f->sum, M, logits_blocks(V)), first, rows),
                           .norm = f->norm + first};
}

/* log sum exp of n numbers in double. */
static double log_sum_exp(const real *x, int n)
{
    double max = -(double)INFINITY, sum = 0;
    for (int k = 0; k < n; k++)
        max = larger(max, (double)x[k]);
    for (int k = 0; k < n; k++)
        sum += exp((double)x[k] - max);
    return max + log(sum);
}

static double most_of(const real *x, int n)
{
    double max = -(double)INFINITY;
    for (int k = 0; k < n; k++)
        max = larger(max, (double)x[k]);
    return max;
}

static void check_row(const struct logits *l, int row)
{
    const real *x = l->at.at + row * l->at.row;
    assert_near((double)l->norm[row], log_sum_exp(x, V), 1e-5);
    for (int b = 0; b < logits_blocks(V); b++) {
        const int from = b * LOGITS_BLOCK, to = from + LOGITS_BLOCK < V ? from + LOGITS_BLOCK : V;
        assert_true((double)l->most.at[row * l->most.row + b] == most_of(x + from, to - from));
    }
}

TEST(logits_are_the_product_with_the_largest_of_each_block_and_the_sum)
{
    struct fixture f;
    fixture_init(&f);
    const struct logits l = logits_of(&f, 0, M);
    logits_forward(&f.layer, &f.compute, view_of(f.o, M, R), &l);
    for (int i = 0; i < M; i++) {
        for (int k = 0; k < V; k += 97) {
            double sum = (double)f.layer.b.value[k];
            for (int r = 0; r < R; r++)
                sum += (double)f.o[i * R + r] * (double)f.layer.W.value[r * V + k];
            assert_near((double)f.logits[(size_t)i * V + (size_t)k], sum, 1e-4);
        }
        check_row(&l, i);
    }
    fixture_release(&f);
}

TEST(logits_of_a_row_do_not_depend_on_other_rows)
{
    struct fixture f;
    fixture_init(&f);
    const struct logits l = logits_of(&f, 0, M);
    logits_forward(&f.layer, &f.compute, view_of(f.o, M, R), &l);
    real *together = malloc(sizeof(real) * M * V), norm[M];
    memcpy(together, f.logits, sizeof(real) * M * V);
    memcpy(norm, f.norm, sizeof norm);
    for (int i = 0; i < M; i += 7) {
        const struct logits one = logits_of(&f, i, 1);
        logits_forward(&f.layer, &f.compute, view_rows(view_of(f.o, M, R), i, 1), &one);
    }
    assert_memory_equal(together, f.logits, sizeof(real) * M * V);
    assert_memory_equal(norm, f.norm, sizeof norm);
    free(together);
    fixture_release(&f);
}

TEST(logits_measure_follows_changed_logits_and_impossible_words)
{
    struct fixture f;
    fixture_init(&f);
    const struct logits l = logits_of(&f, 0, M);
    logits_forward(&f.layer, &f.compute, view_of(f.o, M, R), &l);
    real *row = f.logits + (size_t)3 * V;
    for (int k = 0; k < LOGITS_BLOCK + 5; k++) /* a whole block and part of the next */
        row[k] = -(real)INFINITY;
    row[LOGITS_BLOCK + 9] = 50;
    logits_measure(&l, 3);
    check_row(&l, 3);
    for (int k = 0; k < V; k++)
        row[k] = -(real)INFINITY;
    logits_measure(&l, 3);
    assert_false(f.norm[3] > -(real)INFINITY);
    fixture_release(&f);
}

/* ---- Some words ---- */

TEST(logits_of_some_words_are_those_of_all_and_the_sum_is_over_them_alone)
{
    enum { SENTENCES = 3, WORDS = 300 };
    struct fixture f;
    struct logits_words words = {.b = NULL};
    struct arena count = {0}, arena = {0};
    int word[WORDS], start[] = {0, WORDS, WORDS + 2, WORDS + 102}, column[WORDS + 102];
    int sentence[M], counts[M];
    fixture_init(&f);
    for (int k = 0; k < WORDS; k++) { /* every second or so; the others take some of these */
        word[k] = 2 * k + k / 7;
        column[k] = k;
        column[WORDS + 2 + k % 100] = 100 + k % 100;
    }
    column[WORDS] = 5;
    column[WORDS + 1] = WORDS - 1;
    for (int i = 0; i < M; i++)
        sentence[i] = i % SENTENCES;
    logits_words_bind(&words, &count, &f.layer, WORDS + 7);
    assert_int_equal(arena_reserve(&arena, count.used, NULL), ATTEND_OK);
    logits_words_bind(&words, &arena, &f.layer, WORDS + 7);
    logits_words_take(&words, &f.layer, word, WORDS);
    words.start = start;
    words.column = column;
    struct logits l = logits_of(&f, 0, M);
    logits_forward(&f.layer, &f.compute, view_of(f.o, M, R), &l);
    real *all = malloc(sizeof(real) * M * V);
    memcpy(all, f.logits, sizeof(real) * M * V);
    l.count = counts;
    logits_forward_words(&words, &f.compute, view_of(f.o, M, R), sentence, &l);
    for (int i = 0; i < M; i++) {
        const int *from = column + start[sentence[i]],
                  own = start[sentence[i] + 1] - start[sentence[i]];
        const real *x = f.logits + (size_t)i * V;
        assert_int_equal(logits_count(&l, i), own);
        for (int k = 0; k < own; k++)
            assert_true(x[k] == all[(size_t)i * V + (size_t)word[from[k]]]);
        assert_near((double)f.norm[i], log_sum_exp(x, own), 1e-5);
        assert_true((double)l.most.at[i * l.most.row] ==
                    most_of(x, own < LOGITS_BLOCK ? own : LOGITS_BLOCK));
    }
    free(all);
    arena_release(&arena);
    fixture_release(&f);
}
