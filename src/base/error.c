#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

#define TEXT(name, text) [ATTEND_##name] = text,
static const char *const texts[] = {ATTEND_STATUS_LIST(TEXT)};
#undef TEXT

const char *attend_status_text(enum attend_status status)
{
    const unsigned at = (unsigned)status;
    return at < sizeof texts / sizeof *texts ? texts[at] : "unknown status";
}

enum attend_status error_set(struct attend_error *err, enum attend_status status,
                             const char *format, ...)
{
    if (!err)
        return status;
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return status;
}
