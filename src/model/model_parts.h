/* What saving and loading a model agree on: the entries of its file. */
#ifndef ATTEND_MODEL_MODEL_PARTS_H
#define ATTEND_MODEL_MODEL_PARTS_H

#include "base/option.h"

#include <stdbool.h>

/* Entries of a file's config that are not settings of the user: of struct attend_network_options and
 * of struct reading. */
extern const struct attend_setting model_size_rows[], model_reading_rows[];

/* How lines are read before their tokenizer splits them. */
struct reading {
    const char *source_form, *target_form;
    bool source_features, target_features;
    const char *source_case, *target_case;
};

/* The names of a side's parts in the file. */
struct side_names {
    const char *tokenizer, *state, *vocab, *language, *detect, *frames;
};
extern const struct side_names model_source_names, model_target_names;

#define MODEL_LANGUAGES "languages"
#define MODEL_LETTERS "language.letters"
#define MODEL_LONGEST "longest_source"
#define MODEL_SHORTLIST MODEL_EXTRA_PREFIX "shortlist"

#endif
