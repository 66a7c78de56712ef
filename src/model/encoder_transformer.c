#include "base/arena.h"
#include "base/bug.h"
#include "model/encoder.h"
#include "tensor/vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Parameters ---- */

static int annotation(const struct attend_network_options *config) { return config->hidden; }

static void declare(struct encoder *e, struct param_set *set,
                    const struct attend_network_options *config)
{
    struct encoder_transformer *t = &e->transformer;
    const int F = config->encoder_ff ? config->encoder_ff : 4 * e->H;
    *t = (struct encoder_transformer){
        .layers = e->layers,
        .E = e->E,
        .H = e->H,
        .scale = e->width ? 1 : (real)sqrt(e->E),
        .projects = e->E != e->H,
        .learned = model_config_positions(config) == POSITIONS_LEARNED,
    };
    if (t->projects)
        projection_declare(&t->input, set, "encoder.input", e->E, e->H);
    if (t->learned)
        embedding_declare(&t->positions, set, "encoder.positions", config->positions, e->H);
    for (int l = 0; l < t->layers; l++) {
        char path[32];
        snprintf(path, sizeof path, "encoder.%d", l);
        transformer_declare(&t->layer[l], set, path, e->H, F, config->encoder_heads,
                            model_config_activation(config));
    }
    row_norm_declare(&t->norm, set, "encoder.norm", e->H);
}

static void bind(struct encoder *e, struct arena *arena, enum packing packing)
{
    struct encoder_transformer *t = &e->transformer;
    if (t->projects)
        projection_bind(&t->input, arena, packing);
    for (int l = 0; l < t->layers; l++)
        transformer_bind(&t->layer[l], arena, packing);
}

static void pack(struct encoder *e, struct compute *c, bool training)
{
    struct encoder_transformer *t = &e->transformer;
    (void)training;
    if (t->projects)
        projection_pack(&t->input, c);
    for (int l = 0; l < t->layers; l++)
        transformer_pack(&t->layer[l], c);
}

/* ---- Memory ---- */

static real *take(struct arena *arena, int rows, int cols)
{
    return arena_take(arena, sizeof(real), (size_t)rows * (size_t)cols);
}

static void tape_bind(struct encoder_tape *tape, struct arena *arena, const struct encoder *e,
                      const struct batch *b, int team, bool training)
{
    const struct encoder_transformer *t = &e->transformer;
    struct encoder_transformer_tape *k = &tape->transformer;
    const int N = b->memory_rows;
    BUG_ON(b->pyramid);
    k->z = take(arena, N, t->H);
    k->d_z = training ? take(arena, N, t->H) : NULL;
    k->read = t->projects ? take(arena, N, t->H) : NULL;
    k->wave = t->learned ? NULL : take(arena, b->S, t->H);
    k->place = arena_take(arena, sizeof(int), 2 * (size_t)N);
    k->position = arena_take(arena, sizeof(int), (size_t)N);
    for (int l = 0; l < t->layers; l++)
        if (l == 0 || training)
            transformer_tape_bind(&k->layer[l], arena, &t->layer[l], N, team, training);
        else
            k->layer[l] = k->layer[0];
    transformer_work_bind(&k->work, arena, &t->layer[0], N, b->S, team, training);
    row_norm_bind(&k->norm, arena, &t->norm, N, team, training);
}

/* ---- A call ---- */

struct call {
    const struct encoder *e;
    const struct encoder_transformer *t;
    struct encoder_tape *tape;
    struct encoder_transformer_tape *k;
    struct compute *c;
    const struct batch *b;
    struct view x, z, read; /* read: what z is made of, in the order of x */
    int from, to;           /* this member's rows of z */
};

static struct call call_of(const struct encoder *e, struct encoder_tape *tape, struct compute *c,
                           const struct batch *b)
{
    const struct encoder_transformer *t = &e->transformer;
    struct call call = {.e = e, .t = t, .tape = tape, .k = &tape->transformer, .c = c, .b = b};
    const int N = b->memory_rows;
    call.x = view_of(tape->x, N, t->E);
    call.z = view_of(call.k->z, N, t->H);
    call.read = t->projects ? view_of(call.k->read, N, t->H) : call.x;
    worker_share(c->worker, N, 1, &call.from, &call.to);
    return call;
}

static struct transformer_rows rows_of(const struct encoder_transformer_tape *k,
                                       const struct batch *b, const struct dropout *dropout, int l)
{
    return (struct transformer_rows){.N = b->memory_rows,
                                     .B = b->B,
                                     .S = b->S,
                                     .start = b->memory_start,
                                     .length = b->memory_length,
                                     .item = b->item,
                                     .place = k->place,
                                     .dropout = dropout,
                                     .layer = l};
}

struct self_attention encoder_self_attention(const struct encoder *e,
                                             const struct encoder_tape *tape, const struct batch *b,
                                             int l, const struct dropouts *drop)
{
    const struct transformer_rows rows = rows_of(&tape->transformer, b, &drop->plain, l);
    return transformer_attention(&e->transformer.layer[l], &tape->transformer.layer[l], &rows);
}

/* ---- z = r (x W + b) + p ---- */

/* Frequencies fall from 1 to 1 / 10000. */
static void lay_waves(const struct call *k)
{
    const int H = k->t->H;
    int from, to;
    worker_share(k->c->worker, k->b->S, 1, &from, &to);
    for (int i = 0; i < H; i++) {
        const int even = i - i % 2;
        const double frequency = pow(10000, -(double)even / H);
        for (int j = from; j < to; j++)
            k->k->wave[(size_t)j * (size_t)H + (size_t)i] =
                (real)(i % 2 ? cos(j * frequency) : sin(j * frequency));
    }
}

static void lay_places(const struct call *k)
{
    const int last = k->t->learned ? k->t->positions.table.rows - 1 : k->b->S - 1;
    for (int m = k->from; m < k->to; m++) {
        const int *place = k->b->level[0].place + 2 * (ptrdiff_t)k->b->memory_row[m];
        k->k->place[2 * m] = place[0];
        k->k->place[2 * m + 1] = place[1];
        k->k->position[m] = place[1] < last ? place[1] : last;
    }
}

/* x W + b, from x or from the tokens. */
static void read_rows(const struct call *k)
{
    if (encoder_is_cached(k->e, k->tape)) {
        const struct tokens tokens = encoder_tokens(k->e, k->tape, 0);
        linear_start(k->c, k->read, k->t->input.b.value);
        worker_meet(k->c->worker);
        tokens_add(&tokens, k->c, k->b->source_id, k->read, k->tape->work);
    } else if (k->t->projects) {
        projection_forward(&k->t->input, k->c, k->x, k->read);
    }
    worker_meet(k->c->worker);
}

SIMD_BODY void add_scaled_body(real *y, const real *x, real scale, int n)
{
    for (int i = 0; i < n; i++)
        y[i] += scale * x[i];
}
SIMD_STATIC(add_scaled, (real * y, const real *x, real scale, int n), (y, x, scale, n))

static void input(const struct call *k)
{
    const int H = k->t->H;
    lay_places(k);
    if (!k->t->learned)
        lay_waves(k);
    read_rows(k); /* meets */
    if (k->t->learned)
        embedding_forward(&k->t->positions, k->c, k->k->position, k->z);
    for (int m = k->from; m < k->to; m++) {
        real *z = k->z.at + m * k->z.row;
        if (!k->t->learned)
            memcpy(z, k->k->wave + (size_t)k->k->position[m] * (size_t)H, (size_t)H * sizeof(real));
        add_scaled(z, k->read.at + k->b->memory_row[m] * k->read.row, k->t->scale, H);
    }
}

/* d_x from d_z */
static void input_backward(const struct call *k, struct view d_z)
{
    const struct view d_x = view_of(k->tape->d_x, k->x.rows, k->t->E);
    const struct view d_read = k->t->projects ? k->read : d_x;
    if (k->t->learned)
        embedding_backward(&k->t->positions, k->c, k->k->position, d_z);
    for (int m = k->from; m < k->to; m++) {
        real *d = d_read.at + k->b->memory_row[m] * d_read.row;
        vec_zero(d, (size_t)d_read.cols);
        add_scaled(d, d_z.at + m * d_z.row, k->t->scale, d_read.cols);
    }
    worker_meet(k->c->worker);
    if (!k->t->projects)
        return;
    projection_backward(&k->t->input, k->c, k->x, d_read);
    linear_grad_input(k->c, d_read, param_view(&k->t->input.W), d_x, false);
    worker_meet(k->c->worker);
}

/* ---- Forward and backward ---- */

/* LayerDrop (Fan et al. 2020): in training, z passes by a layer unchanged, in the whole update. */
static bool leaves_out(const struct dropouts *drop, int l)
{
    return dropout_whole(&drop->layers, DROPOUT_WHOLE_LAYER + DROPOUT_SITES * l);
}

static void forward(const struct encoder *e, struct encoder_tape *tape, struct compute *c,
                    const struct batch *b, const struct dropouts *drop)
{
    const struct call k = call_of(e, tape, c, b);
    input(&k);
    for (int l = 0; l < k.t->layers; l++) {
        const struct transformer_rows rows = rows_of(k.k, b, &drop->plain, l);
        if (leaves_out(drop, l))
            continue;
        transformer_forward(&k.t->layer[l], &k.k->layer[l], &k.k->work, c, &rows, k.z);
    }
    row_norm_forward(&k.t->norm, &k.k->norm, c, k.z, view_of(tape->memory, k.z.rows, k.t->H));
}

static void backward(const struct encoder *e, struct encoder_tape *tape, struct compute *c,
                     const struct batch *b, const struct dropouts *drop, bool copied)
{
    const struct call k = call_of(e, tape, c, b);
    const struct view d_z = view_of(k.k->d_z, k.z.rows, k.t->H);
    const size_t from = (size_t)k.from * (size_t)k.t->H, to = (size_t)k.to * (size_t)k.t->H;
    BUG_ON(copied);
    /* h = norm(z) */
    memcpy(d_z.at + from, tape->d_memory + from, (to - from) * sizeof(real));
    row_norm_backward(&k.t->norm, &k.k->norm, c, d_z);
    for (int l = k.t->layers - 1; l >= 0; l--) {
        const struct transformer_rows rows = rows_of(k.k, b, &drop->plain, l);
        if (leaves_out(drop, l)) {
            worker_meet(c->worker); /* as a layer does at its end, before row_norm_end */
            continue;
        }
        transformer_backward(&k.t->layer[l], &k.k->layer[l], &k.k->work, c, &rows, d_z);
    }
    row_norm_end(&k.t->norm, &k.k->norm, c);
    input_backward(&k, d_z);
}

/* ---- What others ask ---- */

static const struct packed *product(const struct encoder *e, int i)
{
    return i == 0 && e->transformer.projects ? &e->transformer.input.input : NULL;
}

/* Of every word 4 H H + 2 H F in a layer, of every pair of words 2 H. */
static double products(const struct encoder *e, const struct batch *b)
{
    const struct encoder_transformer *t = &e->transformer;
    const double H = t->H, F = t->layer[0].F;
    double pairs = 0;
    for (int i = 0; i < b->B; i++)
        pairs += (double)b->memory_length[i] * b->memory_length[i];
    return t->layers * (b->memory_rows * (4 * H * H + 2 * H * F) + 2 * H * pairs) +
           (t->projects ? b->memory_rows * H * t->E : 0);
}

const struct encoder_ops encoder_transformer = {
    .name = "transformer",
    .help = "layers of self-attention: every word looks at all words",
    .annotation = annotation,
    .declare = declare,
    .bind = bind,
    .pack = pack,
    .tape_bind = tape_bind,
    .forward = forward,
    .backward = backward,
    .product = product,
    .products = products,
};
