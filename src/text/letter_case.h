/* Case as a step of a tokenizer, between normalization and the row's split.
 *
 *     keep    the text as it is
 *     lower   capitals become small letters, and nothing writes them back: for the source
 *     marked  capitals become small letters with marks, from which the text can be restored
 *
 * Words are separated by blanks. A mark stands before the word as a piece of its own, which the row
 * never sees; within a word it is a character of the text:
 *
 *     U+21E7  the next letter is a capital                            Paris      U+21E7 paris
 *     U+21EA  capitals, up to the end of the word or U+21E9           NATO's     U+21EA nato U+21E9 's
 *     U+21EB  capitals, up to U+21E9: two or more words in a row      NO WAY     U+21EB no way U+21E9
 *     U+21E9  the end of capitals                                     McDonald   U+21E7 mc U+21E7 donald
 *
 * A letter is folded only if its small form leads back to it, so restoring is exact: K (Kelvin), a
 * dotted capital I and a digraph in title case stay as they are. `lower` folds those too (the
 * dotted I becomes i). A capital sigma at the end of a word becomes the final form. The four arrows
 * in the text itself become U+2B06 and U+2B07. */
#ifndef ATTEND_TEXT_LETTER_CASE_H
#define ATTEND_TEXT_LETTER_CASE_H

#include "base/strbuf.h"
#include "base/utf8.h"

/* Models store these names, so they never change. */
enum letter_case { LETTER_CASE_KEEP, LETTER_CASE_LOWER, LETTER_CASE_MARKED, LETTER_CASE_COUNT };
extern const char *const letter_cases[LETTER_CASE_COUNT + 1]; /* their names, then NULL */
/* The name of case i, NULL past the last: the choices of an option. */
const char *letter_case_name(int i);

enum letter_mark { LETTER_MARK_NEXT, LETTER_MARK_WORD, LETTER_MARK_SPAN, LETTER_MARK_END };
enum { LETTER_MARKS = 4, LETTER_MARK_BYTES = 3 };
extern const char *const letter_marks[LETTER_MARKS + 1]; /* their spellings, then NULL */
/* The mark that a whole piece is; -1: none. */
int letter_mark_of(const char *piece, size_t length);

/* ---- One code point ---- */

/* A capital whose small letter leads back to it. */
bool letter_is_upper(int32_t point);
/* A small letter whose capital leads back to it; also the final sigma. */
bool letter_is_lower(int32_t point);

/* ---- Folding ---- */

/* A folded text. Start from all zero; it can be used again. */
struct letter_fold {
    struct strbuf text;
    bool same;                 /* the text is the given one; `text` and `origin` are empty */
    struct utf8_origin origin; /* maps positions in `text` back to the given text */
    /* The marks before words, in order. */
    struct letter_fold_mark {
        size_t after; /* end of the word before, in `text`: the next piece gets the mark */
        enum letter_mark mark;
    } * mark; /* (marks) */
    int marks, size;
};
/* The text must be valid. When memory runs out, text.failed is set. */
void letter_fold_make(struct letter_fold *, enum letter_case, const char *text, size_t length);
void letter_fold_release(struct letter_fold *);

/* ---- Restoring ---- */

/* Pieces without marks, with their capitals. */
struct letter_restored {
    struct strbuf text;
    const char **piece; /* (count) points into `text` */
    int *given;         /* (count) the number of the given piece that it was */
    int count;
    bool failed;
};
/* Restore pieces [from, to) of a line; those before it only tell whether a span is open. `continues`
 * says whether a piece belongs to the same word as the one before (NULL: none). */
void letter_restore(struct letter_restored *, const char *const *pieces, int from, int to,
                    bool (*continues)(const void *context, const char *before, const char *piece),
                    const void *context);
void letter_restored_release(struct letter_restored *);

/* ---- Other forms of a text ---- */

/* Append a folded piece with the letters of the given text that it stands for; marks and blanks of
 * the piece stay. A piece that does not spell this text is appended as it is. */
void letter_unfold(struct strbuf *out, const char *piece, size_t length, const char *given,
                   size_t given_length);

enum letter_form {
    LETTER_FORM_LOWER,
    LETTER_FORM_UPPER,
    LETTER_FORM_TITLE, /* the first letter of every word is a capital, the others do not change */
};
void letter_write(struct strbuf *out, enum letter_form, const char *text, size_t length);

#endif
