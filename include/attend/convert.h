/* Models in other forms. */
#ifndef ATTEND_CONVERT_H
#define ATTEND_CONVERT_H

#include "attend/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Write the model of file `from` to file `to` with its matrices rounded to int8: about a quarter
 * of the size, and faster. It is loaded like any other, but nothing can be trained from it. `to`
 * must not be a file that a training writes, nor `from` itself. The same model gives the same
 * bytes. */
ATTEND_API enum attend_status attend_convert_int8(const char *from, const char *to,
                                                  struct attend_error *err);

#ifdef __cplusplus
}
#endif

#endif
