/* A request as one line of JSON: who asked for what, when, how it went and how long it took. Never
 * what was translated, and no key. */
#ifndef ATTEND_SERVE_ACCESS_LOG_H
#define ATTEND_SERVE_ACCESS_LOG_H

#include <stdbool.h>
#include <time.h>

struct exchange;
struct strbuf;

/* `whole`: the answer was sent. */
void access_log_write(struct strbuf *, const struct exchange *, bool whole, double seconds,
                      const struct timespec *now);

#endif
