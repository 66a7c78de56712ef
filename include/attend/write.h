/* Writing by hand: a model whose target is strokes turns a text into the trace of a pen. */
#ifndef ATTEND_WRITE_H
#define ATTEND_WRITE_H

#include "attend/model.h"
#include "attend/plot.h"
#include "attend/status.h"
#include "attend/translate.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether the target of a model is strokes. Such a model writes; it does not translate. */
ATTEND_API bool attend_model_writes(const struct attend_model *model);

struct attend_writer_options {
    size_t size;
    double bias; /**< 0: as varied as the hands in training; larger is neater, and more alike */
    const char *prime; /**< path of ink in a hand to imitate, UNIPEN or InkML; NULL: any hand */
    const char *prime_text; /**< what that ink says; needed with `prime` */
    int seed;               /**< another seed is another trace */
    double max_length;      /**< at most this times 100 strokes for each token; 0: 3 */
    long first_line;        /**< number of the first text, from 0; each line has its own samples */
    int max_tokens;         /**< of a text; more is ATTEND_DATA. 0: any number */
};
ATTEND_DEFAULTS(writer)

/** What was written for a text. */
struct attend_writing {
    char *text;       /**< as given */
    bool complete;    /**< false: the length limit cut it off */
    int source_count; /**< tokens of the text, with </s> */
    int count;        /**< strokes */
    int unknowns;     /**< what `unknown` has */
    char **source;    /**< (source_count) the tokens as the model read them, </s> last */
    float *stroke;    /**< (count, 3) as in struct attend_trace, in units of the height of a line */
    float *weight;    /**< (count, source_count) attention at each stroke; NULL: no attention */
    /** Of given ink: the logarithm of its density, in units in which a stroke varies by 1, so it may
     * be above 0. */
    double log_probability;
    float
        *stroke_score; /**< the share of each stroke in it, and of the end: (count + 1); or NULL */
    struct attend_unknown *unknown; /**< (unknowns) what the model cannot write of the text, and
        writes as whatever it learned for unknown tokens; not of given ink */
};
/** Free the content of a writing and clear it; the struct itself is the caller's. */
ATTEND_API void attend_writing_release(struct attend_writing *writing);
/** The same as a trace to draw, which borrows everything from the writing. */
ATTEND_API struct attend_trace attend_writing_trace(const struct attend_writing *writing);

/** Write `count` texts. A text without tokens has no strokes. `options` NULL: the defaults. On
 * failure nothing is in `out`. */
ATTEND_API enum attend_status attend_write(const struct attend_model *model,
                                           const char *const *texts, int count,
                                           const struct attend_writer_options *options,
                                           const struct attend_stop *stop,
                                           struct attend_writing *out, struct attend_error *err);

/** Texts and ink that says them. All pointers are borrowed. */
struct attend_given_ink {
    const char *const *texts, *const *paths; /**< (count) paths of UNIPEN or InkML */
    int count;
    const char
        *beside; /**< relative paths start in the folder of this file; NULL: the current one */
    int threads; /**< 0: one for each physical core */
    const struct attend_stop *stop; /**< or NULL */
};
/** How likely the model is to write this ink for these texts, and where it looks while it does. On
 * failure nothing is in `out` (ink->count). */
ATTEND_API enum attend_status attend_write_given(const struct attend_model *model,
                                                 const struct attend_given_ink *ink,
                                                 struct attend_writing *out,
                                                 struct attend_error *err);

#ifdef __cplusplus
}
#endif

#endif
