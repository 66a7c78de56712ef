/* The output layer of a pen and its loss (Graves 2013, sections 4 and 5): y = o W + b, and a row of
 * y is a distribution over the next stroke (dx, dy, pen), pen = 1 if the pen is lifted after it, or
 * over the end of the trace. K Gaussians with correlation are mixed:
 *
 *     y      = log w~ (K) | mean x (K) | mean y (K) | log s~x (K) | log s~y (K) | r~ (K) | pen | end
 *     w_k    = softmax_k(log w~)
 *     s_k    = floor + exp(log s~_k)                           for each of the two axes
 *     rho_k  = 0.99 tanh(r~_k)
 *     zx, zy = (dx - mean x_k) / sx_k, (dy - mean y_k) / sy_k
 *     N_k    = exp(-(zx^2 + zy^2 - 2 rho_k zx zy) / (2 (1 - rho_k^2)))
 *              / (2 pi sx_k sy_k sqrt(1 - rho_k^2))
 *     loss   = -log sum_k w_k N_k - log Bernoulli(pen; sigmoid(y_pen)) - log(1 - sigmoid(y_end))
 *
 * and where the trace is over, loss = -log sigmoid(y_end). The loss is that of a density, so it can
 * be negative. The floor of s keeps it from growing without bound where all strokes are equal; the
 * bound of rho keeps 1 - rho^2 away from 0. z beyond 1e6 and log s~ beyond 20 are cut off; their
 * gradients still point back.
 *
 * Ink is resampled evenly, so nearly all strokes are equally long: (dx, dy) lies on a ring. With a
 * floor below the thickness of the ring, most of the loss is about that thickness, which nobody can
 * see, and training neglects shapes and the pen. The floor is to be about as large as a difference
 * that does not matter to a reader: 0.1 for strokes of unit variance.
 *
 * The paper has no end: it stops when the window has passed the text. A learned end needs no such
 * rule, works with every attention, and the loss says how good it is.
 *
 * The team divides the rows. Dims: N rows, R readout width, K components, Y = 6 K + 2. */
#ifndef ATTEND_NN_MIXTURE_H
#define ATTEND_NN_MIXTURE_H

#include "nn/linear.h"

#include <stdint.h>

enum { MIXTURE_STROKE = 3 }; /* dx, dy, pen */
enum { MIXTURE_MOST = 64 };  /* components */

static inline int mixture_width(int K) { return 6 * K + 2; }

struct mixture {
    int R, K, Y;
    real floor;            /* of s */
    struct param W;        /* (R, Y) */
    struct param b;        /* (Y) */
    struct packed forward; /* W, packed */
};

struct mixture_tape {
    real *y;      /* (N, Y); after a run with gradient, the gradient of y */
    double *loss; /* (N) */
};

struct mixture_job {
    struct view o;      /* (N, R) */
    struct view stroke; /* (N, 3) the strokes to predict */
    const int *end;     /* (N) 1: the trace is over, and the row of `stroke` is not read */
    double scale;       /* factor of the gradient: 1 / number of rows */
    struct view d_o;    /* (N, R), overwritten; at = NULL: only the loss is computed */
    double *row_loss;   /* (N) receives the loss of each row, unless NULL */
};

void mixture_declare(struct mixture *, struct param_set *, const char *path, int R, int K,
                     double floor);
void mixture_bind(struct mixture *, struct arena *, enum packing packing);
void mixture_pack(struct mixture *, struct compute *);
void mixture_tape_bind(struct mixture_tape *, struct arena *, const struct mixture *, int N);
/* y = o W + b. Called by the whole team; ends with a barrier. */
void mixture_forward(const struct mixture *, struct compute *, struct view o, struct view y);
/* Called by the whole team; every member gets the same sum of losses (not scaled). */
double mixture_run(const struct mixture *, struct mixture_tape *, struct compute *,
                   const struct mixture_job *);

/* Sample step t of a trace from a row of y into stroke (3); returns false if the trace is over. With
 * bias b >= 0, s is multiplied by exp(-b), and log w~ and the logits of pen and end by 1 + b: larger
 * is neater. The same key and step give the same stroke. */
bool mixture_sample(const struct mixture *, const real *y, double bias, uint64_t key, int t,
                    real *stroke);

#endif
