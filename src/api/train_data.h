/* The text of a training: from files to pairs of ids, and how they became that. */
#ifndef ATTEND_API_TRAIN_DATA_H
#define ATTEND_API_TRAIN_DATA_H

#include "api/options.h"
#include "train/trainer.h"

struct train_data {
    struct model_side side[2]; /* source, target */
    struct store *train;
    struct valid_text *valid;  /* NULL: there is no validation text */
    char checksum[17];         /* of all pairs, as hex digits */
    struct train_draws *draws; /* with --subword-sampling; else NULL */
};

struct train_data_job {
    const struct attend_options *options;
    const struct model *given; /* its sides are copied instead of being made; or NULL */
    const char *given_name;    /* for messages */
    bool first_rank;           /* only the first process writes the sets of --split */
    void (*note)(void *context, const char *text); /* what was decided and left out */
    void *context;
};

/* Whether the settings say where the text is. */
enum attend_status train_data_check(const struct data_options *, struct attend_error *err);
enum attend_status train_data_load(struct train_data *, const struct train_data_job *,
                                   struct attend_error *err);
void train_data_release(struct train_data *);

#endif
