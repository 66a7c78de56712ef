#include "api/attended.h"

#include "api/model.h"
#include "base/error.h"
#include "text/tokenizer.h"

#include <stdlib.h>

static enum attend_status make_room(struct attended *a, int block, struct attend_error *err)
{
    const size_t count = (size_t)block;
    a->block = block;
    a->links = calloc(count, sizeof *a->links);
    a->sources = calloc(count, sizeof *a->sources);
    a->targets = calloc(count, sizeof *a->targets);
    a->result = calloc(count, sizeof *a->result);
    return a->links && a->sources && a->targets && a->result
               ? ATTEND_OK
               : error_set(err, ATTEND_NO_MEMORY, "out of memory for %d pairs", block);
}

enum attend_status attended_open(struct attended *a, const char *path, int block,
                                 const struct attend_align_options *options, bool reverse,
                                 struct attend_error *err)
{
    struct attend_translator_options search = attend_translator_defaults();
    search.batch_sentences = options->batch_sentences;
    search.threads = options->threads;
    search.from = reverse ? options->to : options->from;
    search.to = reverse ? options->from : options->to;
    *a = (struct attended){.words = options->words};
    enum attend_status status = attend_model_load(&a->model, path, err);
    /* The marks of capitals are tokens that no reader of links expects. */
    const struct tokenizer *tokenizer = status ? NULL : a->model->model->source.tokenizer;
    if (tokenizer && tokenizer->letter_case == LETTER_CASE_MARKED)
        a->words = true;
    if (!status && !attend_model_attends(a->model))
        status = error_set(
            err, ATTEND_FORMAT,
            "%s: the model was trained with `attention` none and has no attention to show", path);
    if (!status)
        status = attend_translator_new(
            &a->translator, (const struct attend_model *const *)&a->model, 1, &search, err);
    if (!status)
        status = attend_translator_files(a->translator, reverse ? options->tgt : options->src,
                                         options->modules, err);
    if (!status)
        status = make_room(a, block, err);
    if (status)
        attended_close(a);
    return status;
}

static enum attend_status keep(struct attended *a, int i, struct attend_error *err)
{
    struct attend_translation *t = &a->result[i], folded;
    if (a->words) {
        const enum attend_status status = attend_translation_fold(&folded, t, a->model, err);
        if (status)
            return status;
        attend_translation_release(t);
        *t = folded;
    }
    a->sources[i] = t->source_count - !t->frames - t->tags;
    a->targets[i] = t->target_count - 1;
    return links_from_weights(&a->links[i], t->attention, t->attention ? a->targets[i] : 0,
                              t->source_count, t->tags, !t->frames, err);
}

enum attend_status attended_read(struct attended *a, char **source, char **target, int count,
                                 struct attend_error *err)
{
    enum attend_status status = attend_force(a->translator, (const char *const *)source,
                                             (const char *const *)target, count, a->result, err);
    for (int i = 0; i < count && !status; i++)
        status = keep(a, i, err);
    /* On failure there is nothing to release. */
    for (int i = 0; i < count; i++)
        attend_translation_release(&a->result[i]);
    return status;
}

void attended_close(struct attended *a)
{
    for (int i = 0; a->links && i < a->block; i++)
        links_release(&a->links[i]);
    free(a->links);
    free(a->sources);
    free(a->targets);
    free(a->result);
    attend_translator_free(a->translator);
    attend_model_free(a->model);
    *a = (struct attended){0};
}
