#include "markup/placeholder.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST = 100 }; /* bytes between brackets */

static bool is_letter(char c) { return isalpha((unsigned char)c); }
static bool is_digit(char c) { return isdigit((unsigned char)c); }

/* Characters of a name or a format inside brackets; a comma would be the start of a plural form,
 * which has text inside. */
static bool inside(char c)
{
    return is_letter(c) || is_digit(c) || (c && strchr("_.:!-+#$@/^*[]", c));
}

/* `begin`, then characters of a name, then `end`; `blanks`: blanks beside the name, too. */
static size_t bracketed(const char *text, const char *begin, const char *end, bool blanks)
{
    const size_t first = strlen(begin);
    if (strncmp(text, begin, first) != 0)
        return 0;
    size_t at = first;
    while (at < LONGEST && (inside(text[at]) || (blanks && text[at] == ' ')))
        at++;
    return strncmp(text + at, end, strlen(end)) == 0 ? at + strlen(end) : 0;
}

/* The conversion after %: flags, width, precision, length, letter. 0 if there is none. */
static size_t conversion(const char *text)
{
    size_t at = strspn(text, "0123456789");
    at = at && text[at] == '$' ? at + 1 : 0;
    at += strspn(text + at, "-+#0'");
    at += strspn(text + at, "0123456789*");
    if (text[at] == '.')
        at += 1 + strspn(text + at + 1, "0123456789*");
    at += strspn(text + at, "hlLqjzt");
    return text[at] && strchr("diouxXeEfFgGaAcspn@", text[at]) ? at + 1 : 0;
}

static size_t percent(const char *text, size_t at)
{
    if (text[at + 1] == '%')
        return 2;
    const size_t name = bracketed(text + at, "%(", ")", false);
    if (name)
        return is_letter(text[at + name]) ? name + 1 : 0;
    const size_t letters = conversion(text + at + 1);
    if (letters) {
        const bool amount = at && is_digit(text[at - 1]) && is_letter(text[at + letters + 1]);
        return amount ? 0 : letters + 1;
    }
    /* %1 to %99, as in Qt */
    size_t digits = strspn(text + at + 1, "0123456789");
    return (digits == 1 || digits == 2) && text[at + 1] != '0' && !(at && is_digit(text[at - 1]))
               ? digits + 1
               : 0;
}

size_t placeholder_length(const char *text, size_t at)
{
    static const struct {
        const char *begin, *end;
        bool blanks;
    } forms[] = {{"{{", "}}", true}, {"${", "}", false}, {"%{", "}", false}, {"{", "}", false}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const size_t length = bracketed(text + at, forms[i].begin, forms[i].end, forms[i].blanks);
        if (length)
            return length;
    }
    return text[at] == '%' ? percent(text, at) : 0;
}
