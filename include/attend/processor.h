/* Which instructions of the processor the library uses. */
#ifndef ATTEND_PROCESSOR_H
#define ATTEND_PROCESSOR_H

#include "attend/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Limit vector instructions to a level: "plain" (what every processor of this kind has), "avx2" or
 * "avx512"; NULL: the processor's highest, as without this call. Fails if there is no such level, or
 * if the processor lacks it. This is the one setting of the whole process, to compare levels or to
 * get the same digits on different machines; call it before anything else, from one thread. */
ATTEND_API enum attend_status attend_processor_limit(const char *level, struct attend_error *err);
/** The level in use. */
ATTEND_API const char *attend_processor_level(void);

#ifdef __cplusplus
}
#endif

#endif
