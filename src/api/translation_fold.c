#include "api/model.h"
#include "api/translation.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "text/fold.h"

#include <stdlib.h>
#include <string.h>

/* The spelling of each word of a side. */
static bool spell(const struct fold *f, char ***word, int *count)
{
    struct translation_words w = {0};
    struct strbuf text = {0};
    for (int at = 0, i = 0; i < f->words; i++) {
        strbuf_clear(&text);
        fold_spell(f, &at, &text);
        translation_add_word(&w, text.text ? text.text : "", text.length);
    }
    *word = w.word;
    *count = w.count;
    const bool good = !w.failed && !text.failed;
    strbuf_release(&text);
    return good;
}

/* Sum the columns over the pieces of a word; average the rows over its pieces that are not blank.
 * `out` is all zero before. False when out of memory. */
static bool fold_weights(float *out, const float *weight, const struct fold *source,
                         const struct fold *target)
{
    const int S = source->words;
    int *pieces = calloc((size_t)target->words + 1, sizeof *pieces);
    if (!pieces)
        return false;
    for (int i = 0; i < target->count; i++)
        pieces[target->word[i]] += !target->blank[i];
    for (int i = 0; i < target->count; i++) {
        if (target->blank[i])
            continue;
        const float *row = weight + (size_t)i * (size_t)source->count;
        float *into = out + (size_t)target->word[i] * (size_t)S;
        for (int j = 0; j < source->count; j++)
            into[source->word[j]] += row[j] / (float)pieces[target->word[i]];
    }
    free(pieces);
    return true;
}

static bool fold_attention(struct attend_translation *out, const struct attend_translation *t,
                           const struct fold *source, const struct fold *target)
{
    out->attention = calloc((size_t)target->words * (size_t)source->words + 1, sizeof(float));
    return out->attention && fold_weights(out->attention, t->attention, source, target);
}

static bool fold_heads(struct attend_translation *out, const struct attend_translation *t,
                       const struct fold *source, const struct fold *target)
{
    const size_t pieces = (size_t)target->count * (size_t)source->count;
    const size_t words = (size_t)target->words * (size_t)source->words;
    out->heads = t->heads;
    out->head_attention = calloc((size_t)t->heads * words + 1, sizeof(float));
    bool good = out->head_attention;
    for (size_t h = 0; good && h < (size_t)t->heads; h++)
        good = fold_weights(out->head_attention + h * words, t->head_attention + h * pieces, source,
                            target);
    return good;
}

static bool fold_scores(struct attend_translation *out, const struct attend_translation *t,
                        const struct fold *target)
{
    out->token_score = calloc((size_t)target->words + 1, sizeof *out->token_score);
    for (int i = 0; out->token_score && i < target->count; i++)
        out->token_score[target->word[i]] += t->token_score[i];
    return out->token_score;
}

/* The copied share of a word is the mean over its pieces. */
static bool fold_copied(struct attend_translation *out, const struct attend_translation *t,
                        const struct fold *target)
{
    int *pieces = calloc((size_t)target->words + 1, sizeof *pieces);
    out->copied = calloc((size_t)target->words + 1, sizeof *out->copied);
    const bool good = pieces && out->copied;
    for (int i = 0; good && i < target->count; i++) {
        const int word = target->word[i];
        if (target->blank[i])
            continue;
        out->copied[word] += (t->copied[i] - out->copied[word]) / (float)++pieces[word];
    }
    free(pieces);
    return good;
}

/* The bytes of a word reach from its first piece to its last; pieces without bytes do not count. */
static bool fold_spans(struct attend_span **out, const struct attend_span *span,
                       const struct fold *f)
{
    *out = calloc((size_t)f->words + 1, sizeof **out);
    for (int i = 0; *out && i < f->count; i++) {
        struct attend_span *word = &(*out)[f->word[i]];
        if (f->blank[i] || (word->to > word->from && span[i].to == span[i].from))
            continue;
        *word = word->to > word->from ? (struct attend_span){word->from, span[i].to} : span[i];
    }
    return *out;
}

/* Fold one hypothesis; the caller fills in the source words. */
static bool fold_hypothesis(struct attend_translation *out, const struct attend_translation *t,
                            const struct fold *source, const struct text_side *side)
{
    struct fold target = {.tokenizer = side->tokenizer,
                          .piece = (const char *const *)t->target,
                          .count = t->target_count,
                          .ended = t->complete};
    out->text = strdup(t->text);
    out->score = t->score;
    out->log_probability = t->log_probability;
    out->confidence = t->confidence;
    out->share = t->share;
    out->complete = t->complete;
    out->unseen = t->unseen;
    const bool good = out->text && fold_init(&target) &&
                      spell(&target, &out->target, &out->target_count) &&
                      (!t->attention || fold_attention(out, t, source, &target)) &&
                      (!t->head_attention || fold_heads(out, t, source, &target)) &&
                      (!t->token_score || fold_scores(out, t, &target)) &&
                      (!t->copied || fold_copied(out, t, &target)) &&
                      (!t->target_span || fold_spans(&out->target_span, t->target_span, &target));
    fold_release(&target);
    return good;
}

static bool fold_all(struct attend_translation *out, const struct attend_translation *t,
                     const struct model *m, struct fold *source)
{
    if (!fold_init(source) || !spell(source, &out->source, &out->source_count) ||
        !translation_copy_unknown(out, t) ||
        (t->source_span && !fold_spans(&out->source_span, t->source_span, source)) ||
        !fold_hypothesis(out, t, source, &m->target))
        return false;
    out->other = calloc((size_t)t->others + 1, sizeof *out->other);
    bool good = out->other;
    for (; good && out->others < t->others; out->others++)
        good =
            fold_hypothesis(&out->other[out->others], &t->other[out->others], source, &m->target);
    return good;
}

enum attend_status attend_translation_fold(struct attend_translation *out,
                                           const struct attend_translation *t,
                                           const struct attend_model *model,
                                           struct attend_error *err)
{
    const struct model *m = model->model;
    struct attend_translation folded = {0};
    struct fold source = {.tokenizer = m->source.tokenizer,
                          .piece = (const char *const *)t->source,
                          .count = t->source_count,
                          .ended = !t->frames,
                          .tags = t->frames ? t->source_count : t->tags};
    const bool good = fold_all(&folded, t, m, &source);
    fold_release(&source);
    if (!good) {
        attend_translation_release(&folded);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for the words of a translation");
    }
    *out = folded;
    out->tags = t->tags;
    out->frames = t->frames;
    return ATTEND_OK;
}
