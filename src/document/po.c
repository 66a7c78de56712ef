/* Message catalogs of gettext: the msgstr of a message gets the translation of its msgid, if it is
 * empty. Comments, flags, contexts, the header and obsolete messages stay. */
#include "document/document.h"
#include "document/po_string.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum po_kind { PO_CONTEXT, PO_ID, PO_PLURAL, PO_STR };

/* A keyword with its strings. */
struct po_field {
    enum po_kind kind;
    int index;            /* of msgstr[N]; 0 without one */
    size_t from, to;      /* from its first quote to its last, in the unit */
    size_t value, length; /* of its value, in `values` */
};
enum { PO_FIELDS = 64, PO_UNIT = 1 << 16 };

struct po {
    struct strbuf line;   /* read, but not yet part of the unit */
    struct strbuf values; /* of all fields */
    struct po_field field[PO_FIELDS];
    int fields;
    long first;   /* line of the message */
    bool formats; /* it has a flag such as c-format */
};
/* The note of a part. */
enum { NOTE_CRLF = 1, NOTE_FORMAT = 2 };

/* ---- One line ---- */

/* Length of the keyword at the start of a line; 0: none. */
static size_t find_keyword(const char *line, enum po_kind *kind, int *index)
{
    static const struct {
        const char *name;
        enum po_kind kind;
    } rows[] = {
        {"msgctxt", PO_CONTEXT}, {"msgid_plural", PO_PLURAL}, {"msgid", PO_ID}, {"msgstr", PO_STR}};
    *index = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t length = strlen(rows[i].name);
        char *end = NULL;
        if (strncmp(line, rows[i].name, length) != 0)
            continue;
        *kind = rows[i].kind;
        if (line[length] == '[' && *kind == PO_STR) {
            *index = (int)strtol(line + length + 1, &end, 10);
            return *end == ']' && *index >= 0 ? (size_t)(end - line) + 1 : 0;
        }
        return strchr(" \t\"", line[length]) && line[length] ? length : 0;
    }
    return 0;
}

static bool has(const struct po *po, enum po_kind kind)
{
    for (int i = 0; i < po->fields; i++)
        if (po->field[i].kind == kind)
            return true;
    return false;
}

/* Whether this line begins the next message. */
static bool begins_next(const struct po *po, const char *line)
{
    enum po_kind kind;
    int index;
    if (!has(po, PO_STR))
        return false;
    return *line == '#' || (find_keyword(line, &kind, &index) && kind < PO_PLURAL);
}

static struct po_field *new_field(struct po *po, enum po_kind kind, int index)
{
    if (po->fields == PO_FIELDS)
        return NULL;
    struct po_field *field = &po->field[po->fields++];
    *field = (struct po_field){.kind = kind, .index = index, .value = po->values.length};
    return field;
}

/* Take the string behind a keyword, or alone on a line. `at` is its offset in the line. */
static enum attend_status take_string(struct attend_document *d, struct po_field *field, size_t at,
                                      struct attend_error *err)
{
    struct po *po = d->state;
    const size_t base = d->unit.length - po->line.length;
    size_t length;
    if (!po_string_read(&po->values, po->line.text + at, &length))
        return document_wrong(d, d->in.from, err, "the quotes of this string are not balanced");
    if (!field->to)
        field->from = base + at;
    field->to = base + at + length;
    field->length = po->values.length - field->value;
    return po->values.failed ? strbuf_status(&po->values, err) : ATTEND_OK;
}

/* Take a line that is neither empty nor a comment; the unit has it already. */
static enum attend_status take_line(struct attend_document *d, struct attend_error *err)
{
    struct po *po = d->state;
    enum po_kind kind;
    int index;
    const char *line = po->line.text;
    size_t at = strspn(line, " \t");
    struct po_field *field = po->fields ? &po->field[po->fields - 1] : NULL;
    if (line[at] != '"') {
        const size_t length = find_keyword(line + at, &kind, &index);
        if (!length || (kind == PO_STR && !has(po, PO_ID)))
            return document_wrong(d, d->in.from, err,
                                  length ? "a msgstr without its msgid"
                                         : "not a line of a .po file");
        field = new_field(po, kind, index);
        at += length;
        at += strspn(line + at, " \t");
    }
    if (!field)
        return document_wrong(d, d->in.from, err,
                              po->fields ? "a message has too many strings"
                                         : "a string without msgid or msgstr before it");
    return take_string(d, field, at, err);
}

/* ---- One message ---- */

static const struct po_field *find_field(const struct po *po, enum po_kind kind)
{
    for (int i = 0; i < po->fields; i++)
        if (po->field[i].kind == kind)
            return &po->field[i];
    return NULL;
}

/* The header names the charset. */
static enum attend_status check_header(struct attend_document *d, const struct po_field *str,
                                       struct attend_error *err)
{
    static const char *const good[] = {"UTF-8", "UTF8", "CHARSET", "ASCII", "US-ASCII"};
    struct po *po = d->state;
    const char *text = str->length ? po->values.text + str->value : "";
    const char *found = str->length ? memmem(text, str->length, "charset=", 8) : NULL;
    if (!found)
        return ATTEND_OK;
    found += 8;
    const size_t room = str->length - (size_t)(found - text);
    size_t length = 0;
    while (length < room && !strchr(" ;\n\t", found[length]))
        length++;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (length == strlen(good[i]) && strncasecmp(found, good[i], length) == 0)
            return ATTEND_OK;
    return error_at(err, ATTEND_DATA, d->in.name, (size_t)po->first,
                    "the charset is %.*s, which is not read; convert it: msgconv -t UTF-8",
                    (int)(length < 40 ? length : 40), found);
}

/* Queue the strings of one msgstr; `at` is where the unit was left. */
static enum attend_status fill(struct attend_document *d, const struct po_field *str, size_t *at,
                               struct attend_error *err)
{
    struct po *po = d->state;
    const struct po_field *plural = find_field(po, PO_PLURAL);
    const struct po_field *from = str->index && plural ? plural : find_field(po, PO_ID);
    const bool crlf = memmem(d->unit.text, d->unit.length, "\r\n", 2);
    if (from->length == 0 || (str->length && !d->setup.overwrite))
        return ATTEND_OK;
    enum attend_status status = document_keep(d, d->unit.text + *at, str->from - *at, err);
    *at = str->to;
    return status ? status
                  : document_ask(d, NULL, 0, po->values.text + from->value, from->length,
                                 (crlf ? NOTE_CRLF : 0) | (po->formats ? NOTE_FORMAT : 0), err);
}

static enum attend_status end_message(struct attend_document *d, struct attend_error *err)
{
    struct po *po = d->state;
    enum attend_status status = ATTEND_OK;
    size_t at = 0;
    if (po->fields && !has(po, PO_STR))
        return document_wrong(d, po->first, err,
                              "this message has no msgstr; the file is cut short");
    const struct po_field *id = find_field(po, PO_ID);
    const bool head = id && id->length == 0 && !has(po, PO_CONTEXT);
    for (int i = 0; i < po->fields && !status; i++)
        if (po->field[i].kind == PO_STR)
            status = head ? check_header(d, &po->field[i], err) : fill(d, &po->field[i], &at, err);
    return status ? status : document_keep(d, d->unit.text + at, d->unit.length - at, err);
}

/* Add the line to the unit. *end: it was the last one. */
static enum attend_status add_line(struct attend_document *d, bool *end, struct attend_error *err)
{
    struct po *po = d->state;
    const char *line = po->line.text;
    const char first = line[strspn(line, " \t\r\n")];
    strbuf_add(&d->unit, line, po->line.length);
    if (d->unit.failed)
        return strbuf_status(&d->unit, err);
    if (d->unit.length > INTAKE_UNIT)
        return document_wrong(d, d->in.line, err, "a message is too long");
    if (!first)
        *end = po->fields > 0 || d->unit.length > PO_UNIT;
    else if (first != '#')
        return take_line(d, err);
    else if (line[strspn(line, " \t#")] == ',')
        po->formats = po->formats || (strstr(line, "-format") && !strstr(line, "no-"));
    return ATTEND_OK;
}

static enum attend_status next(struct attend_document *d, bool *more, struct attend_error *err)
{
    struct po *po = d->state;
    enum attend_status status = ATTEND_OK;
    strbuf_clear(&d->unit);
    strbuf_clear(&po->values);
    po->fields = 0;
    po->formats = false;
    po->first = po->line.length ? d->in.from : d->in.line;
    for (bool end = false; !status && !end; strbuf_clear(&po->line)) {
        if (!po->line.length)
            status = intake_take(&d->in, &po->line, '\n', err);
        if (status || !po->line.length || begins_next(po, po->line.text))
            break;
        status = add_line(d, &end, err);
    }
    *more = d->unit.length > 0;
    return status || !*more ? status : end_message(d, err);
}

static void put(struct attend_document *d, const struct part *part, const char *translation,
                struct strbuf *out)
{
    const bool lost = part->note & NOTE_FORMAT && !po_string_same_places(part->text, translation);
    d->report.left += lost;
    po_string_write(out, lost ? "" : translation, part->note & NOTE_CRLF ? "\r\n" : "\n");
}

static void release(void *state)
{
    struct po *po = state;
    strbuf_release(&po->line);
    strbuf_release(&po->values);
}

const struct document_ops document_po = {
    .name = "po",
    .help = "messages of gettext; fills the empty ones",
    .ending = {".po", ".pot"},
    .next = next,
    .put = put,
    .tags = ATTEND_TAGS_PLACEHOLDERS,
    .state = sizeof(struct po),
    .release = release,
};
