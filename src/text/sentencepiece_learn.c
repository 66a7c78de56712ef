#include "text/sentencepiece_learn.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "text/normalizer.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

enum { CODE_POINTS = 0x110000 };

/* All lines that are not blank, and how often each of their characters occurs. */
struct lesson {
    struct strbuf lines; /* each ended by LF */
    size_t at;           /* the line that comes next */
    long *count;         /* (CODE_POINTS) in descending order once all are counted */
    size_t characters;   /* that occur */
};

/* ---- Lines ---- */

/* Add a line in which spaces are the only blanks. Returns false if it has nothing else. */
static bool add_line(struct strbuf *out, const char *text, size_t length)
{
    const size_t begin = out->length;
    bool blank = true;
    for (size_t at = 0, bytes; at < length; at += bytes) {
        const bool mark = length - at >= NORMALIZER_MARK_BYTES &&
                          memcmp(text + at, NORMALIZER_MARK, NORMALIZER_MARK_BYTES) == 0;
        bytes = mark ? (size_t)NORMALIZER_MARK_BYTES : utf8_length(text[at]);
        if (mark || tokenizer_is_blank(text[at])) {
            strbuf_addc(out, ' ');
            continue;
        }
        strbuf_add(out, text + at, bytes);
        blank = false;
    }
    strbuf_addc(out, '\n');
    if (blank && !out->failed)
        out->length = begin;
    return !blank && !out->failed;
}

static bool next_line(void *context, const char **line, size_t *length)
{
    struct lesson *l = context;
    if (l->at >= l->lines.length)
        return false;
    *line = l->lines.text + l->at;
    *length = strcspn(*line, "\n");
    l->at += *length + 1;
    return true;
}

/* ---- Characters ---- */

static int descending(const void *left, const void *right)
{
    const long a = *(const long *)left, b = *(const long *)right;
    return (a < b) - (a > b);
}

static void count_line(struct lesson *l, const char *line, size_t length)
{
    l->count[' ']++; /* the first word gets one, too */
    for (size_t at = 0; at < length;) {
        int32_t point;
        at += utf8_next(line + at, length - at, &point);
        l->count[point]++;
    }
}

static void count_characters(struct lesson *l)
{
    const char *line;
    size_t length;
    while (next_line(l, &line, &length))
        count_line(l, line, length);
    l->at = 0;
    qsort(l->count, CODE_POINTS, sizeof *l->count, descending);
    while (l->characters < CODE_POINTS && l->count[l->characters])
        l->characters++;
}

/* The number of characters, most frequent first, that cover this part of the text. */
static int characters_within(const struct lesson *l, double part)
{
    double all = 0, sum = 0;
    size_t needed = 0;
    for (size_t i = 0; i < l->characters; i++)
        all += (double)l->count[i];
    while (needed < l->characters && sum < part * all)
        sum += (double)l->count[needed++];
    return (int)needed;
}

/* A small alphabet is kept complete. Of a large one, rare characters are left out, and more of them
 * when the vocabulary is small. SentencePiece accepts no coverage below the last. */
static const double coverages[] = {1.0, 0.9995, 0.995, 0.98};
enum { COVERAGES = sizeof coverages / sizeof *coverages };

/* The part of the text whose characters get a piece each; 0 when the vocabulary is too small. */
static double choose_coverage(const struct lesson *l, int size)
{
    for (int i = 0; i < COVERAGES; i++) {
        const int room = (size - VOCAB_SPECIALS) / (i == 0 ? 4 : 2);
        if (characters_within(l, coverages[i]) <= room)
            return coverages[i];
    }
    return 0;
}

/* ---- The lesson ---- */

static enum attend_status read_lesson(struct lesson *l, const struct tokenizer_walk *walk,
                                      struct attend_error *err)
{
    const char *text;
    size_t length;
    l->count = calloc(CODE_POINTS, sizeof *l->count);
    while (l->count && walk->next(walk->context, &text, &length))
        add_line(&l->lines, text, length);
    if (!l->count || l->lines.failed)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for text to learn from");
    if (l->lines.length == 0)
        return error_set(err, ATTEND_DATA, "there is no text to learn subwords from");
    count_characters(l);
    return ATTEND_OK;
}

static enum attend_status teach(void **model, size_t *length, struct lesson *l,
                                const struct tokenizer_lesson *how, struct attend_error *err)
{
    const double coverage = choose_coverage(l, how->vocab_size);
    if (coverage == 0)
        return error_set(err, ATTEND_USAGE,
                         "a vocabulary of %d is too small for subwords of this text; ask for %d "
                         "or more, or split it into characters",
                         how->vocab_size,
                         2 * characters_within(l, coverages[COVERAGES - 1]) + VOCAB_SPECIALS);
    const struct attend_subwords_lesson lesson = {
        .method = how->method,
        .vocab_size = how->vocab_size,
        .coverage = coverage,
        .symbols = how->symbols,
        .next = next_line,
        .context = l,
    };
    return how->learn(&lesson, model, length, err);
}

enum attend_status sentencepiece_learn(void **model, size_t *length,
                                       const struct tokenizer_walk *walk,
                                       const struct tokenizer_lesson *how, struct attend_error *err)
{
    struct lesson l = {0};
    if (!how->learn)
        return error_set(err, ATTEND_USAGE,
                         "subwords can be learned only with `learn_subwords` (attend/subwords.h)");
    enum attend_status status = read_lesson(&l, walk, err);
    if (!status)
        status = teach(model, length, &l, how, err);
    strbuf_release(&l.lines);
    free(l.count);
    return status;
}
