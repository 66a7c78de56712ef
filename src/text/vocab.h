/* A vocabulary maps pieces of text to ids and back; it is immutable. As in SentencePiece, the first
 * three ids are <unk>, <s> and </s>. Text that happens to spell one of these is unknown, so no
 * input can end or begin a sequence.
 *
 * File format: one piece per line in the order of ids, including the three special ones. Only LF
 * ends a line, so a piece may be a space, a tab or a carriage return. */
#ifndef ATTEND_TEXT_VOCAB_H
#define ATTEND_TEXT_VOCAB_H

#include "attend/status.h"
#include "text/piece_table.h"

#include <stdbool.h>
#include <stddef.h>

enum { VOCAB_UNK, VOCAB_BOS, VOCAB_EOS, VOCAB_SPECIALS };
enum { VOCAB_MAX_SIZE = 1 << 24 };

/* Counts pieces. All zero is an empty counter. When memory runs out, `failed` is set and
 * vocab_from_counter reports it. */
struct vocab_counter {
    struct piece_table pieces;
    long *count; /* (pieces.count) */
    int size;    /* room in `count` */
    bool failed;
};

/* A piece has at least one byte and neither LF nor NUL. */
void vocab_counter_add(struct vocab_counter *, const char *piece, size_t length);
/* Count a piece so often that it is among the first. */
void vocab_counter_pin(struct vocab_counter *, const char *piece, size_t length);
void vocab_counter_release(struct vocab_counter *);

struct vocab;

/* Pieces in a given order: the i-th, or NULL past the last. */
struct vocab_list {
    const char *(*piece)(const void *context, int i);
    const void *context;
};

/* Orders pieces by frequency, equally frequent ones by their bytes. max_size limits the number of
 * ids, including the three special ones; 0 keeps every piece. */
enum attend_status vocab_from_counter(struct vocab **out, const struct vocab_counter *,
                                      int max_size, struct attend_error *err);
/* The pieces of the list in order, then the counted ones, as above. A duplicate, or a string that
 * cannot be a piece (empty, not UTF-8, or with an LF), gets no id. */
enum attend_status vocab_from_list(struct vocab **out, const struct vocab_list *,
                                   const struct vocab_counter *, struct attend_error *err);
enum attend_status vocab_copy(struct vocab **out, const struct vocab *from,
                              struct attend_error *err);
/* Parses the output of vocab_write; `name` is for messages. The bytes are not trusted. */
enum attend_status vocab_parse(struct vocab **out, const char *bytes, size_t length,
                               const char *name, struct attend_error *err);
void vocab_write(const struct vocab *, struct strbuf *out);

int vocab_size(const struct vocab *);
/* VOCAB_UNK for an unknown piece. */
int vocab_id(const struct vocab *, const char *piece, size_t length);
/* NUL-terminated; lives as long as the vocabulary. */
const char *vocab_piece(const struct vocab *, int id);
void vocab_free(struct vocab *);

#endif
