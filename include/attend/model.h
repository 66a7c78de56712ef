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
/** Everything made from the model must be freed before it. */
ATTEND_API void attend_model_free(struct attend_model *model);

/** False for a model trained with `--attention none`: it has no weights to show. */
ATTEND_API bool attend_model_attends(const struct attend_model *model);

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
