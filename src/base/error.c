#include "base/error.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define TEXT(name, text) [ATTEND_##name] = text,
static const char *const texts[] = {ATTEND_STATUS_LIST(TEXT)};
#undef TEXT

const char *attend_version(void) { return ATTEND_VERSION; }

const char *attend_status_text(enum attend_status status)
{
    const unsigned at = (unsigned)status;
    return at < sizeof texts / sizeof *texts ? texts[at] : "unknown status";
}

/* Messages quote bytes from files and users, cut to a length. They may hold control characters or
 * parts of characters, which would break a terminal or JSON. */
static void make_printable(char *message)
{
    for (char *c = message; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    size_t bad;
    for (; !utf8_valid(message, strlen(message), &bad); message += bad)
        message[bad] = '?';
}

/* The reason goes behind what the message already has. */
static void add_reason(struct attend_error *err, const char *format, va_list args)
{
    const size_t used = strlen(err->message), room = sizeof err->message - used;
    err->reason = (int)used;
    const int length = vsnprintf(err->message + used, room, format, args);
    if (length >= (int)room) /* not in the middle of a character */
        err->message[utf8_whole(err->message, sizeof err->message - 1)] = '\0';
    make_printable(err->message);
}

#undef error_set
enum attend_status error_set(struct attend_error *err, enum attend_status status,
                             const char *format, ...)
{
    if (!err)
        return status;
    va_list args;
    va_start(args, format);
    *err = (struct attend_error){.status = status};
    add_reason(err, format, args);
    va_end(args);
    return status;
}

/* Begin a message with its place; a line of 0 is none. */
static void set_place(struct attend_error *err, const char *file, size_t line)
{
    char number[24] = "";
    if (line)
        snprintf(number, sizeof number, ":%zu", line);
    snprintf(err->message, sizeof err->message, "%.300s%s: ", file, number);
    snprintf(err->file, sizeof err->file, "%s", file);
    err->line = (long)line;
}

#undef error_at
enum attend_status error_at(struct attend_error *err, enum attend_status status, const char *file,
                            size_t line, const char *format, ...)
{
    if (!err)
        return status;
    va_list args;
    va_start(args, format);
    *err = (struct attend_error){.status = status};
    set_place(err, file, line);
    add_reason(err, format, args);
    va_end(args);
    return status;
}

#undef error_item
enum attend_status error_item(struct attend_error *err, enum attend_status status,
                              const char *argument, int item, const char *format, ...)
{
    if (!err)
        return status;
    va_list args;
    va_start(args, format);
    *err = (struct attend_error){.status = status, .argument = argument, .item = item};
    snprintf(err->message, sizeof err->message, "%s:%d: ", argument, item + 1);
    add_reason(err, format, args);
    va_end(args);
    return status;
}

void attend_error_move(struct attend_error *err, const char *file, long line)
{
    char reason[sizeof err->message];
    if (!err)
        return;
    snprintf(reason, sizeof reason, "%s", err->message + err->reason);
    error_at(err, err->status, file, (size_t)line, "%s", reason);
}
