/* Writes capitals back: the inverse of text/letter_case.c. */
#include "text/letter_case.h"

#include "text/tokenizer.h"

#include <stdlib.h>
#include <string.h>

/* What the marks so far say about the next letter. */
struct state {
    bool next, word, span;
};

static void take_mark(struct state *s, int mark)
{
    s->next = mark == LETTER_MARK_NEXT;
    s->word = mark == LETTER_MARK_WORD || (mark == LETTER_MARK_NEXT && s->word);
    s->span = mark == LETTER_MARK_SPAN || (mark != LETTER_MARK_END && s->span);
}

/* Pieces that are names, not text: of special ids, and of bytes (SentencePiece). */
static bool is_name(const char *piece)
{
    static const char *const names[] = {"<unk>", "<s>", "</s>"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(piece, names[i]) == 0)
            return true;
    return strlen(piece) == 6 && memcmp(piece, "<0x", 3) == 0 && piece[5] == '>';
}

static void write_piece(struct strbuf *out, struct state *s, const char *piece)
{
    const size_t length = strlen(piece);
    for (size_t at = 0; at < length;) {
        int32_t point = 0;
        const size_t bytes = utf8_next(piece + at, length - at, &point);
        const int mark = letter_mark_of(piece + at, bytes);
        const bool letter = mark < 0 && (letter_is_lower(point) || letter_is_upper(point));
        if (mark >= 0)
            take_mark(s, mark);
        else if (letter && (s->next || s->word || s->span))
            utf8_add(out, utf8_to_upper(point));
        else
            strbuf_add(out, piece + at, bytes);
        s->next = s->next && !letter;
        at += bytes;
    }
}

/* Restore one piece into the text; pieces that were only marks are left out. */
static void add_piece(struct letter_restored *r, struct state *s, const char *const *pieces, int i,
                      size_t *position)
{
    const char *piece = pieces[i];
    const size_t before = r->text.length;
    if (is_name(piece))
        strbuf_adds(&r->text, piece);
    else
        write_piece(&r->text, s, piece);
    if (r->text.length == before)
        return;
    strbuf_addc(&r->text, '\0');
    r->given[r->count] = i;
    position[r->count++] = before;
}

static struct state state_before(const char *const *pieces, int from)
{
    struct state s = {0};
    for (int i = 0; i < from; i++) {
        const int mark = letter_mark_of(pieces[i], strlen(pieces[i]));
        if (mark == LETTER_MARK_SPAN || mark == LETTER_MARK_END)
            s.span = mark == LETTER_MARK_SPAN;
    }
    return s;
}

void letter_restore(struct letter_restored *r, const char *const *pieces, int from, int to,
                    bool (*continues)(const void *context, const char *before, const char *piece),
                    const void *context)
{
    const size_t count = (size_t)(to - from) + 1;
    size_t *position = calloc(count, sizeof *position);
    /* The state if the next piece continues the word, and if it begins another one. */
    struct state s = state_before(pieces, from), other = s;
    const char *before = NULL;
    *r = (struct letter_restored){.piece = calloc(count, sizeof *r->piece),
                                  .given = calloc(count, sizeof *r->given)};
    for (int i = from; i < to && position && r->piece && r->given; i++) {
        const int mark = letter_mark_of(pieces[i], strlen(pieces[i]));
        if (mark >= 0) {
            take_mark(&s, mark);
            take_mark(&other, mark);
            continue;
        }
        s = continues(context, before, pieces[i]) ? s : other;
        before = pieces[i];
        add_piece(r, &s, pieces, i, position);
        other = (struct state){.span = s.span};
    }
    r->failed = !position || !r->piece || !r->given || r->text.failed;
    for (int i = 0; i < r->count && !r->failed; i++)
        r->piece[i] = r->text.text + position[i];
    free(position);
}

void letter_restored_release(struct letter_restored *r)
{
    strbuf_release(&r->text);
    free((void *)r->piece);
    free(r->given);
}

/* ---- Other forms of a text ---- */

/* Whether the given letter becomes this one in small letters. */
static bool is_form_of(int32_t folded, int32_t given)
{
    enum { SIGMA = 0x3a3, FINAL_SIGMA = 0x3c2 };
    return folded == given || folded == utf8_to_lower(given) ||
           (folded == FINAL_SIGMA && given == SIGMA);
}

void letter_unfold(struct strbuf *out, const char *piece, size_t length, const char *given,
                   size_t given_length)
{
    const size_t before = out->length;
    size_t from = 0;
    while (from < given_length && tokenizer_is_blank(given[from]))
        from++;
    for (size_t at = 0; at < length;) {
        int32_t folded = 0, point = 0;
        const size_t bytes = utf8_next(piece + at, length - at, &folded);
        const size_t taken = utf8_next(given + from, given_length - from, &point);
        const bool same = taken && is_form_of(folded, point);
        strbuf_add(out, same ? given + from : piece + at, same ? taken : bytes);
        from += same ? taken : 0;
        at += bytes;
    }
    if (from == given_length || out->failed)
        return;
    out->length = before;
    strbuf_add(out, piece, length);
}

void letter_write(struct strbuf *out, enum letter_form form, const char *text, size_t length)
{
    bool begins = true; /* no letter of this word so far */
    for (size_t at = 0; at < length;) {
        int32_t point = 0;
        const size_t bytes = utf8_next(text + at, length - at, &point);
        const bool lower = letter_is_lower(point), upper = letter_is_upper(point);
        const bool capital =
            form == LETTER_FORM_UPPER || (form == LETTER_FORM_TITLE && begins && lower);
        begins = tokenizer_is_blank(text[at]) || (begins && !lower && !upper);
        if (lower && capital)
            utf8_add(out, utf8_to_upper(point));
        else if (upper && form == LETTER_FORM_LOWER)
            utf8_add(out, utf8_to_lower(point));
        else
            strbuf_add(out, text + at, bytes);
        at += bytes;
    }
}
