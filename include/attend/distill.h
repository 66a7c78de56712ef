/* Sequence-level distillation (Kim and Rush 2016): translations by a model, or by an ensemble, become the
 * training text of one model, which then costs as much as one and comes near to all. */
#ifndef ATTEND_DISTILL_H
#define ATTEND_DISTILL_H

#include "attend/translate.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is translated, and where the result goes. Required: output, and train or train_src. The text
 * is read as attend_train reads it (struct attend_data_options), but targets may be missing. */
struct attend_distill_options {
    size_t size;
    const char *train;                 /**< a file of pairs, columns separated by tabs; or */
    const char *train_src, *train_tgt; /**< files, one sentence per line; train_tgt NULL: none */
    const char *columns, *features;    /**< as for attend_train */
    const char *language_columns, *source_lang, *target_lang;
    bool header, skip_broken;
    const char *output;  /**< the table that attend_train reads */
    bool overwrite;      /**< replace an output that is already there, and start again */
    const char *closest; /**< of the `nbest` translations, only the one that this metric finds
                            closest to the given target: "chrf" ...; NULL: all of them */
    bool keep;           /**< write the given pairs too */
};
ATTEND_DEFAULTS(distill)

/** The state of a run. */
struct attend_distill_report {
    const char
        *note;      /**< something to tell, such as skipped lines, valid during the call; or NULL */
    long lines;     /**< lines to translate */
    long done;      /**< of them, `resumed` included */
    long resumed;   /**< lines that an earlier, interrupted run had done */
    long rows;      /**< rows written */
    long cut_off;   /**< translations that met the length limit, and were left out */
    double seconds; /**< since the first translation of this run */
    void *reserved[2];
};
struct attend_distill_hooks {
    /** Called before the first translation, after each block of lines, and with notes. */
    void (*report)(void *context, const struct attend_distill_report *report);
    void *context;
    void *reserved[2];
};

/** Translate the sources with the translator's search and write `output`: a row for each translation,
 * with the columns src and tgt, then the features, then the languages of both sides, if there are
 * any; each source gets its `nbest` rows, best first, and before them the given pair if `keep` is
 * set. The rows go to `output`.part, which becomes `output` at the end. `output`.progress says
 * how much of it is complete, so that after an interruption of any kind (ATTEND_STOPPED too) the
 * same call continues there and ends with the same bytes. Other options, models or text are
 * then ATTEND_USAGE. If the model reads frames, sources are paths of files; the translator must read
 * them (attend_translator_files, beside train or train_src), and the rows have absolute paths. */
ATTEND_API enum attend_status attend_distill(struct attend_translator *translator,
                                             const struct attend_distill_options *options,
                                             const struct attend_distill_hooks *hooks,
                                             struct attend_error *err);

#ifdef __cplusplus
}
#endif

#endif
