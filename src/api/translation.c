#include "api/translation.h"

#include "api/frame_lines.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "metric/calibration.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void translation_free_words(char **words, int count)
{
    for (int i = 0; words && i < count; i++)
        free(words[i]);
    free(words);
}

void translation_free_unknown(struct attend_unknown *unknown, int count)
{
    for (int i = 0; i < count; i++)
        free(unknown[i].text);
    free(unknown);
}

static void release(struct attend_translation *t)
{
    translation_free_words(t->source, t->source ? t->source_count : 0);
    translation_free_words(t->target, t->target_count);
    translation_free_unknown(t->unknown, t->unknowns);
    free(t->other);
    free(t->text);
    free(t->token_score);
    free(t->attention);
    free(t->head_attention);
    free(t->copied);
    free(t->source_span);
    free(t->target_span);
    *t = (struct attend_translation){0};
}

void attend_translation_release(struct attend_translation *t)
{
    for (int i = 0; i < t->others; i++)
        release(&t->other[i]); /* has no `other` itself */
    release(t);
}

void translation_add_word(struct translation_words *w, const char *text, size_t length)
{
    if (w->count == w->size) {
        const int size = w->size ? 2 * w->size : 16;
        char **more = realloc(w->word, (size_t)size * sizeof *more);
        w->failed = w->failed || !more;
        if (!more)
            return;
        w->word = more;
        w->size = size;
    }
    char *copy = strndup(text, length);
    w->failed = w->failed || !copy;
    if (copy)
        w->word[w->count++] = copy;
}

void translation_add_end(struct translation_words *w, const struct vocab *vocab)
{
    const char *end = vocab_piece(vocab, VOCAB_EOS);
    translation_add_word(w, end, strlen(end));
}

bool translation_words(const struct tokenized *t, int i, const struct vocab *vocab, char ***word,
                       int *count)
{
    struct translation_words w = {0};
    for (int k = 0; k < tokenized_count(t, i); k++) {
        const char *text = tokenized_spelling(t, i, k);
        translation_add_word(&w, text, strlen(text));
    }
    translation_add_end(&w, vocab);
    *word = w.word;
    *count = w.count;
    return !w.failed;
}

int translation_columns(const struct tokenized *t, int i, const struct model *m)
{
    return seq2seq_annotations(&m->net, tokenized_count(t, i));
}

bool translation_source(const struct tokenized *t, int i, const struct model *m, char ***word,
                        int *count)
{
    return m->source.frames ? frame_lines_labels(m, tokenized_count(t, i), word, count)
                            : translation_words(t, i, m->source.vocab, word, count);
}

bool translation_join(struct attend_translation *t, const struct tokenizer *tokenizer, int count,
                      bool spans)
{
    struct strbuf text = {0};
    struct token_span *span = spans ? calloc((size_t)t->target_count + 1, sizeof *span) : NULL;
    struct attend_span *out = spans ? calloc((size_t)t->target_count + 1, sizeof *out) : NULL;
    if (span)
        tokenizer_join_spans(tokenizer, &text, (const char *const *)t->target, count, span);
    else
        tokenizer_join(tokenizer, &text, (const char *const *)t->target, count);
    for (int i = 0; span && out && i < t->target_count; i++)
        out[i] = i < count ? (struct attend_span){span[i].from, span[i].to}
                           : (struct attend_span){text.length, text.length};
    const bool good = !spans || (span && out);
    free(span);
    free(t->text);
    free(t->target_span);
    t->text = strbuf_detach(&text);
    t->target_span = out;
    return good && t->text;
}

bool translation_spans(const struct tokenized *t, int i, struct attend_span **out)
{
    const int count = tokenized_count(t, i);
    struct attend_span *span = calloc((size_t)count + 1, sizeof *span);
    *out = span;
    for (int k = 0; span && !t->ids.width && k < count; k++) {
        const struct token_span at = tokenized_span(t, i, k);
        span[k] = (struct attend_span){at.from, at.to};
        span[count].from = span[count].to = at.to > span[count].to ? at.to : span[count].to;
    }
    return span;
}

int translation_unseen(const struct model *m, int source_count)
{
    const struct attention *attention = &m->net.decoder.attention;
    const int past = source_count - attention->dims.positions;
    return attention->ops == &attention_location && past > 0 ? past : 0;
}

bool translation_looks(const struct model *m)
{
    return m->net.decoder.attention.ops != &attention_none;
}

/* The list has room for one more. */
static bool add_unknown(struct attend_unknown *list, int *count, const char *text, int start,
                        int end)
{
    struct attend_unknown *u = &list[*count];
    *u = (struct attend_unknown){.text = strdup(text), .start = start, .end = end};
    *count += u->text != NULL;
    return u->text;
}

bool translation_list_unknown(struct attend_unknown **list, int *count,
                              const struct tokenized *source, int i)
{
    int found;
    const struct token_unknown *u = tokenized_unknown(source, i, &found);
    if (!found)
        return true;
    *list = calloc((size_t)found, sizeof **list);
    bool good = *list;
    for (int k = 0; k < found && good; k++)
        good =
            add_unknown(*list, count, source->spelling.text + u[k].spelled, u[k].start, u[k].end);
    return good;
}

bool translation_unknown(struct attend_translation *t, const struct tokenized *source, int i)
{
    return translation_list_unknown(&t->unknown, &t->unknowns, source, i);
}

bool translation_copy_unknown(struct attend_translation *t, const struct attend_translation *from)
{
    if (!from->unknowns)
        return true;
    t->unknown = calloc((size_t)from->unknowns, sizeof *t->unknown);
    bool good = t->unknown;
    for (int k = 0; k < from->unknowns && good; k++)
        good = add_unknown(t->unknown, &t->unknowns, from->unknown[k].text, from->unknown[k].start,
                           from->unknown[k].end);
    return good;
}

enum attend_status translation_tokenize(struct tokenized *out, const struct text_side *side,
                                        enum tokenized_as as, const char *const *text, int count,
                                        const char *name, struct attend_error *err)
{
    return tokenized_make(
        out, &(struct tokenizing){.tokenizer = side->tokenizer, .vocab = side->vocab, .name = name},
        as, text, count, err);
}

/* Fill in confidence and share of a translation and of its other hypotheses. The share of a
 * hypothesis is P / (sum of all P), computed from the largest so that none is 0. */
static void fill_confidence(struct attend_translation *t, const struct attend_scaling *scaling)
{
    double most = t->log_probability, sum = 0;
    for (int i = 0; i < t->others; i++)
        most = fmax(most, t->other[i].log_probability);
    for (int i = 0; i <= t->others; i++) {
        struct attend_translation *h = i ? &t->other[i - 1] : t;
        const double confidence =
            h->target_count ? calibration_confidence(scaling, h->log_probability, h->target_count)
                            : 1;
        h->confidence = (float)confidence;
        h->share = (float)exp(h->log_probability - most);
        sum += (double)h->share;
    }
    for (int i = 0; i <= t->others; i++)
        (i ? &t->other[i - 1] : t)->share /= (float)sum;
}

enum attend_status translation_finish(const struct translation_run *run, int count,
                                      enum attend_status status, struct attend_error *err)
{
    if (!status && atomic_load(&run->failed))
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for %d translations", count);
    /* The calibration of a model is that of its own probabilities, not of an ensemble's. */
    const struct attend_translator *t = run->translator;
    const struct attend_scaling *scaling = t->setup.nets == 1 ? &t->model->scaling : &scaling_none;
    for (int i = 0; i < count && !status; i++)
        fill_confidence(&run->out[i], scaling);
    for (int i = 0; i < count && status; i++)
        attend_translation_release(&run->out[i]);
    return status;
}

int attend_translation_cut(struct attend_translation *t, double mass)
{
    double sum = (double)t->share;
    int kept = 0;
    for (; kept < t->others && sum < mass; kept++)
        sum += (double)t->other[kept].share;
    for (int i = kept; i < t->others; i++)
        attend_translation_release(&t->other[i]);
    t->others = kept;
    return kept + 1;
}
