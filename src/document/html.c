/* HTML: running text is translated with its inline tags (attend/markup.h); blocks, scripts and styles
 * stay. */
#include "document/document.h"
#include "document/segments.h"

#include "base/error.h"

#include <string.h>

/* The whole file is one unit. segments_cut_html decides what its texts are. */
static enum attend_status next(struct attend_document *d, bool *more, struct attend_error *err)
{
    struct segments segments = {0};
    strbuf_clear(&d->unit);
    enum attend_status status = intake_take(&d->in, &d->unit, '\0', err);
    *more = d->unit.length > 0;
    if (status || !*more)
        return status;
    segments_cut_html(&segments, d->unit.text);
    if (segments.failed)
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for a document");
    for (int i = 0; i < segments.count && !status; i++) {
        const struct segment *s = &segments.item[i];
        const size_t length = strlen(s->text);
        status = s->asks ? document_ask(d, NULL, 0, s->text, length, 0, err)
                         : document_keep(d, s->text, length, err);
    }
    segments_release(&segments);
    return status;
}

const struct document_ops document_html = {
    .name = "html",
    .help = "HTML; inline tags travel with their words, blocks and scripts stay",
    .ending = {".html", ".htm"},
    .next = next,
    .tags = ATTEND_TAGS_HTML,
};
