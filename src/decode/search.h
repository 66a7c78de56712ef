/* Search over a batch of source sentences, on one thread, with one model or several together.
 *
 * Beam: each sentence has K places. At every step the best continuations of its live hypotheses,
 * taken together, fill the places that are free; one that ends in </s> keeps its place as finished.
 * A sentence is done when all places are finished, when no live hypothesis can still enter the best
 * N finished ones, or at its length limit. With K = 1 this is greedy search.
 *
 * Sampling: N hypotheses that do not know of each other, each drawing its words.
 *
 *     score = log P / length^alpha + beta sum_j log min(1, sum_t a_tj)
 *
 * length counts </s>; alpha = 0 compares plain log-probabilities; the second term (Wu et al. 2016)
 * punishes source words that nobody looked at. P is the mean of the models' probabilities.
 *
 * <s> is never chosen, and <unk> only on request; the probabilities of the others are not raised
 * for it. Done hypotheses leave the batch at once. Attention is kept for every word of every
 * hypothesis, heads and models averaged, which costs a copy of the weights; each head's on request.
 */
#ifndef ATTEND_DECODE_SEARCH_H
#define ATTEND_DECODE_SEARCH_H

#include "base/option.h"
#include "decode/wishes.h"
#include "model/seq2seq.h"

struct search_options {
    int beam;                /* K */
    int nbest;               /* N; 0 and 1: one */
    double length_penalty;   /* alpha */
    double coverage_penalty; /* beta */
    double max_length;       /* at most max_length * source words + SEARCH_EXTRA words */
    int no_repeat;           /* n-grams of this many words come once at most; 0: any */
    bool finish_all;         /* until all places are finished, whatever their scores */
    bool allow_unk;
    bool each_head; /* keep the weights of each head, too, of one model that has several */
    bool sample;
    double temperature;
    int top_k;    /* draw from this many words; 0: all */
    double top_p; /* draw from the fewest words that have this probability together; 1: all */
    int seed;
};
extern const struct option_row search_rows[];
enum { SEARCH_EXTRA = 10, SEARCH_NETS = 16 };

/* What is searched with; all borrowed. */
struct search_setup {
    const struct seq2seq *net[SEARCH_NETS]; /* of one target vocabulary */
    int nets;
    const struct seq2seq_tables *tables; /* (nets), or NULL */
    struct search_options options;
    const struct sequences *banned;   /* phrases that must not come; or NULL */
    const struct search_wish *wishes; /* of each item of the text; or NULL */
    long first_line;                  /* of item 0, for the seed of its draws */
    const struct attend_stop *stop;   /* asked before each step; or NULL */
};

struct hypothesis {
    double score, log_probability;
    int length;    /* words, without </s> */
    bool complete; /* it ended in </s>; otherwise the limit cut it off */
    int node;      /* its last word, inside the search */
};

/* What one model works with. */
struct search_net {
    const struct seq2seq *net;
    struct encoder_tape encoder;
    struct decoder_memory memory;
    struct decoder_begin begin; /* what the memory is made in */
    real *record, *next_record; /* (B K, record) what hypotheses take along */
    real *weight, *work;        /* (B K, .) of one step */
    struct logits logits;       /* (B K) */
    real *gate;                 /* (B K) of copying */
    int record_width, weight_width;
};

struct search {
    const struct search_setup *setup;
    int K; /* places of a sentence */
    struct batch batch;
    struct search_net *net;            /* (nets) */
    real *weight;                      /* (B K, S) */
    struct search_row *row, *next_row; /* (B K) live hypotheses */
    int states;                        /* that live hypotheses continue */
    int *state_sentence;               /* (states) */
    int *state_of;                     /* (B K) the state that a row of the last step became */
    int *row_sentence, *row_token, *row_state; /* (B K) */
    struct attention_focus *focus;             /* (B) with wishes */
    struct search_candidate *candidate;        /* (K), with wishes more */
    struct draw_item *draw;                    /* (V) when sampling */
    int *history;                              /* (longest) words of one hypothesis */
    struct search_node *node;                  /* every word of every hypothesis */
    real *node_weight;                         /* (nodes, S) */
    real *node_head;                           /* (nodes, heads, S) */
    int heads;                                 /* whose weights are kept; 0: none */
    bool copies;       /* it is one model, which copies: what of each word is a copy is kept */
    float *node_share; /* (nodes) */
    int nodes, node_limit;
    struct hypothesis *finished; /* (B, K) best first once the search is done */
    int *finished_count;         /* (B) */
};

/* Memory for these sentences (text->target is not looked at). */
void search_bind(struct search *, struct arena *, const struct search_setup *,
                 const struct batch_text *text);
/* Search; sentence b of the batch is item batch.item[b] of the text. False when it was stopped:
 * then there are no hypotheses to read. */
bool search_run(struct search *, struct compute *, const struct batch_text *text);

/* Hypothesis i of sentence b, best first; b has finished_count[b] of them. */
static inline const struct hypothesis *search_best(const struct search *s, int b, int i)
{
    return &s->finished[(size_t)b * (size_t)s->K + (size_t)i];
}
/* The words of a hypothesis: hypothesis->length of them. */
void search_tokens(const struct search *, const struct hypothesis *, int *out);
/* The log-probability of each word, and of </s> if it is complete. */
void search_scores(const struct search *, const struct hypothesis *, float *out);
/* The share of copying in each of these; see copy_share. Only when the search `copies`. */
void search_shares(const struct search *, const struct hypothesis *, float *out);
/* The weights: a row for each word and one for </s> if it is complete, each as long as the source
 * with its </s>. Not for models without attention. */
void search_weights(const struct search *, const struct hypothesis *, int sentence, float *out);
/* The same of each head, one matrix after the other: search->heads of them. */
void search_head_weights(const struct search *, const struct hypothesis *, int sentence,
                         float *out);

#endif
