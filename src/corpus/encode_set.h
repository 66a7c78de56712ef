/* Encodes the pairs of a set, training or validation, as the options of a run say. */
#ifndef ATTEND_CORPUS_ENCODE_SET_H
#define ATTEND_CORPUS_ENCODE_SET_H

#include "corpus/dataset.h"
#include "corpus/encode.h"

struct pairs;
struct store;

/* All pointers are borrowed. */
struct encode_set {
    const struct dataset_job *job;
    struct text_side *side; /* source, target */
    struct pairs *pairs;
    bool trains;        /* the training set */
    const char *file;   /* the text file with the sources */
    const char *paths;  /* the text file that names the files of frames; or NULL */
    const char *folder; /* for temporary files */
};

/* Which side is frames: 0, 1, or -1 for none. */
int encode_set_frames(const struct text_side *side);
/* The rule for pairs of text. */
struct encode_rule encode_set_rule(const struct dataset_job *, const struct text_side *side,
                                   bool trains);
/* Encode a set into a new, sealed store, which the caller frees even on failure. A set without a
 * usable pair is ATTEND_DATA. The first training set of a source of frames settles its mean and
 * scale. */
enum attend_status encode_set(struct store **out, const struct encode_set *, struct encode_drops *,
                              struct attend_error *err);
/* ATTEND_DATA if most pieces are unknown to a vocabulary of another model. */
enum attend_status encode_set_check(const struct dataset_job *, const struct encode_drops *,
                                    struct attend_error *err);

#endif
