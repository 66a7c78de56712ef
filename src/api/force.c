#include "api/translation.h"

#include "api/direction.h"
#include "api/frame_lines.h"

#include "base/error.h"
#include "base/bug.h"
#include "decode/force.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Copy the weights, averaged over heads. */
static bool copy_weights(struct attend_translation *t, const struct forced *f)
{
    t->attention = calloc((size_t)f->T * (size_t)f->S, sizeof *t->attention);
    for (int i = 0; t->attention && i < f->T; i++)
        for (int j = 0; j < f->heads * f->S; j++)
            t->attention[i * f->S + j % f->S] +=
                (float)f->weight[i * f->heads * f->S + j] / (float)f->heads;
    return t->attention;
}

static bool copy_heads(struct attend_translation *t, const struct forced *f)
{
    const size_t row = (size_t)f->S, head = (size_t)f->T * row;
    t->head_attention = malloc((size_t)f->heads * head * sizeof *t->head_attention);
    if (!t->head_attention)
        return false;
    t->heads = f->heads;
    for (size_t i = 0; i < (size_t)f->T; i++)
        for (size_t j = 0; j < (size_t)f->heads * row; j++)
            t->head_attention[j / row * head + i * row + j % row] =
                (float)f->weight[i * (size_t)f->heads * row + j];
    return true;
}

static bool copy_scores(struct attend_translation *t, const struct forced *f)
{
    t->token_score = malloc((size_t)f->T * sizeof *t->token_score);
    t->copied = f->share ? malloc((size_t)f->T * sizeof *t->copied) : NULL;
    for (int i = 0; t->token_score && i < f->T; i++)
        t->token_score[i] = (float)-f->row_loss[i];
    for (int i = 0; t->copied && i < f->T; i++)
        t->copied[i] = f->share[i];
    return t->token_score && (t->copied || !f->share);
}

/* Fill in the words of both sides, one for each token that the model read. */
static bool fill_words(struct attend_translation *t, const struct translation_run *run,
                       const struct forced *f)
{
    const struct model *m = run->translator->model;
    const bool good =
        translation_source(run->source, f->item, m, &t->source, &t->source_count) &&
        translation_words(run->target, f->item, m->target.vocab, &t->target, &t->target_count) &&
        translation_unknown(t, run->source, f->item);
    t->tags = run->source->tags;
    t->frames = m->source.frames;
    BUG_ON(good && (t->source_count != f->S || t->target_count != f->T));
    return good;
}

/* The target as it was given, or what its pieces spell. */
static bool fill_text(struct attend_translation *t, const struct translation_run *run, int item)
{
    const bool spans = run->translator->setup.options.spans;
    if (spans && !translation_spans(run->source, item, &t->source_span))
        return false;
    if (!run->text)
        return translation_join(t, run->translator->model->target.tokenizer, t->target_count - 1,
                                spans);
    t->text = strdup(run->text[item]);
    return t->text && (!spans || translation_spans(run->target, item, &t->target_span));
}

static void emit_forced(void *context, const struct forced *f)
{
    struct translation_run *run = context;
    struct attend_translation *t = &run->out[f->item];
    t->log_probability = f->log_probability;
    t->score = f->log_probability / pow(f->T, run->translator->setup.options.length_penalty);
    t->complete = true;
    if (!fill_words(t, run, f) || !fill_text(t, run, f->item) || !copy_scores(t, f) ||
        (run->looks && !copy_weights(t, f)) ||
        (run->looks && f->heads > 1 && run->translator->setup.options.each_head &&
         !copy_heads(t, f)))
        atomic_store(&run->failed, true);
}

enum attend_status translation_force(struct attend_translator *t, const struct tokenized *source,
                                     const struct tokenized *target, const char *const *text,
                                     struct attend_translation *out, struct attend_error *err)
{
    struct translation_run run = {.translator = t,
                                  .source = source,
                                  .target = target,
                                  .text = text,
                                  .out = out,
                                  .looks = translation_looks(t->model)};
    memset(out, 0, (size_t)source->ids.count * sizeof *out);
    const enum attend_status status = force_pairs(t->team,
                                                  &(struct force_job){.net = &t->model->net,
                                                                      .source = &source->ids,
                                                                      .target = &target->ids,
                                                                      .stop = t->setup.stop,
                                                                      .emit = emit_forced,
                                                                      .context = &run},
                                                  err);
    return translation_finish(&run, source->ids.count, status, err);
}

/* Score targets of sources that have been read. */
static enum attend_status force_read(struct attend_translator *t, const struct tokenized *source,
                                     const char *const *targets, enum tokenized_as as,
                                     struct attend_translation *out, struct attend_error *err)
{
    const struct text_side *side = &t->model->target;
    struct tokenized target = {0};
    enum attend_status status = tokenized_make(&target,
                                               &(struct tokenizing){.tokenizer = side->tokenizer,
                                                                    .vocab = side->vocab,
                                                                    .name = "target",
                                                                    .most = t->max_tokens},
                                               as, targets, source->ids.count, err);
    if (!status)
        status =
            translation_force(t, source, &target, as == TOKENIZED_TEXT ? targets : NULL, out, err);
    tokenized_release(&target);
    return status;
}

static enum attend_status force(struct attend_translator *t, const char *const *sources,
                                const char *const *targets, int count, enum tokenized_as as,
                                struct attend_translation *out, struct attend_error *err)
{
    struct tokenized source = {0};
    memset(out, 0, (size_t)count * sizeof *out);
    enum attend_status status = direction_tokenize(&source, t, sources, NULL, count, "source", err);
    if (!status)
        status = frame_lines_check(&source, "source", err);
    if (!status)
        status = force_read(t, &source, targets, as, out, err);
    tokenized_release(&source);
    return status;
}

enum attend_status attend_force_frames(struct attend_translator *t,
                                       const struct attend_frames *frames,
                                       const char *const *targets, int count,
                                       struct attend_translation *out, struct attend_error *err)
{
    struct tokenized source = {0};
    memset(out, 0, (size_t)count * sizeof *out);
    enum attend_status status = frame_lines_take(&source, t, frames, count, err);
    if (!status)
        status = force_read(t, &source, targets, TOKENIZED_TEXT, out, err);
    tokenized_release(&source);
    return status;
}

enum attend_status attend_force(struct attend_translator *t, const char *const *sources,
                                const char *const *targets, int count,
                                struct attend_translation *out, struct attend_error *err)
{
    return force(t, sources, targets, count, TOKENIZED_TEXT, out, err);
}

enum attend_status attend_force_pieces(struct attend_translator *t, const char *const *sources,
                                       const char *const *targets, int count,
                                       struct attend_translation *out, struct attend_error *err)
{
    return force(t, sources, targets, count, TOKENIZED_PIECES, out, err);
}
