/* Unicode text as UTF-8: validity, code points and their classes, lower case, grapheme clusters,
 * width in a terminal, normal forms (utf8proc knows the tables). */
#ifndef ATTEND_BASE_UTF8_H
#define ATTEND_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

/* Whether the bytes are valid UTF-8. If not, *bad (may be NULL) is the offset of the first wrong
 * one. */
bool utf8_valid(const char *text, size_t length, size_t *bad);

/* Bytes of the code point that any bytes begin with; 0 when they do not begin with one. */
size_t utf8_first(const char *text, size_t length);

/* The length of a text that was cut somewhere, less the part of a code point at its end. */
size_t utf8_whole(const char *text, size_t length);

/* Remove every byte that is not part of valid UTF-8. */
void utf8_repair(char *text);

/* Decode the first code point; its bytes, 0 only when length is 0. The text must be valid. */
size_t utf8_next(const char *text, size_t length, int32_t *point);

/* What a code point is, as far as splitting text into words goes. */
enum utf8_class {
    UTF8_OTHER,       /* letters and the rest */
    UTF8_BLANK,       /* white space: a space separator, or one of direction WS, B or S */
    UTF8_NUMBER,      /* category N */
    UTF8_PUNCTUATION, /* category P */
    UTF8_SYMBOL,      /* category S */
};
enum utf8_class utf8_class(int32_t point);

/* Append valid, NUL-terminated text in lower case, in any script: the default mapping of Unicode
 * (section 3.13), in which a dotted capital I keeps its dot and a sigma that ends a word has its
 * own form. */
void utf8_lower(struct strbuf *out, const char *text);

/* Bytes of the first grapheme cluster (what a reader calls a character: base and combining marks,
 * an emoji sequence). The text must be valid; 0 only when length is 0. */
size_t utf8_cluster(const char *text, size_t length);

/* Columns that a valid, NUL-terminated text takes in a terminal. */
int utf8_width(const char *text);

/* How text is brought into one spelling: not at all; NFC, where e and an accent become one letter;
 * NFKC, where also ligatures, wide letters and the like become plain ones. None of them folds case
 * or takes anything away. Models save these names: they stay. */
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

/* Which bytes of a text the bytes of its normal form come from. The text falls into stretches: one
 * that the form leaves alone is mapped byte by byte, one that it changes as a whole. Without
 * stretches the form is the text itself. All zero is empty; release it. */
struct utf8_origin {
    struct utf8_stretch {
        size_t normal, given; /* where it begins in both */
        bool same;
    } * stretch; /* (count), the last one empty and behind the end */
    int count, size;
};
size_t utf8_origin_from(const struct utf8_origin *, size_t normal);
/* The same for a position behind something, which is at least 1. */
size_t utf8_origin_to(const struct utf8_origin *, size_t normal);
void utf8_origin_release(struct utf8_origin *);

/* Append the text in a normal form to `out`, and, unless it is NULL, set `origin` for it (`out` was
 * empty). The text must be valid and without NUL. Running out of memory is out->failed. */
void utf8_normalize(struct strbuf *out, const char *text, size_t length, enum utf8_form,
                    struct utf8_origin *origin);

/* Bytes of the first code point of a valid text, 0 only when length is 0; *in_word is whether it is
 * a letter, a mark or a number (categories L, M and N). */
size_t utf8_point(const char *text, size_t length, bool *in_word);

#endif
