/* The self-attention that pictures show: softmax(q k / sqrt(d)) in plain loops, and its pooling. */
#include "explain/encoder_heads.h"

#include "search_fixture.h"

#include <math.h>

enum { SOURCE = 6, S = SOURCE + 1, LAYERS = 2, HEADS = 2, H = 6, D = H / HEADS };
static int source_ids[] = {3, 7, 5, 12, 7, 4};
static size_t source_start[] = {0, SOURCE};
static const struct sequences source = {.count = 1, .start = source_start, .ids = source_ids};

static void net_init(struct fixture *f)
{
    static char transformer[] = "transformer";
    fixture_init(f,
                 &(struct attend_network_options){.source_vocab = 13,
                                                  .target_vocab = 11,
                                                  .emb = 5,
                                                  .hidden = H,
                                                  .attention_size = 7,
                                                  .readout_size = 4,
                                                  .encoder = transformer,
                                                  .encoder_layers = LAYERS,
                                                  .encoder_heads = HEADS},
                 5);
}

static struct encoder_heads run(const struct fixture *f, const int *group, const bool *silent)
{
    struct encoder_heads heads;
    const struct encoder_heads_job job = {
        .net = &f->net, .source = &source, .group = group, .silent = silent};
    assert_int_equal(encoder_heads_run(&heads, &job, NULL), ATTEND_OK);
    assert_int_equal(heads.layers, LAYERS);
    assert_int_equal(heads.heads, HEADS);
    return heads;
}

/* ---- The first layer, whose input is known: r x W + b + p ---- */

static void make_input(const struct fixture *f, double z[S][H])
{
    const struct encoder *e = &f->net.encoder;
    const struct encoder_transformer *t = &e->transformer;
    for (int j = 0; j < S; j++) {
        const int id = j < SOURCE ? source_ids[j] : VOCAB_EOS;
        for (int h = 0; h < H; h++) {
            const double angle = j * pow(10000, -(double)(h / 2 * 2) / H);
            double sum = (double)t->input.b.value[h];
            for (int i = 0; i < e->E; i++)
                sum += (double)e->embedding.table.value[id * e->E + i] *
                       (double)t->input.W.value[i * H + h];
            z[j][h] = sqrt(e->E) * sum + (h % 2 ? cos(angle) : sin(angle));
        }
    }
}

static void normalize(const struct row_norm *n, const double z[H], double out[H])
{
    double mean = 0, square = 0;
    for (int h = 0; h < H; h++)
        mean += z[h] / H;
    for (int h = 0; h < H; h++)
        square += (z[h] - mean) * (z[h] - mean) / H;
    for (int h = 0; h < H; h++)
        out[h] = (z[h] - mean) / sqrt(square + 1e-5) * (double)n->norm.gain.value[h] +
                 (double)n->bias.value[h];
}

static double product(const struct transformer *l, const double x[H], int column)
{
    double sum = (double)l->b_qkv.value[column];
    for (int h = 0; h < H; h++)
        sum += x[h] * (double)l->W_qkv.value[h * 3 * H + column];
    return sum;
}

/* A of head g: (S, S) */
static void weigh(const struct fixture *f, int g, double A[S][S])
{
    const struct transformer *l = &f->net.encoder.transformer.layer[0];
    double z[S][H], x[S][H];
    make_input(f, z);
    for (int j = 0; j < S; j++)
        normalize(&l->norm_self, z[j], x[j]);
    for (int i = 0; i < S; i++) {
        double all = 0;
        for (int j = 0; j < S; j++) {
            double sum = 0;
            for (int k = 0; k < D; k++)
                sum += product(l, x[i], g * D + k) * product(l, x[j], H + g * D + k);
            A[i][j] = exp(sum / sqrt(D));
            all += A[i][j];
        }
        for (int j = 0; j < S; j++)
            A[i][j] /= all;
    }
}

TEST(encoder_heads_are_the_softmax_of_queries_and_keys)
{
    struct fixture f;
    net_init(&f);
    struct encoder_heads heads = run(&f, NULL, NULL);
    assert_int_equal(heads.count, S);
    for (int g = 0; g < HEADS; g++) {
        double A[S][S], largest = 0;
        weigh(&f, g, A);
        for (int i = 0; i < S; i++)
            for (int j = 0; j < S; j++) {
                assert_near((double)heads.weight[(g * S + i) * S + j], A[i][j], 1e-4);
                largest = fmax(largest, fabs(A[i][j] - 1.0 / S));
            }
        assert_true(largest > 0.1); /* not uniform */
    }
    encoder_heads_release(&heads);
    fixture_release(&f);
}

/* Layers differ, and every row sums to 1. */
TEST(encoder_heads_of_every_layer)
{
    struct fixture f;
    net_init(&f);
    struct encoder_heads heads = run(&f, NULL, NULL);
    double apart = 0;
    for (int row = 0; row < LAYERS * HEADS * S; row++) {
        double sum = 0;
        for (int j = 0; j < S; j++)
            sum += (double)heads.weight[row * S + j];
        assert_near(sum, 1, 1e-5);
    }
    for (int i = 0; i < HEADS * S * S; i++)
        apart =
            larger(apart, fabs((double)heads.weight[i] - (double)heads.weight[HEADS * S * S + i]));
    assert_true(apart > 0.05);
    encoder_heads_release(&heads);
    fixture_release(&f);
}

TEST(encoder_heads_pool_rows_and_columns)
{
    static const int group[S] = {0, 0, 1, 1, 1, 2, 3};
    static const bool silent[S] = {false, false, false, true, false, false, false};
    struct fixture f;
    net_init(&f);
    struct encoder_heads all = run(&f, NULL, NULL), pooled = run(&f, group, silent);
    assert_int_equal(pooled.count, 4);
    for (int h = 0; h < LAYERS * HEADS; h++) {
        double want[4][4] = {{0}};
        for (int i = 0; i < S; i++)
            for (int j = 0; j < S && !silent[i]; j++)
                want[group[i]][group[j]] +=
                    (double)all.weight[(h * S + i) * S + j] / (group[i] < 2 ? 2 : 1);
        for (int i = 0; i < 16; i++)
            assert_near((double)pooled.weight[h * 16 + i], want[i / 4][i % 4], 1e-6);
    }
    encoder_heads_release(&all);
    encoder_heads_release(&pooled);
    fixture_release(&f);
}

TEST(encoder_heads_only_of_a_transformer)
{
    struct fixture f;
    net_init(&f);
    assert_true(encoder_heads_known(&f.net));
    fixture_release(&f);
    fixture_init(&f,
                 &(struct attend_network_options){.source_vocab = 13,
                                                  .target_vocab = 11,
                                                  .emb = 5,
                                                  .hidden = H,
                                                  .attention_size = 7,
                                                  .readout_size = 4},
                 5);
    assert_false(encoder_heads_known(&f.net));
    fixture_release(&f);
}
