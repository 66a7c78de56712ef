#include "frames/frames.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>

enum attend_status frames_init(struct frames *f, long long rows, long long width, const char *name,
                               struct attend_error *err)
{
    if (rows < 1 || width < 1)
        return error_set(err, ATTEND_FORMAT, "%s: has no %s", name, rows < 1 ? "rows" : "columns");
    if (width > FRAMES_WIDTH_MAX)
        return error_set(err, ATTEND_FORMAT, "%s: has %lld columns; at most %d are read", name,
                         width, FRAMES_WIDTH_MAX);
    if (rows > FRAMES_VALUES_MAX / width)
        return error_set(err, ATTEND_FORMAT,
                         "%s: has %lld rows of %lld numbers; at most %d "
                         "numbers are read",
                         name, rows, width, FRAMES_VALUES_MAX);
    float *value = malloc((size_t)rows * (size_t)width * sizeof *value);
    if (!value)
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory for %lld rows of %lld numbers",
                         name, rows, width);
    *f = (struct frames){.rows = (int)rows, .width = (int)width, .value = value};
    return ATTEND_OK;
}

enum attend_status frames_check(const struct frames *f, const char *name, struct attend_error *err)
{
    const size_t count = (size_t)f->rows * (size_t)f->width, width = (size_t)f->width;
    for (size_t i = 0; i < count; i++)
        if (!isfinite(f->value[i]))
            return error_set(err, ATTEND_FORMAT, "%s: %s in row %zu, column %zu", name,
                             isnan(f->value[i]) ? "NaN" : "infinity", i / width + 1, i % width + 1);
    return ATTEND_OK;
}

void frames_release(struct frames *f)
{
    free(f->value);
    *f = (struct frames){0};
}
