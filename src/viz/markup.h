/* Text inside XML and HTML. */
#ifndef ATTEND_VIZ_MARKUP_H
#define ATTEND_VIZ_MARKUP_H

struct strbuf;

/* Add safe text (label.h), escaped for use between tags or in quotes. */
void markup_add(struct strbuf *, const char *safe);

#endif
