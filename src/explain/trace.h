/* A given pair, step by step: all that a decoder step computes on the way to its word.
 *
 *     query_t, e_t = score(query_t, keys), a_t = softmax(e_t), c_t = sum_j a_tj h_j, P(y_t)
 *
 * Dims as in model/decoder.h: S and T words of both sides, </s> counted; S = 1 for `none`, whose
 * one annotation is the fixed context and which has no scores. */
#ifndef ATTEND_EXPLAIN_TRACE_H
#define ATTEND_EXPLAIN_TRACE_H

#include "model/seq2seq.h"

struct trace_job {
    const struct seq2seq *net;
    const int *source, *target; /* ids, without </s> */
    int source_length, target_length;
    int top;                             /* most likely words wanted of each step */
    const struct attention_focus *focus; /* (focus_steps) weights of the first steps; or NULL */
    int focus_steps;
    const struct attend_stop *stop; /* asked before each step; or NULL */
};

struct trace_word {
    int id;
    double log_probability;
};

struct trace {
    int S, T, heads, top;
    real *score;             /* (T, heads S) -infinity where the mechanism may not look */
    real *weight;            /* (T, heads S) */
    real *state;             /* (T, H) that asks */
    real *query;             /* (T, Q) */
    real *context;           /* (T, C) */
    struct trace_word *word; /* (T) the given one */
    struct trace_word *best; /* (T, top) likeliest first */
    double log_probability;  /* of all given words */
    struct arena arena;      /* where all of it is */
};

/* `top` of the result is no more than the vocabulary has. Release it in any case. */
enum attend_status trace_run(struct trace *, const struct trace_job *, struct attend_error *err);
void trace_release(struct trace *);

#endif
