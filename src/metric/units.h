/* A line as symbols that can be compared and shown: what stands between white space (tokens), or
 * characters (grapheme clusters). White space (ASCII) around a line of characters does not matter,
 * and within it any run is as good as one space. */
#ifndef ATTEND_METRIC_UNITS_H
#define ATTEND_METRIC_UNITS_H

#include "base/strbuf.h"
#include "metric/words.h"

/* All zero when empty. */
struct units {
    struct symbols id;  /* equal symbols have equal numbers in all texts of one struct words */
    struct strbuf line; /* the text as it is compared: in lower case if that was asked for */
    struct unit_span {
        size_t start, length; /* in `line`, in bytes */
    } * span;                 /* (id.count) */
    int room;
    bool failed;
};

/* Replace `out` by the symbols of a valid text. */
void units_read(struct words *, struct units *out, const char *text, bool characters,
                bool lowercase);
bool units_failed(const struct units *);
void units_release(struct units *);

#endif
