#include "base/error.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TEXT(name, text) [ATTEND_##name] = text,
static const char *const texts[] = {ATTEND_STATUS_LIST(TEXT)};
#undef TEXT

const char *attend_status_text(enum attend_status status)
{
    const unsigned at = (unsigned)status;
    return at < sizeof texts / sizeof *texts ? texts[at] : "unknown status";
}

/* Messages quote what files and users sent, cut to a length: they may hold control characters and
 * half characters, which neither a terminal nor JSON should get. */
static void make_printable(char *message)
{
    for (char *c = message; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    size_t bad;
    for (; !utf8_valid(message, strlen(message), &bad); message += bad)
        message[bad] = '?';
}

#undef error_set
enum attend_status error_set(struct attend_error *err, enum attend_status status,
                             const char *format, ...)
{
    if (!err)
        return status;
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    if (length >= (int)sizeof err->message) /* not in the middle of a character */
        err->message[utf8_whole(err->message, sizeof err->message - 1)] = '\0';
    make_printable(err->message);
    return status;
}
