#include "api/translation.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

static const char MARK[] = "\xE2\x96\x81"; /* U+2581, for a blank in a piece */
enum { MARK_BYTES = sizeof MARK - 1 };

/* A word of the line as the vocabulary has it: as it stands, or with blanks for the marks. */
static void add_known(const struct vocab *vocab, const char *word, size_t length,
                      struct translation_words *out)
{
    struct strbuf blanks = {0};
    for (size_t at = 0; at < length;) {
        const bool mark = length - at >= MARK_BYTES && memcmp(word + at, MARK, MARK_BYTES) == 0;
        strbuf_addc(&blanks, mark ? ' ' : word[at]);
        at += mark ? MARK_BYTES : 1;
    }
    out->failed = out->failed || blanks.failed;
    if (!blanks.failed && vocab_id(vocab, word, length) == VOCAB_UNK &&
        vocab_id(vocab, blanks.text, blanks.length) != VOCAB_UNK)
        translation_add_word(out, blanks.text, blanks.length);
    else
        translation_add_word(out, word, length);
    strbuf_release(&blanks);
}

bool translation_split_pieces(const struct model_side *side, const char *line, char ***word,
                              int *count)
{
    struct translation_words w = {0};
    for (line += strspn(line, " "); *line; line += strspn(line, " ")) {
        const size_t length = strcspn(line, " ");
        add_known(side->vocab, line, length, &w);
        line += length;
    }
    translation_add_end(&w, side->vocab);
    *word = w.word;
    *count = w.count;
    return !w.failed;
}

static void free_words(char **word, int count)
{
    for (int i = 0; i < count; i++)
        free(word[i]);
    free(word);
}

/* Append the ids of one line. */
static enum attend_status encode(struct sequences *s, const struct model_side *side,
                                 const char *line, struct attend_error *err)
{
    char **word = NULL;
    int count = 0;
    enum attend_status status = ATTEND_OK;
    const size_t from = s->start[s->count];
    const bool good = translation_split_pieces(side, line, &word, &count);
    int *ids = good ? realloc(s->ids, (from + (size_t)count) * sizeof *ids) : NULL;
    if (!ids)
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for %d pieces", count);
    else
        s->ids = ids;
    for (int i = 0; i < count - 1 && !status; i++)
        s->ids[from + (size_t)i] = vocab_id(side->vocab, word[i], strlen(word[i]));
    if (!status)
        s->start[++s->count] = from + (size_t)(count - 1);
    free_words(word, count);
    return status;
}

enum attend_status translation_encode_pieces(struct sequences *out, const struct model_side *side,
                                             const char *const *text, int count, const char *name,
                                             struct attend_error *err)
{
    struct sequences s = {.start = calloc((size_t)count + 1, sizeof *s.start),
                          .ids = malloc(sizeof *s.ids)};
    enum attend_status status = ATTEND_OK;
    if (!s.start || !s.ids)
        status = error_set(err, ATTEND_NO_MEMORY, "%s: out of memory for %d lines", name, count);
    for (int i = 0; i < count && !status; i++) {
        size_t bad;
        if (!utf8_valid(text[i], strlen(text[i]), &bad))
            status = error_set(err, ATTEND_DATA, "%s:%d: invalid UTF-8 at byte %zu", name, i + 1,
                               bad + 1);
        else if (!(status = encode(&s, side, text[i], err)) &&
                 sequences_length(&s, i) > SEQUENCES_MAX_LENGTH)
            status = error_set(err, ATTEND_DATA, "%s:%d: has more than %d pieces", name, i + 1,
                               SEQUENCES_MAX_LENGTH);
    }
    if (!status)
        *out = s;
    else
        sequences_release(&s);
    return status;
}
