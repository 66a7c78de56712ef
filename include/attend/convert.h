/* Converting a model file. */
#ifndef ATTEND_CONVERT_H
#define ATTEND_CONVERT_H

#include "attend/status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct attend_scaling;

/** What to change. */
struct attend_conversion {
    bool int8; /**< round the matrices to int8: about a quarter of the size, and faster. The result
                  loads like any other model, but training cannot start from it */
    const char *source_lang, *target_lang;    /**< language codes; NULL: keep what the model has */
    const struct attend_scaling *calibration; /**< of its confidence; NULL: keep what it has */
    void *reserved[1];
};
/** Read a model from the file `from` and write the converted model to `to`. ATTEND_USAGE when `to`
 * is `from` itself or belongs to an unfinished run (`to`.ckpt exists). The same model gives the
 * same bytes. */
ATTEND_API enum attend_status attend_convert(const char *from, const char *to,
                                             const struct attend_conversion *conversion,
                                             struct attend_error *err);

#ifdef __cplusplus
}
#endif

#endif
