#include "base/json_writer.h"

#include "base/bug.h"
#include "base/strbuf.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- Texts ---- */

static void add_escaped(struct strbuf *s, unsigned char c)
{
    /* pairs of a character and its escape letter */
    static const char letters[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (const char *l = letters; *l; l += 2)
        if ((unsigned char)*l == c) {
            strbuf_addc(s, '\\');
            strbuf_addc(s, l[1]);
            return;
        }
    strbuf_addf(s, "\\u%04x", c);
}

/* The number of leading bytes that need no escape. Inside <script> every < is escaped, because a
 * script ends at the next "</script", even within a string. */
static size_t plain_length(const struct json_writer *w, const char *text, size_t length)
{
    size_t at = 0;
    while (at < length) {
        const unsigned char c = (unsigned char)text[at];
        const bool plain = c >= ' ' && c != '"' && c != '\\' && !(w->in_script && c == '<');
        const size_t bytes = c < 0x80 ? plain : utf8_first(text + at, length - at);
        if (bytes == 0)
            break;
        at += bytes;
    }
    return at;
}

static void add_text(struct json_writer *w, const char *text)
{
    struct strbuf *s = w->out;
    const size_t length = strlen(text);
    strbuf_addc(s, '"');
    for (size_t at = 0; at < length;) {
        const size_t plain = plain_length(w, text + at, length - at);
        strbuf_add(s, text + at, plain);
        at += plain;
        if (at < length && (unsigned char)text[at] < 0x80)
            add_escaped(s, (unsigned char)text[at++]);
        else if (at < length) {
            strbuf_adds(s, "\xef\xbf\xbd"); /* U+FFFD replaces a byte that is not UTF-8 */
            at++;
        }
    }
    strbuf_addc(s, '"');
}

/* ---- Objects and arrays ---- */

enum { DEEPEST = 31 };

/* Write what precedes a value: a comma after another value, and the name. */
static void begin_value(struct json_writer *w, const char *name)
{
    const uint32_t bit = UINT32_C(1) << w->depth;
    if (w->filled & bit)
        strbuf_addc(w->out, ',');
    w->filled |= bit;
    if (w->new_line)
        strbuf_addc(w->out, '\n');
    w->new_line = false;
    if (name) {
        add_text(w, name);
        strbuf_addc(w->out, ':');
    }
}

static void open(struct json_writer *w, const char *name, bool array)
{
    BUG_ON(w->depth == DEEPEST);
    begin_value(w, name);
    const uint32_t bit = UINT32_C(1) << ++w->depth;
    w->filled &= ~bit;
    w->array = array ? w->array | bit : w->array & ~bit;
    strbuf_addc(w->out, array ? '[' : '{');
}

void json_begin_object(struct json_writer *w, const char *name) { open(w, name, false); }

void json_begin_array(struct json_writer *w, const char *name) { open(w, name, true); }

void json_end(struct json_writer *w)
{
    BUG_ON(w->depth == 0);
    const uint32_t bit = UINT32_C(1) << w->depth--;
    strbuf_addc(w->out, w->array & bit ? ']' : '}');
}

/* ---- Values ---- */

void json_put_raw(struct json_writer *w, const char *name, const char *json)
{
    begin_value(w, name);
    w->out->failed = w->out->failed || !json;
    strbuf_adds(w->out, json ? json : "null");
}

void json_put_text(struct json_writer *w, const char *name, const char *text)
{
    begin_value(w, name);
    if (text)
        add_text(w, text);
    else
        strbuf_adds(w->out, "null");
}

void json_put_number(struct json_writer *w, const char *name, double x, int digits)
{
    begin_value(w, name);
    if (isfinite(x))
        strbuf_addf(w->out, "%.*g", digits, x);
    else
        strbuf_adds(w->out, "null");
}

void json_put_fixed(struct json_writer *w, const char *name, double x, int decimals)
{
    begin_value(w, name);
    if (isfinite(x))
        strbuf_addf(w->out, "%.*f", decimals, x);
    else
        strbuf_adds(w->out, "null");
}

void json_put_whole(struct json_writer *w, const char *name, int64_t x)
{
    begin_value(w, name);
    strbuf_addf(w->out, "%" PRId64, x);
}

void json_put_flag(struct json_writer *w, const char *name, bool flag)
{
    json_put_raw(w, name, flag ? "true" : "false");
}

/* ---- Arrays ---- */

void json_put_texts(struct json_writer *w, const char *name, const char *const *text, int count)
{
    json_begin_array(w, name);
    for (int i = 0; i < count; i++)
        json_put_text(w, NULL, text[i]);
    json_end(w);
}

void json_put_numbers(struct json_writer *w, const char *name, const double *x, int count,
                      int digits)
{
    if (!x) {
        json_put_text(w, name, NULL);
        return;
    }
    json_begin_array(w, name);
    for (int i = 0; i < count; i++)
        json_put_number(w, NULL, x[i], digits);
    json_end(w);
}

void json_put_floats(struct json_writer *w, const char *name, const float *x, int count)
{
    if (!x) {
        json_put_text(w, name, NULL);
        return;
    }
    json_begin_array(w, name);
    for (int i = 0; i < count; i++)
        json_put_number(w, NULL, (double)x[i], 7);
    json_end(w);
}

void json_put_matrix(struct json_writer *w, const char *name, const float *x, int rows, int cols)
{
    if (!x) {
        json_put_text(w, name, NULL);
        return;
    }
    json_begin_array(w, name);
    for (int i = 0; i < rows; i++)
        json_put_floats(w, NULL, x + (size_t)i * (size_t)cols, cols);
    json_end(w);
}
