/* A text as words: rewriting rules separate punctuation, then the text is split at white space. The
 * rules are those of NIST's mteval scripts as sacreBLEU 2 applies them, so that scores are
 * comparable.
 *
 * To add a way of splitting: add a row to the table in words.c. */
#ifndef ATTEND_METRIC_WORDS_H
#define ATTEND_METRIC_WORDS_H

#include "metric/symbols.h"
#include "metric/trie.h"

struct words_rules;

/* "13a" (mteval-v13a: marks of Western text), "intl" (mteval-v14: any punctuation and symbols),
 * "char" (code points), "none" (white space only). NULL when unknown. */
const struct words_rules *words_find(const char *name);
/* The i-th name, NULL past the last. */
const char *words_name(int i);

/* Numbers words: equal words get equal numbers, in all texts that are read with it. */
struct words {
    struct trie names;
    struct symbols points, spare;
};
/* Replace `out` by the words of a text. Rules may be NULL: split at white space only. */
void words_read(struct words *, struct symbols *out, const char *text,
                const struct words_rules *rules, bool lowercase);
/* Split `points` at white space and number the words. */
void words_number(struct words *, struct symbols *out);
bool words_failed(const struct words *);
void words_release(struct words *);

#endif
