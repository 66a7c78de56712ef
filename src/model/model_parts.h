/* What saving and loading a model agree on: the entries of its file; and the parts of loading. */
#ifndef ATTEND_MODEL_MODEL_PARTS_H
#define ATTEND_MODEL_MODEL_PARTS_H

#include "base/option.h"

#include <stdbool.h>

struct file;
struct model;

/* Entries of a file's config that are not settings of the user: of struct attend_network_options and
 * of struct reading. */
extern const struct attend_setting model_size_rows[], model_reading_rows[];

/* How lines are read before their tokenizer splits them. */
struct reading {
    const char *source_form, *target_form;
    bool source_features, target_features;
    const char *source_case, *target_case;
};

/* The state of a load. */
struct loading {
    const char *path;
    struct file *file;
    struct model *model;
    struct reading reading;
    bool int8; /* the matrices are int8 */
    bool copy; /* copy the file into memory */
};

/* Load the source and the target, after the config. */
enum attend_status model_load_sides(struct loading *, struct attend_error *err);

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
