/* The data of a run: reads text files, makes tokenizers and vocabularies, and encodes all pairs. */
#ifndef ATTEND_CORPUS_DATASET_H
#define ATTEND_CORPUS_DATASET_H

#include "attend/train.h"
#include "base/strbuf.h"
#include "corpus/corpus.h"
#include "corpus/resampling.h"
#include "text/side.h"

#include <stdint.h>

struct store;
struct strbuf;

/* The validation pairs; all pointers are borrowed. */
struct valid_text {
    const struct corpus *corpus;
    const char *const *source, *const *target; /* (pairs) as the user wrote them */
    const struct text_side *side;              /* the target side */
};

struct dataset {
    struct text_side side[2]; /* source, target */
    struct store *train;
    struct valid_text *valid;      /* NULL: there is no validation text */
    char checksum[17];             /* of all training pairs, as hex digits */
    struct resampling *resampling; /* with `subword_sampling`; otherwise NULL */
    /* Lines about the text as a whole (corpus/holdout.h, corpus/traps.h), for a caller that knows
     * that nothing else is wrong: an error should stand alone. */
    struct strbuf remarks;
};

struct dataset_job {
    const struct attend_data_options *options;
    const char *model; /* path of the model; the sets of `split` are written beside it */
    uint64_t seed;
    bool joint; /* one vocabulary for both sides, whatever the options say */
    const struct text_side *given_source, *given_target; /* copy these instead; or NULL */
    const char *given_name;                              /* their model, for messages */
    attend_subwords_learn_fn *learn_subwords;            /* or NULL */
    bool first_rank; /* only the first process writes the sets of `split` */
    /* Gets messages about decisions and skipped pairs; or NULL. */
    void (*note)(void *context, const char *text);
    void *context;
    struct strbuf *case_note; /* gets why `case` auto chose as it did, for a note once the model is
                               * made; or NULL */
};

/* Check that the options name the text files, and that they do not contradict each other. */
enum attend_status dataset_check(const struct attend_data_options *, struct attend_error *err);
enum attend_status dataset_load(struct dataset *, const struct dataset_job *,
                                struct attend_error *err);
void dataset_release(struct dataset *);

#endif
