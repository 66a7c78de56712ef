/* A text as words: rewriting rules set marks apart, then what stands between white space is a word.
 * The rules are those of NIST's mteval scripts as sacreBLEU 2 applies them, so that scores can be
 * compared.
 *
 * To add a way of splitting: a row of the table in words.c. */
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

/* Numbers for words, equal for equal words, over as many texts as are read with it. */
struct words {
    struct trie names;
    struct symbols points, spare;
};
/* Replace `out` by the words of a text; the rules may be NULL for white space only. */
void words_read(struct words *, struct symbols *out, const char *text,
                const struct words_rules *rules, bool lowercase);
/* Split what `points` holds at white space. */
void words_number(struct words *, struct symbols *out);
bool words_failed(const struct words *);
void words_release(struct words *);

#endif
