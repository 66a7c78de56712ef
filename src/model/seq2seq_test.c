/* The whole model: its gradient, and the invariants of batching. */
#include "seq2seq_fixture.h"

TEST(seq2seq_gradient_of_every_attention_in_every_placement)
{
    need_double();
    const int count = placement_count();
    for (const struct attention_ops *const *ops = attentions; *ops; ops++)
        for (int k = 0; k < 3 * count; k++) {
            struct attend_network_options c = small();
            char attention[32], what[96];
            c.attention = name_of(attention, (*ops)->name);
            place(&c, k);
            c.heads = k / count == 1 ? 2 : 1;
            c.coverage = k / count == 2;
            if ((c.heads > 1 && !(*ops)->heads) || (c.coverage && !(*ops)->coverage))
                continue;
            snprintf(what, sizeof what, "%s %s heads %d coverage %d", c.attention, c.placement,
                     c.heads, c.coverage);
            check_config(what, &c, 0.2, k < count ? 2 : 1, 5);
        }
}

TEST(seq2seq_gradient_of_every_cell_and_depth)
{
    need_double();
    const int count = placement_count();
    for (const struct cell_ops *const *cell = cells; *cell; cell++)
        for (int k = 0; k < 4 * count; k++) {
            struct attend_network_options c = small();
            char name[32], what[96];
            c.cell = name_of(name, (*cell)->name);
            place(&c, k);
            c.input_feeding = false;
            c.encoder_layers = c.decoder_layers = 1 + (k / count & 1);
            c.residual = c.encoder_layers > 1;
            c.layer_norm = k / count >> 1;
            snprintf(what, sizeof what, "%s %s layers %d norm %d", c.cell, c.placement,
                     c.encoder_layers, c.layer_norm);
            check_config(what, &c, 0.2, 1, 5);
        }
}

/* Batches of long sources use the direct form, in which the layers' gradients meet in the context. */
TEST(seq2seq_gradient_of_skip_links)
{
    need_double();
    const int count = placement_count();
    for (int k = 0; k < 6 * count; k++) {
        static const char *const names[] = {"additive", "dot", "none", "window", "local", "copy"};
        const bool copy = k / count == 5;
        struct attend_network_options c = small();
        char attention[32], what[96];
        if (!placements[k % count]->skips)
            continue;
        place(&c, k);
        c.skip = true;
        c.attention = name_of(attention, copy ? "general" : names[k / count]);
        c.heads = k / count == 1 ? 2 : 1;
        c.copy = copy;
        c.decoder_layers = 3;
        c.residual = k % 2;
        snprintf(what, sizeof what, "skip links, %s %s heads %d", c.attention, c.placement,
                 c.heads);
        check_config(what, &c, 0.2, 1 + k % 3, 5);
    }
}

TEST(seq2seq_gradient_of_starts_readouts_ties_and_directions)
{
    need_double();
    static char starts[][8] = {"zero", "last", "mean", "copy"},
                readouts[][8] = {"linear", "tanh", "maxout"};
    static char ties[][8] = {"none", "target", "all"}, lstm[] = "lstm";
    for (int k = 0; k < 12 * placement_count(); k++) {
        struct attend_network_options c = small();
        char what[96];
        c.start = starts[k % 4];
        c.readout = readouts[k % 3];
        c.tie = ties[k % 12 / 4];
        c.readout_size = k % 12 / 4 ? c.emb : c.readout_size;
        c.source_vocab = k % 12 / 4 == 2 ? c.target_vocab = 13 : c.source_vocab;
        place(&c, k / 12);
        c.unidirectional = k % 5 == 1 || k % 5 == 3;
        c.cell = k % 2 ? lstm : NULL;
        c.encoder_layers = c.decoder_layers = 2;
        snprintf(what, sizeof what, "%s start %s readout %s tie %s one direction %d", c.placement,
                 c.start, c.readout, c.tie, c.unidirectional);
        check_config(what, &c, 0.1, 1, 5);
    }
}

/* Links teach every attention that has weights, in every placement. */
TEST(seq2seq_gradient_of_a_guide_for_every_attention)
{
    need_double();
    const int count = placement_count();
    for (const struct attention_ops *const *ops = attentions; *ops; ops++)
        for (int k = 0; k < 2 * count && *ops != &attention_none && !(*ops)->hard; k++) {
            struct attend_network_options c = small();
            char attention[32], what[96];
            c.attention = name_of(attention, (*ops)->name);
            place(&c, k);
            c.heads = k / count && (*ops)->heads ? 2 : 1;
            c.coverage = k / count && (*ops)->coverage;
            c.copy = k % 2;
            snprintf(what, sizeof what, "guided %s %s heads %d", c.attention, c.placement, c.heads);
            check_guided(what, &c, 0.2, 1 + k % 3, 5, 0.7);
        }
}

/* The sources have words twice (3), words that the target's vocabulary lacks (11, 12), and words
 * that the target has too. */
TEST(seq2seq_gradient_of_copying_with_every_attention)
{
    need_double();
    const int count = placement_count();
    for (const struct attention_ops *const *ops = attentions; *ops; ops++)
        for (int k = 0; k < 2 * count && *ops != &attention_none && !(*ops)->hard; k++) {
            struct attend_network_options c = small();
            char attention[32], what[96];
            c.copy = true;
            c.attention = name_of(attention, (*ops)->name);
            place(&c, k);
            c.heads = k / count && (*ops)->heads ? 2 : 1;
            c.coverage = k / count && (*ops)->coverage;
            snprintf(what, sizeof what, "copying %s %s heads %d", c.attention, c.placement,
                     c.heads);
            check_config(what, &c, 0.2, 1 + k % 3, 5);
        }
}

TEST(seq2seq_gradient_without_dropout_on_three_threads)
{
    need_double();
    const struct attend_network_options c = small();
    check_config("plain", &c, 0, 3, 1000);
}

/* Embeddings that are all 0 get no gradient; of a table the words that were not dropped do. */
static int untouched(const struct embedding *e)
{
    int rows = 0;
    for (int id = 0; id < e->table.rows; id++) {
        bool zero = true;
        for (int i = 0; i < e->table.cols; i++)
            zero = zero && e->table.grad[id * e->table.cols + i] == 0;
        rows += zero;
    }
    return rows;
}

TEST(seq2seq_dropped_words_bring_nothing_and_learn_nothing)
{
    const struct attend_network_options c = small();
    struct fixture f;
    fixture_init(&f, &c, 2);
    fill(&f, ALL, 4);
    run(&f);
    /* Of the 13 source and 11 target words, <unk> is never read, <s> only by the decoder and </s>
     * only by the encoder. */
    assert_int_equal(untouched(&f.model.encoder.embedding), 2);
    assert_int_equal(untouched(f.model.decoder.embedding), 2);
    memset(f.grads, 0, f.model.params.size * sizeof(real));
    f.job.dropout.words = (struct dropout){.rate = 0.5, .key = 5};
    run(&f);
    const int source_dropped = untouched(&f.model.encoder.embedding) - 2;
    const int target_dropped = untouched(f.model.decoder.embedding) - 2;
    assert_true(source_dropped > 0 && source_dropped < 11);
    assert_true(target_dropped > 0 && target_dropped < 9);
    /* Dropping all words gives the loss of zero tables. */
    f.job.loss.gradient = false;
    f.job.dropout.words.rate = 1;
    const double dropped = run(&f);
    f.job.dropout.words.rate = 0;
    memset(f.model.encoder.embedding.table.value, 0, 13 * 5 * sizeof(real));
    memset(f.model.decoder.embedding->table.value, 0, 11 * 5 * sizeof(real));
    assert_true(run(&f) == dropped);
    fixture_release(&f);
}

/* Check one head's weights in a row. */
static void check_weights(const real *weight, int S, int length)
{
    double sum = 0;
    for (int j = 0; j < S; j++) {
        assert_true(weight[j] >= 0);
        assert_true(j < length || weight[j] == 0);
        sum += (double)weight[j];
    }
    assert_near(sum, 1, 1e-6);
}

static void check_all_weights(const struct attend_network_options *config)
{
    struct fixture f;
    fixture_init(&f, config, 2);
    fill(&f, ALL, 4);
    run(&f);
    const struct batch *b = &f.tape.batch;
    const struct decoder *d = &f.model.decoder;
    const int S = decoder_memory_span(d, b->S), width = decoder_weight_width(d, b->S);
    for (int lane = 0; lane < b->lanes; lane++)
        for (int t = 0; t < b->target[lane].count; t++)
            for (int i = 0; i < b->target[lane].active[t]; i++) {
                const real *weight = f.tape.decoder.weight + (b->target[lane].start[t] + i) * width;
                const int length = b->memory_length[b->target[lane].first + i];
                for (int g = 0; g < width / S; g++)
                    check_weights(weight + g * S, S, S == 1 ? 1 : length);
            }
    fixture_release(&f);
}

TEST(seq2seq_batch_equals_its_sentences_for_every_attention)
{
    for (const struct attention_ops *const *ops = attentions; *ops; ops++)
        for (int k = 0; k < placement_count(); k++) {
            struct attend_network_options c = small();
            char name[32];
            c.attention = name_of(name, (*ops)->name);
            place(&c, k);
            c.heads = (*ops)->heads ? 2 : 1;
            c.coverage = (*ops)->coverage;
            check_batch_equals_singles(&c, 1 + k % 3);
            if (*ops != &attention_none && !(*ops)->hard)
                check_guided_batch(&c, 1 + k % 3, 0.7);
            check_all_weights(&c);
        }
}

TEST(seq2seq_batch_equals_its_sentences_with_copying)
{
    struct attend_network_options c = small();
    c.copy = true;
    check_batch_equals_singles(&c, 3);
}

TEST(seq2seq_batch_equals_its_sentences_for_every_cell)
{
    for (const struct cell_ops *const *cell = cells; *cell; cell++)
        for (int k = 0; k < placement_count(); k++) {
            struct attend_network_options c = small();
            char name[32];
            c.cell = name_of(name, (*cell)->name);
            place(&c, k);
            c.encoder_layers = c.decoder_layers = 2;
            c.residual = c.layer_norm = true;
            check_batch_equals_singles(&c, 2);
        }
}

TEST(seq2seq_same_threads_give_the_same_bytes)
{
    const struct attend_network_options config = small();
    check_same_bytes(&config);
}
