/* Physical cores, as the kernel describes them: processors that share a core (hyper-threads) share
 * its arithmetic too, so for matrix products they count once. */
#ifndef ATTEND_BASE_CORES_H
#define ATTEND_BASE_CORES_H

#include <stdbool.h>

/* How many different cores the processors have for which `allowed` (processors) is true. `folder`
 * is the kernel's /sys/devices/system/cpu; 0 when it does not say of each of them. */
int cores_count(const char *folder, const bool *allowed, int processors);

#endif
