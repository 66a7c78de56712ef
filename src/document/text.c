/* Plain text: every line is a paragraph. */
#include "document/document.h"

static enum attend_status next(struct attend_document *d, bool *more, struct attend_error *err)
{
    strbuf_clear(&d->unit);
    enum attend_status status = intake_take(&d->in, &d->unit, '\n', err);
    *more = d->unit.length > 0;
    if (status || !*more)
        return status;
    size_t length = d->unit.length;
    while (length && (d->unit.text[length - 1] == '\n' || d->unit.text[length - 1] == '\r'))
        length--;
    status = document_ask(d, d->unit.text, length, d->unit.text, length, 0, err);
    return status ? status : document_keep(d, d->unit.text + length, d->unit.length - length, err);
}

const struct document_ops document_text = {
    .name = "text",
    .help = "plain text, a paragraph a line",
    .ending = {".txt"},
    .next = next,
};
