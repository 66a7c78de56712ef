#include "corpus/disguise.h"

#include "base/rng.h"
#include "corpus/pairs.h"
#include "text/letter_case.h"

enum { SHARE = 16 };

static const struct look {
    enum letter_form form;
    bool both; /* also the target */
} looks[] = {{LETTER_FORM_UPPER, true}, {LETTER_FORM_TITLE, false}, {LETTER_FORM_LOWER, false}};
enum { LOOKS = sizeof looks / sizeof *looks };

static void write(struct strbuf *out, enum letter_form form, const char **text, size_t *length)
{
    strbuf_clear(out);
    letter_write(out, form, *text, *length);
    if (out->failed || !out->length)
        return;
    *text = out->text;
    *length = out->length;
}

bool disguise_pair(struct disguise *d, uint64_t key, struct text_pair *pair)
{
    const uint64_t number = rng_key(key, (uint64_t)pair->line) % SHARE;
    if (number >= LOOKS)
        return false;
    write(&d->text[0], looks[number].form, &pair->source, &pair->source_length);
    if (looks[number].both)
        write(&d->text[1], looks[number].form, &pair->target, &pair->target_length);
    return true;
}

void disguise_release(struct disguise *d)
{
    for (int i = 0; i < 2; i++)
        strbuf_release(&d->text[i]);
}
