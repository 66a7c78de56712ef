/* Beam search over a batch of source sentences, on one thread.
 *
 * Each sentence has K places. At every step the best continuations of its live hypotheses, taken
 * together, fill the places that are free; one that ends in </s> keeps its place as finished. A
 * sentence is done when all places are finished, when no live hypothesis can still beat the best
 * finished one, or at its length limit. With K = 1 this is greedy search. Done hypotheses leave the
 * batch at once.
 *
 *     score = log P / length^alpha       length counts </s>; alpha = 0 compares plain
 * log-probabilities
 *
 * <unk> and <s> are never chosen; the probabilities of the others are not raised for it. Attention
 * is kept for every word of every hypothesis, which costs a copy of the weights. */
#ifndef ATTEND_DECODE_SEARCH_H
#define ATTEND_DECODE_SEARCH_H

#include "base/option.h"
#include "model/seq2seq.h"

struct search_options {
    int beam;              /* K */
    double length_penalty; /* alpha */
    double max_length;     /* at most max_length * source words + SEARCH_EXTRA words */
};
extern const struct option_row search_rows[];
enum { SEARCH_EXTRA = 10 };

struct hypothesis {
    double score, log_probability;
    int length;    /* words, without </s> */
    bool complete; /* it ended in </s>; otherwise the limit cut it off */
    int node;      /* its last word, inside the search */
};

struct search {
    const struct seq2seq *net;
    struct search_options options;
    struct batch batch;
    struct encoder_tape encoder;
    struct decoder_memory memory;
    real *fixed, *first, *projected; /* (B, C), (B, C), (N, projected) */
    int *span_start, *span_length;   /* (B) */
    real *record, *next_record;      /* (B K, record) what hypotheses take along */
    real *weight, *logits, *work;    /* (B K, .) of one step */
    int record_width, weight_width;
    struct search_row *row, *next_row;  /* (B K) live hypotheses */
    int *row_sentence, *row_token;      /* (B K) */
    struct search_candidate *candidate; /* (K) */
    struct search_node *node;           /* every word of every hypothesis */
    real *node_weight;                  /* (nodes, G S) */
    int nodes, node_limit;
    struct hypothesis *finished; /* (B, K) best first once the search is done */
    int *finished_count;         /* (B) */
};

/* Memory for these sentences (text->target is not looked at). */
void search_bind(struct search *, struct arena *, const struct seq2seq *,
                 const struct search_options *, const struct batch_text *text);
/* Search; sentence b of the batch is item batch.item[b] of the text. */
void search_run(struct search *, struct compute *, const struct batch_text *text);

/* The words of a hypothesis: hypothesis->length of them. */
void search_tokens(const struct search *, const struct hypothesis *, int *out);
/* Whether the hypothesis is complete and says exactly these words. */
bool search_says(const struct search *, const struct hypothesis *, const int *words, int count);
/* The weights, heads averaged: a row for each word and one for </s> if it is complete, each as long
 * as the source with its </s>. Not for models without attention. */
void search_weights(const struct search *, const struct hypothesis *, int sentence, float *out);

#endif
