/* Seconds on a monotonic clock. */
#ifndef ATTEND_BASE_CLOCK_H
#define ATTEND_BASE_CLOCK_H

double clock_seconds(void);

#endif
