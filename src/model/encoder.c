#include "model/encoder.h"

#include "base/arena.h"

#include <string.h>

void encoder_declare(struct encoder *e, struct param_set *set, const struct model_config *config)
{
    embedding_declare(&e->embedding, set, "encoder.embedding", config->source_vocab, config->emb);
    rnn_declare(&e->forward, set, "encoder.forward.gru", &cell_gru, config->emb, config->hidden);
    rnn_declare(&e->backward, set, "encoder.backward.gru", &cell_gru, config->emb, config->hidden);
}

void encoder_bind(struct encoder *e, struct arena *arena, bool training)
{
    rnn_bind(&e->forward, arena, training);
    rnn_bind(&e->backward, arena, training);
}

void encoder_pack(struct encoder *e, struct compute *c, bool training)
{
    rnn_pack(&e->forward, c, training);
    rnn_pack(&e->backward, c, training);
}

void encoder_tape_bind(struct encoder_tape *tape, struct arena *arena, const struct encoder *e,
                       const struct batch *b, bool training)
{
    const size_t N = (size_t)b->source_rows, E = (size_t)e->forward.X, C = 2 * (size_t)e->forward.H;
    tape->x = arena_take(arena, sizeof(real), N * E);
    tape->memory = arena_take(arena, sizeof(real), N * C);
    rnn_tape_bind(&tape->forward, arena, &e->forward, b->source_rows, b->B, training);
    rnn_tape_bind(&tape->backward, arena, &e->backward, b->source_rows, b->B, training);
    if (!training)
        return;
    tape->d_x = arena_take(arena, sizeof(real), N * E);
    tape->d_memory = arena_take(arena, sizeof(real), N * C);
}

static void drop_words(const struct compute *c, struct view x, const struct batch *b,
                       const struct dropout *dropout)
{
    int from, to;
    worker_share(c->worker, x.rows, 1, &from, &to);
    dropout_rows(dropout, DROPOUT_SOURCE, x, b->source_place, from, to);
}

/* One mask for all annotations of a sentence, so that it may stand before their projection (see
 * decoder.h). */
static void drop_annotations(const struct compute *c, real *memory, int C, const struct batch *b,
                             const struct dropout *dropout)
{
    int from, to;
    worker_share(c->worker, b->B, 1, &from, &to);
    for (int i = from; i < to; i++)
        for (int j = 0; j < b->memory_length[i]; j++)
            dropout_row(dropout, DROPOUT_ANNOTATION, b->item[i], 0,
                        memory + (size_t)(b->memory_start[i] + j) * (size_t)C, C);
}

/* memory_m = [forward; backward] of its row */
static void gather(const struct compute *c, const struct encoder_tape *tape, const struct batch *b,
                   int H)
{
    const size_t h = (size_t)H;
    int from, to;
    worker_share(c->worker, b->source_rows, 1, &from, &to);
    for (int m = from; m < to; m++) {
        const size_t row = (size_t)b->memory_row[m];
        memcpy(tape->memory + (size_t)m * 2 * h, tape->forward.state + row * h, h * sizeof(real));
        memcpy(tape->memory + (size_t)m * 2 * h + h, tape->backward.state + row * h,
               h * sizeof(real));
    }
}

static void scatter(const struct compute *c, const struct encoder_tape *tape, const struct batch *b,
                    int H)
{
    const size_t h = (size_t)H;
    int from, to;
    worker_share(c->worker, b->source_rows, 1, &from, &to);
    for (int m = from; m < to; m++) {
        const size_t row = (size_t)b->memory_row[m];
        memcpy(tape->forward.d_state + row * h, tape->d_memory + (size_t)m * 2 * h,
               h * sizeof(real));
        memcpy(tape->backward.d_state + row * h, tape->d_memory + (size_t)m * 2 * h + h,
               h * sizeof(real));
    }
}

void encoder_forward(const struct encoder *e, struct encoder_tape *tape, struct compute *c,
                     const struct batch *b, const struct dropout *dropout)
{
    const struct steps *lane = &b->source[c->worker->index];
    const struct view x = view_of(tape->x, b->source_rows, e->forward.X);
    embedding_forward(&e->embedding, c, b->source_id, x);
    drop_words(c, x, b, dropout);
    rnn_input(&e->forward, &tape->forward, c, x);
    rnn_input(&e->backward, &tape->backward, c, x);
    worker_meet(c->worker);
    rnn_forward(&e->forward, &tape->forward, &c->gemm, lane, false);
    rnn_forward(&e->backward, &tape->backward, &c->gemm, lane, true);
    worker_meet(c->worker);
    gather(c, tape, b, e->forward.H);
    worker_meet(c->worker);
    drop_annotations(c, tape->memory, 2 * e->forward.H, b, dropout);
    worker_meet(c->worker);
}

void encoder_backward(const struct encoder *e, struct encoder_tape *tape, struct compute *c,
                      const struct batch *b, const struct dropout *dropout)
{
    const struct steps *lane = &b->source[c->worker->index];
    const struct view x = view_of(tape->x, b->source_rows, e->forward.X);
    const struct view d_x = view_of(tape->d_x, b->source_rows, e->forward.X);
    drop_annotations(c, tape->d_memory, 2 * e->forward.H, b, dropout);
    worker_meet(c->worker);
    scatter(c, tape, b, e->forward.H);
    worker_meet(c->worker);
    rnn_backward(&e->backward, &tape->backward, &c->gemm, lane, true);
    rnn_backward(&e->forward, &tape->forward, &c->gemm, lane, false);
    worker_meet(c->worker);
    rnn_end(&e->backward, &tape->backward, c, x, d_x, false);
    rnn_end(&e->forward, &tape->forward, c, x, d_x, true);
    worker_meet(c->worker);
    drop_words(c, d_x, b, dropout);
    worker_meet(c->worker);
    embedding_backward(&e->embedding, c, b->source_id, d_x);
    worker_meet(c->worker);
}
