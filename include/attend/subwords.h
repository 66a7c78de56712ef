/* Learning subwords. Models that split text into subwords run without this; only training learns
 * them, with SentencePiece. */
#ifndef ATTEND_SUBWORDS_H
#define ATTEND_SUBWORDS_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What subwords are learned from, and how. */
struct attend_subwords_lesson {
    const char *method; /**< "unigram" or "bpe" */
    int vocab_size;     /**< at most this many pieces, with the special ones */
    double coverage;    /**< share of the text whose characters become pieces of their own; at least
                           0.98 and at most 1 */
    const char *const *symbols; /**< pieces in any case, none with a comma; ended by NULL */
    /** Gives the next line, or returns false at the end. Lines are UTF-8 without LF and NUL, their
     * only blanks are spaces, and a line is valid until the next call. */
    bool (*next)(void *context, const char **line, size_t *length);
    void *context;
    void *reserved[4];
};

/** Learn subwords. *model becomes the bytes of a SentencePiece model, from malloc; the caller frees
 * it. The same lesson gives the same bytes. */
typedef enum attend_status attend_subwords_learn_fn(const struct attend_subwords_lesson *lesson,
                                                    void **model, size_t *length,
                                                    struct attend_error *err);

/* This is in the module attend-subwords.so, not in libattend, which so needs neither SentencePiece
 * nor C++. Load the module with dlopen, or link it. */
ATTEND_API attend_subwords_learn_fn attend_subwords_learn;

#ifdef __cplusplus
}
#endif

#endif
