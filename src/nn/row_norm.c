#include "nn/row_norm.h"

#include "base/arena.h"
#include "tensor/vec.h"

#include <string.h>

void row_norm_declare(struct row_norm *l, struct param_set *set, const char *path, int H)
{
    layer_norm_declare(&l->norm, set, path, 1, H);
    param_declare(set, &l->bias, path, "bias", 1, H);
}

void row_norm_bind(struct row_norm_tape *tape, struct arena *arena, const struct row_norm *l, int N,
                   int team, bool training)
{
    const size_t H = (size_t)l->norm.H, rows = (size_t)N;
    tape->normal = arena_take(arena, sizeof(real), rows * H);
    tape->scale = arena_take(arena, sizeof(real), rows);
    tape->share = training ? arena_take(arena, sizeof(real), 2 * (size_t)team * H) : NULL;
}

/* What a member computes of the rows of x. */
struct own {
    struct view x, normal, scale;
};

static struct own own_rows(const struct row_norm *l, const struct row_norm_tape *tape,
                           const struct compute *c, struct view x)
{
    int from, to;
    worker_share(c->worker, x.rows, 1, &from, &to);
    return (struct own){
        view_rows(x, from, to - from),
        view_rows(view_of(tape->normal, x.rows, l->norm.H), from, to - from),
        view_rows(view_of(tape->scale, x.rows, 1), from, to - from),
    };
}

void row_norm_forward(const struct row_norm *l, const struct row_norm_tape *tape, struct compute *c,
                      struct view x, struct view y)
{
    const struct own in = own_rows(l, tape, c, x), out = own_rows(l, tape, c, y);
    for (int i = 0; i < in.x.rows; i++)
        memcpy(out.x.at + i * out.x.row, in.x.at + i * in.x.row, (size_t)x.cols * sizeof(real));
    layer_norm_forward(&l->norm, l->bias.value, out.x, out.normal, out.scale);
}

SIMD_BODY void again_body(struct view normal, const real *gain, const real *bias, struct view y)
{
    for (int i = 0; i < y.rows; i++)
        for (int j = 0; j < y.cols; j++)
            y.at[i * y.row + j] = gain[j] * normal.at[i * normal.row + j] + bias[j];
}
SIMD_STATIC(again, (struct view normal, const real *gain, const real *bias, struct view y),
            (normal, gain, bias, y))

void row_norm_again(const struct row_norm *l, const struct row_norm_tape *tape, struct compute *c,
                    struct view y)
{
    const struct own own = own_rows(l, tape, c, y);
    again(own.normal, l->norm.gain.value, l->bias.value, own.x);
}

/* ---- Backward ---- */

void row_norm_backward(const struct row_norm *l, const struct row_norm_tape *tape,
                       struct compute *c, struct view d)
{
    const size_t H = (size_t)l->norm.H;
    const struct own own = own_rows(l, tape, c, d);
    real *share = tape->share + 2 * H * (size_t)c->worker->index;
    vec_zero(share, 2 * H);
    layer_norm_backward(&l->norm, own.normal, own.scale, own.x, share, share + H);
}

void row_norm_end(const struct row_norm *l, const struct row_norm_tape *tape, struct compute *c)
{
    const int H = l->norm.H;
    const struct view shares = view_of(tape->share, c->worker->count, 2 * H);
    linear_grad_bias(c, view_cols(shares, 0, H), l->norm.gain.grad);
    linear_grad_bias(c, view_cols(shares, H, H), l->bias.grad);
}
