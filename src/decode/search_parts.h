/* Inside the search: what its files share. */
#ifndef ATTEND_DECODE_SEARCH_PARTS_H
#define ATTEND_DECODE_SEARCH_PARTS_H

#include "decode/search.h"

/* A live hypothesis. */
struct search_row {
    int sentence, node, length;
    int parent; /* the row of the last step that it continues */
    int token;
    int place; /* among the sentence's draws */
    double log_probability;
    struct wish_state wish;
};

struct search_candidate {
    double log_probability;
    int row, token;
    int words; /* of wished phrases, after this token */
};

/* One word of a hypothesis. */
struct search_node {
    int parent; /* -1: the first */
    int token;
    double log_probability; /* of all words up to this one */
};

static inline const struct search_wish *search_wish_of(const struct search *s, int sentence)
{
    const struct search_wish *wishes = s->setup->wishes;
    return wishes ? &wishes[s->batch.item[sentence]] : NULL;
}

/* The logits of a row: the first net's, or of all nets together. */
static inline real *search_logits(const struct search *s, int row)
{
    const struct view all = s->net[0].logits.at;
    return all.at + row * all.row;
}

/* ---- search_nets.c: the models ---- */

void search_nets_bind(struct search *, struct arena *);
/* Encode; the record of each sentence's start is a state. */
void search_nets_begin(struct search *, struct compute *);
/* One step of `rows` live rows: logits of the first net, and weight. */
void search_nets_step(struct search *, struct compute *, int rows);
/* The rows of the last step that live rows continue become the states. */
void search_nets_follow(struct search *, int rows);

/* ---- search_choose.c: the continuations of one sentence ---- */

/* The best `width` continuations of rows [from, to), best first; returns how many there are. */
int search_choose(struct search *, int from, int to, int width);
/* Take out what row i must not say: its logits become -infinity. */
void search_forbid(struct search *, int i);

#endif
