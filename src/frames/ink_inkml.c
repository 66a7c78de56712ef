/* InkML: an XML file whose <trace> elements hold points, separated by commas.
 *
 *     <ink><traceFormat><channel name="X"/><channel name="Y"/></traceFormat>
 *       <trace>1125 18432,'23'43,"7"-8,3-5</trace></ink>
 *
 * A value is a number (or #hexadecimal, *: as before, ?: none, T, F). Each channel of a trace
 * remembers how its values are meant, which a prefix changes:
 *
 *     !  the value itself          x_t = value,           v_t = x_t - x_{t-1} (how a trace begins)
 *     '  its change                v_t = value,           x_t = x_{t-1} + v_t
 *     "  the change of its change  v_t = v_{t-1} + value, x_t = x_{t-1} + v_t
 *
 * This is not an XML parser: elements other than trace, traceFormat and channel are passed over, and
 * a declaration of entities is refused. A <traceFormat> holds for the traces behind it. Traces
 * within <definitions>, and those of type penUp, are not ink. */
#include "frames/ink.h"

#include <string.h>

enum { CHANNELS_MAX = 16 };

struct channel {
    double value, change;
    char mode;  /* ! ' or " */
    bool begun; /* has had a value */
};

/* Bytes of the file. */
struct span {
    const char *at, *end;
};

struct inkml {
    struct ink_text text;
    struct ink *ink;
    int channels, x, y; /* regular channels of the format, and which of them are X and Y */
    bool optional;      /* within <intermittentChannels> */
    int definitions;    /* depth */
};

/* ---- Tags ---- */

struct tag {
    struct span name;   /* without its namespace */
    struct span rest;   /* attributes */
    bool closes, empty; /* </name>, <name/> */
};

static bool is(struct span s, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(s.end - s.at) == length && memcmp(s.at, word, length) == 0;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static bool begins(const struct ink_text *t, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(t->end - t->at) >= length && memcmp(t->at, word, length) == 0;
}

/* Move behind `word`; false if it does not come. */
static bool pass(struct ink_text *t, const char *word)
{
    const char *found = memmem(t->at, (size_t)(t->end - t->at), word, strlen(word));
    if (found)
        t->at = found + strlen(word);
    return found;
}

/* Move behind the tag that begins here; `>` may stand in quotes. */
static bool take_tag(struct ink_text *t, struct tag *tag)
{
    const char *at = t->at + 1;
    tag->closes = at < t->end && *at == '/';
    at += tag->closes;
    tag->name = (struct span){at, at};
    for (; at < t->end && !is_blank(*at) && *at != '>' && *at != '/'; at++)
        if (*at == ':')
            tag->name.at = at + 1;
    tag->name.end = tag->rest.at = at;
    for (char quote = '\0'; at < t->end && (quote || *at != '>'); at++)
        if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? '\0' : *at;
    if (at == t->end)
        return false;
    tag->empty = at > tag->rest.at && at[-1] == '/';
    tag->rest.end = at;
    t->at = at + 1;
    return true;
}

/* The value of an attribute; empty if it is not there. */
static struct span attribute(const struct tag *tag, const char *name)
{
    const char *at = tag->rest.at, *end = tag->rest.end;
    while (at < end) {
        struct span key = {at, at};
        while (at < end && (is_blank(*at) || *at == '/'))
            at++;
        for (key.at = at; at < end && *at != '=' && !is_blank(*at);)
            at++;
        key.end = at;
        while (at < end && *at != '"' && *at != '\'')
            at++;
        const char quote = at < end ? *at++ : '\0';
        struct span value = {at, at};
        while (at < end && *at != quote)
            at++;
        value.end = at;
        at += at < end;
        if (is(key, name))
            return value;
    }
    return (struct span){end, end};
}

/* ---- The points of a trace ---- */

static void skip_blanks(struct ink_text *t)
{
    while (t->at < t->end && is_blank(*t->at))
        t->at++;
}

/* A prefix, which XML may spell as an entity. */
static char take_prefix(struct ink_text *t)
{
    static const struct {
        const char *text;
        char mode;
    } prefixes[] = {{"!", '!'},      {"'", '\''},     {"\"", '"'},   {"&apos;", '\''},
                    {"&quot;", '"'}, {"&#39;", '\''}, {"&#34;", '"'}};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (begins(t, prefixes[i].text)) {
            t->at += strlen(prefixes[i].text);
            return prefixes[i].mode;
        }
    return '\0';
}

static int hex_digit(char c)
{
    const char *const digits = "0123456789abcdef", *found = strchr(digits, c | 32);
    return c && found && (c > '9' || (c >= '0' && c <= '9')) ? (int)(found - digits) : -1;
}

static bool take_hex(struct ink_text *t, double *out)
{
    int digit, count = 0;
    for (*out = 0; t->at < t->end && (digit = hex_digit(*t->at)) >= 0; t->at++, count++)
        *out = *out * 16 + digit;
    return count > 0;
}

static void move(struct channel *c, double value)
{
    if (c->mode == '!')
        c->change = c->begun ? value - c->value : 0;
    else
        c->change = c->mode == '"' ? c->change + value : value;
    c->value = c->mode == '!' ? value : c->value + c->change;
    c->begun = true;
}

enum given { WRONG, GIVEN, UNKNOWN };

/* One value of a channel. */
static enum given take_value(struct ink_text *t, struct channel *c)
{
    double value;
    const char prefix = take_prefix(t);
    if (prefix)
        c->mode = prefix;
    skip_blanks(t);
    const char next = t->at < t->end ? *t->at : '\0';
    if (next == '*' || next == '?' || next == 'T' || next == 'F') {
        t->at++;
        return next == '?' ? UNKNOWN : GIVEN; /* truth values are of channels that are not read */
    }
    if (next == '#') {
        t->at++;
        if (!take_hex(t, &value))
            return WRONG;
    } else if (!ink_number(t, &value)) {
        return WRONG;
    }
    move(c, value);
    return GIVEN;
}

/* The values of a point, up to a comma. *known: both X and Y have one. */
static enum attend_status take_point(struct inkml *k, struct ink_text *t, struct channel *channels,
                                     bool *known, struct attend_error *err)
{
    int count = 0;
    *known = true;
    for (skip_blanks(t); t->at < t->end && *t->at != ','; skip_blanks(t), count++) {
        if (count == CHANNELS_MAX)
            return ink_wrong(t, "a point has more than 16 values", err);
        const enum given given = take_value(t, &channels[count]);
        if (given == WRONG)
            return ink_wrong(t, "a trace holds something that is not a number", err);
        if (given == UNKNOWN && (count == k->x || count == k->y))
            *known = false;
    }
    if (count <= k->x || count <= k->y)
        return ink_wrong(t, "a point lacks a number", err);
    return ATTEND_OK;
}

static enum attend_status take_points(struct inkml *k, struct ink_text t, struct attend_error *err)
{
    struct channel channels[CHANNELS_MAX];
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < CHANNELS_MAX; i++)
        channels[i] = (struct channel){.mode = '!'};
    skip_blanks(&t);
    while (!status && t.at < t.end) {
        bool known;
        status = take_point(k, &t, channels, &known, err);
        if (!status && known)
            status = ink_add(k->ink, channels[k->x].value, channels[k->y].value, &t, err);
        t.at += t.at < t.end;
        skip_blanks(&t);
    }
    ink_lift(k->ink);
    return status;
}

/* ---- Elements ---- */

static enum attend_status trace(struct inkml *k, const struct tag *tag, struct attend_error *err)
{
    const struct span more = attribute(tag, "continuation");
    struct ink_text points = k->text;
    if (tag->closes || tag->empty)
        return ATTEND_OK;
    const char *end = memchr(points.at, '<', (size_t)(points.end - points.at));
    if (!end)
        return ink_wrong(&k->text, "the file ends within a trace", err);
    points.end = k->text.at = end;
    if (!begins(&k->text, "</"))
        return ink_wrong(&k->text, "a trace holds another element", err);
    if (k->definitions || is(attribute(tag, "type"), "penUp"))
        return ATTEND_OK;
    if (k->x < 0 || k->y < 0)
        return ink_wrong(&k->text, "the traceFormat does not name X and Y", err);
    if ((is(more, "middle") || is(more, "end")) && k->ink->count)
        k->ink->point[k->ink->count - 1].last = false;
    return take_points(k, points, err);
}

static enum attend_status trace_format(struct inkml *k, const struct tag *tag,
                                       struct attend_error *err)
{
    (void)err;
    if (tag->closes || tag->empty)
        return ATTEND_OK;
    k->channels = 0;
    k->x = k->y = -1;
    return ATTEND_OK;
}

static enum attend_status intermittent(struct inkml *k, const struct tag *tag,
                                       struct attend_error *err)
{
    (void)err;
    k->optional = !tag->closes && !tag->empty;
    return ATTEND_OK;
}

static enum attend_status channel(struct inkml *k, const struct tag *tag, struct attend_error *err)
{
    const struct span name = attribute(tag, "name");
    if (tag->closes || k->optional)
        return ATTEND_OK;
    if (k->channels == CHANNELS_MAX)
        return ink_wrong(&k->text, "a traceFormat has more than 16 channels", err);
    if (is(name, "X"))
        k->x = k->channels;
    if (is(name, "Y"))
        k->y = k->channels;
    k->channels++;
    return ATTEND_OK;
}

static enum attend_status definitions(struct inkml *k, const struct tag *tag,
                                      struct attend_error *err)
{
    (void)err;
    if (!tag->empty)
        k->definitions += tag->closes ? (k->definitions > 0 ? -1 : 0) : 1;
    return ATTEND_OK;
}

static enum attend_status element(struct inkml *k, struct attend_error *err)
{
    static const struct {
        const char *name;
        enum attend_status (*act)(struct inkml *, const struct tag *, struct attend_error *);
    } elements[] = {{"trace", trace},
                    {"traceFormat", trace_format},
                    {"intermittentChannels", intermittent},
                    {"channel", channel},
                    {"definitions", definitions}};
    struct tag tag;
    if (!take_tag(&k->text, &tag))
        return ink_wrong(&k->text, "the file ends within a tag", err);
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (is(tag.name, elements[i].name))
            return elements[i].act(k, &tag, err);
    return ATTEND_OK;
}

/* What begins with <! or <?. */
static enum attend_status aside(struct inkml *k, struct attend_error *err)
{
    const struct ink_text before = k->text;
    const bool comment = begins(&k->text, "<!--"), instruction = begins(&k->text, "<?");
    const char *end = comment                         ? "-->"
                      : instruction                   ? "?>"
                      : begins(&k->text, "<![CDATA[") ? "]]>"
                                                      : ">";
    if (comment)
        k->text.at += 4;
    if (!pass(&k->text, end))
        return ink_wrong(&before, "the file ends within a comment or declaration", err);
    if (begins(&before, "<!DOCTYPE") && memchr(before.at, '[', (size_t)(k->text.at - before.at)))
        return ink_wrong(&before, "declarations of entities are not read", err);
    return ATTEND_OK;
}

/* Whether the first element is <ink>. */
static bool is_ink(struct ink_text t)
{
    struct tag tag;
    while (t.at < t.end && (t.at = memchr(t.at, '<', (size_t)(t.end - t.at)))) {
        if (!begins(&t, "<!") && !begins(&t, "<?"))
            return take_tag(&t, &tag) && is(tag.name, "ink");
        if (!pass(&t, begins(&t, "<!--") ? "-->" : ">"))
            return false;
    }
    return false;
}

enum attend_status ink_parse_inkml(struct ink *ink, struct ink_text text, struct attend_error *err)
{
    struct inkml k = {.text = text, .ink = ink, .channels = 2, .x = 0, .y = 1};
    enum attend_status status = ATTEND_OK;
    if (!is_ink(text))
        return ink_wrong(&text, "the XML is not InkML: its first element is not <ink>", err);
    while (!status && k.text.at < k.text.end) {
        const char *open = memchr(k.text.at, '<', (size_t)(k.text.end - k.text.at));
        k.text.at = open ? open : k.text.end;
        if (begins(&k.text, "<!") || begins(&k.text, "<?"))
            status = aside(&k, err);
        else if (open)
            status = element(&k, err);
    }
    return status;
}
