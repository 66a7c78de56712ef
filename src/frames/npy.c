/* NumPy's own format, versions 1 to 3:
 *
 *     "\x93NUMPY" major minor, length of the header (2 bytes in version 1, else 4), header, data
 *     header: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
 *
 * The array has one or two dimensions, in C order; a vector is one column. An .npz file is a ZIP
 * archive of such files. */
#include "frames/npy.h"

#include "base/error.h"
#include "frames/bytes.h"
#include "frames/frames.h"
#include "frames/reader.h"
#include "frames/zip.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- Types: how one number is read ---- */

static float read_f2(const unsigned char *at)
{
    const uint32_t bits = bytes_16(at);
    const int exponent = (int)(bits >> 10 & 31);
    const float sign = bits >> 15 ? -1 : 1, fraction = (float)(bits & 1023) / 1024;
    if (exponent == 31)
        return bits & 1023 ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexpf(1 + fraction, exponent - 15) : ldexpf(fraction, -14));
}
static float read_f4(const unsigned char *at)
{
    const uint32_t bits = bytes_32(at);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static float read_f8(const unsigned char *at)
{
    const uint64_t bits = bytes_64(at);
    double x;
    memcpy(&x, &bits, sizeof x);
    return (float)x;
}
static float read_u1(const unsigned char *at) { return (float)*at; }
static float read_u2(const unsigned char *at) { return (float)bytes_16(at); }
static float read_u4(const unsigned char *at) { return (float)bytes_32(at); }
static float read_u8(const unsigned char *at) { return (float)bytes_64(at); }
static float read_i1(const unsigned char *at) { return (float)(int8_t)*at; }
static float read_i2(const unsigned char *at) { return (float)(int16_t)bytes_16(at); }
static float read_i4(const unsigned char *at) { return (float)(int32_t)bytes_32(at); }
static float read_i8(const unsigned char *at) { return (float)(int64_t)bytes_64(at); }

static const struct type {
    const char *descr; /* NumPy's name */
    size_t size;
    float (*read)(const unsigned char *);
} types[] = {
    {"<f2", 2, read_f2}, {"<f4", 4, read_f4}, {"<f8", 8, read_f8}, {"|u1", 1, read_u1},
    {"<u2", 2, read_u2}, {"<u4", 4, read_u4}, {"<u8", 8, read_u8}, {"|i1", 1, read_i1},
    {"<i2", 2, read_i2}, {"<i4", 4, read_i4}, {"<i8", 8, read_i8},
};
enum { TYPES = sizeof types / sizeof *types };

/* ---- The header ---- */

enum { NAME_SIZE = 32, HEADER_MAX = 1 << 16 };

struct scan {
    const char *at, *end;
};

struct header {
    char descr[NAME_SIZE];
    bool fortran;
    long long shape[2];
    int dimensions;
    bool has_descr, has_order, has_shape;
};

static void skip_blanks(struct scan *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\t'))
        s->at++;
}

static bool take(struct scan *s, const char *word)
{
    const size_t length = strlen(word);
    skip_blanks(s);
    if ((size_t)(s->end - s->at) < length || memcmp(s->at, word, length) != 0)
        return false;
    s->at += length;
    return true;
}

/* A text in quotes, without escapes. */
static bool take_text(struct scan *s, char *out)
{
    size_t length = 0;
    skip_blanks(s);
    const char quote = s->at < s->end ? *s->at : '\0';
    if (quote != '\'' && quote != '"')
        return false;
    for (s->at++; s->at < s->end && *s->at != quote && length < NAME_SIZE - 1; s->at++)
        out[length++] = *s->at;
    out[length] = '\0';
    return s->at < s->end && *s->at++ == quote;
}

static bool take_whole(struct scan *s, long long *out)
{
    skip_blanks(s);
    const char *start = s->at;
    for (*out = 0; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++)
        if (*out < (1LL << 48)) /* far beyond any limit; nothing overflows */
            *out = *out * 10 + (*s->at - '0');
    return s->at > start;
}

/* (), (3,), (3, 4) ... Only the first two are kept. */
static bool take_shape(struct scan *s, struct header *h)
{
    if (!take(s, "("))
        return false;
    while (!take(s, ")")) {
        long long size;
        if (!take_whole(s, &size))
            return false;
        if (h->dimensions < 2)
            h->shape[h->dimensions] = size;
        h->dimensions++;
        if (!take(s, ",")) {
            h->has_shape = take(s, ")");
            return h->has_shape;
        }
    }
    h->has_shape = true;
    return true;
}

static bool take_order(struct scan *s, struct header *h)
{
    h->fortran = take(s, "True");
    h->has_order = h->fortran || take(s, "False");
    return h->has_order;
}

static bool take_descr(struct scan *s, struct header *h)
{
    if (take(s, "[")) { /* a record; its fields are not read */
        memcpy(h->descr, "record", sizeof "record");
        s->at = s->end;
        h->has_descr = h->has_order = h->has_shape = true;
        return false;
    }
    h->has_descr = take_text(s, h->descr);
    return h->has_descr;
}

/* Read a header; what it lacks stays false. */
static void parse_header(struct header *h, struct scan s)
{
    static const struct {
        const char *name;
        bool (*take)(struct scan *, struct header *);
    } members[] = {{"descr", take_descr}, {"fortran_order", take_order}, {"shape", take_shape}};
    char name[NAME_SIZE];
    bool more = take(&s, "{");
    while (more && take_text(&s, name) && take(&s, ":")) {
        size_t i = 0;
        while (i < 3 && strcmp(members[i].name, name) != 0)
            i++;
        if (i == 3 || !members[i].take(&s, h))
            return;
        more = take(&s, ",");
    }
}

/* ---- The array ---- */

static enum attend_status wrong(struct attend_error *err, const char *name, const char *what)
{
    return error_set(err, ATTEND_FORMAT, "%s: the NumPy array %s", name, what);
}

/* Find the header of a file, and *data, where the numbers begin. */
static enum attend_status open_header(const struct frame_input *in, struct header *h, size_t *data,
                                      struct attend_error *err)
{
    if (in->length < 6 || memcmp(in->bytes, "\x93NUMPY", 6) != 0)
        return frame_reader_refuse(&frame_reader_npy, in, err);
    if (in->length < 10)
        return wrong(err, in->name, "is cut off in its header");
    const int version = in->bytes[6];
    if (version < 1 || version > 3)
        return error_set(err, ATTEND_FORMAT,
                         "%s: is of version %d of NumPy's format; 1 to 3 are read", in->name,
                         version);
    const size_t start = version == 1 ? 10 : 12;
    if (in->length < start)
        return wrong(err, in->name, "is cut off in its header");
    const size_t size = version == 1 ? bytes_16(in->bytes + 8) : bytes_32(in->bytes + 8);
    if (size > HEADER_MAX || size > in->length - start)
        return wrong(err, in->name, "is cut off in its header");
    const char *text = (const char *)in->bytes + start;
    *h = (struct header){.dimensions = 0};
    parse_header(h, (struct scan){text, text + size});
    *data = start + size;
    return h->has_descr && h->has_order && h->has_shape
               ? ATTEND_OK
               : wrong(err, in->name, "has a broken header");
}

static enum attend_status find_type(const struct header *h, const char *name,
                                    const struct type **type, struct attend_error *err)
{
    int i = 0;
    while (i < TYPES && strcmp(types[i].descr, h->descr) != 0)
        i++;
    if (i == TYPES)
        return error_set(err, ATTEND_FORMAT,
                         "%s: the NumPy array has the type %s; little-endian float16, float32, "
                         "float64 and integers are read",
                         name, h->descr);
    if (h->fortran)
        return wrong(err, name, "is in Fortran order; save np.ascontiguousarray of it");
    if (h->dimensions < 1 || h->dimensions > 2)
        return error_set(err, ATTEND_FORMAT,
                         "%s: the NumPy array has %d dimensions; 1 or 2 are read", name,
                         h->dimensions);
    *type = &types[i];
    return ATTEND_OK;
}

static enum attend_status read_array(const struct frame_input *in, struct frames *out,
                                     struct attend_error *err)
{
    struct header h = {.dimensions = 0};
    size_t at = 0;
    const struct type *type = NULL;
    enum attend_status status = open_header(in, &h, &at, err);
    if (!status)
        status = find_type(&h, in->name, &type, err);
    if (status)
        return status;
    const long long rows = h.shape[0], width = h.dimensions == 2 ? h.shape[1] : 1;
    const long long left = (long long)((in->length - at) / type->size);
    if (rows > 0 && width > 0 && (rows > left || width > left / rows))
        return wrong(err, in->name, "is cut off");
    status = frames_init(out, rows, width, in->name, err);
    const size_t count = status ? 0 : (size_t)rows * (size_t)width;
    if (!status && in->length - at != count * type->size) {
        frames_release(out);
        return wrong(err, in->name, "is followed by other bytes");
    }
    for (size_t i = 0; i < count; i++, at += type->size)
        out->value[i] = type->read(in->bytes + at);
    return status;
}

/* ---- Archives ---- */

size_t npy_archive_length(const char *path)
{
    const char *found = NULL;
    for (const char *at = path; (at = strstr(at, ".npz:")); at++)
        found = at;
    return found ? (size_t)(found - path) + 4 : 0;
}

static enum attend_status npy_read(const struct frame_input *in, struct frames *out,
                                   struct attend_error *err)
{
    if (!zip_begins(in->bytes, in->length))
        return read_array(in, out, err);
    const size_t archive = npy_archive_length(in->name);
    struct zip_member member;
    struct frame_input inner = *in;
    unsigned char *owned = NULL;
    enum attend_status status = zip_find(&member, in->bytes, in->length,
                                         archive ? in->name + archive + 1 : NULL, in->name, err);
    if (!status)
        status = zip_unpack(&member, (size_t)FRAMES_VALUES_MAX * 8 + HEADER_MAX, in->name,
                            &inner.bytes, &owned, err);
    inner.length = status ? 0 : member.size;
    if (!status)
        status = read_array(&inner, out, err);
    free(owned);
    return status;
}

const struct frame_reader frame_reader_npy = {
    .name = "npy",
    .help = "arrays of NumPy: a.npy, or a.npz:name for a member of an archive; rows are frames",
    .kinds = "a NumPy array (.npy, .npz)",
    .read = npy_read,
};
