/* Copying (See, Liu and Manning 2017): mixes the attention over the source into the output
 * distribution, so that the model can copy a source word.
 *
 *     g = sigmoid(o . w + b)        c_k = sum of a_j over the source words j that are word k
 *     P(k) = g p_k + (1 - g) c_k
 *
 * With weights w_k on -log P(k) (1 - eps + eps / V for the target, eps / V for the others) and
 * rho_k = g p_k / P(k), the share of the output layer in word k, the loss of a row is the loss of p
 * alone plus a correction over the source words:
 *
 *     loss = (that of p) - log g + sum over source words of w_k log rho_k
 *     d_logit_k = p_k Z - w_k rho_k     d_(o . w + b) = g - Z     d_c_k = -(1 - g) w_k / P(k)
 *     Z = sum of w_k rho_k over the vocabulary = 1 - sum over source words of w_k (1 - rho_k)
 *
 * So nn/cross_entropy.h needs to know only the source words. Several heads are averaged. A source
 * word outside the target vocabulary counts as <unk>: P(<unk>) then includes the probability of
 * copying such a word.
 *
 * Dims: M rows, R readout width, B sentences, N source words, S longest source, G heads. */
#ifndef ATTEND_NN_COPY_H
#define ATTEND_NN_COPY_H

#include "nn/linear.h"
#include "nn/logits.h"

struct copy {
    bool used;
    struct param w, b; /* (R), (1) */
    /* (source vocabulary) the target id of each source word; NULL: the same id, or <unk> */
    const int *target_of;
};

/* The sources of a batch as target tokens that can be copied; sentence s has `length[s]` of them
 * from `start[s]`. */
struct copy_source {
    const int *start, *length; /* (B) */
    int *token;                /* (N) target ids */
    int *first;                /* (N) the first position of the same token in its sentence */
};

struct copy_tape {
    struct copy_source source;
    int S, heads;
    int *sentence;              /* (M) the sentence of each row; filled by the caller */
    real *gate, *d_gate;        /* (M) o . w + b */
    struct view mixed, d_mixed; /* (M, S) c of each token at its first position; 0 elsewhere */
    struct view logit;          /* (M, S) logits of the same tokens, set by copy_pick */
};

void copy_declare(struct copy *, struct param_set *, const char *path, int R);
void copy_source_bind(struct copy_source *, struct arena *, const int *start, const int *length,
                      int N);
/* Compute `first` for a sentence whose tokens are set. */
void copy_source_mark(const struct copy_source *, int sentence);
/* Binds everything except the source. */
void copy_tape_bind(struct copy_tape *, struct arena *, int M, int S, int heads);

/* ---- Training, by the whole team ---- */

/* Compute gates and mixed weights of all rows; weight (M, G S). Ends without a barrier: the caller
 * must let the team meet. */
void copy_forward(const struct copy *, struct copy_tape *, struct compute *, struct view o,
                  struct view weight);
/* Adds the gradient through the gates to d_o, w and b. The team must have met before. */
void copy_backward(const struct copy *, const struct copy_tape *, struct compute *, struct view o,
                   struct view d_o);
/* Adds the gradient through the mixture to d_weight (rows, G S), whose first row is tape row
 * `row`. */
void copy_weight_backward(const struct copy_tape *, int row, struct view d_weight);

/* For cross_entropy_run: stores the logits, with bias, of the source words in columns [from, to) of
 * a row, to which the bias has not been added. */
void copy_pick(const struct copy_tape *, int row, const real *logit, const real *b, int from,
               int to);
/* The target of a row's loss. */
struct copy_target {
    int word;
    double smoothing, lse; /* eps; log sum exp of the logits */
    double scale;          /* factor of the gradients */
    int V;
};
struct copy_row {
    double loss;  /* to be added */
    double share; /* Z */
    int best;     /* the likeliest source word, and its log-probability */
    double best_log_probability, log_gate;
};
/* With `gradient`, also sets d_gate and d_mixed of the row. */
struct copy_row copy_row_loss(const struct copy_tape *, int row, const struct copy_target *,
                              bool gradient);
/* Turns columns [from, to) of d_logit from (p_k Z - w_k) scale into (p_k Z - w_k rho_k) scale. */
void copy_row_backward(const struct copy_tape *, int row, const struct copy_target *, real *d_logit,
                       int from, int to);

/* ---- Search ---- */

/* One step of search: turns logits and norms of its rows into those of P. */
struct copy_step {
    const int *sentence; /* (rows) */
    struct view weight;  /* (rows, G S) */
    int heads;
    struct view o; /* (rows, R) */
    const struct logits *logits;
    real *work; /* scratch, S numbers */
    real *gate; /* (rows) receives o . w + b, unless NULL */
};
void copy_logits(const struct copy *, const struct copy_source *, const struct copy_step *);

/* The share of copying in the probability of a word: (1 - g) c_k / P(k), from 0 to 1. `weight` is
 * one row, S numbers per head, and `gate` its o . w + b. */
struct copy_choice {
    int sentence, word;
    const real *weight;
    int heads, S;
    double gate, log_probability; /* log P(k) */
};
double copy_share(const struct copy_source *, const struct copy_choice *);

#endif
