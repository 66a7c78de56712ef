/* A clock that runs backward, to preload: each reading of the time of day is earlier than the last.
 * The monotonic clock is not changed. */
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static atomic_long looks;

static time_t earlier(time_t now) { return now - 3600 * atomic_fetch_add(&looks, 1); }

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *out)
{
    const int result = (int)syscall(SYS_clock_gettime, clock, out);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        out->tv_sec = earlier(out->tv_sec);
    return result;
}

__attribute__((visibility("default"))) time_t time(time_t *out)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out)
        *out = now.tv_sec;
    return now.tv_sec;
}

__attribute__((visibility("default"))) int gettimeofday(struct timeval *restrict out,
                                                        void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *out = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}
