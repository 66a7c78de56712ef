/* Shared by the files of the search. */
#ifndef ATTEND_DECODE_SEARCH_PARTS_H
#define ATTEND_DECODE_SEARCH_PARTS_H

#include "decode/search.h"

/* A live hypothesis. */
struct search_row {
    int sentence, node, length;
    int parent; /* the row of the last step that it continues */
    int token;
    int place; /* its number among the sentence's samples */
    double log_probability;
    struct constraint_state constraint;
};

struct search_candidate {
    double log_probability;
    int row, token;
    int words; /* words of required phrases said, including this token */
};

/* One word of a hypothesis. */
struct search_node {
    int parent; /* -1: first word */
    int token;
    double log_probability; /* of all words up to this one */
};

static inline const struct search_constraint *search_constraint_of(const struct search *s,
                                                                   int sentence)
{
    const struct search_constraint *constraints = s->setup->constraints;
    return constraints ? &constraints[s->batch.item[sentence]] : NULL;
}

/* The logits of a row: those of the first net, or of the ensemble. They are in the order of the
 * words of its sentence: search_token and search_place. The special words come first, each at the
 * place of its id. */
static inline real *search_logits(const struct search *s, int row)
{
    const struct view all = s->net[0].logits.at;
    return all.at + row * all.row;
}

/* ---- search_nets.c: the models ---- */

void search_nets_bind(struct search *, struct arena *);
/* Encode the sources; the first record of each sentence is a state. */
void search_nets_begin(struct search *, struct compute *);
/* One step of `rows` live rows: computes the logits of the first net. */
void search_nets_step(struct search *, struct compute *, int rows);
/* Compute the weights of a row whose next word is `token`. */
void search_nets_see(struct search *, int row, int token);
/* Turn the rows of the last step that live rows continue into states. */
void search_nets_follow(struct search *, int rows);

/* ---- search_words.c: the words that a sentence can say ---- */

void search_words_bind(struct search *, struct arena *, const struct batch_text *text);
/* After search_nets_begin, which finds what can be copied. */
void search_words_begin(struct search *, const struct batch_text *text);
int search_token(const struct search *, int sentence, int place);
/* The place of a token's logit; -1 if the sentence cannot say it. */
int search_place(const struct search *, int sentence, int token);

/* ---- search_choose.c: the continuations of one sentence ---- */

/* The best `width` continuations of rows [from, to), best first; returns their number. */
int search_choose(struct search *, int from, int to, int width);
/* Set the logits of words that row i must not say to -infinity. */
void search_forbid(struct search *, int i);

#endif
