#include "text/choose_case.h"

#include "text/letter_case.h"
#include "text/tokenizer.h"

#include <stdio.h>
#include <string.h>

static const double FEW_CASED = 0.01; /* share of letters that may be names in another script */
static const double FEW = 0.001;      /* share of cased letters that may be slips */

static void count_point(struct case_facts *f, const char *text, size_t length)
{
    int32_t point = 0;
    bool in_word;
    utf8_next(text, length, &point);
    utf8_point(text, length, &in_word);
    f->letters += in_word;
    f->upper += letter_is_upper(point);
    f->lower += letter_is_lower(point);
}

void case_facts_gather(struct case_facts *f, const struct tokenizer_walk *walk, bool features)
{
    const char *text;
    size_t length;
    while (walk->next(walk->context, &text, &length)) {
        const char *tab = features && length ? memchr(text, '\t', length) : NULL;
        const size_t end = tab ? (size_t)(tab - text) : length;
        const long before = f->upper;
        for (size_t at = 0; at < end;) {
            bool in_word;
            const size_t bytes = utf8_point(text + at, end - at, &in_word);
            count_point(f, text + at, bytes);
            at += bytes;
        }
        f->lines += f->upper > before;
    }
}

static bool has_case(const struct case_facts *f)
{
    return (double)(f->upper + f->lower) > FEW_CASED * (double)f->letters;
}

static bool is_few(const struct case_facts *f, long letters)
{
    return (double)letters <= FEW * (double)(f->upper + f->lower);
}

static bool has_both(const struct case_facts *f)
{
    return has_case(f) && !is_few(f, f->upper) && !is_few(f, f->lower);
}

/* The sentence about a source in one case. */
static void explain_one_case(struct case_choice *out, const struct case_facts *f)
{
    char *to = out->reason;
    const size_t room = sizeof out->reason;
    if (!f->upper)
        snprintf(to, room, "case: lower, because no source line has capitals");
    else if (is_few(f, f->upper))
        snprintf(to, room, "case: lower, because only %ld source lines have capitals", f->lines);
    else
        snprintf(to, room, "case: lower, because the source is all in capitals");
}

void case_choose(struct case_choice *out, const struct case_facts *source,
                 const struct case_facts *target)
{
    const struct row {
        bool fits;
        enum letter_case letter_case;
        const char *reason;
    } rows[] = {
        {!has_case(source), LETTER_CASE_KEEP, "keep, because the source has no letters with case"},
        {!has_both(source), LETTER_CASE_LOWER, NULL},
        {source->separated, LETTER_CASE_KEEP,
         "keep, because the source has both cases in tokens that blanks separate"},
        {has_both(target) && !target->separated, LETTER_CASE_MARKED,
         "marked, because both sides have capitals and small letters"},
        {true, LETTER_CASE_LOWER,
         "lower, because the source has both cases and the target needs none"},
    };
    const struct row *row = rows;
    while (!row->fits)
        row++;
    *out = (struct case_choice){.name = letter_cases[row->letter_case]};
    if (row->reason)
        snprintf(out->reason, sizeof out->reason, "case: %s", row->reason);
    else
        explain_one_case(out, source);
}
