/* A document while it is translated, as its format sees it: a queue of parts. A part is either kept
 * as it is, or is a text to translate.
 *
 * To add a format:
 *     1. write document/<name>.c, which defines `const struct document_ops document_<name>` (text.c
 *        is a short example): `next` reads a unit of the document and queues its parts, `put`
 *        writes a translated text with the escapes of the format;
 *     2. add X(<name>) to the list;
 *     3. add documents to document_test.c, whose round trips go over the list, and a seed to
 *        tests/fuzz/corpus/document.
 * --format, --help, /frontend/settings and the endings of files follow the list. */
#ifndef ATTEND_DOCUMENT_DOCUMENT_H
#define ATTEND_DOCUMENT_DOCUMENT_H

#include "attend/document.h"
#include "document/intake.h"

#define DOCUMENT_LIST(X) X(text) X(srt) X(po) X(tmx) X(html)

/* Owned by the queue. */
struct part {
    char *raw; /* the bytes in the document; NULL: none, the text is always written by `put` */
    size_t raw_length;
    char *text; /* to translate; NULL: keep the raw bytes */
    size_t length;
    struct attend_span *span; /* (spans) the lines of the text */
    int spans;
    int note; /* whatever the format wants to remember */
};

struct document_ops {
    const char *name, *help;
    const char *ending[3]; /* the first is the usual one; NULL ends them */
    /* Queue the parts of the next unit. *more is false when there was none. */
    enum attend_status (*next)(struct attend_document *, bool *more, struct attend_error *err);
    /* Append the translation of a part's text as the document has it; NULL: as it is. */
    void (*put)(struct attend_document *, const struct part *, const char *translation,
                struct strbuf *out);
    enum attend_tags tags; /* what is markup in its texts */
    size_t state;          /* bytes of the format's own state, zero at first */
    void (*release)(void *state);
};

#define DOCUMENT_ROW(name) extern const struct document_ops document_##name;
DOCUMENT_LIST(DOCUMENT_ROW)
#undef DOCUMENT_ROW

struct attend_document {
    const struct document_ops *ops;
    struct attend_document_setup setup;
    struct intake in;
    void *state; /* of the format */
    char *source, *target;
    struct strbuf unit; /* the format's, for the bytes of a unit */
    struct part *part;  /* (parts) the queue */
    int parts, size;
    int head, done;      /* the first part that is not written, and how many of its spans are */
    int next, next_span; /* the next part and span to be given as lines */
    size_t held;         /* bytes in the queue */
    struct strbuf made;  /* translation of the part at `head`, so far */
    struct strbuf coded; /* the same as the format writes it */
    char **line;         /* (lines) given to the caller */
    int lines, line_size;
    bool begun, ended;
    struct attend_document_report report;
};

/* Queue bytes that stay as they are. */
enum attend_status document_keep(struct attend_document *, const char *bytes, size_t length,
                                 struct attend_error *err);
/* Queue a text to translate. If it stays as it is, `raw` is written, unless that is NULL. */
enum attend_status document_ask(struct attend_document *, const char *raw, size_t raw_length,
                                const char *text, size_t length, int note,
                                struct attend_error *err);
/* ATTEND_DATA about a line of the document. */
enum attend_status document_wrong(const struct attend_document *, long line,
                                  struct attend_error *err, const char *reason);

/* formats.c: the row of a name, or of the ending of a path; NULL when there is none. */
const struct document_ops *document_find(const char *name);
const struct document_ops *document_find_ending(const char *path);

#endif
