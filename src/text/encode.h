/* Pairs of text into a store of ids, and which of them are left out. */
#ifndef ATTEND_TEXT_ENCODE_H
#define ATTEND_TEXT_ENCODE_H

#include "attend/status.h"

#include <stdint.h>

struct pairs;
struct store;
struct tokenizer;
struct vocab;

/* Index 0 is the source, 1 the target; all borrowed. */
struct encode_rule {
    const struct tokenizer *tokenizer[2];
    const struct vocab *vocab[2];
    int max_length;   /* pieces on either side, at most */
    double max_ratio; /* of the longer side to the shorter, at most; 0: any */
    /* Pieces are drawn where their tokenizer can (tokenizer_draw), for each line under its own key.
     * Which pairs are left out is decided by the best pieces, and a draw that breaks the rule is
     * replaced by them, so that every key gives the same pairs. */
    double alpha; /* 0: the best pieces */
    uint64_t key;
};

/* Why a pair is left out. */
enum encode_drop { ENCODE_EMPTY, ENCODE_LONG, ENCODE_UNEVEN, ENCODE_DROPS };
extern const char *const encode_drop_names[ENCODE_DROPS];

struct encode_drops {
    long count[ENCODE_DROPS];
    long first[ENCODE_DROPS];   /* line number of the first */
    long pieces[2], unknown[2]; /* of the pairs that were kept */
};

/* Every pair of a walk from the beginning; the caller seals the store. */
enum attend_status encode_pairs(const struct encode_rule *, struct pairs *, struct store *,
                                struct encode_drops *, struct attend_error *err);

#endif
