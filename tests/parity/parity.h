/* The files of this directory and a model to compare with them, at both SIMD levels and with teams
 * of one and two. tools/make_parity.py describes the files. */
#ifndef ATTEND_TESTS_PARITY_H
#define ATTEND_TESTS_PARITY_H

#include "model/model_parts.h"
#include "model/seq2seq.h"
#include "text/vocab.h"
#include "train/optimizer.h"

#include "tensor/simd.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TENSORS = 128, SENTENCES = 4, MAX_WORDS = 32, MAX_NUMBERS = 64, MAX_TEAM = 2 };

/* ---- A file ---- */

struct tensor {
    char name[64];
    int rows, cols;
    double *at;
};

struct tensors {
    struct tensor item[MAX_TENSORS];
    int count;
};

static inline void tensor_read(struct tensor *t, FILE *file)
{
    assert_int_equal(fscanf(file, "%d %d", &t->rows, &t->cols), 2);
    assert_true(t->rows > 0 && t->cols > 0);
    const size_t n = (size_t)t->rows * (size_t)t->cols;
    t->at = malloc(n * sizeof *t->at);
    assert_non_null(t->at);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(fscanf(file, "%lf", &t->at[i]), 1);
}

/* Up to the next model's line, whose `=` is eaten, or the end. Returns whether a model follows. */
static inline bool tensors_read(struct tensors *all, FILE *file)
{
    all->count = 0;
    for (struct tensor next; fscanf(file, "%63s", next.name) == 1;) {
        if (strcmp(next.name, "=") == 0)
            return true;
        assert_true(all->count < MAX_TENSORS);
        tensor_read(&next, file);
        all->item[all->count++] = next;
    }
    assert_true(feof(file));
    return false;
}

static inline void tensors_release(struct tensors *all)
{
    for (int i = 0; i < all->count; i++)
        free(all->item[i].at);
}

static inline const struct tensor *get(const struct tensors *all, const char *group,
                                       const char *name)
{
    char full[sizeof all->item->name];
    const int length = snprintf(full, sizeof full, "%s%s", group, name);
    assert_true(length > 0 && (size_t)length < sizeof full);
    for (int i = 0; i < all->count; i++)
        if (strcmp(all->item[i].name, full) == 0)
            return &all->item[i];
    fail_msg("the file has no tensor %s", full);
    return NULL;
}

static inline const struct tensor *of_sentence(const struct tensors *all, const char *what,
                                               int item)
{
    return get(all, what, (const char[]){(char)('0' + item), 0});
}

/* ---- A model of it ---- */

struct parity {
    char name[64];
    struct tensors shared, numbers; /* the file's head, and what it says about this model */
    struct attend_settings options;
    struct attend_network_options config;
    struct seq2seq model;
    struct seq2seq_tape tape;
    struct optimizer optimizer;
    struct arena arena;
    struct team *team;
    int level;
    real *values, *grads;
    struct gemm_scratch scratch[MAX_TEAM];
    struct seq2seq_job job;
    double lr, clip, smoothing, loss;
    struct sequences source, target;
    size_t start[2][SENTENCES + 1];
    int ids[2][MAX_WORDS];
    float frames[MAX_NUMBERS];
};

static inline double largest_of(const struct tensor *t)
{
    double largest = 0;
    for (int i = 0; i < t->rows * t->cols; i++)
        largest = fmax(largest, fabs(t->at[i]));
    return largest;
}

/* Whether element i of row `row` is `got`; `label` says what it is. */
static inline void check_number(const struct parity *p, const char *label,
                                const struct tensor *want, int row, int i, double got,
                                double tolerance)
{
    assert_true(row < want->rows && i < want->cols);
    const double number = want->at[row * want->cols + i], off = tolerance * largest_of(want);
    if (!(fabs(got - number) <= off))
        fail_msg("model %s, %s (%d, %d): %.12g is not within %.2g of %.12g (SIMD level %d, team "
                 "of %d)",
                 p->name, label, row, i, got, off, number, p->level, team_size(p->team));
}

static inline void check_row(const struct parity *p, const struct tensor *want, int row,
                             const real *got, double tolerance)
{
    for (int i = 0; i < want->cols; i++)
        check_number(p, want->name, want, row, i, (double)got[i], tolerance);
}

/* Norm and two projections of n numbers against a row. */
static inline void check_summary(const struct parity *p, const char *label,
                                 const struct tensor *want, int row, const struct param *param,
                                 const real *x, double tolerance)
{
    double square = 0, summary[3] = {0};
    for (int i = 0; i < param->rows * param->cols; i++) {
        square += (double)x[i] * (double)x[i];
        summary[1] += (double)x[i] * cos(0.9 * i);
        summary[2] += (double)x[i] * sin(1.1 * i + 0.5);
    }
    summary[0] = sqrt(square);
    assert_int_equal(want->cols, 3);
    for (int i = 0; i < 3; i++)
        check_number(p, label, want, row, i, summary[i], tolerance);
}

/* ---- Starting values ---- */

static inline int path_key(const char *path)
{
    int key = 0;
    for (; *path; path++)
        key = (131 * key + (unsigned char)*path) % 9973;
    return key;
}

static inline void start_param(const struct param *param)
{
    static const struct {
        const char *path;
        double middle, width;
    } others[] = {
        {"decoder.output.W", 0, 1.2}, {"decoder.output.b", 0, 1}, {"decoder.attention.g", 8, 0.7}};
    double middle = 0, width = 0.7;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i].path, param->path) == 0) {
            middle = others[i].middle;
            width = others[i].width;
        }
    const double phase = 1.3 * path_key(param->path);
    for (int i = 0; i < param->rows * param->cols; i++)
        param->value[i] = (real)(middle + width * sin(phase + 0.7 * i + 0.013 * i * i));
}

/* ---- Its life ---- */

static inline void read_side(struct parity *p, struct sequences *side, const char *name, int which)
{
    size_t at = 0;
    for (int i = 0; i < SENTENCES; i++) {
        const struct tensor *t = of_sentence(&p->shared, name, i);
        p->start[which][i] = at;
        for (int j = 0; j < t->cols; j++) {
            assert_true(at < MAX_WORDS);
            p->ids[which][at++] = (int)t->at[j];
        }
    }
    p->start[which][SENTENCES] = at;
    *side = (struct sequences){.count = SENTENCES, .start = p->start[which], .ids = p->ids[which]};
}

/* The source of a model of frames. */
static inline void read_frames(struct parity *p)
{
    size_t at = 0;
    for (int i = 0; i < SENTENCES; i++) {
        const struct tensor *t = of_sentence(&p->shared, "frames.", i);
        assert_int_equal(t->cols, p->config.source_width);
        assert_true((at + (size_t)t->rows) * (size_t)t->cols <= MAX_NUMBERS);
        for (int j = 0; j < t->rows * t->cols; j++)
            p->frames[at * (size_t)t->cols + (size_t)j] = (float)t->at[j];
        p->start[0][i] = at;
        at += (size_t)t->rows;
    }
    p->start[0][SENTENCES] = at;
    p->source = (struct sequences){.count = SENTENCES,
                                   .start = p->start[0],
                                   .width = p->config.source_width,
                                   .rows = p->frames};
}

/* Defaults, the file's sizes, then the options of the model's line, behind its name. */
static inline void read_config(struct parity *p, char *line)
{
    struct attend_error err;
    const double *sizes = get(&p->shared, "", "sizes")->at;
    char *rest = NULL;
    option_add(&p->options, "model", network_rows, &p->config);
    option_add(&p->options, "model", model_size_rows, &p->config);
    int *const fields[] = {
        &p->config.source_vocab, &p->config.target_vocab,   &p->config.emb,
        &p->config.hidden,       &p->config.attention_size, &p->config.readout_size};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        *fields[i] = (int)sizes[i];
    const char *name = strtok_r(line, " \n", &rest), *option, *value;
    assert_non_null(name);
    assert_true(strlen(name) < sizeof p->name);
    memcpy(p->name, name, strlen(name) + 1);
    while ((option = strtok_r(NULL, " \n", &rest)) && (value = strtok_r(NULL, " \n", &rest)))
        if (option_assign(&p->options, option, value, &err) != ATTEND_OK)
            fail_msg("model %s: %s", p->name, err.message);
    if (model_config_tie(&p->config) == TIE_ALL)
        p->config.source_vocab = p->config.target_vocab;
    if (model_config_check(&p->config, &err) != ATTEND_OK)
        fail_msg("model %s: %s", p->name, err.message);
}

static inline void bind(struct parity *p, struct arena *arena, const struct batch_text *text)
{
    seq2seq_tape_bind(&p->tape, arena, &p->model, text, team_size(p->team));
    optimizer_bind(&p->optimizer, arena, &optimizer_adam, p->model.params.size);
    p->values = arena_take(arena, sizeof(real), p->model.params.size);
    p->grads = arena_take(arena, sizeof(real), p->model.params.size);
    for (int i = 0; i < team_size(p->team); i++)
        gemm_scratch_bind(&p->scratch[i], arena);
}

static inline void make_room(struct parity *p)
{
    static const int all[SENTENCES] = {0, 1, 2, 3};
    const struct batch_text text = {
        .source = &p->source, .target = &p->target, .item = all, .count = SENTENCES};
    struct arena counting = {0};
    bind(p, &counting, &text);
    p->arena = (struct arena){0};
    assert_int_equal(arena_reserve(&p->arena, counting.used, NULL), ATTEND_OK);
    memset(p->arena.block, 0xff, p->arena.size); /* NaN: whatever is read must have been written */
    bind(p, &p->arena, &text);
    batch_fill(&p->tape.batch, &text);
}

static inline void parity_init(struct parity *p, int level, int threads)
{
    struct attend_error err;
    const double *training = get(&p->shared, "", "training")->at;
    simd_cap(level);
    p->level = level;
    p->lr = training[0];
    p->clip = training[1];
    p->smoothing = training[2];
    if (p->config.source_width)
        read_frames(p);
    else
        read_side(p, &p->source, "source.", 0);
    read_side(p, &p->target, "target.", 1);
    assert_int_equal(team_new(&p->team, threads, &err), ATTEND_OK);
    assert_int_equal(seq2seq_init(&p->model, &p->config, true, &err), ATTEND_OK);
    make_room(p);
    optimizer_reset(&p->optimizer, p->values);
    param_bind(&p->model.params, p->values, p->grads);
    memset(p->grads, 0, p->model.params.size * sizeof(real));
    for (int i = 0; i < p->model.params.count; i++)
        start_param(p->model.params.item[i]);
    p->job = (struct seq2seq_job){.loss = {.smoothing = p->smoothing,
                                           .scale = 1.0 / p->tape.batch.target_rows,
                                           .gradient = true}};
}

static inline void parity_release(struct parity *p)
{
    team_free(p->team);
    seq2seq_release(&p->model);
    arena_release(&p->arena);
    simd_cap(1);
}

/* Each model of a file at every level and with every team. Returns how many models. */
static inline int everywhere(const char *path, void (*body)(struct parity *))
{
    FILE *file = fopen(path, "r");
    struct tensors shared;
    int models = 0;
    assert_non_null(file);
    for (bool more = tensors_read(&shared, file); more; models++) {
        struct parity p = {.shared = shared};
        char line[512];
        assert_non_null(fgets(line, sizeof line, file));
        read_config(&p, line);
        more = tensors_read(&p.numbers, file);
        for (int level = 0; level <= 1; level++)
            for (int threads = 1; threads <= MAX_TEAM; threads++) {
                parity_init(&p, level, threads);
                body(&p);
                parity_release(&p);
            }
        tensors_release(&p.numbers);
        option_release(&p.options);
    }
    tensors_release(&shared);
    fclose(file);
    return models;
}

/* ---- What it does ---- */

static inline void run_worker(struct worker *w, void *job)
{
    struct parity *p = job;
    struct compute c = {.worker = w, .gemm = p->scratch[w->index]};
    seq2seq_pack(&p->model, &c);
    const double loss = seq2seq_run(&p->model, &p->tape, &c, &p->job);
    if (w->index == 0)
        p->loss = loss / p->tape.batch.target_rows;
}

static inline void update_worker(struct worker *w, void *job)
{
    struct parity *p = job;
    optimizer_step(&p->optimizer, w, p->values, p->grads, p->lr, p->clip);
}

static inline void run_forward(struct parity *p)
{
    p->job.loss.gradient = false;
    team_run(p->team, run_worker, p);
}

/* Updates from here; losses (updates + 1) per word before each and at the end, norms (updates). */
static inline void run_updates(struct parity *p, int updates, real *loss, real *norm)
{
    for (int i = 0; i < updates; i++) {
        team_run(p->team, run_worker, p);
        team_run(p->team, update_worker, p);
        loss[i] = (real)p->loss;
        norm[i] = (real)p->optimizer.norm;
    }
    run_forward(p);
    loss[updates] = (real)p->loss;
}

/* Attention of the shown row of the tape, as the file has it: of the sentence's own S columns a
 * head. */
static inline void check_weights(const struct parity *p, const struct tensor *want, int t,
                                 const real *weight, int S, double tolerance)
{
    const int heads = p->model.decoder.attention.dims.heads, own = want->cols / heads;
    for (int i = 0; i < want->cols; i++)
        check_number(p, want->name, want, t, i, (double)weight[i / own * S + i % own], tolerance);
}

/* ---- The same words forced step by step, through the interface of search ---- */

struct stepping {
    int record_width, weight_width;
    struct decoder_begin begin;
    real *state; /* of every sentence */
    real *previous, *next, *weight, *work;
    struct logits logits;
    int rows, sentence[SENTENCES], token[SENTENCES], own[SENTENCES]; /* of every row */
};

static inline void stepping_bind(struct stepping *s, struct arena *arena, const struct parity *p)
{
    const struct decoder *d = &p->model.decoder;
    const size_t B = SENTENCES;
    s->record_width = decoder_record_width(d, p->tape.batch.S);
    s->weight_width = decoder_weight_width(d, p->tape.batch.S);
    const size_t record = (size_t)s->record_width;
    decoder_begin_bind(&s->begin, arena, d, &p->tape.batch);
    s->state = arena_take(arena, sizeof(real), B * record);
    s->previous = arena_take(arena, sizeof(real), B * record);
    s->next = arena_take(arena, sizeof(real), B * record);
    s->weight = arena_take(arena, sizeof(real), B * (size_t)s->weight_width);
    logits_bind(&s->logits, arena, SENTENCES, p->config.target_vocab);
    s->work = arena_take(arena, sizeof(real),
                         decoder_step_work(d, SENTENCES, decoder_memory_span(d, p->tape.batch.S)));
}

/* A row for each sentence that is not over, the last sentence first, so that rows and sentences are
 * numbered differently. */
static inline void lay_rows(const struct parity *p, struct stepping *s, int t)
{
    const size_t record = (size_t)s->record_width;
    s->rows = 0;
    for (int i = SENTENCES - 1; i >= 0; i--) {
        const int item = p->tape.batch.item[i];
        if (t > sequences_length(&p->target, item))
            continue;
        s->sentence[s->rows] = i;
        s->own[s->rows] = s->rows;
        s->token[s->rows] = t ? p->target.ids[p->target.start[item] + (size_t)t - 1] : VOCAB_BOS;
        memcpy(s->previous + (size_t)s->rows * record, s->state + (size_t)i * record,
               record * sizeof(real));
        s->rows++;
    }
}

static inline void step(const struct parity *p, struct stepping *s,
                        const struct decoder_memory *memory, struct compute *c)
{
    const size_t record = (size_t)s->record_width;
    const struct decoder_step job = {
        .rows = s->rows,
        .states = s->rows,
        .state = s->own,
        .sentence = s->sentence,
        .state_sentence = s->sentence,
        .token = s->token,
        .previous = view_of(s->previous, s->rows, s->record_width),
        .next = view_of(s->next, s->rows, s->record_width),
        .weight = view_of(s->weight, s->rows, s->weight_width),
        .logits = s->logits,
        .work = s->work,
    };
    decoder_step(&p->model.decoder, c, memory, &job);
    for (int i = 0; i < s->rows; i++)
        memcpy(s->state + (size_t)s->sentence[i] * record, s->next + (size_t)i * record,
               record * sizeof(real));
}

/* `look` sees the rows of each step t. The model has run forward. */
static inline void run_steps(struct parity *p,
                             void (*look)(struct parity *, const struct stepping *, int t,
                                          void *context),
                             void *context)
{
    const struct batch *b = &p->tape.batch;
    struct worker alone = worker_alone();
    struct compute c = {.worker = &alone, .gemm = p->scratch[0]};
    struct stepping s = {0};
    struct arena count = {0}, arena = {0};
    stepping_bind(&s, &count, p);
    assert_int_equal(arena_reserve(&arena, count.used, NULL), ATTEND_OK);
    memset(arena.block, 0xff, arena.size);
    stepping_bind(&s, &arena, p);
    struct decoder_memory memory;
    decoder_begin(&p->model.decoder, &c, &s.begin, b, &p->tape.encoder, &memory,
                  view_of(s.state, SENTENCES, s.record_width));
    int steps = 0;
    for (int t = 0; lay_rows(p, &s, t), s.rows > 0; t++, steps += s.rows) {
        step(p, &s, &memory, &c);
        look(p, &s, t, context);
    }
    assert_int_equal(steps, b->target_rows);
    arena_release(&arena);
}

#endif
