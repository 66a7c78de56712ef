/* The mixture against its definition, and its effect on logits. Gradients: model/seq2seq_test.c. */
#include "nn/copy.h"

#include "base/arena.h"
#include "nn/cross_entropy.h"
#include "test.h"

#include <math.h>
#include <string.h>

enum { V = 300, R = 3, S = 5, ROWS = 2 };

/* Sentence 0 is 7 299 7 0 2, sentence 1 is 4 2: a repeated word, one in the last block, <unk>. */
static const int start[] = {0, 5}, length[] = {5, 2};
static int token[] = {7, 299, 7, 0, 2, 4, 2}, first[7];
static const struct copy_source source = {start, length, token, first};

static real w[R] = {(real)0.4, (real)-0.7, (real)0.2}, b[1] = {(real)0.3};
static real o[ROWS * R] = {(real)0.5, (real)-1, (real)0.25, (real)-2, (real)1.5, (real)0.75};
static real weight[ROWS * S] = {(real)0.1,  (real)0.2, (real)0.3, (real)0.15,
                                (real)0.25, (real)0.9, (real)0.1};
static const int whose[] = {0, 1};

static struct copy layer(void)
{
    return (struct copy){.used = true, .w = {.rows = 1, .cols = R, .value = w}, .b = {.value = b}};
}

static void mark(void)
{
    for (int i = 0; i < ROWS; i++)
        copy_source_mark(&source, i);
}

TEST(copy_source_words_know_where_they_stand_first)
{
    mark();
    const int want[] = {0, 1, 0, 3, 4, 0, 1};
    assert_memory_equal(first, want, sizeof want);
}

/* P(k) by the formula, from logits. */
static double mixed_probability(const real *logit, int row, int k)
{
    double gate = (double)b[0], sum = 0, copied = 0;
    for (int r = 0; r < R; r++)
        gate += (double)w[r] * (double)o[row * R + r];
    for (int i = 0; i < V; i++)
        sum += exp((double)logit[i]);
    for (int j = 0; j < length[row]; j++)
        copied += token[start[row] + j] == k ? (double)weight[row * S + j] : 0;
    const double g = 1 / (1 + exp(-gate));
    return g * exp((double)logit[k]) / sum + (1 - g) * copied;
}

static real logit_of(int row, int k) { return (real)(2 * sin(k + 3.7 * row)); }

TEST(copy_logits_are_those_of_the_mixture)
{
    static real at[ROWS * V], most[ROWS * 2], sum[ROWS * 2], norm[ROWS], before[V], work[S];
    const struct copy l = layer();
    const struct logits logits = {view_of(at, ROWS, V), view_of(most, ROWS, 2),
                                  view_of(sum, ROWS, 2), norm, NULL};
    mark();
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < V; k++)
            at[i * V + k] = logit_of(i, k);
        logits_measure(&logits, i);
    }
    copy_logits(&l, &source,
                &(struct copy_step){.sentence = whose,
                                    .weight = view_of(weight, ROWS, S),
                                    .heads = 1,
                                    .o = view_of(o, ROWS, R),
                                    .logits = &logits,
                                    .work = work});
    for (int i = 0; i < ROWS; i++) {
        double all = 0;
        for (int k = 0; k < V; k++)
            before[k] = logit_of(i, k);
        for (int k = 0; k < V; k++) {
            const double p = exp((double)(at[i * V + k] - norm[i]));
            assert_near(p, mixed_probability(before, i, k), 1e-6);
            assert_true(at[i * V + k] <= most[i * 2 + k / LOGITS_BLOCK]);
            all += p;
        }
        assert_near(all, 1, 1e-5);
    }
}

/* The tape of the two rows, in static memory. */
static struct copy_tape tape(void)
{
    static real gate[ROWS], d_gate[ROWS], room[3][ROWS * S];
    static int sentence[ROWS];
    memcpy(sentence, whose, sizeof whose);
    return (struct copy_tape){.source = source,
                              .S = S,
                              .heads = 1,
                              .sentence = sentence,
                              .gate = gate,
                              .d_gate = d_gate,
                              .mixed = view_of(room[0], ROWS, S),
                              .d_mixed = view_of(room[1], ROWS, S),
                              .logit = view_of(room[2], ROWS, S)};
}

/* The loss of word k is -log P(k), whether or not it is in the source, and also with smoothing. */
TEST(copy_row_loss_completes_that_of_the_vocabulary)
{
    static real logit[V], zero[V];
    const struct copy l = layer();
    struct worker alone = worker_alone();
    struct compute c = {.worker = &alone};
    struct copy_tape t = tape();
    mark();
    copy_forward(&l, &t, &c, view_of(o, ROWS, R), view_of(weight, ROWS, S));
    for (int row = 0; row < ROWS; row++) {
        double sum = 0, mean = 0, mean_mixed = 0;
        for (int k = 0; k < V; k++) {
            logit[k] = logit_of(row, k);
            sum += exp((double)logit[k]);
            mean += (double)logit[k] / V;
        }
        for (int k = 0; k < V; k++)
            mean_mixed += log(mixed_probability(logit, row, k)) / V;
        copy_pick(&t, row, logit, zero, 0, 100);
        copy_pick(&t, row, logit, zero, 100, V);
        for (int k = 0; k < V; k += 7) {
            const double eps = k % 2 ? 0.1 : 0;
            const struct copy_target target = {k, eps, log(sum), 1, V};
            const double alone_loss = log(sum) - (1 - eps) * (double)logit[k] - eps * mean;
            const struct copy_row out = copy_row_loss(&t, row, &target, false);
            assert_near(alone_loss + out.loss,
                        -(1 - eps) * log(mixed_probability(logit, row, k)) - eps * mean_mixed,
                        1e-5);
            assert_int_equal(out.best, row ? 4 : 7);
        }
    }
}

/* A word with no probability in the vocabulary and no attention has a finite loss and slope. */
TEST(copy_row_loss_of_the_impossible_is_finite)
{
    static real logit[V], zero[V];
    const struct copy l = layer();
    struct worker alone = worker_alone();
    struct compute c = {.worker = &alone};
    struct copy_tape t = tape();
    real none[ROWS * S] = {0, 0, 0, 0, 1, 0, 1};
    mark();
    logit[7] = -200;
    copy_forward(&l, &t, &c, view_of(o, ROWS, R), view_of(none, ROWS, S));
    copy_pick(&t, 0, logit, zero, 0, V);
    const struct copy_target target = {7, 0, log(V - 1), 1, V};
    const struct copy_row out = copy_row_loss(&t, 0, &target, true);
    assert_true(isfinite(out.loss));
    for (int j = 0; j < S; j++)
        assert_true(j == 2 || isfinite((double)t.d_mixed.at[j]));
    assert_true(isfinite((double)t.d_gate[0]));
}
