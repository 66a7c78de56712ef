/* A network whose target is strokes: its gradient, the invariants of batching, and steps against
 * training. */
#include "strokes_fixture.h"

#include "model/placement.h"
#include "nn/gradcheck.h"

#include <stdio.h>

static void check_config(const struct attend_network_options *config, int threads)
{
    struct fixture f;
    strokes_init(&f, config, threads);
    strokes_fill(&f, ALL, TRACES);
    f.job.dropout = (struct dropouts){.plain = {.rate = 0.2, .key = 7},
                                      .recurrent = {.rate = 0.2, .key = 9},
                                      .words = {.rate = 0.2, .key = 7}};
    char what[64];
    snprintf(what, sizeof what, "%s %s", config->attention, config->placement);
    check_gradients(&f, what, 6);
    fixture_release(&f);
}

TEST(strokes_gradient_of_every_attention_in_every_placement)
{
    if (sizeof(real) < sizeof(double))
        skip();
    for (const struct attention_ops *const *attention = attentions; *attention; attention++)
        for (const struct placement_ops *const *placement = placements; *placement; placement++) {
            struct attend_network_options c = strokes_config();
            if ((*attention)->hard)
                continue;
            c.attention = (*attention)->name;
            c.placement = (*placement)->name;
            c.input_feeding = (*placement)->feeds;
            check_config(&c, 2);
        }
}

TEST(strokes_gradient_of_every_cell_and_readout)
{
    static const char *const readouts[] = {"linear", "tanh", "maxout"};
    if (sizeof(real) < sizeof(double))
        skip();
    for (int k = 0; cells[k]; k++) {
        struct attend_network_options c = strokes_config();
        c.cell = cells[k]->name;
        c.readout = readouts[k % 3];
        c.encoder_layers = c.decoder_layers = 2;
        c.residual = true;
        c.layer_norm = k % 2;
        check_config(&c, 1);
    }
}

/* Skip links: every placement that has them, with what else changes the inputs of a layer. */
static struct attend_network_options skipping(const struct placement_ops *placement, int k)
{
    struct attend_network_options c = strokes_config();
    c.skip = true;
    c.placement = placement->name;
    c.decoder_layers = 2 + k % 2;
    c.cell = cells[k % 3]->name;
    c.layer_norm = k % 4 == 1;
    c.residual = k % 4 > 1;
    return c;
}

TEST(strokes_gradient_of_skip_links)
{
    if (sizeof(real) < sizeof(double))
        skip();
    for (const struct placement_ops *const *placement = placements; *placement; placement++)
        for (int k = 0; k < 6 && (*placement)->skips; k++) {
            struct attend_network_options c = skipping(*placement, k);
            c.attention = k < 4 ? "window" : "scaled_dot";
            c.heads = k < 4 ? 1 : 2;
            check_config(&c, 1 + k % 3);
        }
}

static void check_parameters(const struct attend_network_options *c)
{
    struct fixture f;
    strokes_init(&f, c, 1);
    strokes_fill(&f, ALL, TRACES);
    run(&f);
    for (int i = 0; i < f.model.params.count; i++) {
        const struct param *p = f.model.params.item[i];
        double sum = 0;
        for (int j = 0; j < p->rows * p->cols; j++)
            sum += fabs((double)p->grad[j]);
        if (!(sum > 0))
            fail_msg("%s has no gradient", p->path);
    }
    fixture_release(&f);
}

TEST(strokes_use_every_parameter)
{
    const struct attend_network_options plain = strokes_config(),
                                        skip = skipping(&placement_conditional, 3);
    check_parameters(&plain);
    check_parameters(&skip);
}

static void check_batch(const struct attend_network_options *c)
{
    struct fixture f;
    double sum = 0;
    for (int threads = 1; threads <= 3; threads++, sum = 0) {
        strokes_init(&f, c, threads);
        f.job.loss.gradient = false;
        for (int i = 0; i < TRACES; i++) {
            strokes_fill(&f, &i, 1);
            sum += run(&f);
        }
        strokes_fill(&f, ALL, TRACES);
        assert_int_equal(f.tape.batch.target_rows, STROKES + TRACES);
        assert_near(run(&f), sum, sizeof(real) == sizeof(double) ? 1e-12 : 1e-5);
        fixture_release(&f);
    }
}

TEST(strokes_of_a_batch_have_the_loss_of_single_ones)
{
    const struct attend_network_options plain = strokes_config(),
                                        skip = skipping(&placement_bahdanau, 3);
    check_batch(&plain);
    check_batch(&skip);
}

TEST(strokes_enter_one_step_late_and_end)
{
    const struct attend_network_options c = strokes_config();
    struct fixture f;
    strokes_init(&f, &c, 2);
    strokes_fill(&f, ALL, TRACES);
    const struct batch *b = &f.tape.batch;
    for (int row = 0; row < b->target_rows; row++) {
        const int item = b->target_place[2 * row], t = b->target_place[2 * row + 1];
        const int length = sequences_length(&pairs.target, item);
        const float *strokes = pairs.rows + pairs.target_start[item] * MIXTURE_STROKE;
        assert_int_equal(b->target_out[row], t == length);
        for (int k = 0; k < MIXTURE_STROKE; k++) {
            const float before = t ? strokes[(t - 1) * MIXTURE_STROKE + k] : k == 2;
            const float after = t < length ? strokes[t * MIXTURE_STROKE + k] : 0;
            assert_true(b->stroke_in[row * MIXTURE_STROKE + k] == (real)before);
            assert_true(b->stroke_out[row * MIXTURE_STROKE + k] == (real)after);
        }
    }
    fixture_release(&f);
}

/* ---- Step by step ---- */

struct stepping {
    struct decoder_begin begin;
    real *record, *next, *weight, *pen, *work, *stroke;
};

static void bind_steps(struct stepping *s, struct arena *arena, const struct fixture *f)
{
    const struct decoder *d = &f->model.decoder;
    const int S = f->tape.batch.S;
    const size_t record = (size_t)decoder_record_width(d, S);
    decoder_begin_bind(&s->begin, arena, d, &f->tape.batch);
    s->record = arena_take(arena, sizeof(real), TRACES * record);
    s->next = arena_take(arena, sizeof(real), record);
    s->weight = arena_take(arena, sizeof(real), (size_t)decoder_weight_width(d, S));
    s->pen = arena_take(arena, sizeof(real), (size_t)d->pen.Y);
    s->stroke = arena_take(arena, sizeof(real), MIXTURE_STROKE);
    s->work = arena_take(arena, sizeof(real), decoder_step_work(d, 1, decoder_memory_span(d, S)));
}

/* The sentence with number n, forced; `row_of` finds the rows that training computed. */
static void check_steps(const struct fixture *f, struct compute *c, struct stepping *s,
                        const struct decoder_memory *memory, int n)
{
    const struct decoder *d = &f->model.decoder;
    const struct batch *b = &f->tape.batch;
    const int own = 0, record = decoder_record_width(d, b->S);
    real *state = s->record + (ptrdiff_t)n * record;
    for (int t = 0; t <= sequences_length(&pairs.target, b->item[n]); t++) {
        int row = 0;
        while (b->target_place[2 * row] != b->item[n] || b->target_place[2 * row + 1] != t)
            row++;
        decoder_step(d, c, memory,
                     &(struct decoder_step){
                         .rows = 1,
                         .states = 1,
                         .state = &own,
                         .sentence = &n,
                         .state_sentence = &n,
                         .stroke = view_of(b->stroke_in + row * MIXTURE_STROKE, 1, MIXTURE_STROKE),
                         .pen = view_of(s->pen, 1, d->pen.Y),
                         .previous = view_of(state, 1, record),
                         .next = view_of(s->next, 1, record),
                         .weight = view_of(s->weight, 1, decoder_weight_width(d, b->S)),
                         .work = s->work,
                     });
        memcpy(state, s->next, (size_t)record * sizeof(real));
        for (int j = 0; j < d->pen.Y; j++)
            assert_near((double)s->pen[j], (double)f->tape.decoder.pen.y[row * d->pen.Y + j],
                        sizeof(real) == sizeof(double) ? 1e-12 : 1e-5);
    }
}

static void check_stepping(const struct attend_network_options *c)
{
    struct fixture f;
    struct arena count = {0}, arena = {0};
    struct stepping s;
    struct worker alone = worker_alone();
    strokes_init(&f, c, 1);
    strokes_fill(&f, ALL, TRACES);
    f.job.loss.gradient = false;
    run(&f);
    bind_steps(&s, &count, &f);
    assert_int_equal(arena_reserve(&arena, count.used, NULL), ATTEND_OK);
    memset(arena.block, 0xff, arena.size);
    bind_steps(&s, &arena, &f);
    struct compute compute = {.worker = &alone, .gemm = f.scratch[0]};
    struct decoder_memory memory;
    const int record = decoder_record_width(&f.model.decoder, f.tape.batch.S);
    decoder_begin(&f.model.decoder, &compute, &s.begin, &f.tape.batch, &f.tape.encoder, &memory,
                  view_of(s.record, TRACES, record));
    for (int n = 0; n < TRACES; n++)
        check_steps(&f, &compute, &s, &memory, n);
    arena_release(&arena);
    fixture_release(&f);
}

TEST(strokes_step_by_step_are_those_of_training)
{
    for (const struct placement_ops *const *placement = placements; *placement; placement++) {
        struct attend_network_options c = strokes_config();
        c.placement = (*placement)->name;
        check_stepping(&c);
        for (int k = 0; k < 4 && (*placement)->skips; k++) {
            c = skipping(*placement, k);
            check_stepping(&c);
        }
    }
}

TEST(strokes_refuse_what_needs_words)
{
    struct attend_error err;
    struct attend_network_options c = strokes_config();
    model_config_complete(&c);
    c.copy = true;
    assert_int_equal(model_config_check(&c, &err), ATTEND_USAGE);
    assert_non_null(strstr(err.message, "a target of words"));
    c.copy = false;
    assert_int_equal(model_config_check(&c, &err), ATTEND_OK);
    c.tie = "target";
    c.readout_size = c.emb;
    assert_int_equal(model_config_check(&c, &err), ATTEND_USAGE);
    assert_non_null(strstr(err.message, "a target of words"));
}
