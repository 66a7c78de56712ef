/* Translation memories (TMX): each unit (<tu>) gets a variant (<tuv>) in the target language, made
 * from that in the source language. Inline elements stay where they are in the segment. */
#include "document/document.h"
#include "document/xml.h"

#include "base/error.h"
#include "markup/html.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* One <tuv> of a unit; the numbers are tokens, -1: none. */
struct tuv {
    char language[48];
    int open, close;         /* its tags */
    int seg_open, seg_close; /* those of its segment; equal for <seg/> */
};
enum { TMX_VARIANTS = 256 };

struct tmx {
    struct xml xml;
    bool any;                /* the file is not empty */
    bool begun;              /* the root element was read */
    struct xml_token *token; /* (tokens) of the current unit */
    int tokens, size;
    struct tuv tuv[TMX_VARIANTS];
    int tuvs;
    struct strbuf text;
    long first; /* line of the unit */
};

/* ---- Tokens ---- */

static enum attend_status next_token(struct attend_document *d, struct xml_token **out,
                                     struct attend_error *err)
{
    struct tmx *t = d->state;
    if (t->tokens == t->size) {
        const int size = t->size ? 2 * t->size : 64;
        struct xml_token *more = realloc(t->token, (size_t)size * sizeof *more);
        if (!more)
            return error_set(err, ATTEND_NO_MEMORY, "out of memory for a document");
        t->token = more;
        t->size = size;
    }
    *out = &t->token[t->tokens++];
    return xml_next(&t->xml, &d->in, &d->unit, *out, err);
}

static const char *text_of(const struct attend_document *d, const struct xml_token *token)
{
    return d->unit.text + token->from;
}

/* An attribute of a tag; NULL: none. It lives until the next call. */
static const char *attribute(struct attend_document *d, const struct xml_token *tag,
                             const char *name)
{
    struct tmx *t = d->state;
    strbuf_clear(&t->text);
    return xml_attribute(&t->text, text_of(d, tag), tag->to - tag->from, name) ? t->text.text
                                                                               : NULL;
}

/* ---- A unit ---- */

static bool opens(enum xml_kind kind) { return kind == XML_OPEN || kind == XML_EMPTY; }

static enum attend_status note_tuv(struct attend_document *d, int at, struct attend_error *err)
{
    struct tmx *t = d->state;
    if (t->tuvs == TMX_VARIANTS)
        return document_wrong(d, t->first, err, "a <tu> has too many languages");
    struct tuv *tuv = &t->tuv[t->tuvs++];
    const int close = t->token[at].kind == XML_EMPTY ? at : -1;
    *tuv = (struct tuv){.open = at, .close = close, .seg_open = -1, .seg_close = -1};
    const char *language = attribute(d, &t->token[at], "xml:lang");
    if (!language)
        language = attribute(d, &t->token[at], "lang");
    if (!language || strlen(language) >= sizeof tuv->language)
        return document_wrong(d, d->in.line, err, "a <tuv> without a language (xml:lang)");
    memcpy(tuv->language, language, strlen(language) + 1);
    return ATTEND_OK;
}

/* Remember what a tag of the unit means. */
static enum attend_status note_tag(struct attend_document *d, int at, struct attend_error *err)
{
    struct tmx *t = d->state;
    const enum xml_kind kind = t->token[at].kind;
    const char *tag = text_of(d, &t->token[at]);
    struct tuv *tuv = t->tuvs ? &t->tuv[t->tuvs - 1] : NULL;
    if (kind != XML_CLOSE && !opens(kind))
        return ATTEND_OK;
    if (xml_is(tag, "tuv") && opens(kind))
        return note_tuv(d, at, err);
    if (!tuv || tuv->close >= 0)
        return ATTEND_OK;
    if (xml_is(tag, "seg") && opens(kind))
        tuv->seg_open = at;
    if (xml_is(tag, "seg") && kind != XML_OPEN)
        tuv->seg_close = at;
    if (xml_is(tag, "tuv"))
        tuv->close = at;
    return ATTEND_OK;
}

static enum attend_status read_unit(struct attend_document *d, struct attend_error *err)
{
    struct tmx *t = d->state;
    struct xml_token *token;
    const int depth = t->xml.depth;
    enum attend_status status = ATTEND_OK;
    t->tuvs = 0;
    while (!status && t->xml.depth >= depth) {
        status = next_token(d, &token, err);
        if (!status && token->kind == XML_END)
            status =
                document_wrong(d, t->first, err, "this <tu> has no end; the file is cut short");
        if (!status && d->unit.length > INTAKE_UNIT)
            status = document_wrong(d, t->first, err, "a <tu> is too long");
        if (!status)
            status = note_tag(d, t->tokens - 1, err);
    }
    return status;
}

/* ---- Languages ---- */

/* 2: the same language, 1: the same but for its region or script, 0: another. */
static int likeness(const char *a, const char *b)
{
    const size_t length = strcspn(a, "-_");
    if (strcasecmp(a, b) == 0)
        return 2;
    return length == strcspn(b, "-_") && strncasecmp(a, b, length) == 0;
}

static const struct tuv *find_tuv(const struct tmx *t, const char *language)
{
    const struct tuv *best = NULL;
    int most = 0;
    for (int i = 0; i < t->tuvs; i++) {
        const int like = likeness(t->tuv[i].language, language);
        if (like > most && t->tuv[i].seg_open >= 0 && t->tuv[i].seg_close >= 0) {
            most = like;
            best = &t->tuv[i];
        }
    }
    return best;
}

/* ---- The segment ---- */

static bool is_code(const char *tag)
{
    static const char *const names[] = {"bpt", "ept", "ph", "it", "ut"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (xml_is(tag, names[i]))
            return true;
    return false;
}

static enum attend_status ask_text(struct attend_document *d, const struct xml_token *token,
                                   struct attend_error *err)
{
    struct tmx *t = d->state;
    const char *raw = text_of(d, token);
    const size_t length = token->to - token->from;
    strbuf_clear(&t->text);
    strbuf_adds(&t->text, "");
    if (token->kind == XML_CDATA)
        strbuf_add(&t->text, raw + 9, length - 12);
    else if (!xml_decode(&t->text, raw, length))
        return document_wrong(d, t->first, err,
                              "a segment has a & that XML does not know; write &amp;");
    if (t->text.failed)
        return strbuf_status(&t->text, err);
    return document_ask(d, raw, length, t->text.text, t->text.length, 0, err);
}

/* Queue a copy of the source's segment. What is inside of inline codes is no text. */
static enum attend_status ask_segment(struct attend_document *d, const struct tuv *source,
                                      struct attend_error *err)
{
    const struct tmx *t = d->state;
    enum attend_status status = ATTEND_OK;
    int code = 0;
    for (int i = source->seg_open + 1; i < source->seg_close && !status; i++) {
        const struct xml_token *token = &t->token[i];
        const char *bytes = text_of(d, token);
        const bool text = token->kind == XML_TEXT || token->kind == XML_CDATA;
        if (token->kind == XML_OPEN && is_code(bytes))
            code++;
        status = text && !code ? ask_text(d, token, err)
                               : document_keep(d, bytes, token->to - token->from, err);
        if (token->kind == XML_CLOSE && is_code(bytes))
            code--;
    }
    return status;
}

static enum attend_status keep_text(struct attend_document *d, const char *text,
                                    struct attend_error *err)
{
    return document_keep(d, text, strlen(text), err);
}

/* Replace the unit's bytes from `from` to `to` by the segment between two texts. */
static enum attend_status put_segment(struct attend_document *d, const struct tuv *source,
                                      size_t from, size_t to, const char *before, const char *after,
                                      struct attend_error *err)
{
    enum attend_status status = document_keep(d, d->unit.text, from, err);
    if (!status)
        status = keep_text(d, before, err);
    if (!status)
        status = ask_segment(d, source, err);
    if (!status)
        status = keep_text(d, after, err);
    return status ? status : document_keep(d, d->unit.text + to, d->unit.length - to, err);
}

/* A new variant, behind the last one and indented like the source. */
static enum attend_status add_variant(struct attend_document *d, const struct tuv *source,
                                      struct attend_error *err)
{
    struct tmx *t = d->state;
    const struct xml_token *open = &t->token[source->open];
    const size_t end = t->token[t->tuv[t->tuvs - 1].close].to;
    size_t indent = open->from;
    struct strbuf before = {0};
    while (indent > 0 && strchr(" \t\r\n", d->unit.text[indent - 1]))
        indent--;
    const bool plain = !attribute(d, open, "xml:lang");
    strbuf_add(&before, d->unit.text + indent, open->from - indent);
    strbuf_addf(&before, "<tuv %s=\"%s\"><seg>", plain ? "lang" : "xml:lang", d->target);
    enum attend_status status = strbuf_status(&before, err);
    if (!status)
        status = put_segment(d, source, end, end, before.text, "</seg></tuv>", err);
    strbuf_release(&before);
    return status;
}

static bool is_blank(const struct attend_document *d, const struct tuv *tuv)
{
    const struct tmx *t = d->state;
    for (int i = tuv->seg_open + 1; i < tuv->seg_close; i++)
        if (t->token[i].kind != XML_TEXT ||
            strspn(text_of(d, &t->token[i]), " \t\r\n") < t->token[i].to - t->token[i].from)
            return false;
    return true;
}

static enum attend_status fill_unit(struct attend_document *d, struct attend_error *err)
{
    struct tmx *t = d->state;
    if (!d->target || !d->source)
        return error_set(err, ATTEND_USAGE,
                         "%s: the model does not say its languages, which a .tmx file needs; "
                         "attend convert can set them",
                         d->in.name);
    const struct tuv *source = find_tuv(t, d->source), *target = find_tuv(t, d->target);
    if (!source || is_blank(d, source) || source == target ||
        (target && !is_blank(d, target) && !d->setup.overwrite))
        return document_keep(d, d->unit.text, d->unit.length, err);
    if (!target)
        return add_variant(d, source, err);
    const struct xml_token *open = &t->token[target->seg_open];
    if (open->kind == XML_EMPTY)
        return put_segment(d, source, open->from, open->to, "<seg>", "</seg>", err);
    return put_segment(d, source, open->to, t->token[target->seg_close].from, "", "", err);
}

/* ---- The file ---- */

/* A tag outside of units. */
static enum attend_status check_tag(struct attend_document *d, const struct xml_token *token,
                                    struct attend_error *err)
{
    struct tmx *t = d->state;
    const char *tag = text_of(d, token), *value = NULL;
    if (token->kind == XML_OTHER && strncmp(tag, "<?xml ", 6) == 0)
        value = attribute(d, token, "encoding");
    if (value && strcasecmp(value, "UTF-8") != 0 && strcasecmp(value, "US-ASCII") != 0)
        return error_at(err, ATTEND_DATA, d->in.name, (size_t)d->in.line,
                        "the encoding is %.40s, which is not read; convert it to UTF-8", value);
    if (!opens(token->kind))
        return ATTEND_OK;
    if (!t->begun && !xml_is(tag, "tmx"))
        return document_wrong(d, d->in.line, err, "not a TMX file: it does not begin with <tmx>");
    t->begun = true;
    value = !d->source && xml_is(tag, "header") ? attribute(d, token, "srclang") : NULL;
    if (value && !(d->source = strdup(value)))
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a document");
    return ATTEND_OK;
}

static enum attend_status check_end(const struct attend_document *d, struct attend_error *err)
{
    const struct tmx *t = d->state;
    if (t->xml.depth)
        return error_at(err, ATTEND_DATA, d->in.name, (size_t)d->in.line,
                        "<%s> has no end; the file is cut short", t->xml.open[t->xml.depth - 1]);
    return t->begun || !t->any ? ATTEND_OK
                               : document_wrong(d, 1, err, "not a TMX file: it has no <tmx>");
}

static enum attend_status next(struct attend_document *d, bool *more, struct attend_error *err)
{
    struct tmx *t = d->state;
    struct xml_token *token;
    strbuf_clear(&d->unit);
    t->tokens = 0;
    t->first = d->in.line;
    enum attend_status status = next_token(d, &token, err);
    if (status)
        return status;
    *more = token->kind != XML_END;
    t->any = t->any || *more;
    if (!*more)
        return check_end(d, err);
    if (token->kind == XML_OPEN && xml_is(text_of(d, token), "tu")) {
        status = read_unit(d, err);
        return status ? status : fill_unit(d, err);
    }
    status = check_tag(d, token, err);
    return status ? status : document_keep(d, d->unit.text, d->unit.length, err);
}

static void put(struct attend_document *d, const struct part *part, const char *translation,
                struct strbuf *out)
{
    (void)d, (void)part;
    html_escape(out, translation, strlen(translation));
}

static void release(void *state)
{
    struct tmx *t = state;
    free(t->token);
    strbuf_release(&t->text);
}

const struct document_ops document_tmx = {
    .name = "tmx",
    .help = "translation memories; adds the target language",
    .ending = {".tmx"},
    .next = next,
    .put = put,
    .state = sizeof(struct tmx),
    .release = release,
};
