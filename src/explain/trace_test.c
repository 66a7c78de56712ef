/* Every mechanism: its steps, and steps with given weights. */
#include "explain/trace.h"

#include "model/placement.h"
#include "search_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SOURCE = 5, TARGET = 3, STEPS = TARGET + 1, S = SOURCE + 1 };
static int source_ids[] = {3, 7, 5, 12, 4}, target_ids[] = {4, 9, 3};
static size_t source_start[] = {0, SOURCE}, target_start[] = {0, TARGET};
static const struct sequences source = {.count = 1, .start = source_start, .ids = source_ids},
                              target = {.count = 1, .start = target_start, .ids = target_ids};
typedef void check_fn(const struct attend_network_options *);

/* Runs a check on a mechanism in a placement with one and two layers, with heads and coverage where
 * it has them. */
static void check_mechanism(check_fn *check, const struct attention_ops *attention,
                            const struct placement_ops *placement, int k)
{
    char name[32], where[32];
    const struct attend_network_options c = {.source_vocab = 13,
                                             .target_vocab = 11,
                                             .emb = 5,
                                             .hidden = 6,
                                             .attention_size = 7,
                                             .readout_size = 4,
                                             .positions = 4, /* fewer than the sentence has */
                                             .span = 1,
                                             .gaussians = 2,
                                             .encoder_layers = 1 + k % 2,
                                             .decoder_layers = 1 + k % 2,
                                             .attention = name,
                                             .placement = where,
                                             .input_feeding = placement->feeds,
                                             .heads = k / 2 == 1 ? 2 : 1,
                                             .coverage = k / 2 == 2};
    snprintf(name, sizeof name, "%s", attention->name);
    snprintf(where, sizeof where, "%s", placement->name);
    if ((c.heads == 1 || attention->heads) && (!c.coverage || attention->coverage))
        check(&c);
}
static void for_each(check_fn *check)
{
    for (const struct attention_ops *const *attention = attentions; *attention; attention++)
        for (const struct placement_ops *const *placement = placements; *placement; placement++)
            for (int k = 0; k < 6; k++)
                check_mechanism(check, *attention, *placement, k);
}

static struct trace_job job_of(const struct seq2seq *net)
{
    return (struct trace_job){.net = net,
                              .source = source_ids,
                              .target = target_ids,
                              .source_length = SOURCE,
                              .target_length = TARGET,
                              .top = 4};
}

static bool looks(const struct seq2seq *net)
{
    return net->decoder.attention.ops != &attention_none;
}

/* ---- The trace is what the model computes ---- */

static void check_scores(const struct trace *t, int step, int head)
{
    const real *e = t->score + (step * t->heads + head) * t->S,
               *a = t->weight + (step * t->heads + head) * t->S;
    double sum = 0;
    for (int j = 0; j < t->S; j++)
        sum += exp((double)e[j]);
    for (int j = 0; j < t->S; j++)
        assert_near((double)a[j], exp((double)e[j]) / sum, 2e-6);
}

static void check_context(const struct trace *t, const real *memory, int C, int step)
{
    for (int c = 0; c < C; c++) {
        const real *a = t->weight + (step * t->heads + c / (C / t->heads)) * t->S;
        double sum = 0;
        for (int j = 0; j < t->S; j++)
            sum += (double)a[j] * (double)memory[j * C + c];
        assert_near((double)t->context[step * C + c], sum, 1e-5);
    }
}

static void check_words(const struct trace *t, int step)
{
    const struct trace_word *best = t->best + step * t->top, *word = &t->word[step];
    for (int k = 0; k < t->top; k++) {
        assert_true(k == 0 || best[k].log_probability <= best[k - 1].log_probability);
        assert_true(best[k].id != word->id || best[k].log_probability == word->log_probability);
    }
    assert_true(best[0].log_probability >= word->log_probability);
    assert_int_equal(word->id, step < TARGET ? target_ids[step] : VOCAB_EOS);
}

/* The same pair with teacher forcing. */
struct forced {
    struct seq2seq_tape tape;
    struct arena arena;
    double row_loss[STEPS], loss;
};

static void bind_forced(struct forced *f, struct arena *arena, struct gemm_scratch *gemm,
                        const struct seq2seq *net, const struct batch_text *text)
{
    gemm_scratch_bind(gemm, arena);
    seq2seq_tape_bind(&f->tape, arena, net, text, 1);
}

static void force(struct forced *f, const struct seq2seq *net)
{
    const int item = 0;
    const struct batch_text text = {&source, &target, &item, 1, NULL};
    struct worker alone = worker_alone();
    struct compute compute = {.worker = &alone};
    struct arena count = {0};
    const struct seq2seq_job plain = {.loss = {.scale = 1, .row_loss = f->row_loss}};
    bind_forced(f, &count, &compute.gemm, net, &text);
    assert_int_equal(arena_reserve(&f->arena, count.used, NULL), ATTEND_OK);
    bind_forced(f, &f->arena, &compute.gemm, net, &text);
    batch_fill(&f->tape.batch, &text);
    f->loss = seq2seq_run(net, &f->tape, &compute, &plain);
}

static void check_shown(const struct attend_network_options *config)
{
    struct fixture f;
    struct trace t;
    struct forced forced = {0};
    fixture_init(&f, config, 5);
    const struct trace_job job = job_of(&f.net);
    force(&forced, &f.net);
    assert_int_equal(trace_run(&t, &job, NULL), ATTEND_OK);
    assert_int_equal(t.T, STEPS);
    assert_int_equal(t.S, looks(&f.net) ? S : 1);
    assert_near(t.log_probability, -forced.loss, 1e-5);
    for (int step = 0; step < STEPS; step++) {
        assert_near(t.word[step].log_probability, -forced.row_loss[step], 1e-5);
        check_words(&t, step);
        /* A hard attention shows posteriors: here given the words so far, there given all. */
        const bool hard = f.net.decoder.hard;
        for (int i = step * t.heads * t.S; i < (step + 1) * t.heads * t.S; i++)
            if (!hard || step == STEPS - 1)
                assert_near((double)t.weight[i], (double)forced.tape.decoder.weight[i], 1e-5);
        for (int g = 0; g < t.heads && looks(&f.net) && !hard; g++)
            check_scores(&t, step, g);
        if (looks(&f.net))
            check_context(&t, forced.tape.encoder.memory, f.net.decoder.C, step);
    }
    trace_release(&t);
    arena_release(&forced.arena);
    fixture_release(&f);
}
TEST(trace_of_every_mechanism_shows_what_forcing_computes) { for_each(check_shown); }

TEST(trace_marks_what_a_mechanism_may_not_look_at)
{
    static char location[] = "location";
    const struct attend_network_options config = {.source_vocab = 13,
                                                  .target_vocab = 11,
                                                  .emb = 5,
                                                  .hidden = 6,
                                                  .positions = 4,
                                                  .attention = location};
    struct fixture f;
    struct trace t;
    fixture_init(&f, &config, 5);
    const struct trace_job job = job_of(&f.net);
    assert_int_equal(trace_run(&t, &job, NULL), ATTEND_OK);
    for (int j = 0; j < S; j++)
        assert_true(isfinite(t.score[j]) == (j < 4));
    trace_release(&t);
    fixture_release(&f);
}

TEST(trace_top_is_no_more_than_the_vocabulary)
{
    const struct attend_network_options config = {
        .source_vocab = 13, .target_vocab = 11, .emb = 5, .hidden = 6};
    struct fixture f;
    struct trace t;
    fixture_init(&f, &config, 5);
    struct trace_job job = job_of(&f.net);
    job.top = 1000;
    assert_int_equal(trace_run(&t, &job, NULL), ATTEND_OK);
    assert_int_equal(t.top, 11);
    double sum = 0;
    for (int k = 0; k < 11; k++)
        sum += exp(t.best[k].log_probability);
    assert_near(sum, 1, 1e-5);
    trace_release(&t);
    fixture_release(&f);
}

/* ---- Given weights ---- */

static const int AT[] = {4, 1};
static const real WEIGHT[] = {(real)0.75, (real)0.125};
/* The second step has given weights; the others have none. */
static const struct attention_focus FOCUS[] = {{0}, {2, AT, WEIGHT}};

/* Given weights are exact, the others keep the proportions of `plain`. */
static void check_focus(const real *weight, const real *plain)
{
    double sum = 0, own = 0;
    for (int j = 0; j < S; j++) {
        sum += (double)weight[j];
        own += j == AT[0] || j == AT[1] ? 0 : (double)plain[j];
    }
    assert_near(sum, 1, 1e-6);
    assert_true(weight[AT[0]] == WEIGHT[0] && weight[AT[1]] == WEIGHT[1]);
    for (int j = 0; j < S; j++)
        if (j != AT[0] && j != AT[1])
            assert_near((double)weight[j], own > 0 ? 0.125 * (double)plain[j] / own : 0.125 / 4,
                        1e-6);
}

/* Beam search with the focus finds words whose forced steps are the same. */
static void check_search(const struct seq2seq *net, int beam)
{
    const struct search_constraint constraint = {.focus = FOCUS, .focus_steps = 2};
    const struct search_setup setup = {.net = {net},
                                       .nets = 1,
                                       .options = {.beam = beam, .max_length = 2},
                                       .constraints = &constraint};
    struct result *r = search_all(&setup, &source, 4, 1);
    const struct found *found = &r->best[0];
    struct trace_job job = job_of(net);
    struct trace t;
    job.target = found->token;
    job.target_length = found->h.length;
    job.focus = FOCUS;
    job.focus_steps = 2;
    assert_int_equal(trace_run(&t, &job, NULL), ATTEND_OK);
    const int steps = found->h.length + found->h.complete;
    for (int step = 0; step < steps; step++) {
        assert_near((double)found->score[step], t.word[step].log_probability, 1e-4);
        for (int j = 0; j < S; j++) {
            double mean = 0;
            for (int g = 0; g < t.heads; g++)
                mean += (double)t.weight[(step * t.heads + g) * S + j] / t.heads;
            assert_near((double)found->weight[step * S + j], mean, 1e-5);
        }
    }
    trace_release(&t);
    free(r);
}

static void check_told(const struct attend_network_options *config)
{
    struct fixture f;
    struct trace plain, told;
    fixture_init(&f, config, 5);
    struct trace_job job = job_of(&f.net);
    assert_int_equal(trace_run(&plain, &job, NULL), ATTEND_OK);
    job.focus = FOCUS;
    job.focus_steps = 2;
    assert_int_equal(trace_run(&told, &job, NULL), ATTEND_OK);
    const int width = plain.heads * plain.S;
    assert_memory_equal(plain.weight, told.weight, (size_t)width * sizeof(real));
    assert_true(plain.word[0].log_probability == told.word[0].log_probability);
    if (looks(&f.net)) {
        for (int g = 0; g < plain.heads && !f.net.decoder.hard; g++)
            check_focus(told.weight + width + g * S, plain.weight + width + g * S);
        assert_true(told.word[1].log_probability != plain.word[1].log_probability);
        assert_true(told.word[2].log_probability != plain.word[2].log_probability);
        check_search(&f.net, 1);
        check_search(&f.net, 3);
    } else {
        assert_true(told.log_probability == plain.log_probability);
    }
    trace_release(&plain);
    trace_release(&told);
    fixture_release(&f);
}
TEST(trace_and_search_of_every_mechanism_look_where_they_are_told) { for_each(check_told); }

/* Coverage sums the given weights, not the model's own. */
TEST(trace_coverage_counts_the_weights_that_were_asked_for)
{
    const struct attend_network_options config = {
        .source_vocab = 13, .target_vocab = 11, .emb = 5, .hidden = 6, .coverage = true};
    struct fixture f;
    struct trace plain, told;
    fixture_init(&f, &config, 5);
    /* The words do not matter here: only the carry tells the third step about the second. */
    for (int i = 0; i < f.net.params.count; i++) {
        struct param *p = f.net.params.item[i];
        if (strstr(p->path, "decoder.0.") || strstr(p->path, "W_query"))
            memset(p->value, 0, (size_t)p->rows * (size_t)p->cols * sizeof(real));
    }
    struct worker alone = worker_alone();
    struct compute compute = {.worker = &alone};
    seq2seq_pack(&f.net, &compute);
    struct trace_job job = job_of(&f.net);
    assert_int_equal(trace_run(&plain, &job, NULL), ATTEND_OK);
    job.focus = FOCUS;
    job.focus_steps = 2;
    assert_int_equal(trace_run(&told, &job, NULL), ATTEND_OK);
    const real *e = plain.score + 2 * S, *e_told = told.score + 2 * S;
    double most = 0;
    for (int j = 0; j < S; j++)
        most = larger(most, fabs((double)e[j] - (double)e_told[j]));
    assert_true(most > 1e-3);
    trace_release(&plain);
    trace_release(&told);
    fixture_release(&f);
}

/* s' = (1 - z) n + z s, where the state of a step is the one before its word. */
TEST(trace_gates_make_the_next_state)
{
    const struct attend_network_options config = {
        .source_vocab = 13, .target_vocab = 11, .emb = 5, .hidden = 6};
    struct fixture f;
    struct trace t;
    fixture_init(&f, &config, 5);
    const struct trace_job job = job_of(&f.net);
    const int H = f.net.decoder.H, slots = f.net.decoder.cell->slots * H;
    assert_string_equal(f.net.decoder.cell->slot_name[2], "update");
    assert_int_equal(trace_run(&t, &job, NULL), ATTEND_OK);
    for (int step = 0; step + 1 < STEPS; step++)
        for (int h = 0; h < H; h++) {
            const real *gates = t.gates + step * slots, *s = t.state + step * H;
            const double n = (double)gates[h], z = (double)gates[2 * H + h];
            assert_near((double)s[H + h], (1 - z) * n + z * (double)s[h], 1e-6);
        }
    trace_release(&t);
    fixture_release(&f);
}
