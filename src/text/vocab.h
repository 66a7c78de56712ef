/* A vocabulary: pieces of text and their ids, both ways; never changes once made. As in
 * SentencePiece, the first three ids are <unk>, <s> and </s>. Text that happens to spell one of
 * these means nothing special: it is unknown, so that no input can end or begin a sequence.
 *
 * As a file: one piece on each line in the order of ids, the three special ones included. LF alone
 * ends a line, so a piece may be a space, a tab or a carriage return. */
#ifndef ATTEND_TEXT_VOCAB_H
#define ATTEND_TEXT_VOCAB_H

#include "attend/status.h"
#include "text/piece_table.h"

#include <stdbool.h>
#include <stddef.h>

enum { VOCAB_UNK, VOCAB_BOS, VOCAB_EOS, VOCAB_SPECIALS };
enum { VOCAB_MAX_SIZE = 1 << 24 };

/* How often each piece occurs. All zero is an empty counter; running out of memory is remembered in
 * `failed` and reported by vocab_from_counter. */
struct vocab_counter {
    struct piece_table pieces;
    long *count; /* (pieces.count) */
    int size;    /* how many `count` has room for */
    bool failed;
};

/* A piece has at least one byte and neither LF nor NUL. */
void vocab_counter_add(struct vocab_counter *, const char *piece, size_t length);
void vocab_counter_release(struct vocab_counter *);

struct vocab;

/* Pieces in a given order: the i-th, or NULL past the last. */
struct vocab_list {
    const char *(*piece)(const void *context, int i);
    const void *context;
};

/* The most frequent pieces first, equally frequent ones in byte order. max_size is how many ids
 * there may be, the three special ones included; 0 keeps every piece. */
enum attend_status vocab_from_counter(struct vocab **out, const struct vocab_counter *,
                                      int max_size, struct attend_error *err);
/* The pieces of the list in their order, then those counted, as above. What cannot be a piece of a
 * vocabulary (no text, not UTF-8, with a LF), or is there already, takes no id. */
enum attend_status vocab_from_list(struct vocab **out, const struct vocab_list *,
                                   const struct vocab_counter *, struct attend_error *err);
/* What vocab_write wrote; `name` is for messages. The bytes need not be trusted. */
enum attend_status vocab_parse(struct vocab **out, const char *bytes, size_t length,
                               const char *name, struct attend_error *err);
void vocab_write(const struct vocab *, struct strbuf *out);

int vocab_size(const struct vocab *);
/* VOCAB_UNK when unknown. */
int vocab_id(const struct vocab *, const char *piece, size_t length);
/* NUL-terminated, and as long-lived as the vocabulary. */
const char *vocab_piece(const struct vocab *, int id);
void vocab_free(struct vocab *);

#endif
