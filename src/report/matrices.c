#include "report/matrices.h"

#include "base/error.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct attend_matrix attend_matrix_of(const struct attend_translation *t, int hypothesis, int head)
{
    const struct attend_translation *h = hypothesis ? &t->other[hypothesis - 1] : t;
    const size_t each = (size_t)h->target_count * (size_t)t->source_count;
    const float *weight = head < 0 ? h->attention : h->head_attention + (size_t)head * each;
    return (struct attend_matrix){.source = (const char *const *)t->source,
                                  .target = (const char *const *)h->target,
                                  .source_count = weight ? t->source_count : 0,
                                  .target_count = weight ? h->target_count : 0,
                                  .weight = weight};
}

/* ---- Lists of matrices ---- */

bool matrices_make(struct attend_matrix *m, int source_count, int target_count)
{
    const size_t S = (size_t)source_count, T = (size_t)target_count;
    *m = (struct attend_matrix){.source = calloc(S + 1, sizeof(char *)),
                                .target = calloc(T + 1, sizeof(char *)),
                                .source_count = source_count,
                                .target_count = target_count,
                                .weight = calloc(S * T + 1, sizeof(float))};
    return m->source && m->target && m->weight;
}

static void drop_words(const char *const *word, int count)
{
    for (int i = 0; word && i < count; i++)
        free((char *)word[i]);
    free((char **)word);
}

void matrices_drop(struct attend_matrix *m)
{
    if (m->source)
        drop_words(m->source, m->source_count);
    drop_words(m->target, m->target_count);
    free((float *)m->weight);
    free((char *)m->title);
    free((struct attend_frames_view *)m->frames);
    *m = (struct attend_matrix){0};
}

bool matrices_set_word(const char *const *side, int i, const char *word, size_t length)
{
    char *copy = strndup(word, length);
    ((char **)side)[i] = copy;
    return copy;
}

bool matrices_set_weight(struct attend_matrix *m, int target, int source, double weight)
{
    if (!(fabs(weight) <= (double)FLT_MAX))
        return false;
    ((float *)m->weight)[(size_t)target * (size_t)m->source_count + (size_t)source] = (float)weight;
    return true;
}

static bool grow(struct attend_matrices *list)
{
    if (list->count < list->size)
        return true;
    if (list->size > INT_MAX / 2)
        return false;
    const size_t size = list->size ? 2 * (size_t)list->size : 8;
    struct attend_matrix *item = realloc(list->item, size * sizeof *item);
    list->item = item ? item : list->item;
    long *number = realloc(list->number, size * sizeof *number);
    list->number = number ? number : list->number;
    if (item && number)
        list->size = (int)size;
    return item && number;
}

enum attend_status matrices_take(struct attend_matrices *list, struct attend_matrix *m, long number,
                                 struct attend_error *err)
{
    if (!grow(list)) {
        matrices_drop(m);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d matrices", list->count + 1);
    }
    list->number[list->count] = number;
    list->item[list->count++] = *m;
    *m = (struct attend_matrix){0};
    return ATTEND_OK;
}

static bool copy_words(const char *const *to, const char *const *from, int count)
{
    bool good = true;
    for (int i = 0; i < count && good; i++)
        good = matrices_set_word(to, i, from[i], strlen(from[i]));
    return good;
}

/* In one block with its values. */
static struct attend_frames_view *copy_view(const struct attend_frames_view *from)
{
    const size_t values = (size_t)from->rows * (size_t)from->width;
    struct attend_frames_view *copy = malloc(sizeof *copy + values * sizeof *from->value);
    if (!copy)
        return NULL;
    *copy = *from;
    copy->value = (const float *)(copy + 1);
    if (values)
        memcpy(copy + 1, from->value, values * sizeof *from->value);
    return copy;
}

/* Words are only missing where the source is frames. */
static bool copy_source(struct attend_matrix *copy, const struct attend_matrix *from)
{
    copy->frames = from->frames ? copy_view(from->frames) : NULL;
    if (from->source)
        return (!from->frames || copy->frames) &&
               copy_words(copy->source, from->source, from->source_count);
    free((char **)copy->source);
    copy->source = NULL;
    return copy->frames || from->source_count == 0;
}

enum attend_status attend_matrices_add(struct attend_matrices *list,
                                       const struct attend_matrix *from, long number,
                                       struct attend_error *err)
{
    struct attend_matrix copy = {0};
    const size_t weights = (size_t)from->source_count * (size_t)from->target_count;
    const bool good = matrices_make(&copy, from->source_count, from->target_count) &&
                      copy_source(&copy, from) &&
                      copy_words(copy.target, from->target, from->target_count);
    copy.title = good && from->title ? strdup(from->title) : NULL;
    if (!good || (from->title && !copy.title)) {
        matrices_drop(&copy);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a matrix");
    }
    if (weights)
        memcpy((float *)copy.weight, from->weight, weights * sizeof *from->weight);
    return matrices_take(list, &copy, number, err);
}

static void scale(struct attend_matrix *m)
{
    const size_t count = (size_t)m->source_count * (size_t)m->target_count;
    const float rounding = 1e-4f;
    float *weight = (float *)m->weight, largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = weight[i] > largest ? weight[i] : largest;
    for (size_t i = 0; largest > 1 + rounding && i < count; i++)
        weight[i] /= largest;
}

void attend_matrices_scale(struct attend_matrices *list)
{
    for (int i = 0; i < list->count; i++)
        scale(&list->item[i]);
}

void attend_matrices_release(struct attend_matrices *list)
{
    for (int i = 0; i < list->count; i++)
        matrices_drop(&list->item[i]);
    free(list->item);
    free(list->number);
    *list = (struct attend_matrices){0};
}

/* ---- Traces ---- */

enum attend_status attend_matrices_add_trace(struct attend_matrices *list,
                                             const struct attend_trace *trace, long number,
                                             struct attend_error *err)
{
    const struct attend_frames_view ink = {.kind = ATTEND_FRAMES_INK,
                                           .rows = trace->count,
                                           .width = 3,
                                           .value = trace->stroke,
                                           .stride = 1};
    const size_t T = (size_t)trace->source_count, S = trace->weight ? (size_t)trace->count : 0;
    float *weight = calloc(T * S + 1, sizeof *weight);
    if (!weight)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a matrix");
    for (size_t i = 0; i < T * S; i++)
        weight[i % T * S + i / T] = trace->weight[i];
    const struct attend_matrix matrix = {.target = trace->source,
                                         .target_count = S ? trace->source_count : 0,
                                         .source_count = (int)S,
                                         .weight = weight,
                                         .frames = &ink};
    const enum attend_status status = attend_matrices_add(list, &matrix, number, err);
    free(weight);
    return status;
}
