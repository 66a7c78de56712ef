/* Controls of a search: when it stops, required and forbidden words, sampling, ensembles. */
#include "decode/sample.h"
#include "decode/force.h"
#include "search_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SENTENCES = 5, V = 11 };
static int ids[] = {3, 4, 5, 6, 7, 8, 9, 10, 3, 5, 7, 9, 4, 4, 4, 6, 8, 10};
static size_t start[] = {0, 2, 5, 9, 12, 18};
static const struct sequences text = {.count = SENTENCES, .start = start, .ids = ids};
static const struct attend_network_options config = {.source_vocab = V,
                                                     .target_vocab = V,
                                                     .emb = 6,
                                                     .hidden = 9,
                                                     .attention_size = 7,
                                                     .readout_size = 5};

static struct result *run(const struct search_setup *setup, int batch, int threads)
{
    return search_all(setup, &text, batch, threads);
}

static struct search_setup setup_of(const struct fixture *f, int beam)
{
    return (struct search_setup){
        .net = {&f->net},
        .nets = 1,
        .options = {
            .beam = beam, .length_penalty = 1, .max_length = 3, .temperature = 1, .top_p = 1}};
}

static bool says(const struct found *f, const int *phrase, int length)
{
    for (int at = 0; at + length <= f->h.length; at++)
        if (memcmp(f->token + at, phrase, (size_t)length * sizeof *phrase) == 0)
            return true;
    return false;
}

static void assert_sound(const struct result *r, int sentence)
{
    const int source = sequences_length(&text, sentence) + 1;
    for (int i = 0; i < r->count; i++) {
        const struct found *f = &r->best[i];
        const int steps = f->h.length + f->h.complete;
        double sum = 0;
        for (int t = 0; t < steps; t++) {
            double row = 0;
            for (int j = 0; j < source; j++)
                row += (double)f->weight[t * source + j];
            assert_near(row, 1, 1e-5);
            sum += (double)f->score[t];
        }
        assert_near(sum, f->h.log_probability, 1e-5);
        if (i)
            assert_true(f->h.score <= r->best[i - 1].h.score);
    }
}

TEST(search_stopping_early_finds_what_not_stopping_finds)
{
    for (uint64_t seed = 1; seed < 12; seed++) {
        struct fixture f;
        fixture_init(&f, &config, seed);
        struct search_setup early = setup_of(&f, 4), all = early;
        early.options.nbest = 1 + (int)(seed % 3);
        early.options.length_penalty = all.options.length_penalty = (double)(seed % 4) / 2;
        all.options.finish_all = true;
        struct result *a = run(&early, 3, 1), *b = run(&all, 3, 1);
        for (int s = 0; s < SENTENCES; s++)
            for (int i = 0; i < early.options.nbest; i++) {
                assert_true(a[s].count > i);
                assert_near(a[s].best[i].h.score, b[s].best[i].h.score, 1e-9);
                assert_memory_equal(a[s].best[i].token, b[s].best[i].token,
                                    (size_t)a[s].best[i].h.length * sizeof(int));
            }
        free(a);
        free(b);
        fixture_release(&f);
    }
}

TEST(search_coverage_penalty_is_in_the_score)
{
    struct fixture f;
    fixture_init(&f, &config, 5);
    struct search_setup setup = setup_of(&f, 3);
    setup.options.coverage_penalty = 0.4;
    struct result *r = run(&setup, 2, 1);
    for (int s = 0; s < SENTENCES; s++)
        for (int i = 0; i < r[s].count; i++) {
            const struct found *found = &r[s].best[i];
            const int source = sequences_length(&text, s) + 1,
                      steps = found->h.length + found->h.complete;
            double want = found->h.log_probability / steps;
            for (int j = 0; j < source; j++) {
                double seen = 1e-9;
                for (int t = 0; t < steps; t++)
                    seen += (double)found->weight[t * source + j];
                want += seen < 1 ? 0.4 * log(seen) : 0;
            }
            assert_near(found->h.score, want, 1e-5);
        }
    free(r);
    fixture_release(&f);
}

TEST(search_without_repeats_says_no_pair_twice)
{
    int repeated = 0;
    for (uint64_t seed = 1; seed < 8; seed++) {
        struct fixture f;
        fixture_init(&f, &config, seed);
        f.net.decoder.output.b.value[VOCAB_EOS] = -1; /* so that outputs are long enough to
                                                       * repeat */
        struct search_setup setup = setup_of(&f, 3), free_setup = setup;
        setup.options.no_repeat = 2;
        struct result *r = run(&setup, 2, 1), *plain = run(&free_setup, 2, 1);
        for (int s = 0; s < SENTENCES; s++) {
            assert_sound(&r[s], s);
            for (int i = 0; i < r[s].count; i++)
                for (int at = 0; at + 2 <= r[s].best[i].h.length; at++) {
                    struct found rest = r[s].best[i];
                    memmove(rest.token, rest.token + at + 1,
                            (size_t)(rest.h.length - at - 1) * sizeof(int));
                    rest.h.length -= at + 1;
                    assert_false(says(&rest, r[s].best[i].token + at, 2));
                }
            for (int at = 0; at + 3 <= plain[s].best[0].h.length; at++) {
                struct found rest = plain[s].best[0];
                memmove(rest.token, rest.token + at + 1,
                        (size_t)(rest.h.length - at - 1) * sizeof(int));
                rest.h.length -= at + 1;
                repeated += says(&rest, plain[s].best[0].token + at, 2);
            }
        }
        free(r);
        free(plain);
        fixture_release(&f);
    }
    assert_true(repeated > 0); /* otherwise nothing was forbidden */
}

/* The banned phrase is one that the search says on its own. */
TEST(search_does_not_say_banned_phrases)
{
    int changed = 0;
    for (uint64_t seed = 1; seed < 8; seed++) {
        struct fixture f;
        fixture_init(&f, &config, seed);
        struct search_setup setup = setup_of(&f, 3);
        struct result *plain = run(&setup, 2, 1);
        for (int s = 0; s < SENTENCES; s++)
            for (int length = 1; length <= 2 && plain[s].best[0].h.length >= length; length++) {
                size_t phrase_start[] = {0, (size_t)length};
                const struct sequences banned = {
                    .count = 1, .start = phrase_start, .ids = plain[s].best[0].token};
                setup.banned = &banned;
                struct result *r = run(&setup, 2, 1);
                for (int i = 0; i < SENTENCES; i++)
                    for (int k = 0; k < r[i].count; k++)
                        assert_false(says(&r[i].best[k], banned.ids, length));
                changed++;
                free(r);
            }
        free(plain);
        fixture_release(&f);
    }
    assert_true(changed > 5);
}

TEST(search_begins_with_the_prefix)
{
    struct fixture f;
    fixture_init(&f, &config, 3);
    static const int prefix[] = {9, VOCAB_UNK, 4};
    struct search_constraint constraints[SENTENCES] = {0};
    struct search_setup setup = setup_of(&f, 3);
    for (int s = 0; s < SENTENCES; s++)
        constraints[s] = (struct search_constraint){.prefix = prefix, .prefix_length = s % 4};
    setup.constraints = constraints;
    struct result *r = run(&setup, 2, 2);
    for (int s = 0; s < SENTENCES; s++) {
        assert_sound(&r[s], s);
        assert_true(r[s].count > 0);
        for (int i = 0; i < r[s].count; i++) {
            assert_true(r[s].best[i].h.length >= s % 4);
            assert_memory_equal(r[s].best[i].token, prefix, (size_t)(s % 4) * sizeof(int));
        }
    }
    free(r);
    fixture_release(&f);
}

TEST(search_says_all_phrases_that_it_is_asked_for)
{
    int words[] = {9, 3, 8, 5, 5, 10};
    size_t phrase_start[] = {0, 1, 3, 6}; /* 9 | 3 8 | 5 5 10 */
    const struct sequences phrases = {.count = 3, .start = phrase_start, .ids = words};
    for (uint64_t seed = 1; seed < 8; seed++) {
        struct fixture f;
        fixture_init(&f, &config, seed);
        struct search_constraint constraints[SENTENCES];
        struct search_setup setup = setup_of(&f, 1 + (int)seed);
        for (int s = 0; s < SENTENCES; s++)
            constraints[s] =
                (struct search_constraint){.phrases = &phrases, .from = s % 3, .to = 3};
        setup.constraints = constraints;
        struct result *r = run(&setup, 2, 1);
        for (int s = 0; s < SENTENCES; s++) {
            assert_sound(&r[s], s);
            assert_true(r[s].count > 0);
            for (int i = 0; i < r[s].count; i++)
                for (int p = s % 3; p < 3; p++)
                    assert_true(says(&r[s].best[i], words + phrase_start[p],
                                     sequences_length(&phrases, p)));
        }
        free(r);
        fixture_release(&f);
    }
}

TEST(constraints_count_what_was_said)
{
    int words[] = {3, 4, 3, 5};
    size_t phrase_start[] = {0, 2, 4}; /* 3 4 | 3 5 */
    const struct sequences phrases = {.count = 2, .start = phrase_start, .ids = words};
    const struct search_constraint constraint = {.phrases = &phrases, .to = 2};
    struct constraint_state s = {0};
    int next[CONSTRAINTS_MAX + 1];
    s = constraint_advance(&constraint, s, 3);
    assert_int_equal(constraint_words(&constraint, s), 1);
    s = constraint_advance(&constraint, s, 7); /* interrupted */
    assert_int_equal(constraint_words(&constraint, s), 0);
    s = constraint_advance(&constraint, constraint_advance(&constraint, s, 3), 4);
    assert_int_equal(constraint_words(&constraint, s), 2);
    assert_false(constraint_met(&constraint, s));
    assert_int_equal(constraint_next(&constraint, s, next), 1);
    assert_int_equal(next[0], 3);
    s = constraint_advance(&constraint, constraint_advance(&constraint, s, 3), 5);
    assert_true(constraint_met(&constraint, s));
    assert_int_equal(constraint_words(&constraint, s), 4);
}

/* ---- Sampling ---- */

TEST(draws_follow_the_probabilities)
{
    const real logits[] = {(real)log(0.5), (real)log(0.3), -(real)INFINITY, (real)log(0.2)};
    struct sample_item work[4];
    int count[4] = {0};
    enum { SAMPLES = 1000 };
    for (int i = 0; i < SAMPLES; i++)
        count[sample_token(logits, 4, &(struct sample_rule){1, 0, 1}, (i + 0.5) / SAMPLES, work)]++;
    assert_int_equal(count[0], 500);
    assert_int_equal(count[1], 300);
    assert_int_equal(count[2], 0);
    assert_int_equal(count[3], 200);
}

TEST(draws_keep_to_top_k_top_p_and_temperature)
{
    const real logits[] = {(real)log(0.5), (real)log(0.3), (real)log(0.15), (real)log(0.05)};
    struct sample_item work[4];
    for (int i = 0; i < 100; i++) {
        const double u = (i + 0.5) / 100;
        assert_true(sample_token(logits, 4, &(struct sample_rule){1, 2, 1}, u, work) < 2);
        assert_true(sample_token(logits, 4, &(struct sample_rule){1, 0, 0.7}, u, work) < 2);
        assert_int_equal(sample_token(logits, 4, &(struct sample_rule){0.01, 0, 1}, u, work), 0);
    }
    /* At a high temperature all words are about equally likely. */
    assert_int_equal(sample_token(logits, 4, &(struct sample_rule){100, 0, 1}, 0.99, work), 3);
    const real none[] = {-(real)INFINITY, -(real)INFINITY};
    assert_int_equal(sample_token(none, 2, &(struct sample_rule){1, 0, 1}, 0.5, work), -1);
}

TEST(samples_do_not_depend_on_batch_or_threads)
{
    struct fixture f;
    fixture_init(&f, &config, 4);
    struct search_setup setup = setup_of(&f, 1);
    setup.options.sample = true;
    setup.options.nbest = 4;
    setup.options.seed = 7;
    struct result *a = run(&setup, 5, 1), *b = run(&setup, 1, 3);
    setup.options.seed = 8;
    struct result *other = run(&setup, 5, 1);
    int differ = 0;
    for (int s = 0; s < SENTENCES; s++) {
        assert_sound(&a[s], s);
        assert_int_equal(a[s].count, 4);
        for (int i = 0; i < 4; i++) {
            const size_t bytes = (size_t)a[s].best[i].h.length * sizeof(int);
            assert_int_equal(a[s].best[i].h.length, b[s].best[i].h.length);
            assert_memory_equal(a[s].best[i].token, b[s].best[i].token, bytes);
            differ += a[s].best[i].h.length != other[s].best[i].h.length ||
                      memcmp(a[s].best[i].token, other[s].best[i].token, bytes) != 0;
        }
    }
    assert_true(differ > 5);
    free(a);
    free(b);
    free(other);
    fixture_release(&f);
}

/* ---- Ensembles ---- */

static void keep_probability(void *context, const struct forced *forced)
{
    *(double *)context = forced->log_probability;
}

TEST(search_with_the_same_model_twice_is_search_with_it_once)
{
    struct fixture f;
    fixture_init(&f, &config, 6);
    struct search_setup one = setup_of(&f, 3), two = one;
    two.net[1] = &f.net;
    two.nets = 2;
    struct result *a = run(&one, 2, 1), *b = run(&two, 2, 1);
    for (int s = 0; s < SENTENCES; s++) {
        assert_sound(&b[s], s);
        assert_near(a[s].best[0].h.score, b[s].best[0].h.score, 1e-5);
        assert_memory_equal(a[s].best[0].token, b[s].best[0].token,
                            (size_t)a[s].best[0].h.length * sizeof(int));
    }
    free(a);
    free(b);
    fixture_release(&f);
}

/* Forcing the words of a complete hypothesis for sentence s gives its log-probability. */
static void assert_forced(struct team *team, const struct seq2seq *net, int s,
                          struct result *single)
{
    double forced = 0;
    size_t one_start[] = {0, (size_t)single->best[0].h.length},
           source_start[] = {0, (size_t)sequences_length(&text, s)};
    const struct sequences source = {.count = 1, .start = source_start, .ids = ids + start[s]},
                           target = {.count = 1, .start = one_start, .ids = single->best[0].token};
    const struct force_job job = {.net = net,
                                  .source = &source,
                                  .target = &target,
                                  .emit = keep_probability,
                                  .context = &forced};
    assert_int_equal(force_pairs(team, &job, NULL), ATTEND_OK);
    assert_near(forced, single->best[0].h.log_probability, 1e-4);
}

/* The probability of a first word of sentence s: P(word </s>) / P(</s> | word), from the scores of a
 * search with the word as a prefix. */
static double first_probability(struct team *team, struct fixture *f, int s, const int *word)
{
    struct search_constraint constraints[SENTENCES];
    for (int k = 0; k < SENTENCES; k++)
        constraints[k] = (struct search_constraint){.prefix = word, .prefix_length = 1};
    struct search_setup alone = setup_of(f, 1);
    alone.constraints = constraints;
    struct result *single = run(&alone, 1, 1);
    const double probability = exp((double)single[s].best[0].score[0]);
    if (single[s].best[0].h.complete)
        assert_forced(team, &f->net, s, &single[s]);
    free(single);
    return probability;
}

/* The first word of greedy search has the mean of the two models' probabilities. */
TEST(search_with_two_models_takes_the_mean_of_their_probabilities)
{
    struct fixture f, g;
    struct team *team;
    fixture_init(&f, &config, 6);
    fixture_init(&g, &config, 9);
    struct search_setup both = setup_of(&f, 1);
    both.net[1] = &g.net;
    both.nets = 2;
    both.options.max_length = 0.1;
    struct result *r = run(&both, 2, 1);
    assert_int_equal(team_new(&team, 1, NULL), ATTEND_OK);
    for (int s = 0; s < SENTENCES; s++) {
        const int *word = r[s].best[0].token;
        const double sum =
            first_probability(team, &f, s, word) + first_probability(team, &g, s, word);
        assert_near((double)r[s].best[0].score[0], log(sum / 2), 1e-4);
    }
    team_free(team);
    free(r);
    fixture_release(&f);
    fixture_release(&g);
}
