#include "attend/lines.h"

#include "base/error.h"
#include "text/reader.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 26 };

struct attend_lines {
    struct reader *reader;
    char *path; /* the reader borrows it */
};

enum attend_status attend_lines_open(struct attend_lines **out, const char *path,
                                     struct attend_error *err)
{
    struct attend_lines *l = calloc(1, sizeof *l);
    if (l)
        l->path = strdup(path ? path : "-");
    enum attend_status status = l && l->path
                                    ? reader_open(&l->reader, l->path, err)
                                    : error_set(err, ATTEND_NO_MEMORY, "out of memory for a file");
    if (status) {
        attend_lines_close(l);
        return status;
    }
    reader_set_limit(l->reader, LONGEST);
    *out = l;
    return ATTEND_OK;
}

enum attend_status attend_lines_next(struct attend_lines *l, const char **out,
                                     struct attend_error *err)
{
    struct reader_line line;
    const enum attend_status status = reader_next(l->reader, &line, err);
    if (status)
        return status;
    if (line.fault)
        return reader_refuse(l->reader, &line, err);
    *out = line.text;
    return ATTEND_OK;
}

const char *attend_lines_name(const struct attend_lines *l) { return reader_name(l->reader); }

long attend_lines_number(const struct attend_lines *l) { return (long)reader_count(l->reader); }

void attend_lines_close(struct attend_lines *l)
{
    if (!l)
        return;
    reader_close(l->reader);
    free(l->path);
    free(l);
}
