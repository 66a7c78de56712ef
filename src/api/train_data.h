/* The text of a training: from files to pairs of ids, and how they became that. */
#ifndef ATTEND_API_TRAIN_DATA_H
#define ATTEND_API_TRAIN_DATA_H

#include "api/options.h"
#include "text/lines.h"
#include "train/trainer.h"

struct train_data {
    struct model_side side[2]; /* source, target */
    struct store *train;
    bool has_valid;
    struct lines valid_lines[2];
    struct corpus valid;
    const char **valid_source, **valid_target; /* texts of the pairs in `valid` */
    struct valid_text valid_text;              /* views of the above */
    char checksum[17];                         /* of all pairs, as hex digits */
};

/* With `given` (two sides), those are copied instead of being made from the text. */
enum attend_status train_data_load(struct train_data *, const struct attend_options *,
                                   const struct model_side *const given[2],
                                   const struct attend_train_hooks *, struct attend_error *err);
void train_data_release(struct train_data *);

#endif
