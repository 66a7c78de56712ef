/* Copying (See, Liu and Manning 2017): the output's distribution mixed with the attention over the
 * source, so that a source word can be said because it stands there.
 *
 *     g = sigmoid(o . w + b)        c_k = sum of a_j over the source words j that are word k
 *     P(k) = g p_k + (1 - g) c_k
 *
 * With weights w_k on -log P(k) (1 - eps + eps / V for the target, eps / V for the others) and
 * rho_k = g p_k / P(k), the share that the output layer has in word k, the loss of a row is that of
 * p alone plus little:
 *
 *     loss = (that of p) - log g + sum over source words of w_k log rho_k
 *     d_logit_k = p_k Z - w_k rho_k     d_(o . w + b) = g - Z     d_c_k = -(1 - g) w_k / P(k)
 *     Z = sum of w_k rho_k over the vocabulary = 1 - sum over source words of w_k (1 - rho_k)
 *
 * so that nn/cross_entropy.h only has to be told of the source's words. Several heads are a mean.
 * A source word that the target's vocabulary lacks is its <unk>: P(<unk>) is then how likely such a
 * word is copied.
 *
 * Dims: M rows, R readout width, B sentences, N source words, S longest source, G heads. */
#ifndef ATTEND_NN_COPY_H
#define ATTEND_NN_COPY_H

#include "nn/linear.h"
#include "nn/logits.h"

struct copy {
    bool used;
    struct param w, b; /* (R), (1) */
    /* (source vocabulary) each source word's id among target words; NULL: the same, or <unk> */
    const int *target_of;
};

/* The sources of a batch as words that can be copied; sentence s has `length[s]` from `start[s]`
 * on. */
struct copy_source {
    const int *start, *length; /* (B) */
    int *token;                /* (N) among target words */
    int *first;                /* (N) where in its sentence the same token stands first */
};

struct copy_tape {
    struct copy_source source;
    int S, heads;
    int *sentence;              /* (M) whose row; the caller's to fill */
    real *gate, *d_gate;        /* (M) o . w + b */
    struct view mixed, d_mixed; /* (M, S) c of each token, where it stands first; 0 elsewhere */
    struct view logit;          /* (M, S) of the same tokens, as cross_entropy_run finds them */
};

void copy_declare(struct copy *, struct param_set *, const char *path, int R);
void copy_source_bind(struct copy_source *, struct arena *, const int *start, const int *length,
                      int N);
/* Find `first` of a sentence whose tokens are there. */
void copy_source_mark(const struct copy_source *, int sentence);
/* All but the source. */
void copy_tape_bind(struct copy_tape *, struct arena *, int M, int S, int heads);

/* ---- Training, by the whole team ---- */

/* Gates and mixed weights of all rows; weight (M, G S). The caller lets the team meet. */
void copy_forward(const struct copy *, struct copy_tape *, struct compute *, struct view o,
                  struct view weight);
/* d_o += what comes through the gates, and the gradients of w and b. The team has met. */
void copy_backward(const struct copy *, const struct copy_tape *, struct compute *, struct view o,
                   struct view d_o);
/* d_weight (rows, G S) of tape rows from `row` on: what comes through the mixture is added. */
void copy_weight_backward(const struct copy_tape *, int row, struct view d_weight);

/* For cross_entropy_run. Columns [from, to) of the logits of a row, the bias not yet added. */
void copy_pick(const struct copy_tape *, int row, const real *logit, const real *b, int from,
               int to);
/* What a row's loss is about. */
struct copy_target {
    int word;
    double smoothing, lse; /* eps, logarithm of the sum of the exponentials of the logits */
    double scale;          /* of gradients */
    int V;
};
struct copy_row {
    double loss;  /* to add */
    double share; /* Z */
    int best;     /* the likeliest of the source's words, and its logarithmic probability */
    double best_log_probability, log_gate;
};
/* With `gradient`, also leaves d_gate and d_mixed of the row. */
struct copy_row copy_row_loss(const struct copy_tape *, int row, const struct copy_target *,
                              bool gradient);
/* d_logit of columns [from, to), which hold (p_k Z - w_k) scale, become (p_k Z - w_k rho_k) scale.
 */
void copy_row_backward(const struct copy_tape *, int row, const struct copy_target *, real *d_logit,
                       int from, int to);

/* ---- Search ---- */

/* A step of search: its rows' logits and norms become those of P. */
struct copy_step {
    const int *sentence; /* (rows) */
    struct view weight;  /* (rows, G S) */
    int heads;
    struct view o; /* (rows, R) */
    const struct logits *logits;
    real *work; /* S numbers */
    real *gate; /* (rows) gets o . w + b, unless NULL */
};
void copy_logits(const struct copy *, const struct copy_source *, const struct copy_step *);

/* Of a word's probability, the share that copying has: (1 - g) c_k / P(k), 0 to 1. `weight` are
 * those of one row, S a head, and `gate` its o . w + b. */
struct copy_choice {
    int sentence, word;
    const real *weight;
    int heads, S;
    double gate, log_probability; /* log P(k) */
};
double copy_share(const struct copy_source *, const struct copy_choice *);

#endif
