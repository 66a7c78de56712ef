/* A trained model: one file, loaded once, never changed, shared by threads. */
#ifndef ATTEND_MODEL_H
#define ATTEND_MODEL_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct attend_model;

/** Map a model file and check all of it. */
ATTEND_API enum attend_status attend_model_load(struct attend_model **out, const char *path,
                                                struct attend_error *err);
/** The same from a copy in memory, for those who run long: a mapped file that somebody cuts short
 * would end the process. */
ATTEND_API enum attend_status attend_model_load_copy(struct attend_model **out, const char *path,
                                                     struct attend_error *err);
/** Everything made from the model must be freed before it. */
ATTEND_API void attend_model_free(struct attend_model *model);

/** False for a model trained with `--attention none`: it has no weights to show. */
ATTEND_API bool attend_model_attends(const struct attend_model *model);

/** What a model is; the texts are the model's. */
struct attend_model_info {
    const char *source, *target; /**< codes of its languages, as `en`; NULL: not known */
    const char *attention, *placement, *cell;
    int heads;
    size_t parameters;
    bool int8; /**< its weights */
};
ATTEND_API struct attend_model_info attend_model_info(const struct attend_model *model);

/** A language that a text may be in. */
struct attend_guess {
    const char *language; /**< its code; the text is a model's */
    double confidence;    /**< its probability among all of them and none of them, 0 to 1 */
};
/** The languages of the models, each once, in the order of their probability for a valid text, by
 * the n-grams of letters that training counted (models of before: by their vocabularies). Languages
 * past `room` are left out, the least probable ones. How many there are in out; -1 when memory runs
 * out. */
ATTEND_API int attend_detect(const struct attend_model *const *models, int count, const char *text,
                             struct attend_guess *out, int room);

/** What is in a model, as text for people: a line each for settings, vocabularies, and every
 * tensor. Free it with attend_text_free. NULL when memory runs out. */
ATTEND_API char *attend_model_describe(const struct attend_model *model);

/** The settings that the model was trained with, as YAML that attend_options_load takes: everything
 * but paths and the number of threads. Free it with attend_text_free. NULL when memory runs out. */
ATTEND_API char *attend_model_config(const struct attend_model *model, struct attend_error *err);

/** Free a text that this library returned; NULL is fine. */
ATTEND_API void attend_text_free(char *text);

#ifdef __cplusplus
}
#endif

#endif
