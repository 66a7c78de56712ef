#include "nn/transformer.h"

#include "base/arena.h"
#include "tensor/vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Parameters ---- */

/* Uniform with the variance 2 / (inputs + outputs) of Glorot and Bengio (2010). q, k and v are three
 * matrices side by side. */
static void declare(struct param_set *set, struct param *W, struct param *b, const char *path,
                    const char *name, int rows, int cols, int outputs)
{
    char bias[16];
    snprintf(bias, sizeof bias, "b_%s", name + 2);
    param_declare(set, W, path, name, rows, cols);
    param_declare(set, b, path, bias, 1, cols);
    param_start(W, PARAM_UNIFORM, sqrt(6.0 / (rows + outputs)));
}

static void declare_norm(struct row_norm *l, struct param_set *set, const char *path,
                         const char *name, int H)
{
    char full[64];
    snprintf(full, sizeof full, "%s.%s", path, name);
    row_norm_declare(l, set, full, H);
}

void transformer_declare(struct transformer *l, struct param_set *set, const char *path, int H,
                         int F, int heads, const struct activation_ops *activation)
{
    *l = (struct transformer){.H = H, .F = F, .heads = heads, .activation = activation};
    declare_norm(&l->norm_self, set, path, "norm_self", H);
    declare(set, &l->W_qkv, &l->b_qkv, path, "W_qkv", H, 3 * H, H);
    declare(set, &l->W_out, &l->b_out, path, "W_out", H, H, H);
    declare_norm(&l->norm_ff, set, path, "norm_ff", H);
    declare(set, &l->W_up, &l->b_up, path, "W_up", H, F, F);
    declare(set, &l->W_down, &l->b_down, path, "W_down", F, H, H);
}

void transformer_bind(struct transformer *l, struct arena *arena, enum packing packing)
{
    linear_bind(&l->qkv, arena, l->H, 3 * l->H, packing);
    linear_bind(&l->out, arena, l->H, l->H, packing);
    linear_bind(&l->up, arena, l->H, l->F, packing);
    linear_bind(&l->down, arena, l->F, l->H, packing);
}

void transformer_pack(struct transformer *l, struct compute *c)
{
    linear_pack_weights(c, &l->qkv, &l->W_qkv, 0);
    linear_pack_weights(c, &l->out, &l->W_out, 0);
    linear_pack_weights(c, &l->up, &l->W_up, 0);
    linear_pack_weights(c, &l->down, &l->W_down, 0);
}

/* ---- Memory ---- */

static real *take(struct arena *arena, int rows, int cols)
{
    return arena_take(arena, sizeof(real), (size_t)rows * (size_t)cols);
}

void transformer_tape_bind(struct transformer_tape *tape, struct arena *arena,
                           const struct transformer *l, int N, int team, bool training)
{
    row_norm_bind(&tape->norm_self, arena, &l->norm_self, N, team, training);
    row_norm_bind(&tape->norm_ff, arena, &l->norm_ff, N, team, training);
    tape->qkv = take(arena, N, 3 * l->H);
    tape->mixed = take(arena, N, l->H);
    tape->up = take(arena, N, l->F);
}

void transformer_work_bind(struct transformer_work *w, struct arena *arena,
                           const struct transformer *l, int N, int S, int team, bool training)
{
    *w = (struct transformer_work){.y = take(arena, N, l->H), .hidden = take(arena, N, l->F)};
    self_attention_bind(&w->attention, arena, S, team, training);
    if (!training)
        return;
    w->d_y = take(arena, N, l->H);
    w->d_qkv = take(arena, N, 3 * l->H);
    w->d_hidden = take(arena, N, l->F > l->H ? l->F : l->H);
}

/* ---- A call: the layer, its memory, and views of it ---- */

struct call {
    const struct transformer *l;
    const struct transformer_tape *tape;
    const struct transformer_work *work;
    struct compute *c;
    const struct transformer_rows *rows;
    struct view y, hidden, qkv, mixed, up;
    int from, to; /* this member's rows */
};

static struct call call_of(const struct transformer *l, const struct transformer_tape *tape,
                           const struct transformer_work *work, struct compute *c,
                           const struct transformer_rows *rows)
{
    const int N = rows->N;
    struct call k = {
        .l = l,
        .tape = tape,
        .work = work,
        .c = c,
        .rows = rows,
        .y = view_of(work->y, N, l->H),
        .hidden = view_of(work->hidden, N, l->F),
        .qkv = view_of(tape->qkv, N, 3 * l->H),
        .mixed = view_of(tape->mixed, N, l->H),
        .up = view_of(tape->up, N, l->F),
    };
    worker_share(c->worker, N, 1, &k.from, &k.to);
    return k;
}

static size_t own_size(const struct call *k, struct view x)
{
    return (size_t)(k->to - k->from) * (size_t)x.cols;
}

static real *own(const struct call *k, struct view x) { return x.at + k->from * x.row; }

static void drop(const struct call *k, enum dropout_site site, struct view x)
{
    dropout_rows(k->rows->dropout, (int)site + DROPOUT_SITES * k->rows->layer, x, k->rows->place,
                 k->from, k->to);
}

struct self_attention transformer_attention(const struct transformer *l,
                                            const struct transformer_tape *tape,
                                            const struct transformer_rows *rows)
{
    return (struct self_attention){
        .B = rows->B,
        .heads = l->heads,
        .start = rows->start,
        .length = rows->length,
        .item = rows->item,
        .qkv = view_of(tape->qkv, rows->N, 3 * l->H),
        .dropout = rows->dropout,
        .site = DROPOUT_SELF_WEIGHT + DROPOUT_SITES * SELF_ATTENTION_HEADS * rows->layer,
    };
}

/* ---- The part that attends ---- */

static void self_forward(const struct call *k, struct view x)
{
    const struct self_attention attention = transformer_attention(k->l, k->tape, k->rows);
    row_norm_forward(&k->l->norm_self, &k->tape->norm_self, k->c, x, k->y);
    linear_start(k->c, k->qkv, k->l->b_qkv.value);
    worker_meet(k->c->worker);
    linear_forward(k->c, k->y, &k->l->qkv, k->qkv, true);
    worker_meet(k->c->worker);
    self_attention_forward(&attention, &k->work->attention, k->c, k->mixed);
    linear_start(k->c, k->y, k->l->b_out.value);
    worker_meet(k->c->worker);
    linear_forward(k->c, k->mixed, &k->l->out, k->y, true);
    worker_meet(k->c->worker);
    drop(k, DROPOUT_SELF_OUTPUT, k->y);
    vec_add(own(k, x), own(k, k->y), own_size(k, x));
}

static void self_backward(const struct call *k, struct view d_x)
{
    const struct transformer *l = k->l;
    const int N = k->rows->N;
    const struct self_attention attention = transformer_attention(l, k->tape, k->rows);
    const struct view d_y = view_of(k->work->d_y, N, l->H),
                      d_mixed = view_of(k->work->d_hidden, N, l->H),
                      d_qkv = view_of(k->work->d_qkv, N, 3 * l->H);
    /* x += dropout(mixed W_out + b_out) */
    memcpy(own(k, d_y), own(k, d_x), own_size(k, d_x) * sizeof(real));
    drop(k, DROPOUT_SELF_OUTPUT, d_y);
    worker_meet(k->c->worker);
    linear_grad_weight(k->c, k->mixed, d_y, param_grad(&l->W_out));
    linear_grad_bias(k->c, d_y, l->b_out.grad);
    linear_grad_input(k->c, d_y, param_view(&l->W_out), d_mixed, false);
    worker_meet(k->c->worker);
    /* mixed = self(qkv) */
    self_attention_backward(&attention, &k->work->attention, k->c, d_mixed, d_qkv);
    row_norm_again(&l->norm_self, &k->tape->norm_self, k->c, k->y);
    worker_meet(k->c->worker);
    /* qkv = y W_qkv + b_qkv */
    linear_grad_weight(k->c, k->y, d_qkv, param_grad(&l->W_qkv));
    linear_grad_bias(k->c, d_qkv, l->b_qkv.grad);
    linear_grad_input(k->c, d_qkv, param_view(&l->W_qkv), d_y, false);
    worker_meet(k->c->worker);
    /* y = norm(x) */
    row_norm_backward(&l->norm_self, &k->tape->norm_self, k->c, d_y);
    vec_add(own(k, d_x), own(k, d_y), own_size(k, d_x));
}

/* ---- The part that feeds forward ---- */

/* hidden = dropout(f(up)) */
static void activate(const struct call *k)
{
    k->l->activation->forward(own(k, k->up), own(k, k->hidden), own_size(k, k->up));
    drop(k, DROPOUT_FEED_HIDDEN, k->hidden);
}

static void feed_forward(const struct call *k, struct view x)
{
    row_norm_forward(&k->l->norm_ff, &k->tape->norm_ff, k->c, x, k->y);
    linear_start(k->c, k->up, k->l->b_up.value);
    worker_meet(k->c->worker);
    linear_forward(k->c, k->y, &k->l->up, k->up, true);
    worker_meet(k->c->worker);
    activate(k);
    linear_start(k->c, k->y, k->l->b_down.value);
    worker_meet(k->c->worker);
    linear_forward(k->c, k->hidden, &k->l->down, k->y, true);
    worker_meet(k->c->worker);
    drop(k, DROPOUT_FEED_OUTPUT, k->y);
    vec_add(own(k, x), own(k, k->y), own_size(k, x));
}

static void feed_backward(const struct call *k, struct view d_x)
{
    const struct transformer *l = k->l;
    const int N = k->rows->N;
    const struct view d_y = view_of(k->work->d_y, N, l->H),
                      d_hidden = view_of(k->work->d_hidden, N, l->F);
    /* x += dropout(hidden W_down + b_down) */
    memcpy(own(k, d_y), own(k, d_x), own_size(k, d_x) * sizeof(real));
    drop(k, DROPOUT_FEED_OUTPUT, d_y);
    activate(k);
    worker_meet(k->c->worker);
    linear_grad_weight(k->c, k->hidden, d_y, param_grad(&l->W_down));
    linear_grad_bias(k->c, d_y, l->b_down.grad);
    linear_grad_input(k->c, d_y, param_view(&l->W_down), d_hidden, false);
    worker_meet(k->c->worker);
    /* hidden = dropout(f(up)) */
    drop(k, DROPOUT_FEED_HIDDEN, d_hidden);
    l->activation->backward(own(k, k->up), own(k, d_hidden), own_size(k, d_hidden));
    row_norm_again(&l->norm_ff, &k->tape->norm_ff, k->c, k->y);
    worker_meet(k->c->worker);
    /* up = y W_up + b_up */
    linear_grad_weight(k->c, k->y, d_hidden, param_grad(&l->W_up));
    linear_grad_bias(k->c, d_hidden, l->b_up.grad);
    linear_grad_input(k->c, d_hidden, param_view(&l->W_up), d_y, false);
    worker_meet(k->c->worker);
    /* y = norm(x) */
    row_norm_backward(&l->norm_ff, &k->tape->norm_ff, k->c, d_y);
    vec_add(own(k, d_x), own(k, d_y), own_size(k, d_x));
}

/* ---- The layer ---- */

void transformer_forward(const struct transformer *l, const struct transformer_tape *tape,
                         const struct transformer_work *work, struct compute *c,
                         const struct transformer_rows *rows, struct view x)
{
    const struct call k = call_of(l, tape, work, c, rows);
    self_forward(&k, x);
    feed_forward(&k, x);
}

void transformer_backward(const struct transformer *l, const struct transformer_tape *tape,
                          const struct transformer_work *work, struct compute *c,
                          const struct transformer_rows *rows, struct view d_x)
{
    const struct call k = call_of(l, tape, work, c, rows);
    feed_backward(&k, d_x);
    self_backward(&k, d_x);
    worker_meet(c->worker);
    row_norm_end(&l->norm_ff, &tape->norm_ff, c);
    row_norm_end(&l->norm_self, &tape->norm_self, c);
    worker_meet(c->worker);
}
