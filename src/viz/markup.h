/* Text within XML and HTML. */
#ifndef ATTEND_VIZ_MARKUP_H
#define ATTEND_VIZ_MARKUP_H

struct strbuf;

/* Add safe text (label.h) for use between tags or within quotes. */
void markup_add(struct strbuf *, const char *safe);

#endif
