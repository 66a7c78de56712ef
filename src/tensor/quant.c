#include "tensor/quant.h"

#include "base/arena.h"
#include "base/bug.h"
#include "tensor/quant_form.h"
#include "tensor/simd.h"

#include <math.h>
#include <string.h>

enum { PANEL = QUANT_PANEL };

static int min(int a, int b) { return a < b ? a : b; }

static int round_up(int n, int to) { return (n + to - 1) / to * to; }

/* ---- Weights ---- */

void quant_weights(const real *w, ptrdiff_t stride, int n, int8_t *q, ptrdiff_t q_stride,
                   float *scale)
{
    double max = 0;
    for (int i = 0; i < n; i++) { /* not fmax: gcc 12 crashes on it here, for ARM */
        const double size = fabs((double)w[i * stride]);
        max = size > max ? size : max;
    }
    const bool usable = max > 1e-30; /* otherwise the scale might be denormal */
    *scale = usable ? (float)(max / QUANT_WEIGHT) : 0;
    for (int i = 0; i < n; i++)
        q[i * q_stride] = (int8_t)(usable ? lrint((double)w[i * stride] / max * QUANT_WEIGHT) : 0);
}

SIMD_BODY void least_body(const int8_t *q, size_t n, int8_t *out)
{
    int8_t least = 0;
    for (size_t i = 0; i < n; i++)
        least = q[i] < least ? q[i] : least;
    *out = least;
}
SIMD_STATIC(least, (const int8_t *q, size_t n, int8_t *out), (q, n, out))

int quant_least(const int8_t *q, size_t n)
{
    int8_t found;
    least(q, n, &found);
    return found;
}

SIMD_BODY void quant_expand_body(const int8_t *q, float scale, int n, real *out)
{
    for (int i = 0; i < n; i++)
        out[i] = (real)q[i] * (real)scale;
}
SIMD_FUNCTION(quant_expand, (const int8_t *q, float scale, int n, real *out), (q, scale, n, out))

/* ---- Panels ---- */

static const struct quant_form *best_form(void)
{
    const struct quant_form *quads = quant_quads();
    return quads ? quads : &quant_pairs;
}

void quant_bind(struct quant_panels *p, struct arena *arena, int K, int N)
{
    quant_bind_as(p, arena, K, N, best_form());
}

void quant_bind_as(struct quant_panels *p, struct arena *arena, int K, int N,
                   const struct quant_form *form)
{
    BUG_ON(K < 1 || K > QUANT_DEPTH);
    const size_t columns = (size_t)round_up(N, PANEL);
    *p = (struct quant_panels){.form = form, .K = K, .N = N};
    p->at = arena_take(arena, 1, (size_t)quant_depth(p) * columns);
    p->start = p->form->shift ? arena_take(arena, sizeof *p->start, columns) : NULL;
    p->scale = arena_take(arena, sizeof *p->scale, (size_t)N);
}

static const int8_t zeros[PANEL];

/* The columns of a panel. Numbers are widened in two steps, because gcc 12 compiles one step from 8
 * to 32 bits into code for single bytes. */
#define COLUMNS(bytes) vector_size((bytes)*PANEL), aligned(bytes), may_alias
typedef int8_t panel_8 __attribute__((COLUMNS(1)));
typedef uint8_t panel_u8 __attribute__((COLUMNS(1)));
typedef int16_t panel_16 __attribute__((COLUMNS(2)));
typedef uint16_t panel_u16 __attribute__((COLUMNS(2)));
typedef int32_t panel_32 __attribute__((COLUMNS(4)));
typedef uint32_t panel_u32 __attribute__((COLUMNS(4)));
#undef COLUMNS
#define WIDEN(x, type) __builtin_convertvector(x, type)
#define PAIRS(a, b)                                                                                \
    (WIDEN(*(const panel_u8 *)(a), panel_u16) | WIDEN(*(const panel_u8 *)(b), panel_u16) << 8)

/* Both write what some rows have in the columns of a panel, each column as a little-endian number. */
SIMD_BODY void fill_pairs(int8_t *to, const int8_t *const *q)
{
    *(panel_u16 *)to = PAIRS(q[0], q[1]);
}

SIMD_BODY void fill_quads(int8_t *to, const int8_t *const *q)
{
    *(panel_u32 *)to = WIDEN(PAIRS(q[0], q[1]), panel_u32) | WIDEN(PAIRS(q[2], q[3]), panel_u32)
                                                                 << 16;
}

SIMD_BODY void add_weights(int32_t *sum, const int8_t *const *q, int group)
{
    panel_16 all = {0};
    for (int g = 0; g < group; g++)
        all += WIDEN(*(const panel_8 *)q[g], panel_16);
    *(panel_32 *)sum += WIDEN(all, panel_32);
}

/* A row of weights has few bytes for a panel, so some panels are filled at once, while its cache
 * line is there. */
enum { AT_ONCE = 16, AHEAD = 16 };

/* The rows of weights lie too far apart for the processor to read ahead by itself. */
SIMD_BODY void read_ahead(const int8_t *row, int bytes)
{
    for (int i = 0; i < bytes; i += 64)
        __builtin_prefetch(row + i);
}

/* Fill the panels of `count` columns from column n on from K rows of weights, `row` apart: the
 * neighbors in a group are as many rows. */
SIMD_BODY void fill_panels_of(const int group, const struct quant_panels *p, int n, int count,
                              const int8_t *from, ptrdiff_t row)
{
    int32_t sum[AT_ONCE * PANEL] = {0};
    for (int k = 0; k < p->K; k += group) {
        int8_t *to = p->at + quant_panel(p, n) + k * PANEL;
        for (int g = 0; g < group && k + AHEAD + g < p->K; g++)
            read_ahead(from + (k + AHEAD + g) * row, count);
        for (int i = 0; i < count; i += PANEL, to += quant_depth(p) * PANEL) {
            const int8_t *q[4] = {zeros, zeros, zeros, zeros};
            for (int g = 0; g < group && k + g < p->K; g++)
                q[g] = from + (k + g) * row + i;
            if (group == 4)
                fill_quads(to, q);
            else
                fill_pairs(to, q);
            if (p->start)
                add_weights(sum + i, q, group);
        }
    }
    for (int i = 0; p->start && i < count; i++)
        p->start[n + i] = -p->form->shift * sum[i];
}

SIMD_BODY void fill_panels_body(const struct quant_panels *p, int n, int count, const int8_t *from,
                                ptrdiff_t row)
{
    if (p->form->group == 4)
        fill_panels_of(4, p, n, count, from, row);
    else
        fill_panels_of(2, p, n, count, from, row);
}
SIMD_STATIC(fill_panels,
            (const struct quant_panels *p, int n, int count, const int8_t *from, ptrdiff_t row),
            (p, n, count, from, row))

/* Fill column n from K weights. */
static void fill_column(const struct quant_panels *p, int n, const int8_t *from, ptrdiff_t stride)
{
    const int group = p->form->group;
    int8_t *to = p->at + quant_panel(p, n) + group * (n % PANEL);
    int32_t sum = 0;
    for (int k = 0; k < quant_depth(p); k += group, to += group * PANEL)
        for (int g = 0; g < group; g++) {
            to[g] = k + g < p->K ? from[(k + g) * stride] : 0;
            sum += to[g];
        }
    if (p->start)
        p->start[n] = -p->form->shift * sum;
}

void quant_fill(struct quant_panels *p, struct quant_view B, int n0, int from, int to)
{
    BUG_ON(B.rows != p->K || n0 < 0 || B.cols > p->N - n0);
    const int first = from > n0 ? from : n0, last = min(to, n0 + B.cols);
    for (int n = first, count; n < last; n += count) {
        const int8_t *column = B.at + (n - n0) * B.col;
        count = B.col == 1 && n % PANEL == 0 ? min(last - n, AT_ONCE * PANEL) / PANEL * PANEL : 0;
        if (count)
            fill_panels(p, n, count, column, B.row);
        else
            fill_column(p, n, column, B.row), count = 1;
    }
    for (int n = first; n < last; n++)
        p->scale[n] = (real)B.scale[n - n0];
    for (int n = p->N; last == p->N && n < round_up(p->N, PANEL); n++)
        fill_column(p, n, zeros, 0);
}

static void gather_column(const struct quant_panels *to, int n, const struct quant_panels *from,
                          int column)
{
    const int group = to->form->group;
    int8_t *out = to->at + quant_panel(to, n) + group * (n % PANEL);
    const int8_t *in = from->at + quant_panel(from, column) + group * (column % PANEL);
    for (int k = 0; k < quant_depth(to); k += group, out += group * PANEL, in += group * PANEL)
        for (int g = 0; g < group; g++)
            out[g] = in[g];
    if (to->start)
        to->start[n] = from->start[column];
    to->scale[n] = from->scale[column];
}

void quant_gather(struct quant_panels *to, const struct quant_panels *from, const int *column,
                  int count)
{
    BUG_ON(to->form != from->form || to->K != from->K || count > to->N);
    to->N = count;
    for (int n = 0; n < count; n++)
        gather_column(to, n, from, column[n]);
    for (int n = count; n < round_up(count, PANEL); n++)
        fill_column(to, n, zeros, 0);
}

/* ---- Products ---- */

int quant_left_rows(const struct quant_work *work, const struct quant_panels *B)
{
    return min(work->size / (quant_depth(B) * B->form->bytes), work->rows);
}

void quant_left_round(const struct quant_work *work, struct view A, const struct quant_panels *B)
{
    BUG_ON(A.cols != B->K || A.col != 1 || A.rows > quant_left_rows(work, B));
    B->form->round(A, quant_depth(B), work->x, work->scale);
}

void quant_left_product(const struct quant_work *work, const struct quant_panels *B, struct view C,
                        bool add, int from, int to)
{
    BUG_ON(C.cols != B->N || C.col != 1);
    B->form->multiply(&(struct quant_block){B, work->x, work->scale, C, add, from, to});
}

void quant_product(const struct quant_work *work, struct view A, const struct quant_panels *B,
                   struct view C, bool add, int from, int to)
{
    const int at_once = quant_left_rows(work, B);
    BUG_ON(C.rows != A.rows || at_once < 1);
    if (from >= to)
        return;
    for (int m = 0; m < A.rows; m += at_once) {
        const int rows = min(at_once, A.rows - m);
        quant_left_round(work, view_rows(A, m, rows), B);
        quant_left_product(work, B, view_rows(C, m, rows), add, from, to);
    }
}

/* A row's integers as the rounding of tensor/quant_form.h gives them. */
static real plain_round(const real *x, int n, int input, int *p)
{
    real scale;
    const real by = quant_factor(x, n, input, &scale);
    for (int k = 0; k < n; k++)
        p[k] = quant_round(x[k] * by, (real)input);
    return scale;
}

void quant_plain(struct view A, struct quant_view B, struct view C, bool add, int input)
{
    BUG_ON(A.cols != B.rows || A.cols > QUANT_DEPTH || C.rows != A.rows || C.cols != B.cols);
    for (int i = 0; i < C.rows; i++) {
        int p[QUANT_DEPTH];
        const real by = plain_round(A.at + i * A.row, A.cols, input, p);
        for (int j = 0; j < C.cols; j++) {
            int32_t sum = 0;
            for (int k = 0; k < A.cols; k++)
                sum += p[k] * B.at[k * B.row + j * B.col];
            real *c = C.at + i * C.row + j;
            *c = (add ? *c : 0) + (real)sum * by * (real)B.scale[j];
        }
    }
}
