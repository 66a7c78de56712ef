/* A step of hypotheses that share states or a token table gives bit-identical results to a step of
 * hypotheses that do not. */
#include "model/placement.h"
#include "nn/token_table.h"
#include "search_fixture.h"
#include "tensor/vec.h"

#include <stdio.h>
#include <string.h>

enum { V = 300, ROWS = 5, STATES = 2, LONGEST = 4 }; /* V: more than one block of logits */
enum { RECORD = 100 + (LONGEST + 1) * V };
static int ids[] = {3, 4, 5, 7, 8, 9, 10};
static size_t start[] = {0, 3, 7};
static int items[] = {0, 1};
static const struct sequences text = {.count = STATES, .start = start, .ids = ids};
static char WINDOW[] = "window", SCALED[] = "scaled_dot", GENERAL[] = "general", NONE[] = "none",
            MONOTONIC[] = "monotonic";
static char LUONG[] = "luong", CONDITIONAL[] = "conditional", LSTM[] = "lstm", MAXOUT[] = "maxout";

#define SIZES                                                                                      \
    .source_vocab = V, .target_vocab = V, .emb = 6, .hidden = 10, .attention_size = 8,             \
    .readout_size = 7
static const struct attend_network_options variants[] = {
    {SIZES},
    {SIZES, .coverage = true, .decoder_layers = 2, .residual = true},
    {SIZES, .attention = WINDOW, .gaussians = 2, .placement = LUONG, .input_feeding = true},
    {SIZES, .attention = SCALED, .heads = 2, .cell = LSTM, .readout = MAXOUT},
    {SIZES, .attention = GENERAL, .cell = LSTM, .decoder_layers = 2, .layer_norm = true},
    {SIZES, .attention = NONE},
    {SIZES, .copy = true},
    {SIZES, .placement = CONDITIONAL, .coverage = true, .layer_norm = true},
    {SIZES, .placement = CONDITIONAL, .cell = LSTM, .decoder_layers = 3, .residual = true,
     .attention = SCALED, .heads = 2},
    {SIZES, .skip = true, .decoder_layers = 3},
    {SIZES, .skip = true, .decoder_layers = 2, .placement = CONDITIONAL, .attention = SCALED,
     .heads = 2},
    {SIZES, .attention = MONOTONIC, .monotonic_order = 1, .decoder_layers = 2},
    {SIZES, .attention = MONOTONIC, .placement = LUONG},
    {SIZES, .attention = MONOTONIC, .placement = CONDITIONAL, .skip = true, .decoder_layers = 2},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* The results of a step for each row. */
struct outcome {
    real next[ROWS * RECORD], weight[ROWS * 2 * (LONGEST + 1)], logits[ROWS * V];
    real most[ROWS * 2], sum[ROWS * 2], norm[ROWS];
};

struct stage {
    struct fixture f;
    struct arena arena;
    struct compute compute;
    struct worker alone;
    struct search search;
    struct decoder_memory memory;
};

/* Encodes the source; the records are those of the start. */
static void stage_init(struct stage *s, const struct attend_network_options *config)
{
    static const struct batch_text source = {.source = &text, .item = items, .count = STATES};
    struct arena count = {0};
    *s = (struct stage){.alone = worker_alone()};
    fixture_init(&s->f, config, 7);
    s->compute.worker = &s->alone;
    static struct search_setup setup;
    setup = (struct search_setup){
        .net = {&s->f.net}, .nets = 1, .options = {.beam = ROWS, .max_length = 3}};
    for (int pass = 0; pass < 2; pass++) {
        struct arena *a = pass ? &s->arena : &count;
        gemm_scratch_bind(&s->compute.gemm, a);
        search_bind(&s->search, a, &setup, &source);
        if (!pass)
            assert_int_equal(arena_reserve(&s->arena, count.used, NULL), ATTEND_OK);
    }
    batch_fill(&s->search.batch, &source);
    const struct search_net *n = &s->search.net[0];
    encoder_forward(&s->f.net.encoder, &s->search.net[0].encoder, &s->compute, &s->search.batch,
                    &(struct dropouts){0});
    decoder_begin(&s->f.net.decoder, &s->compute, &n->begin, &s->search.batch, &n->encoder,
                  &s->memory, view_of(n->record, STATES, n->record_width));
}

static void stage_release(struct stage *s)
{
    arena_release(&s->arena);
    fixture_release(&s->f);
}

static const int token[ROWS] = {5, 1, 200, 5, 299}, whose[ROWS] = {0, 0, 1, 1, 1},
                 apart[ROWS] = {0, 1, 2, 3, 4};

/* One step with `states` records; of[i] is the record of row i. */
static void take_step(struct stage *s, int states, const int *of, const int *state_sentence,
                      struct token_table *tokens, struct outcome *out)
{
    const struct search_net *n = &s->search.net[0];
    const struct decoder_step step = {.rows = ROWS,
                                      .states = states,
                                      .state = of,
                                      .token = token,
                                      .sentence = whose,
                                      .state_sentence = state_sentence,
                                      .previous = view_of(n->record, states, n->record_width),
                                      .next = view_of(out->next, ROWS, n->record_width),
                                      .weight = view_of(out->weight, ROWS, n->weight_width),
                                      .logits = {.at = view_of(out->logits, ROWS, V),
                                                 .most = view_of(out->most, ROWS, 2),
                                                 .sum = view_of(out->sum, ROWS, 2),
                                                 .norm = out->norm},
                                      .tokens = tokens,
                                      .work = n->work};
    assert_true(n->record_width <= RECORD && n->weight_width <= 2 * (LONGEST + 1));
    decoder_step(&s->f.net.decoder, &s->compute, &s->memory, &step);
}

static void check_shared_states(const struct attend_network_options *config)
{
    static struct outcome shared, alone;
    struct stage s;
    memset(&shared, 0, sizeof shared);
    memset(&alone, 0, sizeof alone);
    stage_init(&s, config);
    take_step(&s, STATES, whose, apart, NULL, &shared);
    const size_t width = (size_t)s.search.net[0].record_width;
    real *record = s.search.net[0].record;
    for (int i = ROWS - 1; i >= 0; i--)
        memmove(record + (size_t)i * width, record + (size_t)whose[i] * width,
                width * sizeof *record);
    take_step(&s, ROWS, apart, whose, NULL, &alone);
    assert_memory_equal(&shared, &alone, sizeof shared);
    stage_release(&s);
}

/* The variants, and every placement with one layer and with three. */
static void for_each(void (*check)(const struct attend_network_options *))
{
    for (int i = 0; i < VARIANTS; i++)
        check(&variants[i]);
    for (const struct placement_ops *const *placement = placements; *placement; placement++)
        for (int layers = 1; layers <= 3; layers += 2) {
            char name[32];
            const struct attend_network_options c = {SIZES,
                                                     .placement = name,
                                                     .input_feeding = (*placement)->feeds,
                                                     .decoder_layers = layers,
                                                     .residual = true,
                                                     .coverage = true};
            snprintf(name, sizeof name, "%s", (*placement)->name);
            check(&c);
        }
}

TEST(step_of_hypotheses_that_share_a_state_is_the_step_of_each) { for_each(check_shared_states); }

static void check_token_table(const struct attend_network_options *config)
{
    static struct outcome plain, first, again;
    struct stage s;
    struct token_table *tokens;
    memset(&plain, 0, sizeof plain);
    memset(&first, 0, sizeof first);
    memset(&again, 0, sizeof again);
    stage_init(&s, config);
    assert_int_equal(token_table_new(&tokens, V, s.f.net.decoder.embed.N, NULL), ATTEND_OK);
    take_step(&s, STATES, whose, apart, NULL, &plain);
    take_step(&s, STATES, whose, apart, tokens, &first);
    /* From now on the rows come from the table, so changed weights do not matter. */
    vec_zero(s.f.net.decoder.embed.at, (size_t)s.f.net.decoder.E);
    take_step(&s, STATES, whose, apart, tokens, &again);
    assert_memory_equal(&plain, &first, sizeof plain);
    assert_memory_equal(&plain, &again, sizeof plain);
    token_table_free(tokens);
    stage_release(&s);
}

TEST(step_with_a_table_of_tokens_is_the_step_without) { for_each(check_token_table); }
