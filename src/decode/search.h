/* Search over a batch of source sentences, on one thread, with one model or an ensemble.
 *
 * Beam: each sentence has K places. At every step the best continuations of all its live hypotheses
 * fill the free places; a hypothesis that ends in </s> keeps its place as finished. A sentence is
 * done when all places are finished, when no live hypothesis can still enter the best N finished
 * ones, or at its length limit. K = 1 is greedy search.
 *
 * Sampling: N independent hypotheses, whose words are sampled.
 *
 *     score = log P / length^alpha + beta sum_j log min(1, sum_t a_tj)
 *
 * length counts </s>; alpha = 0 compares plain log-probabilities. The second term (Wu et al. 2016)
 * penalizes source words that received little attention. P is the mean of the models'
 * probabilities.
 *
 * <s> is never chosen, and <unk> only on request; the other probabilities are not renormalized for
 * it. With a shortlist, a sentence can say only some words, and P is over these. Finished hypotheses
 * leave the batch at once. The attention of every word of every hypothesis
 * is kept, averaged over heads and models, at the cost of copying the weights; that of each head on
 * request. */
#ifndef ATTEND_DECODE_SEARCH_H
#define ATTEND_DECODE_SEARCH_H

#include "attend/translate.h"
#include "decode/constraints.h"
#include "model/seq2seq.h"

enum { SEARCH_EXTRA = 10, SEARCH_NETS = 16 };

struct shortlist;

/* The models and settings of a search; all pointers are borrowed. */
struct search_setup {
    const struct seq2seq *net[SEARCH_NETS]; /* with the same target vocabulary */
    int nets;
    const struct seq2seq_tables *tables; /* (nets), or NULL */
    struct attend_translator_options options;
    const struct shortlist *shortlist;           /* for options.shortlist; NULL: none */
    const struct sequences *banned;              /* phrases that must not come; or NULL */
    const struct search_constraint *constraints; /* of each item; or NULL */
    long first_line;                             /* line of item 0, for the seed of samples */
    const struct attend_stop *stop;              /* asked before each step; or NULL */
};

/* The words that each sentence can say, with a shortlist; see decode/search_words.c. */
struct search_words {
    const struct shortlist *lists; /* NULL: every sentence can say every word */
    int most;                      /* words of all sentences, at most */
    int *start, *word; /* sentence b can say word[start[b]] .. word[start[b + 1] - 1], ascending */
    int *column;       /* of each of them: its place in `all` */
    int *all, count;   /* the words of all sentences, ascending */
    int *place;        /* (V) their places, while the sets are made */
    unsigned char *seen; /* (V) */
};

struct hypothesis {
    double score, log_probability;
    int length;    /* words, without </s> */
    bool complete; /* ended in </s>; otherwise it reached the limit */
    int node;      /* its last word, inside the search */
};

/* The memory for one model. */
struct search_net {
    const struct seq2seq *net;
    struct encoder_tape encoder;
    struct decoder_memory memory;
    struct decoder_begin begin; /* in which the memory is made */
    real *record, *next_record; /* (B K, record) what hypotheses take from step to step */
    real *weight, *work;        /* (B K, .) of one step */
    struct logits logits;       /* (B K) */
    struct logits_words words;  /* with a shortlist */
    real *gate;                 /* (B K) of copying */
    int record_width, weight_width;
};

struct search {
    const struct search_setup *setup;
    int K; /* places per sentence */
    struct batch batch;
    struct search_net *net; /* (nets) */
    struct search_words words;
    real *weight;                              /* (B K, S) */
    struct search_row *row, *next_row;         /* (B K) live hypotheses */
    int states;                                /* states that live hypotheses continue */
    int *state_sentence;                       /* (states) */
    int *state_of;                             /* (B K) the state of each row of the last step */
    int *row_sentence, *row_token, *row_state; /* (B K) */
    struct attention_focus *focus;             /* (B), only with constraints */
    struct search_candidate *candidate;        /* (K), more with constraints */
    struct sample_item *sorted;                /* (V), only for sampling */
    int *history;                              /* (longest) the words of one hypothesis */
    struct search_node *node;                  /* all words of all hypotheses */
    real *node_weight;                         /* (nodes, S) */
    real *node_head;                           /* (nodes, heads, S) */
    int heads;                                 /* heads whose weights are kept; 0: none */
    bool copies;       /* a single model that copies: the share of copying in each word is kept */
    float *node_share; /* (nodes) */
    int nodes, node_limit;
    struct hypothesis *finished; /* (B, K) best first after the search */
    int *finished_count;         /* (B) */
};

/* Bind memory for these sentences (text->target is ignored). */
void search_bind(struct search *, struct arena *, const struct search_setup *,
                 const struct batch_text *text);
/* Run the search; sentence b of the batch is item batch.item[b] of the text. Returns false if it
 * was stopped: then there are no hypotheses. */
bool search_run(struct search *, struct compute *, const struct batch_text *text);

/* Hypothesis i of sentence b, best first; there are finished_count[b]. */
static inline const struct hypothesis *search_best(const struct search *s, int b, int i)
{
    return &s->finished[(size_t)b * (size_t)s->K + (size_t)i];
}
/* Writes the hypothesis->length words of a hypothesis. */
void search_tokens(const struct search *, const struct hypothesis *, int *out);
/* The log-probability of each word, and of </s> if the hypothesis is complete. */
void search_scores(const struct search *, const struct hypothesis *, float *out);
/* The share of copying in each of these, see copy_share. Only if the search `copies`. */
void search_shares(const struct search *, const struct hypothesis *, float *out);
/* The weights: one row per word, and one for </s> if the hypothesis is complete; each row is as
 * long as the source with its </s>. Not for models without attention. */
void search_weights(const struct search *, const struct hypothesis *, int sentence, float *out);
/* The weights of each head: search->heads matrices, one after another. */
void search_head_weights(const struct search *, const struct hypothesis *, int sentence,
                         float *out);

#endif
