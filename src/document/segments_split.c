#include "document/segments.h"

#include "attend/document.h"
#include "base/error.h"
#include "document/inline_tags.h"

#include <stdlib.h>
#include <string.h>

/* Replace a text to translate by its sentences and what is between them. */
static enum attend_status split_one(struct segments *out, const char *text, bool html,
                                    const struct attend_splitting *how, struct attend_error *err)
{
    struct attend_span *span;
    int count;
    size_t at = 0;
    const enum attend_status status =
        inline_tags_split(&span, &count, text, strlen(text),
                          html ? ATTEND_TAGS_HTML : ATTEND_TAGS_NONE, how, NULL, err);
    if (status)
        return status;
    for (int i = 0; i < count; i++) {
        segments_add(out, text + at, span[i].from - at, false);
        segments_add(out, text + span[i].from, span[i].to - span[i].from, true);
        at = span[i].to;
    }
    segments_add(out, text + at, strlen(text + at), false);
    free(span);
    return ATTEND_OK;
}

enum attend_status segments_split(struct segments *p, bool html, const struct attend_splitting *how,
                                  struct attend_error *err)
{
    struct segments out = {0};
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < p->count && !status; i++) {
        const struct segment *s = &p->item[i];
        out.points = s->start;
        if (s->asks)
            status = split_one(&out, s->text, html, how, err);
        else
            segments_add(&out, s->text, strlen(s->text), false);
    }
    if (!status && out.failed)
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for the sentences of a text");
    if (status) {
        segments_release(&out);
        return status;
    }
    segments_release(p);
    *p = out;
    return ATTEND_OK;
}
