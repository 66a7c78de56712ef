/* The model and its training against PyTorch's: tests/parity/seq2seq.txt, which
 * tools/make_parity.py writes and describes. Everything is compared at both SIMD levels and with
 * teams of one and two. */
#include "model/seq2seq.h"
#include "text/vocab.h"
#include "train/optimizer.h"

#include "tensor/simd.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How far a number may be off, as a fraction of the largest number of its tensor: about ten
 * times what was seen, which in double comes from the digits of the file. */
enum kind {
    ACTIVATION, /* annotations, weights, logits */
    LOSS,       /* before each update and after the last */
    GRADIENT,   /* sums that cancel cost a digit or two */
    NORM,
    FINAL, /* parameters after the last update */
};
static const struct {
    double in_float, in_double;
} tolerances[] = {
    [ACTIVATION] = {3e-6, 1e-9}, [LOSS] = {1e-5, 1e-9},  [GRADIENT] = {5e-5, 1e-9},
    [NORM] = {5e-5, 1e-9},       [FINAL] = {5e-5, 1e-9},
};

static double tolerance_of(enum kind kind)
{
    return sizeof(real) == sizeof(double) ? tolerances[kind].in_double : tolerances[kind].in_float;
}

/* ---- The file ---- */

enum { MAX_TENSORS = 128, SENTENCES = 4, MAX_WORDS = 32, UPDATES = 10, MAX_TEAM = 2 };

struct tensor {
    char name[64];
    int rows, cols;
    double *at;
};

struct tensors {
    struct tensor item[MAX_TENSORS];
    int count;
};

static void read_numbers(struct tensor *t, FILE *file)
{
    const size_t n = (size_t)t->rows * (size_t)t->cols;
    t->at = malloc(n * sizeof *t->at);
    assert_non_null(t->at);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(fscanf(file, "%lf", &t->at[i]), 1);
}

static void tensors_load(struct tensors *all)
{
    FILE *file = fopen(ATTEND_SOURCE "/tests/parity/seq2seq.txt", "r");
    struct tensor next;
    assert_non_null(file);
    all->count = 0;
    while (fscanf(file, "%63s %d %d", next.name, &next.rows, &next.cols) == 3) {
        assert_true(all->count < MAX_TENSORS && next.rows > 0 && next.cols > 0);
        read_numbers(&next, file);
        all->item[all->count++] = next;
    }
    assert_true(feof(file));
    fclose(file);
}

static void tensors_release(struct tensors *all)
{
    for (int i = 0; i < all->count; i++)
        free(all->item[i].at);
}

/* NULL when there is none. */
static const struct tensor *find(const struct tensors *all, const char *group, const char *name)
{
    char full[sizeof all->item->name];
    const int length = snprintf(full, sizeof full, "%s%s", group, name);
    assert_true(length > 0 && (size_t)length < sizeof full);
    for (int i = 0; i < all->count; i++)
        if (strcmp(all->item[i].name, full) == 0)
            return &all->item[i];
    return NULL;
}

static const struct tensor *get(const struct tensors *all, const char *group, const char *name)
{
    const struct tensor *t = find(all, group, name);
    if (!t)
        fail_msg("the file has no tensor %s%s", group, name);
    return t;
}

static const struct tensor *of_sentence(const struct tensors *all, const char *what, int item)
{
    return get(all, what, (const char[]){(char)('0' + item), 0});
}

/* ---- A model with the file's parameters ---- */

struct parity {
    struct tensors file;
    struct seq2seq model;
    struct seq2seq_tape tape;
    struct optimizer optimizer;
    struct arena arena;
    struct team *team;
    int level;
    real *values, *grads;
    struct gemm_scratch scratch[MAX_TEAM];
    struct seq2seq_job job;
    double lr, clip, loss;
    struct sequences source, target;
    size_t start[2][SENTENCES + 1];
    int ids[2][MAX_WORDS];
};

static void check(const struct parity *p, const struct tensor *want, int row, const real *got,
                  enum kind kind)
{
    const double *numbers = want->at + (ptrdiff_t)row * want->cols;
    double largest = 0;
    assert_true(row < want->rows);
    for (int i = 0; i < want->rows * want->cols; i++)
        largest = fmax(largest, fabs(want->at[i]));
    for (int i = 0; i < want->cols; i++)
        if (!(fabs((double)got[i] - numbers[i]) <= tolerance_of(kind) * largest))
            fail_msg("%s (%d, %d): %.10g is not within %g of %.10g (SIMD level %d, team of %d)",
                     want->name, row, i, (double)got[i], tolerance_of(kind) * largest, numbers[i],
                     p->level, team_size(p->team));
}

/* Values or gradients of all parameters that the file has in this group. Returns how many. */
static int check_params(const struct parity *p, const char *group, bool gradients, enum kind kind)
{
    int count = 0;
    for (int i = 0; i < p->model.params.count; i++) {
        const struct param *param = p->model.params.item[i];
        const struct tensor *want = find(&p->file, group, param->path);
        const real *got = gradients ? param->grad : param->value;
        if (!want)
            continue;
        assert_int_equal(want->rows, param->rows);
        assert_int_equal(want->cols, param->cols);
        for (int row = 0; row < want->rows; row++)
            check(p, want, row, got + (ptrdiff_t)row * want->cols, kind);
        count++;
    }
    return count;
}

static void read_side(struct parity *p, struct sequences *side, const char *name, int which)
{
    size_t at = 0;
    for (int i = 0; i < SENTENCES; i++) {
        const struct tensor *t = of_sentence(&p->file, name, i);
        p->start[which][i] = at;
        for (int j = 0; j < t->cols; j++) {
            assert_true(at < MAX_WORDS);
            p->ids[which][at++] = (int)t->at[j];
        }
    }
    p->start[which][SENTENCES] = at;
    *side = (struct sequences){SENTENCES, p->start[which], p->ids[which]};
}

static void read_initial(const struct parity *p)
{
    for (int i = 0; i < p->model.params.count; i++) {
        const struct param *param = p->model.params.item[i];
        const struct tensor *t = get(&p->file, "initial/", param->path);
        assert_int_equal(t->rows, param->rows);
        assert_int_equal(t->cols, param->cols);
        for (int j = 0; j < t->rows * t->cols; j++)
            param->value[j] = (real)t->at[j];
    }
}

static void bind(struct parity *p, struct arena *arena, const struct batch_text *text)
{
    seq2seq_tape_bind(&p->tape, arena, &p->model, text, team_size(p->team));
    optimizer_bind(&p->optimizer, arena, &optimizer_adam, p->model.params.size);
    p->values = arena_take(arena, sizeof(real), p->model.params.size);
    p->grads = arena_take(arena, sizeof(real), p->model.params.size);
    for (int i = 0; i < team_size(p->team); i++)
        gemm_scratch_bind(&p->scratch[i], arena);
}

static void make_room(struct parity *p)
{
    static const int all[SENTENCES] = {0, 1, 2, 3};
    const struct batch_text text = {
        .source = &p->source, .target = &p->target, .item = all, .count = SENTENCES};
    struct arena counting = {0};
    bind(p, &counting, &text);
    assert_int_equal(arena_reserve(&p->arena, counting.used, NULL), ATTEND_OK);
    memset(p->arena.block, 0xff, p->arena.size); /* NaN: whatever is read must have been written */
    bind(p, &p->arena, &text);
    batch_fill(&p->tape.batch, &text);
}

static void parity_init(struct parity *p, int level, int threads)
{
    struct attend_error err;
    *p = (struct parity){.level = level};
    simd_cap(level);
    tensors_load(&p->file);
    const double *c = get(&p->file, "", "config")->at;
    const struct model_config config = {.source_vocab = (int)c[0],
                                        .target_vocab = (int)c[1],
                                        .emb = (int)c[2],
                                        .hidden = (int)c[3],
                                        .attention_size = (int)c[4],
                                        .readout_size = (int)c[5]};
    p->lr = c[6];
    p->clip = c[7];
    read_side(p, &p->source, "source.", 0);
    read_side(p, &p->target, "target.", 1);
    assert_int_equal(team_new(&p->team, threads, &err), ATTEND_OK);
    assert_int_equal(seq2seq_init(&p->model, &config, true, &err), ATTEND_OK);
    make_room(p);
    optimizer_reset(&p->optimizer);
    param_bind(&p->model.params, p->values, p->grads);
    memset(p->grads, 0, p->model.params.size * sizeof(real));
    read_initial(p);
    p->job.loss = (struct decoder_loss){.scale = 1.0 / p->tape.batch.target_rows, .gradient = true};
}

static void parity_release(struct parity *p)
{
    team_free(p->team);
    seq2seq_release(&p->model);
    arena_release(&p->arena);
    tensors_release(&p->file);
    simd_cap(1);
}

/* At every level and with every team. */
static void everywhere(void (*body)(struct parity *))
{
    for (int level = 0; level <= 1; level++)
        for (int threads = 1; threads <= MAX_TEAM; threads++) {
            struct parity p;
            parity_init(&p, level, threads);
            body(&p);
            parity_release(&p);
        }
}

static void run_worker(struct worker *w, void *job)
{
    struct parity *p = job;
    struct compute c = {.worker = w, .gemm = p->scratch[w->index]};
    seq2seq_pack(&p->model, &c);
    const double loss = seq2seq_run(&p->model, &p->tape, &c, &p->job);
    if (w->index == 0)
        p->loss = loss;
}

static void update_worker(struct worker *w, void *job)
{
    struct parity *p = job;
    optimizer_step(&p->optimizer, w, p->values, p->grads, p->lr, p->clip);
}

/* ---- Annotations and attention under teacher forcing ---- */

static void run_forward(struct parity *p)
{
    p->job.loss.gradient = false;
    team_run(p->team, run_worker, p);
}

static void check_annotations(struct parity *p)
{
    const struct batch *b = &p->tape.batch;
    const int C = p->model.decoder.C;
    run_forward(p);
    for (int i = 0; i < b->B; i++) {
        const struct tensor *want = of_sentence(&p->file, "annotation.", b->item[i]);
        assert_int_equal(want->rows, b->memory_length[i]);
        assert_int_equal(want->cols, C);
        for (int j = 0; j < want->rows; j++)
            check(p, want, j, p->tape.encoder.memory + (ptrdiff_t)(b->memory_start[i] + j) * C,
                  ACTIVATION);
    }
}

static void check_weights(struct parity *p)
{
    const struct batch *b = &p->tape.batch;
    int rows = 0;
    run_forward(p);
    for (int i = 0; i < SENTENCES; i++)
        rows += of_sentence(&p->file, "weight.", i)->rows;
    assert_int_equal(b->target_rows, rows);
    for (int row = 0; row < rows; row++)
        check(p, of_sentence(&p->file, "weight.", b->target_place[2 * row]),
              b->target_place[2 * row + 1], p->tape.decoder.weight + (ptrdiff_t)row * b->S,
              ACTIVATION);
}

TEST(parity_annotations_match_pytorch) { everywhere(check_annotations); }
TEST(parity_weights_match_pytorch) { everywhere(check_weights); }

/* ---- Attention and logits step by step, with the same words forced ---- */

struct stepping {
    real *projected, *first, *state; /* of every sentence */
    real *emb, *frame, *previous, *next, *weight, *logits;
    int sentence[SENTENCES], token[SENTENCES]; /* of every row */
};

static void stepping_bind(struct stepping *s, struct arena *arena, const struct parity *p)
{
    const struct decoder *d = &p->model.decoder;
    const size_t B = SENTENCES, H = (size_t)d->H;
    s->projected =
        arena_take(arena, sizeof(real),
                   (size_t)p->tape.batch.source_rows * (size_t)decoder_projected_width(d));
    s->first = arena_take(arena, sizeof(real), B * H);
    s->state = arena_take(arena, sizeof(real), B * H);
    s->emb = arena_take(arena, sizeof(real), B * (size_t)d->E);
    s->frame = arena_take(arena, sizeof(real), B * (size_t)decoder_frame_width(d));
    s->previous = arena_take(arena, sizeof(real), B * H);
    s->next = arena_take(arena, sizeof(real), B * H);
    s->weight = arena_take(arena, sizeof(real), B * (size_t)p->tape.batch.S);
    s->logits = arena_take(arena, sizeof(real), B * (size_t)p->model.config.target_vocab);
}

/* A row for each sentence that is not over, the last sentence first, so that rows and sentences are
 * numbered differently. Returns how many. */
static int lay_rows(const struct parity *p, struct stepping *s, int t)
{
    const size_t h = (size_t)p->model.decoder.H;
    int rows = 0;
    for (int i = SENTENCES - 1; i >= 0; i--) {
        const int item = p->tape.batch.item[i];
        if (t > sequences_length(&p->target, item))
            continue;
        s->sentence[rows] = i;
        s->token[rows] = t ? p->target.ids[p->target.start[item] + (size_t)t - 1] : VOCAB_BOS;
        memcpy(s->previous + (size_t)rows * h, s->state + (size_t)i * h, h * sizeof(real));
        rows++;
    }
    return rows;
}

static void step(const struct parity *p, struct stepping *s, const struct decoder_memory *memory,
                 struct compute *c, int rows)
{
    const struct decoder *d = &p->model.decoder;
    const size_t h = (size_t)d->H;
    const struct decoder_step job = {
        .rows = rows,
        .sentence = s->sentence,
        .token = s->token,
        .previous = view_of(s->previous, rows, d->H),
        .state = view_of(s->next, rows, d->H),
        .weight = view_of(s->weight, rows, p->tape.batch.S),
        .logits = view_of(s->logits, rows, p->model.config.target_vocab),
        .emb = s->emb,
        .frame = s->frame,
    };
    decoder_step(d, c, memory, &job);
    for (int i = 0; i < rows; i++)
        memcpy(s->state + (size_t)s->sentence[i] * h, s->next + (size_t)i * h, h * sizeof(real));
}

static void check_step(const struct parity *p, const struct stepping *s, int rows, int t)
{
    for (int i = 0; i < rows; i++) {
        const int item = p->tape.batch.item[s->sentence[i]];
        const struct tensor *logits = of_sentence(&p->file, "logits.", item);
        assert_int_equal(logits->cols, p->model.config.target_vocab);
        check(p, logits, t, s->logits + (ptrdiff_t)i * logits->cols, ACTIVATION);
        check(p, of_sentence(&p->file, "weight.", item), t,
              s->weight + (ptrdiff_t)i * p->tape.batch.S, ACTIVATION);
    }
}

static void check_steps(struct parity *p)
{
    const struct batch *b = &p->tape.batch;
    const struct decoder *d = &p->model.decoder;
    struct worker alone = worker_alone();
    struct compute c = {.worker = &alone, .gemm = p->scratch[0]};
    struct stepping s = {0};
    struct arena count = {0}, arena = {0};
    stepping_bind(&s, &count, p);
    assert_int_equal(arena_reserve(&arena, count.used, NULL), ATTEND_OK);
    memset(arena.block, 0xff, arena.size);
    stepping_bind(&s, &arena, p);
    run_forward(p);
    const struct decoder_memory memory = {
        .start = b->memory_start,
        .length = b->memory_length,
        .annotation = view_of(p->tape.encoder.memory, b->source_rows, d->C),
        .projected = view_of(s.projected, b->source_rows, decoder_projected_width(d)),
    };
    decoder_begin(d, &c, &memory, SENTENCES, s.first, s.state);
    int steps = 0;
    for (int t = 0, rows; (rows = lay_rows(p, &s, t)) > 0; t++, steps += rows) {
        step(p, &s, &memory, &c, rows);
        check_step(p, &s, rows, t);
    }
    assert_int_equal(steps, b->target_rows);
    arena_release(&arena);
}

TEST(parity_forced_steps_match_pytorch) { everywhere(check_steps); }

/* ---- Loss, gradients and updates ---- */

struct run {
    const char *numbers, *gradient, *final; /* prefixes in the file */
};
static const struct run smoothed = {"smoothed/", "smoothed/gradient/", "smoothed/final/"},
                        plain = {"plain/", "plain/gradient/", "plain/final/"};

/* Returns how many parameters' gradients were compared. */
static int check_gradient(struct parity *p, const struct run *run)
{
    p->job.loss.smoothing = get(&p->file, run->numbers, "smoothing")->at[0];
    team_run(p->team, run_worker, p);
    return check_params(p, run->gradient, true, GRADIENT);
}

static void check_gradients(struct parity *p)
{
    assert_int_equal(check_gradient(p, &smoothed), p->model.params.count);
}

static void check_plain_gradients(struct parity *p)
{
    assert_int_equal(check_gradient(p, &plain), 4);
}

/* Returns how many parameters were compared at the end. */
static int check_updates(struct parity *p, const struct run *run)
{
    real loss[UPDATES + 1], norm[UPDATES];
    p->job.loss.smoothing = get(&p->file, run->numbers, "smoothing")->at[0];
    for (int i = 0; i < UPDATES; i++) {
        team_run(p->team, run_worker, p);
        team_run(p->team, update_worker, p);
        loss[i] = (real)p->loss;
        norm[i] = (real)p->optimizer.norm;
    }
    run_forward(p);
    loss[UPDATES] = (real)p->loss;
    check(p, get(&p->file, run->numbers, "loss"), 0, loss, LOSS);
    check(p, get(&p->file, run->numbers, "norm"), 0, norm, NORM);
    return check_params(p, run->final, false, FINAL);
}

static void check_smoothed_updates(struct parity *p)
{
    assert_int_equal(check_updates(p, &smoothed), p->model.params.count);
}

static void check_plain_updates(struct parity *p) { assert_int_equal(check_updates(p, &plain), 0); }

TEST(parity_gradients_match_pytorch) { everywhere(check_gradients); }
TEST(parity_gradients_without_smoothing_match_pytorch) { everywhere(check_plain_gradients); }
TEST(parity_ten_updates_match_pytorch) { everywhere(check_smoothed_updates); }
TEST(parity_ten_updates_without_smoothing_match_pytorch) { everywhere(check_plain_updates); }
