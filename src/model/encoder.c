#include "model/encoder.h"

#include "base/arena.h"
#include "base/bug.h"

#include <string.h>

/* ---- The table ---- */

#define ROW(name) &encoder_##name,
const struct encoder_ops *const encoders[] = {ENCODER_LIST(ROW) NULL};
#undef ROW

const struct encoder_ops *encoder_find(const char *name)
{
    for (const struct encoder_ops *const *ops = encoders; *ops; ops++)
        if (strcmp((*ops)->name, name) == 0)
            return *ops;
    return NULL;
}

/* ---- Parameters ---- */

void encoder_declare(struct encoder *e, struct param_set *set,
                     const struct attend_network_options *config)
{
    *e = (struct encoder){.ops = model_config_encoder(config),
                          .width = config->source_width,
                          .layers = config->encoder_layers,
                          .E = config->emb,
                          .H = config->hidden,
                          .C = model_config_annotation(config)};
    if (e->width)
        projection_declare(&e->frames, set, "encoder.frames", e->width, e->E);
    else
        embedding_declare(&e->embedding, set, "encoder.embedding", config->source_vocab, e->E);
    e->ops->declare(e, set, config);
}

void encoder_bind(struct encoder *e, struct arena *arena, enum packing packing)
{
    if (e->width)
        projection_bind(&e->frames, arena, packing);
    e->ops->bind(e, arena, packing);
}

void encoder_pack(struct encoder *e, struct compute *c, bool training)
{
    if (e->width)
        projection_pack(&e->frames, c);
    e->ops->pack(e, c, training);
}

/* ---- Memory ---- */

/* The work space of every product of tokens. */
static size_t work_size(const struct encoder *e, const struct batch *b)
{
    size_t most = 0;
    for (int i = 0; i < ENCODER_TABLES && !e->width && e->ops->product(e, i); i++) {
        const struct tokens tokens = {&e->embedding, e->ops->product(e, i), NULL};
        const size_t size = tokens_work(&tokens, b->source_rows);
        most = size > most ? size : most;
    }
    return most;
}

void encoder_tape_bind(struct encoder_tape *tape, struct arena *arena, const struct encoder *e,
                       const struct batch *b, int team, bool training)
{
    BUG_ON(b->width != e->width);
    const size_t x = (size_t)b->source_rows * (size_t)e->E;
    const size_t memory = (size_t)b->memory_rows * (size_t)e->C;
    *tape = (struct encoder_tape){.x = arena_take(arena, sizeof(real), x),
                                  .memory = arena_take(arena, sizeof(real), memory)};
    if (training) {
        tape->d_x = arena_take(arena, sizeof(real), x);
        tape->d_memory = arena_take(arena, sizeof(real), memory);
    } else {
        tape->work = arena_take(arena, sizeof(real), work_size(e, b));
    }
    e->ops->tape_bind(tape, arena, e, b, team, training);
}

/* ---- Dropout ---- */

static void drop_source(const struct compute *c, struct view x, const struct batch *b,
                        const struct dropouts *drop)
{
    int from, to;
    worker_share(c->worker, x.rows, 1, &from, &to);
    dropout_rows(&drop->plain, DROPOUT_SOURCE, x, b->level[0].place, from, to);
    dropout_words(&drop->words, DROPOUT_SOURCE, x, b->level[0].place, from, to);
}

/* One mask for all annotations of a sentence, so that it can be applied before their projection
 * (see decoder.h). */
static void drop_annotations(const struct compute *c, real *memory, int C, const struct batch *b,
                             const struct dropouts *drop)
{
    int from, to;
    worker_share(c->worker, b->B, 1, &from, &to);
    for (int i = from; i < to; i++)
        for (int j = 0; j < b->memory_length[i]; j++)
            dropout_row(&drop->plain, DROPOUT_ANNOTATION, b->item[i], 0,
                        memory + (size_t)(b->memory_start[i] + j) * (size_t)C, C);
}

/* ---- The rows x ---- */

bool encoder_is_cached(const struct encoder *e, const struct encoder_tape *tape)
{
    return tape->tables && !e->width && e->ops->product(e, 0);
}

struct tokens encoder_tokens(const struct encoder *e, const struct encoder_tape *tape, int i)
{
    return (struct tokens){&e->embedding, e->ops->product(e, i), tape->tables->of[i]};
}

/* Scale the rows that embedding_forward assigned to this member. */
static void scale_embeddings(const struct compute *c, struct view x, const real *scale,
                             const struct batch *b)
{
    int from, to;
    worker_share(c->worker, x.rows, 1, &from, &to);
    for (int row = from; row < to; row++)
        for (int i = 0; i < x.cols; i++)
            x.at[row * x.row + i] *= scale[b->level[0].place[2 * row]];
}

static struct view frames_of(const struct batch *b)
{
    return view_of(b->source_frame, b->source_rows, b->width);
}

static void embed(const struct encoder *e, const struct encoder_tape *tape, struct compute *c,
                  const struct batch *b, struct view x)
{
    if (e->width) {
        projection_forward(&e->frames, c, frames_of(b), x);
        worker_meet(c->worker); /* it shares columns; what follows shares rows */
    } else {
        embedding_forward(&e->embedding, c, b->source_id, x);
    }
    if (tape->embedding_scale)
        scale_embeddings(c, x, tape->embedding_scale, b);
}

/* ---- Forward and backward ---- */

void encoder_forward(const struct encoder *e, struct encoder_tape *tape, struct compute *c,
                     const struct batch *b, const struct dropouts *drop)
{
    const struct view x = view_of(tape->x, b->source_rows, e->E);
    if (!encoder_is_cached(e, tape)) {
        embed(e, tape, c, b, x);
        drop_source(c, x, b, drop);
    }
    e->ops->forward(e, tape, c, b, drop);
    worker_meet(c->worker);
    drop_annotations(c, tape->memory, e->C, b, drop);
    worker_meet(c->worker);
}

void encoder_backward(const struct encoder *e, struct encoder_tape *tape, struct compute *c,
                      const struct batch *b, const struct dropouts *drop, bool copied)
{
    const struct view d_x = view_of(tape->d_x, b->source_rows, e->E);
    drop_annotations(c, tape->d_memory, e->C, b, drop);
    worker_meet(c->worker);
    e->ops->backward(e, tape, c, b, drop, copied);
    drop_source(c, d_x, b, drop);
    worker_meet(c->worker);
    if (e->width)
        projection_backward(&e->frames, c, frames_of(b), d_x);
    else
        embedding_backward(&e->embedding, c, b->source_id, d_x);
    worker_meet(c->worker);
}
