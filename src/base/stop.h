/* Long work checks between its steps whether the caller has asked it to stop. */
#ifndef ATTEND_BASE_STOP_H
#define ATTEND_BASE_STOP_H

#include "base/error.h"

#include <stddef.h>

/* stop may be NULL: then nobody can ask. */
static inline bool stop_asked(const struct attend_stop *stop)
{
    return stop && stop->asked(stop->context);
}

/* ATTEND_STOPPED with its message, or ATTEND_OK to continue. */
static inline enum attend_status stop_check(const struct attend_stop *stop,
                                            struct attend_error *err)
{
    return stop_asked(stop) ? error_set(err, ATTEND_STOPPED, "stopped on request") : ATTEND_OK;
}

#endif
