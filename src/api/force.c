#include "api/translation.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "decode/force.h"
#include "text/tokenizer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Heads averaged. */
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

/* The target's words, and its text. */
static bool split_target(const struct translation_run *run, const char *line,
                         struct attend_translation *t)
{
    const struct model_side *side = &run->translator->model->target;
    if (!run->pieces) {
        t->text = strdup(line);
        return translation_split(side, line, &t->target, &t->target_count) && t->text;
    }
    struct strbuf text = {0};
    const bool good = translation_split_pieces(side, line, &t->target, &t->target_count);
    if (good)
        tokenizer_join(side->tokenizer, &text, (const char *const *)t->target, t->target_count - 1);
    t->text = strbuf_detach(&text);
    return good && t->text;
}

static void emit_forced(void *context, const struct forced *f)
{
    struct translation_run *run = context;
    const struct model *m = run->translator->model;
    struct attend_translation *t = &run->out[f->item];
    t->log_probability = f->log_probability;
    t->score = f->log_probability / pow(f->T, run->translator->setup.options.length_penalty);
    t->complete = true;
    if (!translation_split(&m->source, run->source[f->item], &t->source, &t->source_count) ||
        !split_target(run, run->target[f->item], t) || !copy_scores(t, f) ||
        (run->looks && !copy_weights(t, f)) ||
        (run->looks && f->heads > 1 && run->translator->setup.options.each_head &&
         !copy_heads(t, f)))
        atomic_store(&run->failed, true);
}

static enum attend_status force(struct translation_run *run, int count, struct attend_error *err)
{
    const struct attend_translator *t = run->translator;
    struct sequences source = {0}, target = {0};
    memset(run->out, 0, (size_t)count * sizeof *run->out);
    enum attend_status status =
        translation_encode(&source, &t->model->source, run->source, count, "source", err);
    if (!status)
        status = (run->pieces ? translation_encode_pieces : translation_encode)(
            &target, &t->model->target, run->target, count, "target", err);
    if (!status)
        status = force_pairs(t->team,
                             &(struct force_job){.net = &t->model->net,
                                                 .source = &source,
                                                 .target = &target,
                                                 .emit = emit_forced,
                                                 .context = run},
                             err);
    sequences_release(&source);
    sequences_release(&target);
    return translation_finish(run, count, status, err);
}

enum attend_status attend_force(struct attend_translator *t, const char *const *sources,
                                const char *const *targets, int count,
                                struct attend_translation *out, struct attend_error *err)
{
    struct translation_run run = {.translator = t,
                                  .source = sources,
                                  .target = targets,
                                  .out = out,
                                  .looks = translation_looks(t->model)};
    return force(&run, count, err);
}

enum attend_status attend_force_pieces(struct attend_translator *t, const char *const *sources,
                                       const char *const *targets, int count,
                                       struct attend_translation *out, struct attend_error *err)
{
    struct translation_run run = {.translator = t,
                                  .source = sources,
                                  .target = targets,
                                  .out = out,
                                  .looks = translation_looks(t->model),
                                  .pieces = true};
    return force(&run, count, err);
}
