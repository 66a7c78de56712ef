#include "base/utf8.h"

#include "base/bug.h"
#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

static utf8proc_ssize_t decode(const char *text, size_t length, utf8proc_int32_t *point)
{
    return utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)length, point);
}

bool utf8_valid(const char *text, size_t length, size_t *bad)
{
    for (size_t at = 0; at < length;) {
        utf8proc_int32_t point;
        const utf8proc_ssize_t bytes = decode(text + at, length - at, &point);
        if (bytes <= 0) {
            if (bad)
                *bad = at;
            return false;
        }
        at += (size_t)bytes;
    }
    return true;
}

/* ---- Validity ---- */

size_t utf8_first(const char *text, size_t length)
{
    utf8proc_int32_t point;
    const utf8proc_ssize_t bytes = length ? decode(text, length, &point) : 0;
    return bytes > 0 ? (size_t)bytes : 0;
}

size_t utf8_whole(const char *text, size_t length)
{
    size_t tail = 0; /* continuation bytes at the end */
    while (tail < 3 && tail < length && ((unsigned char)text[length - 1 - tail] & 0xc0) == 0x80)
        tail++;
    const unsigned char lead = tail < length ? (unsigned char)text[length - 1 - tail] : 0;
    const size_t wanted = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
    return wanted > tail ? length - 1 - tail : length;
}

void utf8_repair(char *text)
{
    const size_t length = strlen(text);
    size_t to = 0;
    for (size_t from = 0; from < length;) {
        const size_t bytes = utf8_first(text + from, length - from);
        memmove(text + to, text + from, bytes);
        to += bytes;
        from += bytes ? bytes : 1;
    }
    text[to] = '\0';
}

/* ---- Code points ---- */

size_t utf8_next(const char *text, size_t length, int32_t *point)
{
    const utf8proc_ssize_t bytes = length ? decode(text, length, point) : 0;
    return bytes < 0 ? 1 : (size_t)bytes;
}

enum utf8_class utf8_class(int32_t point)
{
    const utf8proc_property_t *p = utf8proc_get_property(point);
    switch (p->bidi_class) {
    case UTF8PROC_BIDI_CLASS_WS:
    case UTF8PROC_BIDI_CLASS_B:
    case UTF8PROC_BIDI_CLASS_S: return UTF8_BLANK;
    default: break;
    }
    if (p->category == UTF8PROC_CATEGORY_ZS)
        return UTF8_BLANK;
    if (p->category >= UTF8PROC_CATEGORY_ND && p->category <= UTF8PROC_CATEGORY_NO)
        return UTF8_NUMBER;
    if (p->category >= UTF8PROC_CATEGORY_PC && p->category <= UTF8PROC_CATEGORY_PO)
        return UTF8_PUNCTUATION;
    if (p->category >= UTF8PROC_CATEGORY_SM && p->category <= UTF8PROC_CATEGORY_SO)
        return UTF8_SYMBOL;
    return UTF8_OTHER;
}

enum utf8_case utf8_case(int32_t point)
{
    switch (utf8proc_get_property(point)->category) {
    case UTF8PROC_CATEGORY_LL: return UTF8_SMALL;
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT: return UTF8_CAPITAL;
    default: return UTF8_NO_CASE;
    }
}

/* ---- Lower case ---- */

static bool is_cased(utf8proc_int32_t point)
{
    enum { FEMININE_ORDINAL = 0xaa, MASCULINE_ORDINAL = 0xba }; /* lower case by name only */
    const utf8proc_category_t category = utf8proc_category(point);
    return point == FEMININE_ORDINAL || point == MASCULINE_ORDINAL ||
           (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LT) ||
           utf8proc_tolower(point) != point || utf8proc_toupper(point) != point;
}

/* Characters inside a word that do not end it: marks, format and modifier characters, and the
 * punctuation that Unicode calls MidLetter, MidNumLet and Single_Quote. */
static bool is_case_ignorable(utf8proc_int32_t point)
{
    static const utf8proc_int32_t middle[] = {
        0x27,   0x2e,   0x3a,   0xb7,   0x387,  0x55f,  0x5f4,  0x2018, 0x2019,
        0x2024, 0x2027, 0xfe13, 0xfe52, 0xfe55, 0xff07, 0xff0e, 0xff1a,
    };
    for (size_t i = 0; i < sizeof middle / sizeof *middle; i++)
        if (point == middle[i])
            return true;
    switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK: return true;
    default: return false;
    }
}

static bool cased_follows(const char *text, size_t length)
{
    utf8proc_int32_t point = 0;
    for (size_t at = 0; at < length;) {
        at += utf8_next(text + at, length - at, &point);
        if (!is_case_ignorable(point))
            return is_cased(point);
    }
    return false;
}

int32_t utf8_to_lower(int32_t point) { return utf8proc_tolower(point); }

int32_t utf8_to_upper(int32_t point) { return utf8proc_toupper(point); }

void utf8_add(struct strbuf *out, int32_t point)
{
    utf8proc_uint8_t bytes[4];
    strbuf_add(out, (const char *)bytes, (size_t)utf8proc_encode_char(point, bytes));
}

void utf8_lower(struct strbuf *out, const char *text)
{
    enum { SIGMA = 0x3a3, FINAL_SIGMA = 0x3c2, DOTTED_I = 0x130, DOT_ABOVE = 0x307 };
    const size_t length = strlen(text);
    bool within = false; /* there is a cased character before, in the same word */
    utf8proc_int32_t point = 0;
    for (size_t at = 0; at < length;) {
        at += utf8_next(text + at, length - at, &point);
        if (point == SIGMA && within && !cased_follows(text + at, length - at))
            utf8_add(out, FINAL_SIGMA);
        else if (point == DOTTED_I) {
            utf8_add(out, 'i');
            utf8_add(out, DOT_ABOVE);
        } else
            utf8_add(out, utf8proc_tolower(point));
        if (!is_case_ignorable(point))
            within = is_cased(point);
    }
}

/* ---- Clusters ---- */

size_t utf8_cluster(const char *text, size_t length)
{
    utf8proc_int32_t last, state = 0;
    size_t at = 0;
    for (utf8proc_int32_t point; at < length; last = point) {
        const utf8proc_ssize_t bytes = decode(text + at, length - at, &point);
        if (bytes <= 0)
            return at ? at : 1;
        if (at && utf8proc_grapheme_break_stateful(last, point, &state))
            break;
        at += (size_t)bytes;
    }
    return at;
}

/* The columns of a text; `mark` for each spacing mark. */
static int measure(const char *text, int mark)
{
    int width = 0;
    for (size_t length = strlen(text), at = 0; at < length;) {
        /* A cluster is as wide as its widest code point: marks add nothing, and an emoji sequence
         * is one picture. */
        const size_t end = at + utf8_cluster(text + at, length - at);
        int widest = 0;
        while (at < end) {
            utf8proc_int32_t point;
            const utf8proc_ssize_t bytes = decode(text + at, end - at, &point);
            if (bytes <= 0)
                return width + 1;
            const int columns = utf8proc_charwidth(point);
            widest = columns > widest ? columns : widest;
            width += utf8proc_category(point) == UTF8PROC_CATEGORY_MC ? mark : 0;
            at += (size_t)bytes;
        }
        width += widest;
    }
    return width;
}

int utf8_width(const char *text) { return measure(text, 0); }
int utf8_columns(const char *text) { return measure(text, 1); }

#define NAME(name, text) text,
const char *const utf8_forms[UTF8_FORM_COUNT + 1] = {UTF8_FORM_LIST(NAME)};
#undef NAME

const char *utf8_form_name(int i) { return i < UTF8_FORM_COUNT ? utf8_forms[i] : NULL; }

static bool is_ascii(const char *text, size_t length)
{
    unsigned char all = 0;
    for (size_t i = 0; i < length; i++)
        all |= (unsigned char)text[i];
    return all < 0x80;
}

static const utf8proc_option_t form_options[] = {
    [UTF8_NFC] = UTF8PROC_STABLE | UTF8PROC_COMPOSE,
    [UTF8_NFKC] = UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT,
};

static void add_normal(struct strbuf *out, const char *text, size_t length, enum utf8_form form)
{
    utf8proc_uint8_t *made = NULL;
    const utf8proc_ssize_t bytes = utf8proc_map(
        (const utf8proc_uint8_t *)text, (utf8proc_ssize_t)length, &made, form_options[form]);
    BUG_ON(bytes == UTF8PROC_ERROR_INVALIDUTF8);
    if (bytes < 0)
        out->failed = true;
    else
        strbuf_add(out, (const char *)made, (size_t)bytes);
    free(made);
}

/* Whether a code point never composes with the text before it and never changes places with it.
 * Text can then be cut before it and each part normalized separately. */
static bool starts_stretch(utf8proc_int32_t point, enum utf8_form form)
{
    enum { LONGEST = 32 }; /* longest decomposition of a code point */
    utf8proc_int32_t part[LONGEST];
    int last = 0;
    const int option = UTF8PROC_DECOMPOSE | (form == UTF8_NFKC ? UTF8PROC_COMPAT : 0);
    const utf8proc_ssize_t parts =
        utf8proc_decompose_char(point, part, LONGEST, (utf8proc_option_t)option, &last);
    if (parts < 1 || parts > LONGEST)
        return false;
    const utf8proc_property_t *p = utf8proc_get_property(part[0]);
    const bool mark = p->category >= UTF8PROC_CATEGORY_MN && p->category <= UTF8PROC_CATEGORY_ME;
    return !mark && p->combining_class == 0 && p->boundclass != UTF8PROC_BOUNDCLASS_V &&
           p->boundclass != UTF8PROC_BOUNDCLASS_T;
}

static size_t stretch_length(const char *text, size_t length, enum utf8_form form)
{
    utf8proc_int32_t point;
    size_t at = utf8_next(text, length, &point);
    while (at < length) {
        const size_t bytes = utf8_next(text + at, length - at, &point);
        if (starts_stretch(point, form))
            break;
        at += bytes;
    }
    return at;
}

bool utf8_origin_add(struct utf8_origin *o, struct utf8_stretch stretch)
{
    if (o->count == o->size) {
        const int size = o->size ? 2 * o->size : 16;
        struct utf8_stretch *more = realloc(o->stretch, (size_t)size * sizeof *more);
        if (!more)
            return false;
        o->stretch = more;
        o->size = size;
    }
    o->stretch[o->count++] = stretch;
    return true;
}

/* Normalize stretch by stretch, merging adjacent stretches that do not change. */
static void add_traced(struct strbuf *out, const char *text, size_t length, enum utf8_form form,
                       struct utf8_origin *origin)
{
    bool before = false, good = true;
    for (size_t at = 0, bytes; at < length && good && !out->failed; at += bytes) {
        const size_t normal = out->length;
        bytes = stretch_length(text + at, length - at, form);
        add_normal(out, text + at, bytes, form);
        const bool same = !out->failed && out->length - normal == bytes &&
                          memcmp(out->text + normal, text + at, bytes) == 0;
        if (!same || !before)
            good = utf8_origin_add(origin, (struct utf8_stretch){normal, at, same});
        before = same;
    }
    good = good && utf8_origin_add(origin, (struct utf8_stretch){out->length, length, false});
    out->failed = out->failed || !good;
}

void utf8_normalize(struct strbuf *out, const char *text, size_t length, enum utf8_form form,
                    struct utf8_origin *origin)
{
    if (origin)
        origin->count = 0;
    if (form == UTF8_NONE || is_ascii(text, length)) {
        strbuf_add(out, text, length);
        return;
    }
    const size_t before = out->length;
    add_normal(out, text, length, form);
    if (!origin || out->failed ||
        (out->length - before == length && memcmp(out->text + before, text, length) == 0))
        return;
    strbuf_clear(out);
    add_traced(out, text, length, form, origin);
}

/* Find the stretch that contains a byte of the normal form. */
static const struct utf8_stretch *find_stretch(const struct utf8_origin *o, size_t normal)
{
    int low = 0, high = o->count - 1; /* the last one is empty */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (o->stretch[middle].normal <= normal)
            low = middle;
        else
            high = middle;
    }
    return &o->stretch[low];
}

size_t utf8_origin_from(const struct utf8_origin *o, size_t normal)
{
    if (!o->count)
        return normal;
    const struct utf8_stretch *s = find_stretch(o, normal);
    return s->same ? s->given + (normal - s->normal) : s->given;
}

size_t utf8_origin_to(const struct utf8_origin *o, size_t normal)
{
    if (!o->count)
        return normal;
    const struct utf8_stretch *s = find_stretch(o, normal - 1);
    return s->same ? s->given + (normal - s->normal) : s[1].given;
}

void utf8_origin_release(struct utf8_origin *o)
{
    free(o->stretch);
    *o = (struct utf8_origin){0};
}

size_t utf8_point(const char *text, size_t length, bool *in_word)
{
    utf8proc_int32_t point;
    const utf8proc_ssize_t bytes = decode(text, length, &point);
    *in_word = false;
    if (bytes <= 0)
        return length > 0;
    const utf8proc_category_t category = utf8proc_category(point);
    *in_word = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;
    return (size_t)bytes;
}
