/* The tokenizer for a side whose user names none, from what its lines look like:
 *
 *     under 1.5 words a line                                 char           words, names
 *     at most 512 words, each 20 times or more on average    spaces         commands
 *     at most 512 words, of 2.5 characters on average        spaces         phonemes
 *     at most 3 words a line                                 char           full names, dates
 *     otherwise                                              sentencepiece  sentences
 *
 * A word is what stands between blanks. The first row that fits counts. */
#ifndef ATTEND_TEXT_CHOOSE_H
#define ATTEND_TEXT_CHOOSE_H

#include "attend/status.h"

#include <stdbool.h>

struct tokenizer_walk;

struct choose_result {
    const char *tokenizer; /* a name of the table in text/tokenizer.h */
    int vocab_size;        /* for it; 0: every piece */
    char reason[128];      /* one line for people: "2.1 words a line: char" */
};

/* One walk over a sample of the lines. With `features`, what follows a line's first tab is no text.
 * Lines without words do not count. */
enum attend_status choose_tokenizer(struct choose_result *out, const struct tokenizer_walk *,
                                    bool features, struct attend_error *err);

#endif
