#include "attend/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/ubrk.h>

/* Iterators are expensive to make, so the last ones are kept. */
enum { KEPT = 8, LOCALE_SIZE = 64 };

struct icu {
    struct {
        char locale[LOCALE_SIZE];
        UBreakIterator *iterator;
    } kept[KEPT];
    int next; /* the place of the next new iterator */
};

/* ICU's own default would be the locale of the process, so an unknown language is `root`. */
static void name_locale(char *out, const char *language)
{
    snprintf(out, LOCALE_SIZE, "%.36s@ss=standard", language ? language : "root");
    for (char *c = out; *c; c++)
        if (*c == '-')
            *c = '_';
}

static UBreakIterator *iterator_of(struct icu *icu, const char *language)
{
    char locale[LOCALE_SIZE];
    UErrorCode status = U_ZERO_ERROR;
    name_locale(locale, language);
    for (int i = 0; i < KEPT; i++)
        if (icu->kept[i].iterator && strcmp(icu->kept[i].locale, locale) == 0)
            return icu->kept[i].iterator;
    UBreakIterator *iterator = ubrk_open(UBRK_SENTENCE, locale, NULL, 0, &status);
    if (U_FAILURE(status))
        return NULL;
    const int place = icu->next++ % KEPT;
    if (icu->kept[place].iterator)
        ubrk_close(icu->kept[place].iterator);
    memcpy(icu->kept[place].locale, locale, sizeof locale);
    icu->kept[place].iterator = iterator;
    return iterator;
}

static bool find(void *context, const char *language, const char *text, size_t length,
                 attend_sentence_fn *take, void *taker)
{
    UErrorCode status = U_ZERO_ERROR;
    UText bytes = UTEXT_INITIALIZER;
    UBreakIterator *iterator = iterator_of(context, language);
    if (!iterator)
        return false;
    utext_openUTF8(&bytes, text, (int64_t)length, &status);
    ubrk_setUText(iterator, &bytes, &status);
    if (U_SUCCESS(status)) {
        ubrk_first(iterator);
        for (int32_t end; (end = ubrk_next(iterator)) != UBRK_DONE;)
            take(taker, (size_t)end);
        /* The iterator must not keep the caller's text. */
        ubrk_setText(iterator, NULL, 0, &status);
    }
    utext_close(&bytes);
    return U_SUCCESS(status);
}

enum attend_status attend_icu_open(struct attend_sentences *out, struct attend_error *err)
{
    struct icu *icu = calloc(1, sizeof *icu);
    if (!icu || !iterator_of(icu, NULL)) {
        free(icu);
        if (err)
            snprintf(err->message, sizeof err->message,
                     "ICU has no data for sentences; install libicu");
        return ATTEND_IO;
    }
    *out = (struct attend_sentences){.find = find, .context = icu};
    return ATTEND_OK;
}

void attend_icu_close(struct attend_sentences *sentences)
{
    struct icu *icu = sentences->context;
    for (int i = 0; icu && i < KEPT; i++)
        if (icu->kept[i].iterator)
            ubrk_close(icu->kept[i].iterator);
    free(icu);
    *sentences = (struct attend_sentences){0};
}
