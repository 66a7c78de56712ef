/* HTML documents from a template of web/: text with placeholders like {{title}}. */
#ifndef ATTEND_VIZ_TEMPLATE_H
#define ATTEND_VIZ_TEMPLATE_H

struct strbuf;

/* What replaces {{name}}; a table of them ends with a NULL name. */
struct template_place {
    const char *name;
    void (*add)(struct strbuf *, const void *context);
};

/* Adds the file `name` of web/ with its placeholders filled. A placeholder without a row is a bug. */
void template_fill(struct strbuf *out, const char *name, const struct template_place *,
                   const void *context);
/* Adds a script of web/. In one document all scripts form a single module, without exports and
 * imports. Both stand at the beginning of a line, an import on a line of its own. */
void template_add_script(struct strbuf *out, const char *name);
/* Adds a title of any bytes as escaped text. */
void template_add_text(struct strbuf *out, const char *raw);

#endif
