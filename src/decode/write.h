/* Writing: traces of strokes for a batch of source sentences, on one thread, with one model.
 *
 * A trace is sampled stroke by stroke from the mixture of each step (nn/mixture.h) until it ends or
 * reaches its limit. There is no beam: the likeliest strokes are not the most natural ones, because
 * the mode of a density is a trace without variation.
 *
 * Priming: the network first reads the strokes of a given hand, while it attends to the text that
 * they spell. The caller puts that text before the new one in every source. The strokes that follow
 * are the result. */
#ifndef ATTEND_DECODE_WRITE_H
#define ATTEND_DECODE_WRITE_H

#include "base/arena.h"
#include "base/stop.h"
#include "model/seq2seq.h"

/* All pointers are borrowed. */
struct write_setup {
    const struct seq2seq *net;
    const struct seq2seq_tables *tables; /* or NULL */
    double bias;                         /* see mixture_sample */
    uint64_t seed;
    double each;        /* at most this times WRITE_EACH strokes for each source token; 0: 3 */
    int limit;          /* or at most this many strokes, unless it is 0 */
    long first_line;    /* line of item 0, for the seed */
    const float *prime; /* (primes, 3) strokes of the given hand */
    int primes;         /* 0: no hand is given */
    const struct attend_stop *stop; /* asked before each step; or NULL */
};

enum { WRITE_EACH = 100 };

/* The trace of one sentence. */
struct write_trace {
    int length;    /* strokes */
    bool complete; /* it ended; otherwise it reached the limit */
    float *stroke; /* (length, 3) */
    float *weight; /* (length, S) attention at each stroke, the mean over heads */
};

struct write {
    const struct write_setup *setup;
    struct batch batch;
    struct encoder_tape encoder;
    struct decoder_memory memory;
    struct decoder_begin begin;
    int record_width, weight_width, limit;
    real *record, *next_record; /* (B, record) of the live traces */
    real *stroke, *pen;         /* (B, 3), (B, Y) of one step */
    real *weight, *work;        /* (B, G S) and workspace of one step */
    int *own, *sentence;        /* (B) 0 .. B-1, and the sentence of each live trace */
    struct write_trace *trace;  /* (B) */
};

/* The longest trace for a source of S tokens, </s> included. */
int write_limit(const struct write_setup *, int S);
/* Bind memory for these sentences (text->target is ignored). */
void write_bind(struct write *, struct arena *, const struct write_setup *,
                const struct batch_text *text);
/* Sentence b of the batch is item batch.item[b] of the text. Returns false if it was stopped. */
bool write_run(struct write *, struct compute *, const struct batch_text *text);

#endif
