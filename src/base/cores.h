/* Physical cores, as the kernel describes them. Hyper-threads share the arithmetic units of their
 * core, so for matrix products they count as one. */
#ifndef ATTEND_BASE_CORES_H
#define ATTEND_BASE_CORES_H

#include <stdbool.h>

/* The number of different cores among the processors i < `processors` with `allowed[i]`. `folder`
 * is the kernel's /sys/devices/system/cpu. Returns 0 when it does not describe all of them. */
int cores_count(const char *folder, const bool *allowed, int processors);

#endif
