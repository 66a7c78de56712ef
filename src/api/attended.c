#include "api/attended.h"

#include "api/options.h"
#include "base/error.h"

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
                                 const struct attend_options *options, struct attend_error *err)
{
    *a = (struct attended){.words = options->program.words};
    enum attend_status status = attend_model_load(&a->model, path, err);
    if (!status && !attend_model_attends(a->model))
        status = error_set(
            err, ATTEND_FORMAT,
            "%s: the model was trained with --attention none: it has no attention to show", path);
    if (!status)
        status = attend_translator_new(
            &a->translator, (const struct attend_model *const *)&a->model, 1, options, err);
    if (!status)
        status = make_room(a, block, err);
    if (status)
        attended_close(a);
    return status;
}

static void drop_links(struct attended *a)
{
    for (int i = 0; a->links && i < a->block; i++) {
        attend_text_free(a->links[i]);
        a->links[i] = NULL;
    }
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
    a->sources[i] = t->source_count - 1;
    a->targets[i] = t->target_count - 1;
    a->links[i] = attend_translation_links(t);
    return a->links[i] ? ATTEND_OK
                       : error_set(err, ATTEND_NO_MEMORY, "out of memory for an alignment");
}

enum attend_status attended_read(struct attended *a, char **source, char **target, int count,
                                 struct attend_error *err)
{
    drop_links(a);
    enum attend_status status = attend_force(a->translator, (const char *const *)source,
                                             (const char *const *)target, count, a->result, err);
    for (int i = 0; i < count && !status; i++)
        status = keep(a, i, err);
    /* On failure of the call they hold nothing. */
    for (int i = 0; i < count; i++)
        attend_translation_release(&a->result[i]);
    return status;
}

void attended_close(struct attended *a)
{
    drop_links(a);
    free(a->links);
    free(a->sources);
    free(a->targets);
    free(a->result);
    attend_translator_free(a->translator);
    attend_model_free(a->model);
    *a = (struct attended){0};
}
