/* A finder of sentences for tests. */
#ifndef ATTEND_TESTS_SENTENCES_FIXTURE_H
#define ATTEND_TESTS_SENTENCES_FIXTURE_H

#include "attend/document.h"

/* Sentences end with a full stop and the blanks after it. */
static bool find_stops(void *context, const char *language, const char *text, size_t length,
                       attend_sentence_fn *take, void *taker)
{
    (void)context, (void)language;
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '.')
            continue;
        while (i + 1 < length && text[i + 1] == ' ')
            i++;
        take(taker, i + 1);
    }
    return true;
}
static const struct attend_sentences stops = {.find = find_stops};

#endif
