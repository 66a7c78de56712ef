/* The lines of a file as the walk that tokenizers learn from. */
#ifndef ATTEND_TESTS_LINES_WALK_H
#define ATTEND_TESTS_LINES_WALK_H

#include "base/io.h"
#include "corpus/lines.h"
#include "text/tokenizer.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The lines of a text; false when they cannot be read. */
static inline bool lines_of(struct lines *out, const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "lines_of.%d", (int)getpid());
    const bool read = !io_write(path, text, strlen(text), NULL) && !lines_read(out, path, NULL);
    remove(path);
    return read;
}

struct lines_walk {
    const struct lines *lines;
    int at; /* the line that comes next */
};

static inline bool lines_walk_next(void *context, const char **text, size_t *length)
{
    struct lines_walk *w = context;
    if (w->at == w->lines->count)
        return false;
    *text = lines_at(w->lines, w->at++, length);
    return true;
}

#endif
