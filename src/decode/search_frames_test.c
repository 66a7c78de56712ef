/* Search over a source of frames with random weights: properties that hold for any weights. */
#include "decode/force.h"
#include "search_fixture.h"

#include <math.h>
#include <string.h>

enum { SENTENCES = 5, WIDTH = 2, FRAMES = 30, V = 12 };
static size_t start[] = {0, 9, 10, 16, 23, FRAMES};
static float rows[FRAMES * WIDTH];
static struct sequences source = {.count = SENTENCES, .start = start, .width = WIDTH, .rows = rows};

#define SIZES                                                                                      \
    .source_width = WIDTH, .target_vocab = V, .emb = 6, .hidden = 10, .attention_size = 8,         \
    .readout_size = 7
static const struct attend_network_options variants[] = {
    {SIZES},
    {SIZES, .pyramid = 1, .encoder_layers = 2, .coverage = true},
    {SIZES, .pyramid = 2, .encoder_layers = 4, .residual = true, .attention = "window"},
    {SIZES, .pyramid = 1, .encoder_layers = 2, .attention = "none", .placement = "luong"},
    {SIZES, .pyramid = 1, .encoder_layers = 2, .attention = "location_aware", .location_filters = 3,
     .location_reach = 2},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* </s> is likelier than in the other tests: sources of frames are longer. */
static void likely_init(struct fixture *f, int variant, uint64_t seed)
{
    fixture_init(f, &variants[variant], seed);
    f->net.decoder.output.b.value[VOCAB_EOS] = 3;
}

static struct result *run(const struct fixture *f, int beam, int batch, int threads)
{
    const struct search_setup setup = {
        .net = {&f->net}, .nets = 1, .options = {.beam = beam, .max_length = 3}};
    for (int i = 0; i < FRAMES * WIDTH; i++)
        rows[i] = (float)sin(2.3 * i);
    return search_all(&setup, &source, batch, threads);
}

struct capture {
    double log_probability;
    int S;
    float weight[FOUND_LONGEST * FOUND_SOURCE];
};

static void capture(void *context, const struct forced *forced)
{
    struct capture *c = context;
    c->log_probability = forced->log_probability;
    c->S = forced->S;
    for (int i = 0; i < forced->T * forced->S; i++)
        c->weight[i] = (float)forced->weight[i];
}

static struct capture force(const struct fixture *f, int sentence, struct found *found)
{
    struct capture result = {0};
    struct team *team;
    size_t one[] = {start[sentence], start[sentence + 1]}, target[] = {0, (size_t)found->h.length};
    struct sequences single = source;
    single.count = 1;
    single.start = one;
    const struct sequences given = {.count = 1, .start = target, .ids = found->token};
    const struct force_job job = {&f->net, &single, &given, capture, &result, NULL};
    assert_int_equal(team_new(&team, 1, NULL), ATTEND_OK);
    assert_int_equal(force_pairs(team, &job, NULL), ATTEND_OK);
    team_free(team);
    return result;
}

/* The score and the attention of a hypothesis are those of the same words when they are forced. */
static void check_forced(const struct fixture *f, int sentence, struct found *found)
{
    if (!found->h.complete)
        return;
    const struct capture forced = force(f, sentence, found);
    const int S = seq2seq_annotations(&f->net, sequences_length(&source, sentence));
    assert_near(found->h.log_probability, forced.log_probability, 1e-4);
    if (f->net.decoder.attention.ops == &attention_none)
        return;
    assert_int_equal(forced.S, S);
    for (int i = 0; i < (found->h.length + 1) * S; i++)
        assert_near((double)found->weight[i], (double)forced.weight[i], 1e-5);
}

TEST(search_over_frames_finds_what_forcing_confirms)
{
    for (int v = 0; v < VARIANTS; v++) {
        struct fixture f;
        int complete = 0;
        likely_init(&f, v, 5);
        struct result *r = run(&f, 4, 3, 1);
        for (int s = 0; s < SENTENCES; s++)
            for (int i = 0; i < r[s].count; i++) {
                check_forced(&f, s, &r[s].best[i]);
                complete += r[s].best[i].h.complete;
            }
        assert_true(complete > 0);
        free(r);
        fixture_release(&f);
    }
}

TEST(search_over_frames_does_not_depend_on_batches_and_threads)
{
    for (int v = 0; v < VARIANTS; v++) {
        struct fixture f;
        likely_init(&f, v, 6);
        struct result *alone = run(&f, 3, 1, 1);
        for (int batch = 2; batch <= SENTENCES; batch++) {
            struct result *together = run(&f, 3, batch, 1 + batch % 3);
            for (int s = 0; s < SENTENCES; s++) {
                assert_int_equal(alone[s].count, together[s].count);
                for (int i = 0; i < alone[s].count; i++) {
                    const struct found *a = &alone[s].best[i], *b = &together[s].best[i];
                    assert_true(a->h.log_probability == b->h.log_probability);
                    assert_int_equal(a->h.length, b->h.length);
                    assert_memory_equal(a->token, b->token, (size_t)a->h.length * sizeof(int));
                }
            }
            free(together);
        }
        free(alone);
        fixture_release(&f);
    }
}
