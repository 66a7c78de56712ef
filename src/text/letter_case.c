#include "text/letter_case.h"

#include "text/tokenizer.h"

#include <stdlib.h>
#include <string.h>

const char *const letter_cases[LETTER_CASE_COUNT + 1] = {"keep", "lower", "marked", NULL};
const char *const letter_marks[LETTER_MARKS + 1] = {
    [LETTER_MARK_NEXT] = "\xE2\x87\xA7",
    [LETTER_MARK_WORD] = "\xE2\x87\xAA",
    [LETTER_MARK_SPAN] = "\xE2\x87\xAB",
    [LETTER_MARK_END] = "\xE2\x87\xA9",
};
enum { BLACK_UP = 0x2b06, BLACK_DOWN = 0x2b07, SIGMA = 0x3a3, FINAL_SIGMA = 0x3c2 };
enum { DOTTED_I = 0x130, KELVIN = 0x212a, ANGSTROM = 0x212b, OHM = 0x2126 };

const char *letter_case_name(int i) { return i < LETTER_CASE_COUNT ? letter_cases[i] : NULL; }

int letter_mark_of(const char *piece, size_t length)
{
    for (int i = 0; length == LETTER_MARK_BYTES && i < LETTER_MARKS; i++)
        if (memcmp(piece, letter_marks[i], LETTER_MARK_BYTES) == 0)
            return i;
    return -1;
}

/* ---- One code point ---- */

/* utf8proc gives these signs as their own capitals. */
static bool is_sign(int32_t point)
{
    return point == DOTTED_I || point == KELVIN || point == ANGSTROM || point == OHM;
}

bool letter_is_upper(int32_t point)
{
    if (point < 0x80)
        return point >= 'A' && point <= 'Z';
    const int32_t lower = utf8_to_lower(point);
    return lower != point && utf8_to_upper(lower) == point && !is_sign(point);
}

bool letter_is_lower(int32_t point)
{
    if (point < 0x80)
        return point >= 'a' && point <= 'z';
    const int32_t upper = utf8_to_upper(point);
    return point == FINAL_SIGMA || (upper != point && utf8_to_lower(upper) == point);
}

static bool is_word_point(const char *text, size_t length)
{
    bool in_word = false;
    utf8_point(text, length, &in_word);
    return in_word;
}

/* The small letter of a capital before `rest`. */
static int32_t small(int32_t point, bool letter_before, const char *rest, size_t length)
{
    if (point == SIGMA && letter_before && !is_word_point(rest, length))
        return FINAL_SIGMA;
    return utf8_to_lower(point);
}

/* ---- Folding ---- */

/* A text that is being folded. */
struct folding {
    struct letter_fold *out;
    const char *text;
    size_t length;
    size_t copied;      /* of the text so far */
    size_t no_span;     /* no span begins before this position */
    bool letter_before; /* the code point before is part of a word */
};

static void add_mark(struct letter_fold *f, size_t after, enum letter_mark mark)
{
    if (f->marks == f->size) {
        const int size = f->size ? 2 * f->size : 16;
        struct letter_fold_mark *more = realloc(f->mark, (size_t)size * sizeof *more);
        if (!more) {
            f->text.failed = true;
            return;
        }
        f->mark = more;
        f->size = size;
    }
    f->mark[f->marks++] = (struct letter_fold_mark){after, mark};
}

/* Record that `given` bytes at `from` became what was added since `made`. */
static void trace(struct folding *g, size_t made, size_t from, size_t given)
{
    struct letter_fold *f = g->out;
    if (f->text.length - made == given)
        return;
    const int last = f->origin.count - 1;
    bool good = true;
    if (last < 0 && made > 0)
        good = utf8_origin_add(&f->origin, (struct utf8_stretch){0, 0, true});
    /* The unchanged stretch that the last change announced is empty if this one follows it. */
    if (last >= 0 && f->origin.stretch[last].normal == made)
        f->origin.count--;
    good = good && utf8_origin_add(&f->origin, (struct utf8_stretch){made, from, false}) &&
           utf8_origin_add(&f->origin, (struct utf8_stretch){f->text.length, from + given, true});
    f->text.failed = f->text.failed || !good;
}

static void insert_mark(struct folding *g, size_t at, enum letter_mark mark)
{
    const size_t made = g->out->text.length;
    strbuf_add(&g->out->text, letter_marks[mark], LETTER_MARK_BYTES);
    trace(g, made, at, 0);
}

static bool is_mark_at(const char *text, size_t length, int *mark)
{
    *mark = length >= LETTER_MARK_BYTES ? letter_mark_of(text, LETTER_MARK_BYTES) : -1;
    return *mark >= 0;
}

/* Fold the code point at `at` and return its length. `every`: also letters that cannot be
 * restored. */
static size_t fold_point(struct folding *g, size_t at, bool every)
{
    struct strbuf *out = &g->out->text;
    const char *text = g->text + at;
    const size_t made = out->length;
    int32_t point = 0;
    int mark;
    bool in_word;
    const size_t bytes = utf8_next(text, g->length - at, &point);
    if (every ? utf8_to_lower(point) != point : letter_is_upper(point)) {
        utf8_add(out, small(point, g->letter_before, text + bytes, g->length - at - bytes));
        trace(g, made, at, bytes);
    } else if (!every && is_mark_at(text, g->length - at, &mark)) {
        utf8_add(out, mark == LETTER_MARK_END ? BLACK_DOWN : BLACK_UP); /* as many bytes */
    } else {
        strbuf_add(out, text, bytes);
    }
    utf8_point(text, bytes, &in_word);
    g->letter_before = in_word;
    return bytes;
}

static void fold_all(struct folding *g)
{
    for (size_t at = 0; at < g->length && !g->out->text.failed;)
        at += fold_point(g, at, true);
}

/* ---- Words ---- */

/* A word, or the blanks at the end of the text. */
struct word {
    size_t from, to;  /* bytes; blanks are before `from` */
    int upper, lower; /* letters */
};

static bool next_word(const struct folding *g, struct word *w)
{
    size_t at = w->to;
    while (at < g->length && tokenizer_is_blank(g->text[at]))
        at++;
    *w = (struct word){.from = at, .to = at};
    while (w->to < g->length && !tokenizer_is_blank(g->text[w->to])) {
        int32_t point = 0;
        w->to += utf8_next(g->text + w->to, g->length - w->to, &point);
        w->upper += letter_is_upper(point);
        w->lower += letter_is_lower(point);
    }
    return w->to > w->from;
}

static bool is_upper_at(const struct folding *g, size_t at)
{
    int32_t point = 0;
    utf8_next(g->text + at, g->length - at, &point);
    return letter_is_upper(point);
}

/* The capitals from `at` up to the next small letter: how many, and where the last of them ends. */
static int run_of_capitals(const struct folding *g, size_t at, size_t to, size_t *end)
{
    int capitals = 0;
    while (at < to) {
        int32_t point = 0;
        at += utf8_next(g->text + at, g->length - at, &point);
        if (letter_is_lower(point))
            break;
        if (letter_is_upper(point)) {
            capitals++;
            *end = at;
        }
    }
    return capitals;
}

/* Mark a run of capitals: before the word, if no small letter is before it, or within. */
static void mark_run(struct folding *g, size_t after, size_t at, bool first, int capitals)
{
    const enum letter_mark mark = capitals > 1 ? LETTER_MARK_WORD : LETTER_MARK_NEXT;
    if (first)
        add_mark(g->out, after, mark);
    else
        insert_mark(g, at, mark);
}

/* Fold a word that is not in a span. */
static void fold_word(struct folding *g, const struct word *w, size_t after)
{
    size_t end = 0; /* of the run of capitals */
    int left = 0, run = 0;
    bool first = true; /* no letter so far */
    for (size_t at = w->from; at < w->to && !g->out->text.failed;) {
        const bool upper = is_upper_at(g, at);
        if (upper && !left) {
            left = run = run_of_capitals(g, at, w->to, &end);
            mark_run(g, after, at, first, run);
        }
        int32_t point = 0;
        utf8_next(g->text + at, g->length - at, &point);
        first = first && !upper && !letter_is_lower(point);
        at += fold_point(g, at, false);
        left -= upper;
        if (upper && !left && run > 1 && run_of_capitals(g, at, w->to, &end) == 0 && w->lower)
            insert_mark(g, at, LETTER_MARK_END);
    }
}

/* ---- Spans ---- */

/* The end of the span that starts with this word, and whether there is one: words in capitals, two
 * of them with several letters; words without letters may stand between them. */
static bool find_span(struct folding *g, struct word w, size_t *end)
{
    int long_words = 0;
    size_t last = w.to;
    if (!w.upper || w.lower || w.from < g->no_span)
        return false;
    do {
        if (w.lower)
            break;
        long_words += w.upper > 1;
        last = w.upper ? w.to : last;
    } while (next_word(g, &w));
    if (long_words > 1)
        *end = last;
    else
        g->no_span = last; /* so that every word is looked at twice at most */
    return long_words > 1;
}

static void copy_to(struct folding *g, size_t to)
{
    strbuf_add(&g->out->text, g->text + g->copied, to - g->copied);
    g->letter_before = g->letter_before && to == g->copied;
    g->copied = to;
}

/* Fold the words of a span, with the blanks between them. */
static void fold_span(struct folding *g, const struct word *first, size_t end, size_t after)
{
    add_mark(g->out, after, LETTER_MARK_SPAN);
    for (size_t at = first->from; at < end && !g->out->text.failed;)
        at += fold_point(g, at, false);
    add_mark(g->out, g->out->text.length, LETTER_MARK_END);
}

static void fold_marked(struct folding *g)
{
    struct word w = {0};
    while (!g->out->text.failed && next_word(g, &w)) {
        const size_t after = g->out->text.length;
        size_t end = w.to;
        copy_to(g, w.from);
        if (find_span(g, w, &end))
            fold_span(g, &w, end, after);
        else
            fold_word(g, &w, after);
        g->copied = w.to = end;
    }
    copy_to(g, g->length);
}

/* Whether the step changes nothing. */
static bool is_plain(const char *text, size_t length)
{
    unsigned char other = 0;
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        other |= (unsigned char)((c >= 0x80) | ((unsigned char)(c - 'A') < 26));
    }
    return !other;
}

void letter_fold_make(struct letter_fold *f, enum letter_case letter_case, const char *text,
                      size_t length)
{
    struct folding folding = {.out = f, .text = text, .length = length};
    strbuf_clear(&f->text);
    f->origin.count = f->marks = 0;
    f->same = letter_case == LETTER_CASE_KEEP || is_plain(text, length);
    if (f->same)
        return;
    (letter_case == LETTER_CASE_LOWER ? fold_all : fold_marked)(&folding);
    if (f->origin.count &&
        !utf8_origin_add(&f->origin, (struct utf8_stretch){f->text.length, length, false}))
        f->text.failed = true;
}

void letter_fold_release(struct letter_fold *f)
{
    strbuf_release(&f->text);
    utf8_origin_release(&f->origin);
    free(f->mark);
    *f = (struct letter_fold){0};
}
