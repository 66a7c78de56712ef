#include "decode/write.h"

#include "strokes_fixture.h"

enum { LIMIT = 40, MOST = TRACES };

struct result {
    int length;
    bool complete;
    float stroke[LIMIT * MIXTURE_STROKE], weight[LIMIT * 8];
};

/* Write `items` with a network in which ends are rare, so that some traces end and some do not. */
static void init(struct fixture *f)
{
    const struct attend_network_options c = strokes_config();
    struct worker alone = worker_alone();
    strokes_init(f, &c, 1);
    real *b = f->model.decoder.pen.b.value;
    b[f->model.decoder.pen.Y - 1] -= 4;
    struct compute compute = {.worker = &alone};
    seq2seq_pack(&f->model, &compute);
}

static void bind(struct write *w, struct gemm_scratch *gemm, struct arena *arena,
                 const struct write_setup *setup, const struct batch_text *text)
{
    write_bind(w, arena, setup, text);
    gemm_scratch_bind(gemm, arena);
}

static void write_items(const struct fixture *f, struct write_setup setup, const int *items,
                        int count, struct result *out)
{
    const struct batch_text text = {.source = &pairs.source, .item = items, .count = count};
    struct arena counting = {0}, arena = {0};
    struct worker alone = worker_alone();
    struct compute compute = {.worker = &alone};
    struct write w;
    setup.net = &f->model;
    setup.limit = LIMIT;
    bind(&w, &compute.gemm, &counting, &setup, &text);
    assert_int_equal(arena_reserve(&arena, counting.used, NULL), ATTEND_OK);
    memset(arena.block, 0xff, arena.size);
    bind(&w, &compute.gemm, &arena, &setup, &text);
    assert_true(write_run(&w, &compute, &text));
    for (int b = 0; b < count; b++) {
        const struct write_trace *t = &w.trace[b];
        struct result *r = &out[w.batch.item[b]];
        r->length = t->length;
        r->complete = t->complete;
        memcpy(r->stroke, t->stroke, (size_t)t->length * MIXTURE_STROKE * sizeof(float));
        for (int i = 0; i < t->length; i++)
            for (int j = 0; j < 8; j++)
                r->weight[i * 8 + j] = j < w.batch.S ? t->weight[i * w.batch.S + j] : 0;
    }
    arena_release(&arena);
}

TEST(write_in_a_batch_is_what_it_is_alone)
{
    struct fixture f;
    struct result together[MOST], alone[MOST];
    int ended = 0;
    init(&f);
    for (int seed = 0; seed < 5; seed++) {
        const struct write_setup setup = {.seed = (uint64_t)seed, .bias = 0.5};
        write_items(&f, setup, ALL, TRACES, together);
        for (int i = 0; i < TRACES; i++) {
            write_items(&f, setup, &i, 1, alone);
            assert_int_equal(together[i].length, alone[i].length);
            assert_int_equal(together[i].complete, alone[i].complete);
            for (int k = 0; k < alone[i].length * MIXTURE_STROKE; k++)
                assert_near((double)together[i].stroke[k], (double)alone[i].stroke[k], 1e-4);
            ended += alone[i].complete;
        }
    }
    assert_true(ended > 2 && ended < 5 * TRACES);
    fixture_release(&f);
}

TEST(write_ends_or_reaches_its_limit_and_looks_at_the_text)
{
    struct fixture f;
    struct result r[MOST];
    init(&f);
    write_items(&f, (struct write_setup){.seed = 1}, ALL, TRACES, r);
    for (int i = 0; i < TRACES; i++) {
        assert_true(r[i].complete ? r[i].length < LIMIT : r[i].length == LIMIT);
        for (int t = 0; t < r[i].length; t++) {
            double sum = 0;
            for (int j = 0; j < 8; j++)
                sum += (double)r[i].weight[t * 8 + j];
            assert_near(sum, 1, 1e-5);
            for (int j = sequences_length(&pairs.source, i) + 1; j < 8; j++)
                assert_true(r[i].weight[t * 8 + j] == 0);
        }
    }
    fixture_release(&f);
}

/* The random numbers belong to the step, so a trace that is primed with its own beginning goes on
 * as it did. */
TEST(write_primed_with_its_own_beginning_goes_on_as_before)
{
    struct fixture f;
    struct result whole[MOST], rest[MOST];
    enum { GIVEN = 7 };
    init(&f);
    for (uint64_t seed = 0; seed < 5; seed++) {
        const int item = 2;
        write_items(&f, (struct write_setup){.seed = seed}, &item, 1, whole);
        if (whole[item].length <= GIVEN)
            continue;
        write_items(
            &f, (struct write_setup){.seed = seed, .prime = whole[item].stroke, .primes = GIVEN},
            &item, 1, rest);
        for (int k = 0; k < (whole[item].length - GIVEN) * MIXTURE_STROKE; k++)
            assert_near((double)rest[item].stroke[k],
                        (double)whole[item].stroke[GIVEN * MIXTURE_STROKE + k], 1e-5);
    }
    fixture_release(&f);
}

TEST(write_depends_on_seed_and_line_and_not_on_chance)
{
    struct fixture f;
    struct result a[MOST], b[MOST];
    const int item = 1;
    init(&f);
    write_items(&f, (struct write_setup){.seed = 3}, &item, 1, a);
    write_items(&f, (struct write_setup){.seed = 3}, &item, 1, b);
    assert_memory_equal(a[1].stroke, b[1].stroke, MIXTURE_STROKE * sizeof(float));
    write_items(&f, (struct write_setup){.seed = 3, .first_line = 1}, &item, 1, b);
    assert_memory_not_equal(a[1].stroke, b[1].stroke, MIXTURE_STROKE * sizeof(float));
    write_items(&f, (struct write_setup){.seed = 4}, &item, 1, b);
    assert_memory_not_equal(a[1].stroke, b[1].stroke, MIXTURE_STROKE * sizeof(float));
    fixture_release(&f);
}
