/* A given pair, step by step: everything a decoder step computes for its word.
 *
 *     query_t, e_t = score(query_t, keys), a_t = softmax(e_t), c_t = sum_j a_tj h_j, P(y_t)
 *
 * Dims as in model/decoder.h: S and T words on both sides, including </s>. `none` has S = 1, since
 * its only annotation is the fixed context, and no scores. */
#ifndef ATTEND_EXPLAIN_TRACE_H
#define ATTEND_EXPLAIN_TRACE_H

#include "model/seq2seq.h"

struct trace_job {
    const struct seq2seq *net;
    const int *source, *target; /* ids, without </s> */
    int source_length, target_length;
    int top;                             /* number of likeliest words per step */
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
    real *score;             /* (T, heads S) -infinity outside the mechanism's reach */
    real *weight;            /* (T, heads S) */
    real *state;             /* (T, H) the state that is the query */
    real *query;             /* (T, Q) */
    real *context;           /* (T, C) */
    real *gates;             /* (T, slots H) the slots of the top cell, nn/cell.h */
    struct trace_word *word; /* (T) the given words */
    struct trace_word *best; /* (T, top) likeliest first */
    double log_probability;  /* of all given words */
    struct arena arena;      /* the memory of all arrays */
};

/* result->top is at most the size of the vocabulary. Release the result even on failure. */
enum attend_status trace_run(struct trace *, const struct trace_job *, struct attend_error *err);
void trace_release(struct trace *);

#endif
