#include "attend/lines.h"

#include "base/error.h"
#include "corpus/parallel.h"
#include "corpus/reader.h"

#include <stdlib.h>

enum { LONGEST = 1 << 26 };

struct attend_lines {
    struct reader *reader;
};

enum attend_status attend_lines_open(struct attend_lines **out, const char *path,
                                     struct attend_error *err)
{
    struct attend_lines *l = calloc(1, sizeof *l);
    const enum attend_status status =
        l ? reader_open(&l->reader, path ? path : "-", err)
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

enum attend_status attend_lines_ready(struct attend_lines *l, int milliseconds, bool *ready,
                                      struct attend_error *err)
{
    return reader_ready(l->reader, milliseconds, ready, err);
}

enum attend_status attend_lines_next_pair(struct attend_lines *source, struct attend_lines *target,
                                          const char **source_line, const char **target_line,
                                          struct attend_error *err)
{
    struct reader *const reader[] = {source->reader, target->reader};
    struct reader_line line[2];
    bool more;
    const enum attend_status status = parallel_lines(reader, line, 2, &more, err);
    if (status)
        return status;
    for (int i = 0; i < 2; i++)
        if (line[i].fault)
            return reader_refuse(reader[i], &line[i], err);
    *source_line = line[0].text;
    *target_line = line[1].text;
    return ATTEND_OK;
}

const char *attend_lines_name(const struct attend_lines *l) { return reader_name(l->reader); }

long attend_lines_number(const struct attend_lines *l) { return (long)reader_count(l->reader); }

void attend_lines_close(struct attend_lines *l)
{
    if (!l)
        return;
    reader_close(l->reader);
    free(l);
}
