/* Confidence that means what it says: of the answers with a confidence of 0.9, nine in ten are
 * right. A model's own probabilities do not have this property; a test set shows by how much, and
 * three numbers in the model file mend it. They change the confidence, never the answer. */
#ifndef ATTEND_CALIBRATION_H
#define ATTEND_CALIBRATION_H

#include "attend/status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How the probability P of an answer of N tokens (with `</s>`) becomes its confidence:
 *
 *     confidence = 1 / (1 + exp(-z)),  z = log(P / (1 - P)) / temperature + length N + bias
 *
 * With temperature 1, length 0 and bias 0, the confidence is P. */
struct attend_scaling {
    double temperature; /**< above 0 */
    double length, bias;
};

/** An answer of a model, and whether it was right. */
struct attend_answer {
    double log_probability; /**< natural logarithm */
    int tokens;             /**< its tokens, with `</s>` */
    double confidence;      /**< as the model gave it, 0 to 1 */
    bool right;
};

/** Answers of similar confidence: bin i has those from i/10 to (i+1)/10. */
struct attend_reliability_bin {
    long lines;
    double said;  /**< mean confidence, 0 to 1 */
    double right; /**< share that was right, 0 to 1 */
};
enum { ATTEND_RELIABILITY_BINS = 10 };
/** How far a confidence can be trusted. */
struct attend_reliability {
    struct attend_reliability_bin bin[ATTEND_RELIABILITY_BINS];
    double ece; /**< expected calibration error: mean of |said - right| over the answers, 0 to 1 */
    double nll; /**< mean of -log(confidence), or of -log(1 - confidence) for wrong answers */
};
struct attend_calibration {
    long lines, right;
    struct attend_scaling scaling;    /**< fitted to all answers */
    struct attend_reliability before; /**< of the confidence as it was given */
    struct attend_reliability after;  /**< of that by a scaling which was fitted without the tenth
                                         of the answers that it is applied to */
};
/** At least this many answers are needed. */
enum { ATTEND_CALIBRATION_LEAST = 20 };

/** Measure the confidence of answers, and fit a scaling to them. ATTEND_DATA for too few. */
ATTEND_API enum attend_status attend_calibrate(struct attend_calibration *out,
                                               const struct attend_answer *answers, int count,
                                               struct attend_error *err);

/** A table for people. Free it with attend_text_free; NULL when out of memory. */
ATTEND_API char *attend_calibration_text(const struct attend_calibration *calibration);

struct attend_picture;
struct attend_style;
/** A reliability diagram: the share that was right against the confidence, before and after. Only
 * the style's `title` and `dark` are used. NULL when out of memory. */
ATTEND_API struct attend_picture *
attend_picture_calibration(const struct attend_calibration *calibration,
                           const struct attend_style *style);

#ifdef __cplusplus
}
#endif

#endif
