/* Rows of settings that belong to no lower layer: how they are written, and those of pictures. */
#ifndef ATTEND_API_OPTION_ROWS_H
#define ATTEND_API_OPTION_ROWS_H

#include "base/option.h"

/* Paths and other texts of the program: none says anything about a result. */
#define TEXT(type, field, flag, called, what)                                                      \
    {                                                                                              \
        .name = flag, .kind = OPTION_TEXT, .offset = offsetof(struct type, field),                 \
        .value = called, .help = what, .local = true                                               \
    }
/* A file that is written. */
#define OUTPUT(type, field, flag, what)                                                            \
    {                                                                                              \
        .name = flag, .kind = OPTION_TEXT, .offset = offsetof(struct type, field),                 \
        .value = "FILE", .help = what, .local = true, .writes = true                               \
    }
#define LIST(type, field, flag, called, what)                                                      \
    {                                                                                              \
        .name = flag, .kind = OPTION_LIST, .offset = offsetof(struct type, field),                 \
        .value = called, .help = what                                                              \
    }
#define CHOICE(type, field, flag, text, names, what)                                               \
    {                                                                                              \
        .name = flag, .kind = OPTION_CHOICE, .offset = offsetof(struct type, field),               \
        .fallback = text, .value = "NAME", .choices = names, .help = what                          \
    }
#define INT(type, field, flag, text, low, high, what)                                              \
    {                                                                                              \
        .name = flag, .kind = OPTION_INT, .offset = offsetof(struct type, field),                  \
        .fallback = text, .min = low, .max = high, .value = "N", .help = what                      \
    }
#define FLAG(type, field, flag, what)                                                              \
    {                                                                                              \
        .name = flag, .kind = OPTION_FLAG, .offset = offsetof(struct type, field), .help = what,   \
        .local = true                                                                              \
    }

/* ---- picture_options.c: of `plot` and `trouble` ---- */

extern const struct option_row plot_model_rows[], plot_file_rows[], plot_log_rows[], plot_rows[];
extern const struct option_row trouble_rows[], trouble_report_rows[];
extern const struct option_row look_rows[]; /* of explain, too */

#endif
