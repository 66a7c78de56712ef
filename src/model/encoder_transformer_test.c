/* The whole model with a transformer encoder: its gradient, and the invariants of batching. */
#include "nn/activation.h"
#include "seq2seq_fixture.h"

/* Every other choice by turns. E equals H or not, and the learned positions are fewer than the
 * longest source has. */
static struct attend_network_options transformer(int k)
{
    static char name[32], activation[32], learned[] = "learned", mean[] = "mean", zero[] = "zero";
    struct attend_network_options c = small();
    c.encoder = name_of(name, encoder_transformer.name);
    c.encoder_activation = name_of(activation, activations[k % 2]->name);
    c.encoder_positions = k / 2 % 2 ? learned : NULL;
    c.encoder_heads = 1 + k % 3;
    c.encoder_layers = 1 + k / 2 % 2;
    c.encoder_ff = k % 4 ? 9 : 0;
    c.positions = 3;
    c.emb = k / 3 % 2 ? 6 : 5;
    c.start = k % 3 == 1 ? mean : k % 3 == 2 ? zero : NULL;
    return c;
}

TEST(encoder_transformer_gradient)
{
    need_double();
    for (int k = 0; k < 12; k++) {
        struct attend_network_options c = transformer(k);
        char what[96];
        place(&c, k);
        snprintf(what, sizeof what, "transformer %d: %s, %d heads, E %d", k, c.encoder_activation,
                 c.encoder_heads, c.emb);
        check_config(what, &c, k % 4 == 3 ? 0 : 0.2, 1 + k % 3, 5);
    }
}

TEST(encoder_transformer_gradient_under_every_attention)
{
    need_double();
    for (const struct attention_ops *const *ops = attentions; *ops; ops++)
        for (int k = 0; k < placement_count(); k++) {
            struct attend_network_options c = transformer(k);
            char attention[32], what[96];
            c.attention = name_of(attention, (*ops)->name);
            c.heads = (*ops)->heads ? 2 : 1;
            c.copy = k == 1 && *ops != &attention_none && !(*ops)->hard;
            place(&c, k);
            snprintf(what, sizeof what, "transformer, %s %s", c.attention, c.placement);
            check_config(what, &c, 0.2, 1 + k % 2, 3);
        }
}

TEST(encoder_transformer_batch_equals_its_sentences)
{
    for (int k = 0; k < 12; k++) {
        struct attend_network_options c = transformer(k);
        place(&c, k);
        check_batch_equals_singles(&c, 1 + k % 3);
    }
}

TEST(encoder_transformer_same_threads_give_the_same_bytes)
{
    const struct attend_network_options config = transformer(3);
    check_same_bytes(&config);
}

/* The same words in another order are another source. */
static real first_annotation(bool swapped)
{
    struct attend_network_options config = transformer(0);
    struct fixture f;
    fixture_init(&f, &config, 1);
    fill(&f, (const int[]){3}, 1); /* the last sentence: two words and </s> */
    if (swapped) {
        const int first = f.tape.batch.source_id[0];
        f.tape.batch.source_id[0] = f.tape.batch.source_id[1];
        f.tape.batch.source_id[1] = first;
    }
    run(&f);
    const real *h = f.tape.encoder.memory + (swapped ? f.model.encoder.C : 0);
    const real out = h[0];
    fixture_release(&f);
    return out;
}

TEST(encoder_transformer_knows_the_places_of_words)
{
    assert_true(fabs((double)(first_annotation(false) - first_annotation(true))) > 1e-3);
}

/* ---- Layers that are left out ---- */

static struct attend_network_options deep(void)
{
    struct attend_network_options config = transformer(0);
    config.encoder_layers = 3;
    return config;
}

/* A key under which exactly these layers are left out, one bit each. */
static struct dropout layers_out(unsigned out, double rate)
{
    for (uint64_t key = 1;; key++) {
        const struct dropout d = {.rate = rate, .key = key};
        unsigned got = 0;
        for (int l = 0; l < 3; l++)
            got |= (unsigned)dropout_whole(&d, DROPOUT_WHOLE_LAYER + DROPOUT_SITES * l) << l;
        if (got == out)
            return d;
    }
}

static void clear(const struct param *p)
{
    memset(p->value, 0, (size_t)p->rows * (size_t)p->cols * sizeof(real));
}

/* Whether a parameter belongs to one of these layers. */
static bool is_out(const struct param *p, unsigned out)
{
    int l;
    return sscanf(p->path, "encoder.%d.", &l) == 1 && (out >> l & 1u);
}

/* Leaving a layer out is the same as having it add 0; it then has no gradient. */
static void check_left_out(unsigned out, int threads)
{
    const struct attend_network_options config = deep();
    const double tolerance = sizeof(real) == sizeof(double) ? 1e-12 : 1e-5;
    struct fixture without, zero;
    fixture_init(&without, &config, threads);
    fixture_init(&zero, &config, threads);
    fill(&without, ALL, 4);
    fill(&zero, ALL, 4);
    without.job.dropout.layers = layers_out(out, 0.5);
    for (int l = 0; l < 3; l++)
        if (out >> l & 1u) {
            const struct transformer *layer = &zero.model.encoder.transformer.layer[l];
            clear(&layer->W_out);
            clear(&layer->b_out);
            clear(&layer->W_down);
            clear(&layer->b_down);
        }
    assert_near(run(&without), run(&zero), tolerance);
    for (int i = 0; i < without.model.params.count; i++) {
        const struct param *p = without.model.params.item[i], *q = zero.model.params.item[i];
        for (int k = 0; k < p->rows * p->cols; k++)
            assert_near((double)p->grad[k], is_out(p, out) ? 0 : (double)q->grad[k], tolerance);
    }
    fixture_release(&without);
    fixture_release(&zero);
}

TEST(encoder_transformer_leaves_out_layers)
{
    for (unsigned out = 0; out < 8; out++)
        check_left_out(out, 1 + (int)out % 3);
}

TEST(encoder_transformer_leaves_out_a_share_of_layers)
{
    int left = 0;
    for (int i = 0; i < 10000; i++) {
        const struct dropout d = {.rate = 0.3, .key = (uint64_t)i};
        left += dropout_whole(&d, DROPOUT_WHOLE_LAYER + DROPOUT_SITES * (i % 3));
    }
    assert_true(left > 2800 && left < 3200);
}

/* ---- Memory ---- */

/* Bytes of the encoder's tape in training, for `count` sentences of `length` words and </s>. */
static size_t tape_bytes(int count, int length)
{
    const struct attend_network_options config = deep();
    struct fixture f;
    struct arena arena = {0};
    size_t *begin = calloc((size_t)count + 1, sizeof *begin);
    int *ids = calloc((size_t)(count * length), sizeof *ids);
    int *item = calloc((size_t)count, sizeof *item);
    for (int i = 0; i < count; i++) {
        item[i] = i;
        begin[i + 1] = (size_t)(i + 1) * (size_t)length;
    }
    const struct sequences text = {.count = count, .start = begin, .ids = ids};
    struct encoder_tape tape;
    struct batch batch;
    fixture_init(&f, &config, 1);
    batch_bind(&batch, &arena, &(struct batch_text){.source = &text, .item = item, .count = count},
               1, 0);
    const size_t before = arena.used;
    encoder_tape_bind(&tape, &arena, &f.model.encoder, &batch, 1, true);
    fixture_release(&f);
    free(begin);
    free(ids);
    free(item);
    return arena.used - before;
}

/* Of as many words in longer sentences, only the weights of a block and the sinusoids grow. The
 * weights of a single head in a single layer would be more than three times as much. */
TEST(encoder_transformer_keeps_no_weights)
{
    enum { WORDS = 1024, LONG = 512 };
    const size_t few = tape_bytes(WORDS / 8, 7), many = tape_bytes(WORDS / LONG, LONG - 1);
    const size_t block = 2 * SELF_ATTENTION_BLOCK * (size_t)LONG * sizeof(real),
                 waves = (size_t)LONG * 6 * sizeof(real), alignment = 4096;
    assert_true(many <= few + block + waves + alignment);
    assert_true((size_t)WORDS * LONG * sizeof(real) > 3 * (many - few));
}
