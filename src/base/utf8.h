/* Unicode text in UTF-8: validity, code points and their classes, lower case, grapheme clusters,
 * width in a terminal, normal forms. The tables are utf8proc's. */
#ifndef ATTEND_BASE_UTF8_H
#define ATTEND_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

/* Whether the bytes are valid UTF-8. If not, *bad (bad may be NULL) is the offset of the first
 * invalid byte. */
bool utf8_valid(const char *text, size_t length, size_t *bad);

/* The length of the code point at the start of arbitrary bytes; 0 when there is no valid one. */
size_t utf8_first(const char *text, size_t length);

/* The length of a code point of valid text, by its first byte. */
static inline size_t utf8_length(char first)
{
    const unsigned char byte = (unsigned char)first;
    return 1 + (byte >= 0xC0) + (byte >= 0xE0) + (byte >= 0xF0);
}

/* The length of a text without the incomplete code point that a cut may have left at its end. */
size_t utf8_whole(const char *text, size_t length);

/* Remove every byte that is not part of valid UTF-8. */
void utf8_repair(char *text);

/* Decode the first code point and return its length, which is 0 only when `length` is 0. The text
 * must be valid. */
size_t utf8_next(const char *text, size_t length, int32_t *point);

/* The class of a code point, for splitting text into words. */
enum utf8_class {
    UTF8_OTHER,       /* letters and the rest */
    UTF8_BLANK,       /* white space: a space separator, or one of direction WS, B or S */
    UTF8_NUMBER,      /* category N */
    UTF8_PUNCTUATION, /* category P */
    UTF8_SYMBOL,      /* category S */
};
enum utf8_class utf8_class(int32_t point);

/* The case of a letter: categories Ll, and Lu or Lt. */
enum utf8_case { UTF8_NO_CASE, UTF8_SMALL, UTF8_CAPITAL };
enum utf8_case utf8_case(int32_t point);

/* Append valid, NUL-terminated text in lower case, for any script: Unicode's default mapping
 * (section 3.13). A dotted capital I keeps its dot, and a sigma at the end of a word gets its final
 * form. */
void utf8_lower(struct strbuf *out, const char *text);

/* The simple mappings of a code point to lower and upper case; itself when it has none. */
int32_t utf8_to_lower(int32_t point);
int32_t utf8_to_upper(int32_t point);
/* Append a code point. */
void utf8_add(struct strbuf *out, int32_t point);

/* The length in bytes of the first grapheme cluster (what a reader calls a character: a base with
 * its combining marks, an emoji sequence). The text must be valid; 0 only when `length` is 0. */
size_t utf8_cluster(const char *text, size_t length);

/* The width of a valid, NUL-terminated text in columns: 2 for an ideograph, 0 for a mark. */
int utf8_width(const char *text);
/* The columns that most terminals give it, after glibc's wcwidth: the same, but a spacing mark, such
 * as a vowel sign of an Indian script, takes a column of its own. */
int utf8_columns(const char *text);

/* Unicode normalization: none; NFC, where e and an accent become one letter; NFKC, where ligatures,
 * full-width letters and similar also become plain ones. None of them folds case or removes
 * anything. Models store these names, so they never change. */
#define UTF8_FORM_LIST(X) X(NONE, "none") X(NFC, "nfc") X(NFKC, "nfkc")

enum utf8_form {
#define UTF8_FORM_ENUM(name, text) UTF8_##name,
    UTF8_FORM_LIST(UTF8_FORM_ENUM)
#undef UTF8_FORM_ENUM
        UTF8_FORM_COUNT
};
extern const char *const utf8_forms[UTF8_FORM_COUNT + 1]; /* their names, then NULL */
/* The name of form i, NULL past the last: the choices of an option. */
const char *utf8_form_name(int i);

/* Maps positions in the normal form of a text back to the text. The text is divided into stretches:
 * unchanged ones are mapped byte by byte, changed ones as a whole. Without stretches the normal
 * form is the text itself. Start from all zero; release it at the end. */
struct utf8_origin {
    struct utf8_stretch {
        size_t normal, given; /* its start in the normal form and in the given text */
        bool same;
    } * stretch; /* (count); the last one is empty and marks the end */
    int count, size;
};
/* Append a stretch; false when out of memory. */
bool utf8_origin_add(struct utf8_origin *, struct utf8_stretch);
size_t utf8_origin_from(const struct utf8_origin *, size_t normal);
/* The same for the end of a range, which is at least 1. */
size_t utf8_origin_to(const struct utf8_origin *, size_t normal);
void utf8_origin_release(struct utf8_origin *);

/* Append the normal form of a text to `out` and, unless it is NULL, fill `origin`; `out` must then
 * be empty. The text must be valid and without NUL. When memory runs out, out->failed is set. */
void utf8_normalize(struct strbuf *out, const char *text, size_t length, enum utf8_form,
                    struct utf8_origin *origin);

/* The length in bytes of the first code point of a valid text, 0 only when `length` is 0. *in_word
 * says whether it is a letter, a mark or a number (categories L, M and N). */
size_t utf8_point(const char *text, size_t length, bool *in_word);

#endif
