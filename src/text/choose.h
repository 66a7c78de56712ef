/* Chooses a tokenizer for a side when the user names none, by the form of its lines:
 *
 *     under 1.5 words a line                                 char           words, names
 *     at most 512 words, each 20 times or more on average    spaces         commands
 *     at most 512 words, of 2.5 characters on average        spaces         phonemes
 *     at most 3 words a line                                 char           full names, dates
 *     otherwise                                              sentencepiece  sentences
 *
 * Words are separated by blanks. The first row that fits decides. */
#ifndef ATTEND_TEXT_CHOOSE_H
#define ATTEND_TEXT_CHOOSE_H

#include "attend/status.h"

#include <stdbool.h>

struct tokenizer_walk;

struct choose_result {
    const char *tokenizer; /* a name from the table in text/tokenizer.h */
    int vocab_size;        /* 0: every piece */
    char reason[128];      /* one line for users: "2.1 words a line: char" */
};

/* Takes one walk over a sample of the lines. With `features`, the text of a line ends at its first
 * tab. Lines without words are ignored. */
enum attend_status choose_tokenizer(struct choose_result *out, const struct tokenizer_walk *,
                                    bool features, struct attend_error *err);

#endif
