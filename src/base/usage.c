#include "base/usage.h"

#include <sys/resource.h>

double usage_peak_mb(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
#ifdef __APPLE__
    return (double)usage.ru_maxrss / 1048576; /* macOS counts bytes */
#else
    return (double)usage.ru_maxrss / 1024;
#endif
}

static double seconds_of(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

double usage_cpu_seconds(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
    return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}
