/* Writes one line of JSON for each request: client, route, time, status and duration. The text of
 * the request and API keys are never logged. */
#ifndef ATTEND_SERVE_ACCESS_LOG_H
#define ATTEND_SERVE_ACCESS_LOG_H

#include <stdbool.h>
#include <time.h>

struct exchange;
struct strbuf;

/* `whole`: the answer was sent completely. */
void access_log_write(struct strbuf *, const struct exchange *, bool whole, double seconds,
                      const struct timespec *now);

#endif
