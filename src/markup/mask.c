#include "markup/mask.h"

#include "attend/markup.h"
#include "base/error.h"
#include "base/utf8.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool is_digit(char c) { return isdigit((unsigned char)c); }
static bool is_letter(char c) { return isalnum((unsigned char)c) || (unsigned char)c >= 0x80; }

/* Whether no word goes on at the start of what is looked for. */
static bool begins(const char *text, size_t at) { return at == 0 || !is_letter(text[at - 1]); }

/* The characters of an address up to a blank, without the punctuation that ends a sentence. */
static size_t address_length(const char *text, size_t length, size_t at)
{
    size_t end = at;
    while (end < length && (unsigned char)text[end] > ' ' && !strchr("<>\"{}|\\^`", text[end]))
        end++;
    while (end > at && strchr(".,;:!?')]", text[end - 1]))
        end--;
    return end - at;
}

static size_t find_url(const char *text, size_t length, size_t at)
{
    static const char *const starts[] = {"https://", "http://", "ftp://", "www."};
    for (size_t i = 0; i < sizeof starts / sizeof *starts && begins(text, at); i++) {
        const size_t start = strlen(starts[i]);
        if (length - at > start && strncasecmp(text + at, starts[i], start) == 0 &&
            is_letter(text[at + start]))
            return address_length(text, length, at);
    }
    return 0;
}

static size_t span(const char *text, size_t length, size_t at, const char *also)
{
    size_t end = at;
    while (end < length && (isalnum((unsigned char)text[end]) || strchr(also, text[end])))
        end++;
    return end - at;
}

/* name@host.domain */
static size_t find_email(const char *text, size_t length, size_t at)
{
    if (!isalnum((unsigned char)text[at]) || !begins(text, at) ||
        (at && strchr("._%+-", text[at - 1])))
        return 0;
    const size_t name = span(text, length, at, "._%+-"), host = at + name + 1;
    if (host >= length || text[host - 1] != '@')
        return 0;
    size_t end = host + span(text, length, host, ".-");
    while (end > host && strchr(".-", text[end - 1]))
        end--;
    return end > host && memchr(text + host, '.', end - host) ? end - at : 0;
}

/* Digits, with points, commas or colons between them: 3, 1,250.50, 12:30. */
static size_t find_number(const char *text, size_t length, size_t at)
{
    if (!is_digit(text[at]) || !begins(text, at) ||
        (at > 1 && strchr(".,:", text[at - 1]) && is_digit(text[at - 2])))
        return 0;
    size_t end = at;
    while (end < length && (is_digit(text[end]) || (strchr(".,:", text[end]) && end + 1 < length &&
                                                    is_digit(text[end + 1]))))
        end++;
    return end < length && is_letter(text[end]) ? 0 : end - at;
}

const struct mask masks[] = {
    {"urls", find_url, ATTEND_MASK_URLS, false},
    {"emails", find_email, ATTEND_MASK_EMAILS, false},
    {"numbers", find_number, ATTEND_MASK_NUMBERS, true},
    {0},
};

enum attend_status attend_masks_parse(unsigned *out, const char *names, struct attend_error *err)
{
    unsigned all = 0;
    for (const char *name = names; *name;) {
        const size_t length = strcspn(name, ",");
        const struct mask *mask = masks;
        while (mask->name &&
               (strlen(mask->name) != length || strncmp(mask->name, name, length) != 0))
            mask++;
        if (!mask->name)
            return error_set(err, ATTEND_USAGE,
                             "there is no mask '%.*s'; known are urls, emails and numbers",
                             length < 60 ? (int)length : 60, name);
        all |= mask->bit;
        name += length + (name[length] == ',');
    }
    if (!all)
        return error_set(err, ATTEND_USAGE,
                         "the list of masks is empty; known are urls, emails "
                         "and numbers");
    *out = all;
    return ATTEND_OK;
}
