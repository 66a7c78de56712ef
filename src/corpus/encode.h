/* Encodes pairs as ids into a store, and skips pairs that break the rule. If one side of a
 * pair is a file of frames, its path is the text, and the file is read here, once. */
#ifndef ATTEND_CORPUS_ENCODE_H
#define ATTEND_CORPUS_ENCODE_H

#include "attend/status.h"
#include "corpus/link_fold.h"

#include <stdbool.h>
#include <stdint.h>

struct frame_source;
struct languages;
struct pairs;
struct store;
struct tokenizer;
struct vocab;

/* Sources or targets that are files of frames. All pointers are borrowed. */
struct encode_frames {
    int side;                        /* 0: the sources; 1: the targets */
    const struct frame_source *read; /* reads the files */
    struct frame_source *observe;    /* gets the frames of the pairs that are kept; or NULL */
    const char *file; /* names the files of frames, whose paths are relative to its folder */
    int max_frames;   /* largest number of frames */
    bool skip_broken; /* skip pairs whose file cannot be read, instead of stopping */
};

/* Index 0 is the source, 1 the target. All pointers are borrowed. */
struct encode_rule {
    const struct tokenizer *tokenizer[2];
    const struct vocab *vocab[2];
    const struct encode_frames *frames; /* instead of a tokenizer and vocabulary; or NULL */
    const struct languages *languages;  /* whose tags begin each source; NULL: none */
    int max_length;                     /* largest number of pieces on either side */
    double max_ratio; /* largest ratio of the longer side to the shorter; 0: any */
    /* Pieces are sampled if the tokenizer can (tokenizer_sample), with a key for each line. The
     * best pieces decide whether a pair is skipped, and a sample that breaks the rule is replaced
     * by the best pieces, so that every key gives the same pairs. */
    double alpha; /* 0: the best pieces */
    uint64_t key;
    /* Some pairs are there once more in another case (corpus/disguise.h): the same ones for every
     * `key`. */
    bool disguises;
    uint64_t disguise_key;
    struct link_file links; /* of the pairs of text */
};

/* Why a pair is skipped. */
enum encode_drop {
    ENCODE_EMPTY,
    ENCODE_LONG,
    ENCODE_UNEVEN,
    ENCODE_FRAMES,
    ENCODE_BROKEN,
    ENCODE_DROPS
};
extern const char *const encode_drop_names[ENCODE_DROPS];

struct encode_drops {
    long count[ENCODE_DROPS];
    long first[ENCODE_DROPS];   /* line number of the first */
    long pieces[2], unknown[2]; /* of the pairs that were kept */
};

/* Encode all pairs from the first on; the caller seals the store. */
enum attend_status encode_pairs(const struct encode_rule *, struct pairs *, struct store *,
                                struct encode_drops *, struct attend_error *err);

#endif
