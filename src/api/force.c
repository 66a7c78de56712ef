#include "api/translation.h"

#include "base/error.h"
#include "decode/force.h"

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

static void emit_forced(void *context, const struct forced *f)
{
    struct translation_run *run = context;
    const struct model *m = run->translator->model;
    struct attend_translation *t = &run->out[f->item];
    t->text = strdup(run->target[f->item]);
    t->log_probability = f->log_probability;
    t->score = f->log_probability / pow(f->T, run->translator->setup.options.length_penalty);
    t->complete = true;
    if (!t->text ||
        !translation_split(&m->source, run->source[f->item], &t->source, &t->source_count) ||
        !translation_split(&m->target, run->target[f->item], &t->target, &t->target_count) ||
        !copy_weights(t, f))
        atomic_store(&run->failed, true);
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
    struct sequences source = {0}, target = {0};
    memset(out, 0, (size_t)count * sizeof *out);
    enum attend_status status =
        translation_encode(&source, &t->model->source, sources, count, "source", err);
    if (!status)
        status = translation_encode(&target, &t->model->target, targets, count, "target", err);
    if (!status)
        status = force_pairs(t->team,
                             &(struct force_job){.net = &t->model->net,
                                                 .source = &source,
                                                 .target = &target,
                                                 .emit = emit_forced,
                                                 .context = &run},
                             err);
    sequences_release(&source);
    sequences_release(&target);
    return translation_finish(&run, count, status, err);
}
