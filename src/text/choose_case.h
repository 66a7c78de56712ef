/* Chooses what becomes of capitals when the user does not say (text/letter_case.h), by the letters of
 * both sides:
 *
 *     source without capitals and small letters        keep     Hindi, Chinese
 *     source (almost) all small, or all capitals       lower    any case is then read like the text
 *     source in both, its tokens separated by blanks   keep     symbols such as X-SAMPA
 *     source and target in both                        marked   running text
 *     otherwise                                        lower    words to phonemes, to Chinese
 *
 * The first row that fits decides. */
#ifndef ATTEND_TEXT_CHOOSE_CASE_H
#define ATTEND_TEXT_CHOOSE_CASE_H

#include <stdbool.h>

struct tokenizer_walk;

struct case_facts {
    bool separated;           /* the tokenizer is `spaces` */
    long letters;             /* letters and digits of any script */
    long upper, lower, lines; /* capitals, small letters; lines with a capital */
};

struct case_choice {
    const char *name; /* one of letter_cases */
    char reason[192]; /* one line for users */
};

/* Count the letters of the lines. With `features`, the text of a line ends at its first tab. */
void case_facts_gather(struct case_facts *, const struct tokenizer_walk *, bool features);
void case_choose(struct case_choice *, const struct case_facts *source,
                 const struct case_facts *target);

#endif
