/* The forms of a product with int8 weights: how far inputs are rounded and how panels of weights lie
 * in memory, so that one instruction multiplies neighbors and adds them up.
 *
 *     pairs   p in [-1023, 1023], 16 bits; two neighbors of a column (vpmaddwd, or plain loops).
 *             AVX2 would have to keep 8-bit products from saturating in 16 bits, with extra work on
 *             signs, so 11 bits cost no more than 8.
 *     quads   p in [-127, 127], 8 bits; four neighbors of a column (vpdpbusd of AVX-512 VNNI, or of
 *             AVX-VNNI in half as wide registers). The instruction multiplies unsigned by signed
 *             bytes, so it gets p + 128, and sums start at -128 sum_k q_kj.
 *
 * A panel is PANEL columns wide. Its depth is K rounded up to a group of neighbors; element (k, j)
 * is at k / group * group * PANEL + j * group + k % group. */
#ifndef ATTEND_TENSOR_QUANT_FORM_H
#define ATTEND_TENSOR_QUANT_FORM_H

#include "tensor/quant.h"
#include "tensor/simd.h"

enum { QUANT_PANEL = 64 / sizeof(real) };

/* Quantized rows times columns [from, to) of the panels, into C or added to it. */
struct quant_block {
    const struct quant_panels *B;
    const void *x;     /* (rows of C, depth) */
    const real *scale; /* (rows of C) */
    struct view C;
    bool add;
    int from, to; /* from is the first column of a panel */
};

struct quant_form {
    int group; /* neighbors of a column that lie together */
    int input; /* p is at most this */
    int bytes; /* of a p */
    int shift; /* what is added to p */
    /* Quantize the rows of A; zeros fill them up to `depth`. */
    void (*round)(struct view A, int depth, void *x, real *scale);
    void (*multiply)(const struct quant_block *);
};
extern const struct quant_form quant_pairs;
/* NULL if the SIMD level in use has no instruction for it. A processor that is limited to AVX2 rounds
 * like one without AVX-VNNI. */
const struct quant_form *quant_quads(void);
/* With AVX-VNNI, whatever the level: the same product to the bit. NULL without it. */
const struct quant_form *quant_quads_narrow(void);

static inline int quant_depth(const struct quant_panels *p)
{
    return (p->K + p->form->group - 1) / p->form->group * p->form->group;
}

/* Where the panel of column n begins. */
static inline ptrdiff_t quant_panel(const struct quant_panels *p, int n)
{
    return (ptrdiff_t)(n / QUANT_PANEL) * QUANT_PANEL * quant_depth(p);
}

/* ---- Rounding ---- */

/* Round to the nearest integer, halves away from 0; NaN becomes -limit. The limits come between the
 * product and the sum so that no level fuses them and all levels round alike. */
SIMD_BODY int quant_round(real x, real limit)
{
    x = x < limit ? x : limit;
    x = x > -limit ? x : -limit;
    return (int)(x + (x < 0 ? (real)-0.5 : (real)0.5));
}

/* The factor that brings n inputs into [-input, input]; *scale undoes it. Both are 0 for a row with a
 * maximum below 1e-30, because dividing by it could overflow. */
SIMD_BODY real quant_factor(const real *x, int n, int input, real *scale)
{
    const real least = (real)1e-30;
    real max = 0;
#pragma omp simd reduction(max : max)
    for (int k = 0; k < n; k++) {
        const real size = x[k] < 0 ? -x[k] : x[k];
        max = size > max ? size : max;
    }
    *scale = max > least ? max / (real)input : 0;
    return max > least ? (real)input / max : 0;
}

/* ---- Tiles ---- */

enum { QUANT_SUMS = 16 }; /* panels' widths of sums that a tile has at most */

/* Some rows times some panels. */
struct quant_tile {
    int rows, panels, depth;
    const void *x;        /* (rows, depth) */
    const int8_t *panel;  /* (panels, depth, PANEL) */
    const int32_t *start; /* (panels, PANEL), or NULL */
    int32_t *sum;         /* (rows, panels, PANEL) result */
};

/* c (+)= sum * by * scale. */
SIMD_BODY void quant_put(real *c, const int32_t *sum, real by, const real *scale, bool add,
                         int cols)
{
    for (int j = 0; j < cols; j++)
        c[j] = (add ? c[j] : 0) + (real)sum[j] * by * scale[j];
}

/* Write a tile's rows [first, first + rows), from column n on, up to column b->to. */
SIMD_BODY void quant_put_tile(const struct quant_block *b, const struct quant_tile *t, int first,
                              int n)
{
    for (int i = 0; i < t->rows; i++)
        for (int p = 0; p < t->panels; p++) {
            const int from = n + p * QUANT_PANEL, cols = b->to - from;
            real *c = b->C.at + (first + i) * b->C.row + from;
            const int32_t *sum = t->sum + (i * t->panels + p) * QUANT_PANEL;
            const real by = b->scale[first + i], *scale = b->B->scale + from;
            if (cols >= QUANT_PANEL)
                quant_put(c, sum, by, scale, b->add, QUANT_PANEL);
            else
                quant_put(c, sum, by, scale, b->add, cols);
        }
}

SIMD_BODY void quant_prefetch(const struct quant_block *b, const struct quant_tile *t, int first,
                              int n)
{
    for (int i = first; i < first + t->rows; i++) /* rows of C lie far apart */
        for (int p = 0; p < t->panels; p++)
            __builtin_prefetch(b->C.at + i * b->C.row + n + p * QUANT_PANEL, 1);
}

/* All tiles of a block: at most `most` rows and `sums` sums in panels' widths, and the fewer rows, the
 * more panels (1, 2, 4, 8 up to `panels`), because a processor adds to several sums while it waits
 * for one. */
SIMD_BODY void quant_walk(const struct quant_block *b, void (*tile)(const struct quant_tile *),
                          int most, int panels, int sums)
{
    const int M = b->C.rows, depth = quant_depth(b->B), tiles = (M + most - 1) / most;
    const int tallest = tiles ? (M + tiles - 1) / tiles : 0;
    int32_t sum[QUANT_SUMS * QUANT_PANEL];
    for (int n = b->from; n < b->to; n += panels * QUANT_PANEL) {
        while (panels > 1 && (panels * tallest > sums || (panels - 1) * QUANT_PANEL >= b->to - n))
            panels /= 2;
        for (int i = 0; i < tiles; i++) {
            const int first = (int)((long)M * i / tiles);
            const struct quant_tile t = {.rows = (int)((long)M * (i + 1) / tiles) - first,
                                         .panels = panels,
                                         .depth = depth,
                                         .x = (const char *)b->x +
                                              (ptrdiff_t)first * depth * b->B->form->bytes,
                                         .panel = b->B->at + quant_panel(b->B, n),
                                         .start = b->B->start ? b->B->start + n : NULL,
                                         .sum = sum};
            quant_prefetch(b, &t, first, n);
            tile(&t);
            quant_put_tile(b, &t, first, n);
        }
    }
}

#endif
