/* Models in other forms. */
#ifndef ATTEND_CONVERT_H
#define ATTEND_CONVERT_H

#include "attend/status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is to be different. */
struct attend_conversion {
    bool int8; /**< its matrices are rounded: about a quarter of the size, and faster. It is loaded
                  like any other, but nothing can be trained from it */
    const char *source_lang, *target_lang; /**< codes of its languages; NULL: as they are */
};
/** Write the model of file `from` to file `to`, converted. `to` must not be a file that a training
 * writes, nor `from` itself. The same model gives the same bytes. */
ATTEND_API enum attend_status attend_convert(const char *from, const char *to,
                                             const struct attend_conversion *conversion,
                                             struct attend_error *err);
/** The same to int8 and nothing else. */
ATTEND_API enum attend_status attend_convert_int8(const char *from, const char *to,
                                                  struct attend_error *err);

#ifdef __cplusplus
}
#endif

#endif
