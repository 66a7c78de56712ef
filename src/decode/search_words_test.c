/* Search with a shortlist, with random weights: properties that hold for any weights. */
#include "base/strbuf.h"
#include "search_fixture.h"
#include "text/shortlist.h"

#include <math.h>
#include <string.h>

enum { SENTENCES = 5, V = 12, FREQUENT = 3, LISTED = 4 };
static int ids[] = {3, 4, 5, 6, 7, 8, 3, 5, 7, 4, 9, 10, 11, 3, 3};
static size_t start[] = {0, 2, 5, 6, 10, 15};
static const struct sequences text = {.count = SENTENCES, .start = start, .ids = ids};

static char LUONG[] = "luong", GENERAL[] = "general", NONE[] = "none",
            TRANSFORMER[] = "transformer";
#define SIZES                                                                                      \
    .source_vocab = V, .target_vocab = V, .emb = 6, .hidden = 10, .attention_size = 8,             \
    .readout_size = 7
static const struct attend_network_options variants[] = {
    {SIZES},
    {SIZES, .copy = true},
    {SIZES, .copy = true, .attention = GENERAL, .heads = 2, .placement = LUONG},
    {SIZES, .attention = NONE, .unidirectional = true},
    {SIZES, .encoder = TRANSFORMER, .encoder_layers = 2, .encoder_heads = 2, .copy = true},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* The list of source word k: k, then the words after it; so one word from it is a copy. */
static struct shortlist *lists_of(int words, int each)
{
    struct strbuf s = {0};
    struct shortlist *l = NULL;
    for (int k = 0; k < V; k++) {
        int word[SHORTLIST_LONGEST];
        for (int i = 0; i < each; i++)
            word[i] = (k + i) % words;
        shortlist_write(&s, word, each);
    }
    shortlist_write(&s, (const int[]){FREQUENT}, 1);
    assert_int_equal(shortlist_read(&l, s.text, s.length, V, words, "m", NULL), ATTEND_OK);
    strbuf_release(&s);
    return l;
}

static struct shortlist *lists(int each) { return lists_of(V, each); }

/* Whether sentence s can say a word with N words from each list; VOCAB_SPECIALS are always there. */
static bool listed(int s, int word, int N)
{
    bool there = word < VOCAB_SPECIALS || word == FREQUENT;
    for (size_t j = start[s]; j < start[s + 1]; j++)
        there = there || (word - ids[j] + V) % V < N;
    return there;
}

static struct search_setup setup_of(const struct fixture *f, const struct shortlist *l, int beam,
                                    int N)
{
    return (struct search_setup){.net = {&f->net},
                                 .nets = 1,
                                 .shortlist = l,
                                 .options = {.beam = beam,
                                             .length_penalty = 1,
                                             .max_length = 3,
                                             .temperature = 1,
                                             .top_p = 1,
                                             .shortlist = N}};
}

static void assert_same(const struct result *got, const struct result *want, bool bytes)
{
    for (int s = 0; s < SENTENCES; s++) {
        assert_int_equal(got[s].count, want[s].count);
        for (int i = 0; i < want[s].count; i++) {
            const struct found *g = &got[s].best[i], *w = &want[s].best[i];
            assert_int_equal(g->h.length, w->h.length);
            assert_memory_equal(g->token, w->token, sizeof w->token);
            if (bytes) {
                assert_true(g->h.score == w->h.score);
                assert_memory_equal(g->score, w->score, sizeof w->score);
                assert_memory_equal(g->share, w->share, sizeof w->share);
                assert_memory_equal(g->weight, w->weight, sizeof w->weight);
            }
        }
    }
}

/* ---- Which words come ---- */

static void check_only_listed(int variant, bool sample)
{
    struct fixture f;
    struct shortlist *l = lists(LISTED);
    int fewer = 0;
    fixture_init(&f, &variants[variant], 5);
    for (int N = 1; N <= LISTED; N++) {
        struct search_setup setup = setup_of(&f, l, 4, N);
        setup.options.sample = sample;
        setup.options.nbest = sample ? 5 : 1;
        struct result *r = search_all(&setup, &text, 3, 2);
        for (int s = 0; s < SENTENCES; s++)
            for (int i = 0; i < r[s].count; i++)
                for (int t = 0; t < r[s].best[i].h.length; t++)
                    assert_true(listed(s, r[s].best[i].token[t], N));
        for (int s = 0; s < SENTENCES; s++)
            for (int k = 0; k < V; k++)
                fewer += !listed(s, k, N);
        free(r);
    }
    assert_true(fewer > 0);
    shortlist_free(l);
    fixture_release(&f);
}

TEST(search_says_no_word_outside_the_shortlist)
{
    for (int variant = 0; variant < VARIANTS; variant++)
        for (int sample = 0; sample < 2; sample++)
            check_only_listed(variant, sample);
}

TEST(search_with_lists_of_all_words_is_the_search_without_to_the_bit)
{
    struct shortlist *l = lists(V);
    for (int variant = 0; variant < VARIANTS; variant++)
        for (int sample = 0; sample < 2; sample++) {
            struct fixture f;
            fixture_init(&f, &variants[variant], 5);
            struct search_setup setup = setup_of(&f, l, 4, V);
            setup.options.sample = sample;
            setup.options.nbest = sample ? 5 : 1;
            setup.options.no_repeat = 2;
            struct result *with = search_all(&setup, &text, 3, 1);
            setup.options.shortlist = 0;
            struct result *without = search_all(&setup, &text, 3, 1);
            assert_same(with, without, true);
            free(with);
            free(without);
            fixture_release(&f);
        }
    shortlist_free(l);
}

/* Many target words: the logits of a row lie in several blocks. */
TEST(search_with_lists_of_all_of_many_words_is_the_search_without_to_the_bit)
{
    enum { MANY = 2 * LOGITS_BLOCK + 88 };
    const struct attend_network_options many = {.source_vocab = V,
                                                .target_vocab = MANY,
                                                .emb = 6,
                                                .hidden = 10,
                                                .attention_size = 8,
                                                .readout_size = 7};
    struct shortlist *l = lists_of(MANY, MANY);
    struct fixture f;
    fixture_init(&f, &many, 5);
    f.net.decoder.output.b.value[VOCAB_EOS] = 3;
    struct search_setup setup = setup_of(&f, l, 4, MANY);
    struct result *with = search_all(&setup, &text, 3, 2);
    setup.options.shortlist = 0;
    struct result *without = search_all(&setup, &text, 3, 1);
    assert_same(with, without, true);
    assert_true(without[0].best[0].h.length > 0);
    free(with);
    free(without);
    setup.options.shortlist = LOGITS_BLOCK + 3;
    struct result *few = search_all(&setup, &text, 3, 2), *one = search_all(&setup, &text, 1, 1);
    assert_same(few, one, false);
    for (int s = 0; s < SENTENCES; s++)
        for (int t = 0; t < few[s].best[0].h.length; t++)
            assert_true(few[s].best[0].token[t] < V + LOGITS_BLOCK + 3);
    free(few);
    free(one);
    shortlist_free(l);
    fixture_release(&f);
}

TEST(search_with_a_shortlist_does_not_depend_on_batch_or_threads)
{
    struct shortlist *l = lists(LISTED);
    const int batches[] = {2, 3, 64}, threads[] = {1, 2, 3};
    for (int variant = 0; variant < VARIANTS; variant++) {
        struct fixture f;
        fixture_init(&f, &variants[variant], 5);
        const struct search_setup setup = setup_of(&f, l, 4, 2);
        struct result *want = search_all(&setup, &text, 1, 1);
        for (int k = 0; k < 3; k++) {
            struct result *got = search_all(&setup, &text, batches[k], threads[k]);
            assert_same(got, want, false);
            free(got);
        }
        free(want);
        fixture_release(&f);
    }
    shortlist_free(l);
}

/* ---- Probabilities ---- */

/* With one step and as many places as words, the first words of a sentence and </s> have all the
 * probability there is, without <s> and <unk>, which do not come. */
TEST(search_with_a_shortlist_divides_the_probability_among_its_words)
{
    struct fixture f;
    struct shortlist *l = lists(LISTED);
    fixture_init(&f, &variants[0], 5);
    f.net.decoder.output.b.value[VOCAB_BOS] = f.net.decoder.output.b.value[VOCAB_UNK] = -100;
    struct search_setup setup = setup_of(&f, l, FOUND_MOST, 2);
    setup.options.finish_all = true;
    for (int s = 0; s < SENTENCES; s++) {
        double sum = 0;
        int words = 0;
        for (int word = VOCAB_EOS; word < V; word++) {
            struct search_constraint constraints[SENTENCES] = {{0}};
            int prefix = word;
            if (!listed(s, word, 2))
                continue;
            for (int k = 0; k < SENTENCES; k++)
                constraints[k] = (struct search_constraint){.prefix = &prefix, .prefix_length = 1};
            setup.constraints = constraints;
            setup.options.beam = 1;
            const struct sequences one = {
                .count = 1, .start = (size_t[]){0, start[s + 1] - start[s]}, .ids = ids + start[s]};
            struct result *r = search_all(&setup, &one, 1, 1);
            sum += exp((double)r[0].best[0].score[0]);
            words++;
            free(r);
        }
        assert_true(words < V);
        assert_near(sum, 1, 1e-4);
    }
    shortlist_free(l);
    fixture_release(&f);
}

/* ---- What must be there ---- */

TEST(search_with_a_shortlist_says_the_prefix_and_the_phrases_that_must_come)
{
    struct shortlist *l = lists(1);
    struct search_constraint constraints[SENTENCES];
    int prefix[] = {11, 8}, phrase[] = {9, 10};
    size_t phrase_start[] = {0, 2};
    const struct sequences phrases = {.count = 1, .start = phrase_start, .ids = phrase};
    for (int s = 0; s < SENTENCES; s++)
        constraints[s] = (struct search_constraint){
            .prefix = prefix, .prefix_length = 2, .phrases = &phrases, .to = 1};
    for (int variant = 0; variant < VARIANTS; variant++) {
        struct fixture f;
        fixture_init(&f, &variants[variant], 5);
        struct search_setup setup = setup_of(&f, l, 4, 1);
        setup.constraints = constraints;
        struct result *r = search_all(&setup, &text, 3, 1);
        int outside = 0;
        for (int s = 0; s < SENTENCES; s++) {
            const struct found *best = &r[s].best[0];
            bool said = false;
            assert_memory_equal(best->token, prefix, sizeof prefix);
            for (int t = 0; t + 1 < best->h.length; t++)
                said = said || memcmp(best->token + t, phrase, sizeof phrase) == 0;
            assert_true(said);
            outside += !listed(s, 11, 1) && !listed(s, 9, 1);
        }
        assert_true(outside > 0);
        free(r);
        fixture_release(&f);
    }
    shortlist_free(l);
}

/* Lists without a word: what can be copied is there all the same. */
TEST(search_with_a_shortlist_can_copy_every_word_of_the_source)
{
    struct strbuf s = {0};
    struct shortlist *l = NULL;
    struct fixture f;
    for (int k = 0; k <= V; k++)
        shortlist_write(&s, NULL, 0);
    assert_int_equal(shortlist_read(&l, s.text, s.length, V, V, "m", NULL), ATTEND_OK);
    fixture_init(&f, &variants[1], 5);
    struct search_setup setup = setup_of(&f, l, 4, 1);
    struct result *r = search_all(&setup, &text, 3, 1);
    int copied = 0;
    for (int i = 0; i < SENTENCES; i++)
        for (int t = 0; t < r[i].best[0].h.length; t++) {
            bool there = false;
            for (size_t j = start[i]; j < start[i + 1]; j++)
                there = there || ids[j] == r[i].best[0].token[t];
            assert_true(there);
            assert_true(r[i].best[0].share[t] > 0);
            copied++;
        }
    assert_true(copied > SENTENCES);
    free(r);
    shortlist_free(l);
    strbuf_release(&s);
    fixture_release(&f);
}

TEST(search_with_a_shortlist_bans_phrases_and_averages_models)
{
    struct shortlist *all = lists(V), *some = lists(2);
    struct fixture f, g;
    fixture_init(&f, &variants[1], 5);
    fixture_init(&g, &variants[0], 9);
    int phrase[] = {FREQUENT, 11}; /* one that some sentences cannot say */
    const struct sequences banned = {.count = 2, .start = (size_t[]){0, 1, 2}, .ids = phrase};
    struct search_setup setup = setup_of(&f, all, 4, V);
    setup.net[1] = &g.net;
    setup.nets = 2;
    setup.banned = &banned;
    struct result *with = search_all(&setup, &text, 3, 1);
    setup.options.shortlist = 0;
    struct result *without = search_all(&setup, &text, 3, 1);
    assert_same(with, without, true);
    setup.options.shortlist = 2;
    setup.shortlist = some;
    struct result *few = search_all(&setup, &text, 3, 1);
    for (int s = 0; s < SENTENCES; s++)
        for (int t = 0; t < few[s].best[0].h.length; t++) {
            const int word = few[s].best[0].token[t];
            bool source = false; /* the first model copies */
            for (size_t j = start[s]; j < start[s + 1]; j++)
                source = source || ids[j] == word;
            assert_true(word != FREQUENT && word != 11 && (source || listed(s, word, 2)));
        }
    free(with);
    free(without);
    free(few);
    shortlist_free(all);
    shortlist_free(some);
    fixture_release(&f);
    fixture_release(&g);
}
