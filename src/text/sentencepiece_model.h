/* A SentencePiece model: what its .model file says, ready for splitting text. */
#ifndef ATTEND_TEXT_SENTENCEPIECE_MODEL_H
#define ATTEND_TEXT_SENTENCEPIECE_MODEL_H

#include "text/normalizer.h"
#include "text/protobuf.h"
#include "text/piece_trie.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers of the file. */
enum piece_type {
    PIECE_NORMAL = 1,
    PIECE_UNKNOWN,
    PIECE_CONTROL,
    PIECE_USER_DEFINED,
    PIECE_UNUSED,
    PIECE_BYTE,
    PIECE_LAST = PIECE_BYTE,
};
enum segmentation { UNIGRAM = 1, BPE, WORDS, CHARACTERS, SEGMENTATION_LAST = CHARACTERS };

struct subword_piece {
    struct protobuf_span text; /* 1 to 1024 bytes of UTF-8, then NUL */
    float score;
    uint32_t type;
};

struct sentencepiece_model {
    char *bytes; /* the file; tables and unknown_text point into it */
    size_t length;
    char *texts;                 /* of all pieces */
    struct subword_piece *piece; /* (count) */
    int count, size;
    uint32_t segmentation;
    bool byte_fallback;                /* unknown characters become pieces of their bytes */
    int unknown, byte[256];            /* numbers of pieces; of bytes only with byte_fallback */
    struct protobuf_span unknown_text; /* what the unknown piece says */
    struct piece_trie pieces, symbols; /* all pieces; user-defined ones */
    bool has_unused;
    float least, most;               /* scores of normal pieces */
    size_t longest;                  /* piece that text can have, in bytes */
    struct normalizer before, after; /* of splitting, and of joining */
};

/* Read a model from bytes that are not trusted, which are copied. Returns NULL, or what is wrong;
 * the model must be released in either case. It must not move, as its parts point to each other. */
const char *sentencepiece_model_read(struct sentencepiece_model *out, const void *bytes,
                                     size_t length);
void sentencepiece_model_release(struct sentencepiece_model *);

/* The piece that is spelled like this; the unknown one if there is none. */
int sentencepiece_model_find(const struct sentencepiece_model *, const char *text, size_t length);
/* The byte that a piece like <0xE4> stands for; -1 if it is not one. */
int sentencepiece_model_byte(const struct sentencepiece_model *, int piece);
/* Whether text can be split into this piece: it is normal or user-defined. */
bool sentencepiece_model_splits(const struct sentencepiece_model *, int piece);

/* ---- Splitting normalized text ---- */

/* Part of a text, which begins where the one before ends. */
struct subword {
    size_t end;
    int piece;
};

/* Splits a normalized text by the model. `out` has room for `length` parts. Returns their number;
 * -1 when out of memory. */
typedef int segment_fn(const struct sentencepiece_model *, const char *text, size_t length,
                       struct subword *out);
segment_fn unigram_segment, bpe_segment;
/* The length of the first symbol of a text: a user-defined one, or a character. */
size_t sentencepiece_model_symbol(const struct sentencepiece_model *, const char *text,
                                  size_t length, bool *user_defined);

#endif
