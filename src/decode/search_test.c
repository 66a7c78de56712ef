/* Search with random weights: properties that hold for any weights. */
#include "decode/force.h"
#include "search_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SENTENCES = 9, LONGEST = FOUND_LONGEST, V = 12 };
static int ids[] = {3, 4, 5, 6, 7, 8, 3,  5, 7, 4, 9,  10, 11, 3,
                    3, 4, 8, 6, 5, 4, 11, 7, 9, 3, 10, 6,  5};
static size_t start[] = {0, 2, 5, 6, 10, 14, 15, 18, 24, 27};
static const struct sequences text = {.count = SENTENCES, .start = start, .ids = ids};
/* Names as writable strings, like the copies that an option owns. */
static char WINDOW[] = "window", LOCAL[] = "local", SCALED[] = "scaled_dot", GENERAL[] = "general",
            NONE[] = "none", AWARE[] = "location_aware";
static char LUONG[] = "luong", CONDITIONAL[] = "conditional", LSTM[] = "lstm", COPY[] = "copy",
            MAXOUT[] = "maxout", TRANSFORMER[] = "transformer", LEARNED[] = "learned",
            MONOTONIC[] = "monotonic";

#define SIZES_BUT_EMB                                                                              \
    .source_vocab = V, .target_vocab = V, .hidden = 10, .attention_size = 8, .readout_size = 7
#define SIZES SIZES_BUT_EMB, .emb = 6
/* Variants with different records: carries, several layers, memory cells, the vector of input
 * feeding. */
static const struct attend_network_options variants[] = {
    {SIZES},
    {SIZES, .coverage = true, .decoder_layers = 2},
    {SIZES, .attention = WINDOW, .gaussians = 2, .placement = LUONG, .input_feeding = true},
    {SIZES, .attention = LOCAL, .span = 2, .cell = LSTM, .layer_norm = true},
    {SIZES, .attention = SCALED, .heads = 2, .placement = LUONG, .readout = MAXOUT},
    {SIZES, .attention = GENERAL, .cell = LSTM, .encoder_layers = 2, .decoder_layers = 2,
     .start = COPY, .residual = true},
    {SIZES, .attention = NONE, .unidirectional = true},
    {SIZES, .copy = true},
    {SIZES, .copy = true, .attention = GENERAL, .heads = 2, .placement = LUONG},
    {SIZES, .placement = CONDITIONAL, .coverage = true},
    {SIZES, .placement = CONDITIONAL, .attention = AWARE, .location_filters = 2,
     .location_reach = 3},
    {SIZES, .placement = CONDITIONAL, .cell = LSTM, .decoder_layers = 2, .residual = true},
    {SIZES, .skip = true, .decoder_layers = 2},
    {SIZES, .skip = true, .decoder_layers = 3, .placement = CONDITIONAL, .cell = LSTM},
    {SIZES, .encoder = TRANSFORMER, .encoder_layers = 2, .encoder_heads = 2, .copy = true},
    {SIZES_BUT_EMB, .emb = 10, .encoder = TRANSFORMER, .encoder_positions = LEARNED, .positions = 3,
     .attention = SCALED, .heads = 2},
    {SIZES, .attention = MONOTONIC},
    {SIZES, .attention = MONOTONIC, .placement = LUONG, .monotonic_order = 1},
    {SIZES, .attention = MONOTONIC, .placement = LUONG, .input_feeding = true},
    {SIZES, .attention = MONOTONIC, .placement = CONDITIONAL, .monotonic_order = 1, .skip = true,
     .decoder_layers = 2, .readout = MAXOUT},
    {SIZES, .attention = MONOTONIC, .monotonic_order = 1, .decoder_layers = 2, .residual = true},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static struct result *run(const struct fixture *f, int beam, double alpha, int batch, int threads)
{
    const struct search_setup setup = {
        .net = {&f->net},
        .nets = 1,
        .options = {.beam = beam, .length_penalty = alpha, .max_length = 3}};
    return search_all(&setup, &text, batch, threads);
}

struct capture {
    double log_probability;
    float share[LONGEST];
    float weight[LONGEST * 16];
};

static void capture(void *context, const struct forced *forced)
{
    struct capture *c = context;
    c->log_probability = forced->log_probability;
    const int S = forced->S, heads = forced->heads;
    for (int t = 0; t < forced->T && forced->share; t++)
        c->share[t] = forced->share[t];
    for (int t = 0; t < forced->T; t++)
        for (int j = 0; j < heads * S; j++)
            c->weight[t * S + j % S] += (float)forced->weight[t * heads * S + j] / (float)heads;
}

static struct capture force(const struct fixture *f, int sentence, const int *tokens, int count)
{
    struct capture result = {0};
    struct team *team;
    int target[LONGEST];
    memcpy(target, tokens, (size_t)count * sizeof *tokens);
    size_t source_start[] = {0, start[sentence + 1] - start[sentence]},
           target_start[] = {0, (size_t)count};
    const struct sequences source = {.count = 1,
                                     .start = source_start,
                                     .ids = ids + start[sentence]},
                           given = {.count = 1, .start = target_start, .ids = target};
    const struct force_job job = {&f->net, &source, &given, capture, &result, NULL};
    assert_int_equal(team_new(&team, 1, NULL), ATTEND_OK);
    assert_int_equal(force_pairs(team, &job, NULL), ATTEND_OK);
    team_free(team);
    return result;
}

static void check_search_score_is_the_forced_log_probability(int variant)
{
    struct fixture f;
    fixture_init(&f, &variants[variant], 5);
    struct result *r = run(&f, 4, 0.6, 3, 1);
    int complete = 0;
    for (int s = 0; s < SENTENCES; s++)
        for (int i = 0; i < r[s].count; i++) {
            const struct hypothesis *h = &r[s].best[i].h;
            if (!h->complete)
                continue;
            complete++;
            assert_near(h->log_probability,
                        force(&f, s, r[s].best[i].token, h->length).log_probability, 1e-4);
            assert_near(h->score, h->log_probability / pow(h->length + 1, 0.6), 1e-9);
        }
    assert_true(complete > 0);
    free(r);
    fixture_release(&f);
}

TEST(search_score_is_the_forced_log_probability)
{
    for (int variant = 0; variant < VARIANTS; variant++)
        check_search_score_is_the_forced_log_probability(variant);
}

static void check_search_attention_is_the_forced_attention(int variant)
{
    struct fixture f;
    if (variants[variant].attention == NONE)
        return;
    fixture_init(&f, &variants[variant], 5);
    struct result *r = run(&f, 3, 1, 4, 2);
    for (int s = 0; s < SENTENCES; s++) {
        const struct hypothesis *h = &r[s].best[0].h;
        const int S = sequences_length(&text, s) + 1, T = h->length + h->complete;
        const struct capture forced = force(&f, s, r[s].best[0].token, h->length);
        for (int t = 0; t < T; t++) {
            /* What is shown of a hard attention is the posterior, in search of the words so far. */
            const bool whole = !f.net.decoder.hard || (t == T - 1 && h->complete);
            double sum = 0;
            for (int j = 0; j < S; j++) {
                sum += (double)r[s].best[0].weight[t * S + j];
                if (whole)
                    assert_near((double)r[s].best[0].weight[t * S + j],
                                (double)forced.weight[t * S + j], 1e-5);
            }
            assert_near(sum, 1, 1e-5);
        }
    }
    free(r);
    fixture_release(&f);
}

TEST(search_attention_is_the_forced_attention)
{
    for (int variant = 0; variant < VARIANTS; variant++)
        check_search_attention_is_the_forced_attention(variant);
}

/* The share of copying is the same for a found word and for a forced one, and only source words
 * have it. */
TEST(search_shares_of_copying_are_the_forced_ones)
{
    int seen = 0;
    for (int variant = 0; variant < VARIANTS; variant++) {
        struct fixture f;
        if (!variants[variant].copy)
            continue;
        fixture_init(&f, &variants[variant], 5);
        struct result *r = run(&f, 3, 1, 4, 2);
        for (int s = 0; s < SENTENCES; s++) {
            const struct found *best = &r[s].best[0];
            const struct capture forced = force(&f, s, best->token, best->h.length);
            for (int t = 0; t < best->h.length; t++) {
                bool there = false;
                for (size_t j = start[s]; j < start[s + 1]; j++)
                    there = there || ids[j] == best->token[t];
                assert_near((double)best->share[t], (double)forced.share[t], 1e-4);
                assert_true(there ? best->share[t] > 0 : best->share[t] == 0);
                seen += there;
            }
        }
        free(r);
        fixture_release(&f);
    }
    assert_true(seen > 5);
}

static int most_probable(const real *logits)
{
    int best = VOCAB_EOS;
    for (int k = VOCAB_EOS + 1; k < V; k++)
        best = logits[k] > logits[best] ? k : best;
    return best;
}

/* One step of the decoder after the word `last`; returns the most probable word. */
static int step_by_hand(const struct decoder *d, struct compute *compute, struct search *s,
                        const struct decoder_memory *memory, int last)
{
    const int whose = 0;
    struct search_net *n = &s->net[0];
    decoder_step(d, compute, memory,
                 &(struct decoder_step){.rows = 1,
                                        .states = 1,
                                        .state = &whose,
                                        .token = &last,
                                        .sentence = &whose,
                                        .state_sentence = &whose,
                                        .previous = view_of(n->record, 1, n->record_width),
                                        .next = view_of(n->next_record, 1, n->record_width),
                                        .weight = view_of(n->weight, 1, n->weight_width),
                                        .logits = n->logits,
                                        .work = n->work});
    memcpy(n->record, n->next_record, (size_t)n->record_width * sizeof(real));
    return most_probable(n->logits.at.at);
}

/* Steps encoder and decoder by hand, always taking the most probable word; returns the length. */
static int greedy_by_hand(const struct fixture *f, int sentence, int *token, int limit)
{
    const struct decoder *d = &f->net.decoder;
    const struct search_setup setup = {
        .net = {&f->net}, .nets = 1, .options = {.beam = 1, .max_length = 3}};
    const struct batch_text one = {.source = &text, .item = &sentence, .count = 1};
    struct worker alone = worker_alone();
    struct compute compute = {.worker = &alone};
    struct search s;
    struct arena count = {0}, arena = {0};
    for (int pass = 0; pass < 2; pass++) {
        struct arena *a = pass ? &arena : &count;
        gemm_scratch_bind(&compute.gemm, a);
        search_bind(&s, a, &setup, &one);
        if (!pass)
            assert_int_equal(arena_reserve(&arena, count.used, NULL), ATTEND_OK);
    }
    batch_fill(&s.batch, &one);
    encoder_forward(&f->net.encoder, &s.net[0].encoder, &compute, &s.batch, &(struct dropouts){0});
    struct decoder_memory memory;
    decoder_begin(d, &compute, &s.net[0].begin, &s.batch, &s.net[0].encoder, &memory,
                  view_of(s.net[0].record, 1, s.net[0].record_width));
    int length = 0;
    for (int last = VOCAB_BOS; length < limit; length++) {
        last = step_by_hand(d, &compute, &s, &memory, last);
        if (last == VOCAB_EOS)
            break;
        token[length] = last;
    }
    arena_release(&arena);
    return length;
}

static void check_search_with_one_place_is_greedy(int variant)
{
    struct fixture f;
    fixture_init(&f, &variants[variant], 5);
    struct result *r = run(&f, 1, 1, 5, 1);
    for (int s = 0; s < SENTENCES; s++) {
        int token[LONGEST];
        const int length =
            greedy_by_hand(&f, s, token, 3 * sequences_length(&text, s) + SEARCH_EXTRA);
        assert_int_equal(r[s].count, 1);
        assert_int_equal(r[s].best[0].h.length, length);
        assert_memory_equal(r[s].best[0].token, token, (size_t)length * sizeof *token);
    }
    free(r);
    fixture_release(&f);
}

TEST(search_with_one_place_is_greedy)
{
    for (int variant = 0; variant < VARIANTS; variant++)
        check_search_with_one_place_is_greedy(variant);
}

static void assert_found_equal(const struct found *a, const struct found *b)
{
    assert_true(a->h.score == b->h.score && a->h.complete == b->h.complete);
    assert_int_equal(a->h.length, b->h.length);
    assert_memory_equal(a->token, b->token, sizeof a->token);
    assert_memory_equal(a->score, b->score, sizeof a->score);
    assert_memory_equal(a->weight, b->weight, sizeof a->weight);
}

static void check_search_with_tables_is_the_search_without(int variant)
{
    struct fixture f;
    struct seq2seq_tables tables;
    fixture_init(&f, &variants[variant], 5);
    assert_int_equal(seq2seq_tables_init(&tables, &f.net, NULL), ATTEND_OK);
    struct search_setup setup = {
        .net = {&f.net}, .nets = 1, .options = {.beam = 3, .length_penalty = 1, .max_length = 3}};
    struct result *without = search_all(&setup, &text, 2, 1);
    setup.tables = &tables;
    for (int pass = 0; pass < 2; pass++) { /* while the tables fill, and when they are full */
        struct result *with = search_all(&setup, &text, 2, 2);
        for (int i = 0; i < SENTENCES; i++) {
            assert_int_equal(with[i].count, without[i].count);
            for (int k = 0; k < with[i].count; k++)
                assert_found_equal(&with[i].best[k], &without[i].best[k]);
        }
        free(with);
    }
    free(without);
    seq2seq_tables_release(&tables);
    fixture_release(&f);
}

TEST(search_with_tables_is_the_search_without)
{
    for (int variant = 0; variant < VARIANTS; variant++)
        check_search_with_tables_is_the_search_without(variant);
}

static void check_search_text_does_not_depend_on_batch_or_threads(int variant)
{
    struct fixture f;
    fixture_init(&f, &variants[variant], 5);
    struct result *want = run(&f, 4, 1, 1, 1);
    const int batches[] = {2, 3, 64}, threads[] = {1, 2, 3};
    for (int k = 0; k < 3; k++) {
        struct result *got = run(&f, 4, 1, batches[k], threads[k]);
        for (int s = 0; s < SENTENCES; s++) {
            assert_int_equal(got[s].count, want[s].count);
            for (int i = 0; i < want[s].count; i++) {
                assert_int_equal(got[s].best[i].h.length, want[s].best[i].h.length);
                assert_memory_equal(got[s].best[i].token, want[s].best[i].token,
                                    (size_t)want[s].best[i].h.length * sizeof(int));
                assert_near(got[s].best[i].h.score, want[s].best[i].h.score, 1e-5);
            }
        }
        free(got);
    }
    free(want);
    fixture_release(&f);
}

TEST(search_text_does_not_depend_on_batch_or_threads)
{
    for (int variant = 0; variant < VARIANTS; variant++)
        check_search_text_does_not_depend_on_batch_or_threads(variant);
}

static void check_search_list_is_sorted_and_free_of_unknowns(int variant)
{
    struct fixture f;
    fixture_init(&f, &variants[variant], 5);
    struct result *r = run(&f, 5, 1, 4, 1);
    for (int s = 0; s < SENTENCES; s++)
        for (int i = 0; i < r[s].count; i++) {
            assert_true(i == 0 || r[s].best[i].h.score <= r[s].best[i - 1].h.score);
            for (int t = 0; t < r[s].best[i].h.length; t++)
                assert_true(r[s].best[i].token[t] >= VOCAB_SPECIALS);
        }
    free(r);
    fixture_release(&f);
}

TEST(search_list_is_sorted_and_free_of_unknowns)
{
    for (int variant = 0; variant < VARIANTS; variant++)
        check_search_list_is_sorted_and_free_of_unknowns(variant);
}

/* ---- Heads ---- */

static const int heads_variant = 4; /* the variant with two heads */

TEST(search_head_weights_are_what_was_averaged)
{
    struct fixture f;
    fixture_init(&f, &variants[heads_variant], 5);
    const struct search_setup setup = {
        .net = {&f.net},
        .nets = 1,
        .options = {.beam = 3, .length_penalty = 1, .max_length = 3, .each_head = true}};
    struct result *results = search_all(&setup, &text, 4, 2), *plain = run(&f, 3, 1, 4, 1);
    double apart = 0;
    for (int i = 0; i < SENTENCES; i++) {
        const struct found *found = &results[i].best[0];
        const int S = (int)(start[i + 1] - start[i]) + 1;
        const int weights = (found->h.length + found->h.complete) * S;
        assert_int_equal(results[i].count, plain[i].count);
        assert_memory_equal(found->weight, plain[i].best[0].weight, sizeof found->weight);
        for (int k = 0; k < weights; k++) {
            const double one = (double)found->head[k], two = (double)found->head[weights + k];
            assert_near((one + two) / 2, (double)found->weight[k], 1e-6);
            apart += fabs(one - two);
        }
    }
    assert_true(apart > 0.1);
    free(results);
    free(plain);
    fixture_release(&f);
}

TEST(search_keeps_no_heads_that_nobody_asked_for)
{
    struct fixture f;
    fixture_init(&f, &variants[heads_variant], 5);
    struct search_setup setup = {
        .net = {&f.net}, .nets = 1, .options = {.beam = 3, .max_length = 3}};
    int item[] = {0};
    const struct batch_text one = {.source = &text, .item = item, .count = 1};
    struct search search;
    struct arena without = {0}, with = {0};
    search_bind(&search, &without, &setup, &one);
    assert_int_equal(search.heads, 0);
    setup.options.each_head = true;
    search_bind(&search, &with, &setup, &one);
    assert_int_equal(search.heads, 2);
    assert_true(with.used > without.used);
    fixture_release(&f);
}
