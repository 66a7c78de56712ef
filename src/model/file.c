#include "model/file.h"

#include "base/bug.h"
#include "base/checksum.h"
#include "base/error.h"
#include "base/io.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/strbuf.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tensors are used in place, in the mapped file. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "model files are little-endian");

enum {
    VERSION = 3,
    VERSION_INT8 = 2,
    ALIGNMENT = 64,
    LENGTH_SIZE = 8,
    DIGITS = 16,
    HEADER_MAX = 1 << 24
};

/* Every attend file starts like this; the digits of the checksum follow. */
static const char opening[] = "{\"__metadata__\":{\"checksum\":\"";
static const char zeros[] = "0000000000000000";
enum { DIGITS_AT = LENGTH_SIZE + sizeof opening - 1 };

static const struct dtype {
    const char *name;
    size_t size;
} dtypes[] = {
    [FILE_U8] = {"U8", 1}, [FILE_I8] = {"I8", 1}, [FILE_F32] = {"F32", 4}, [FILE_F64] = {"F64", 8}};
enum { DTYPES = sizeof dtypes / sizeof *dtypes };

/* ---- Writing ---- */

static size_t tensor_size(const struct file_tensor *t)
{
    return t->rows * t->cols * dtypes[t->dtype].size;
}

static void add_length(struct strbuf *s, uint64_t length)
{
    for (int i = 0; i < LENGTH_SIZE; i++)
        strbuf_addc(s, (char)(length >> (8 * i) & 0xff));
}

static void put_tensor(struct json_writer *w, const struct file_tensor *t, size_t begin)
{
    json_begin_object(w, t->name);
    json_put_text(w, "dtype", dtypes[t->dtype].name);
    json_begin_array(w, "shape");
    if (t->rows != 1)
        json_put_whole(w, NULL, (int64_t)t->rows);
    json_put_whole(w, NULL, (int64_t)t->cols);
    json_end(w);
    json_begin_array(w, "data_offsets");
    json_put_whole(w, NULL, (int64_t)begin);
    json_put_whole(w, NULL, (int64_t)(begin + tensor_size(t)));
    json_end(w);
    json_end(w);
}

/* The oldest version that can hold the content, so that older programs can read it if possible. */
static int version_of(const struct file_content *c)
{
    int version = c->version > 1 ? c->version : 1;
    for (int i = 0; i < c->tensors; i++)
        if (c->tensor[i].dtype == FILE_I8 && version < VERSION_INT8)
            version = VERSION_INT8;
    return version;
}

/* The checksum comes first, 0 for now: its digits directly follow `opening`. */
static void put_metadata(struct json_writer *w, const struct file_content *c)
{
    char version[16];
    snprintf(version, sizeof version, "%d", version_of(c));
    json_begin_object(w, "__metadata__");
    json_put_text(w, "checksum", zeros);
    json_put_text(w, "format", "attend");
    json_put_text(w, "format_version", version);
    for (int i = 0; i < c->texts; i++)
        json_put_text(w, c->text[i].name, c->text[i].text);
    json_end(w);
}

static void add_header(struct strbuf *s, const struct file_content *c)
{
    struct json_writer w = {.out = s};
    size_t begin = 0;
    json_begin_object(&w, NULL);
    put_metadata(&w, c);
    for (int i = 0; i < c->tensors; i++) {
        BUG_ON(begin % dtypes[c->tensor[i].dtype].size);
        put_tensor(&w, &c->tensor[i], begin);
        begin += tensor_size(&c->tensor[i]);
    }
    json_end(&w);
    while (!s->failed && (LENGTH_SIZE + s->length) % ALIGNMENT)
        strbuf_addc(s, ' ');
}

/* Everything before the data. */
static enum attend_status make_start(struct strbuf *start, const struct file_content *c,
                                     struct attend_error *err)
{
    struct strbuf header = {0};
    add_header(&header, c);
    add_length(start, header.length);
    strbuf_add(start, header.text, header.length);
    const enum attend_status status = strbuf_status(header.failed ? &header : start, err);
    strbuf_release(&header);
    if (status)
        return status;
    struct checksum sum;
    checksum_init(&sum);
    checksum_add(&sum, start->text, start->length);
    for (int i = 0; i < c->tensors; i++)
        checksum_add(&sum, c->tensor[i].bytes, tensor_size(&c->tensor[i]));
    char digits[DIGITS + 1];
    snprintf(digits, sizeof digits, "%016" PRIx64, checksum_value(&sum));
    memcpy(start->text + DIGITS_AT, digits, DIGITS);
    return ATTEND_OK;
}

enum attend_status file_save(const char *path, const struct file_content *c,
                             struct attend_error *err)
{
    struct io_writer writer = {0};
    struct strbuf start = {0};
    enum attend_status status = make_start(&start, c, err);
    if (status)
        goto done;
    status = io_writer_open(&writer, path, err);
    if (status)
        goto done;
    /* The writer remembers a failed write, and commit reports it. */
    io_writer_add(&writer, start.text, start.length);
    for (int i = 0; i < c->tensors; i++)
        io_writer_add(&writer, c->tensor[i].bytes, tensor_size(&c->tensor[i]));
    status = io_writer_commit(&writer, err);
done:
    io_writer_close(&writer);
    strbuf_release(&start);
    return status;
}

/* ---- Reading ---- */

struct entry {
    struct file_tensor tensor;
    size_t begin, end; /* offsets in the data */
    bool found;
};

struct file {
    const char *path;
    const struct io_map *map;
    const unsigned char *bytes;
    size_t size, data; /* of the file; offset of the data in it */
    struct json *header;
    struct entry *entry; /* (entries) sorted by offset */
    int entries;
};

static enum attend_status truncated(const struct file *f, uint64_t need, struct attend_error *err)
{
    return error_set(err, ATTEND_FORMAT,
                     "%s: is truncated at byte %zu of %" PRIu64 "; copy or train it again", f->path,
                     f->size, need);
}

static enum attend_status check_length(struct file *f, struct attend_error *err)
{
    uint64_t length = 0;
    if (f->size < LENGTH_SIZE)
        return error_set(err, ATTEND_FORMAT, "%s: is not an attend model (it has only %zu bytes)",
                         f->path, f->size);
    for (int i = 0; i < LENGTH_SIZE; i++)
        length |= (uint64_t)f->bytes[i] << (8 * i);
    if (length > HEADER_MAX || (f->size > LENGTH_SIZE && f->bytes[LENGTH_SIZE] != '{'))
        return error_set(err, ATTEND_FORMAT,
                         "%s: is not an attend model (it does not begin as a safetensors file)",
                         f->path);
    if (length > f->size - LENGTH_SIZE)
        return truncated(f, LENGTH_SIZE + length, err);
    f->data = LENGTH_SIZE + (size_t)length;
    return ATTEND_OK;
}

static enum attend_status parse_header(struct file *f, struct attend_error *err)
{
    char name[sizeof err->message];
    snprintf(name, sizeof name, "%s: its header", f->path);
    return json_parse(&f->header, (const char *)f->bytes + LENGTH_SIZE, f->data - LENGTH_SIZE, name,
                      err);
}

static const char *metadata(const struct file *f, const char *name)
{
    return json_text(json_member(json_member(f->header, "__metadata__"), name));
}

static enum attend_status check_format(struct file *f, struct attend_error *err)
{
    const char *format = metadata(f, "format"), *version = metadata(f, "format_version");
    if (!format || strcmp(format, "attend") != 0)
        return error_set(err, ATTEND_FORMAT,
                         "%s: is not an attend model (a safetensors file of another program)",
                         f->path);
    char *end = NULL;
    const long number = version ? strtol(version, &end, 10) : 0;
    if (number < 1 || *end)
        return error_set(err, ATTEND_FORMAT, "%s: is damaged: it has no format version", f->path);
    if (number > VERSION)
        return error_set(err, ATTEND_FORMAT,
                         "%s: format version %ld is newer than this program knows (%d); use a "
                         "newer attend",
                         f->path, number, VERSION);
    return ATTEND_OK;
}

/* Whether two numbers are valid as sizes. */
static bool are_sizes(const int64_t *number)
{
    for (int i = 0; i < 2; i++)
        if (number[i] < 0 || (uint64_t)number[i] > SIZE_MAX / 2)
            return false;
    return true;
}

static int find_dtype(const char *name)
{
    for (int i = 0; name && i < DTYPES; i++)
        if (strcmp(dtypes[i].name, name) == 0)
            return i;
    return -1;
}

/* Whether shape and offsets agree, and the values are aligned for use in place. */
static bool is_consistent(const struct file *f, const struct entry *e)
{
    const struct file_tensor *t = &e->tensor;
    const size_t each = dtypes[t->dtype].size;
    if (t->cols && t->rows > SIZE_MAX / each / t->cols)
        return false;
    return e->begin <= e->end && e->end - e->begin == tensor_size(t) &&
           (f->data + e->begin) % each == 0;
}

static bool read_entry(const struct file *f, struct entry *e, const struct json_walk *w)
{
    int64_t shape[2] = {1, 1}, place[2];
    const int dtype = find_dtype(json_text(json_member(w->value, "dtype")));
    const int dims = json_wholes(json_member(w->value, "shape"), shape, 2);
    if (dtype < 0 || dims < 1 ||
        json_wholes(json_member(w->value, "data_offsets"), place, 2) != 2 || !are_sizes(shape) ||
        !are_sizes(place))
        return false;
    e->tensor = (struct file_tensor){.name = w->name,
                                     .dtype = (enum file_dtype)dtype,
                                     .rows = dims == 2 ? (size_t)shape[0] : 1,
                                     .cols = (size_t)shape[dims - 1]};
    e->begin = (size_t)place[0];
    e->end = (size_t)place[1];
    return is_consistent(f, e);
}

static enum attend_status read_entries(struct file *f, struct attend_error *err)
{
    f->entry = calloc((size_t)json_count(f->header), sizeof *f->entry);
    if (!f->entry)
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", f->path);
    struct json_walk w = {0};
    while (json_next(f->header, &w)) {
        if (strcmp(w.name, "__metadata__") == 0)
            continue;
        if (!read_entry(f, &f->entry[f->entries++], &w))
            return error_set(err, ATTEND_FORMAT,
                             "%s: is damaged: type, shape and offsets of its tensor %.64s do not "
                             "match",
                             f->path, w.name);
    }
    return ATTEND_OK;
}

static int by_place(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return (a->end > b->end) - (a->end < b->end);
}

/* Tensors must fill the data: no overlap, no gap, nothing missing, nothing left over. */
static enum attend_status place_entries(struct file *f, struct attend_error *err)
{
    size_t end = 0;
    qsort(f->entry, (size_t)f->entries, sizeof *f->entry, by_place);
    for (int i = 0; i < f->entries; i++) {
        struct entry *e = &f->entry[i];
        if (e->begin != end)
            return error_set(err, ATTEND_FORMAT,
                             "%s: is damaged: its tensor %.64s begins at byte %zu of the data, the "
                             "one before it ends at %zu",
                             f->path, e->tensor.name, e->begin, end);
        end = e->end;
        e->tensor.bytes = f->bytes + f->data + e->begin;
    }
    if (end > f->size - f->data)
        return truncated(f, (uint64_t)f->data + end, err);
    if (end < f->size - f->data)
        return error_set(err, ATTEND_FORMAT,
                         "%s: is damaged: %zu bytes follow its last tensor, which ends at byte %zu",
                         f->path, f->size - f->data - end, f->data + end);
    return ATTEND_OK;
}

/* Files are read in parts of this size, which stay in the cache for whoever reads them next. */
enum { PART = 1 << 18 };

/* The tensors fill the data. */
static void read_data(const struct file *f, struct checksum *sum, file_read_fn *read, void *context)
{
    for (int i = 0; i < f->entries; i++) {
        const struct file_tensor *t = &f->entry[i].tensor;
        const unsigned char *at = t->bytes;
        for (size_t left = tensor_size(t), size; left > 0; left -= size, at += size) {
            size = left < PART ? left : PART;
            io_map_expect(f->map, at, size);
            checksum_add(sum, at, size);
            if (read)
                read(context, t, at, size);
        }
    }
}

enum attend_status file_verify(const struct file *f, file_read_fn *read, void *context,
                               struct attend_error *err)
{
    const size_t after = DIGITS_AT + DIGITS;
    if (f->data < after || memcmp(f->bytes + LENGTH_SIZE, opening, sizeof opening - 1) != 0)
        return error_set(err, ATTEND_FORMAT,
                         "%s: is damaged: its header does not begin with a checksum; was it "
                         "rewritten by another program?",
                         f->path);
    struct checksum sum;
    checksum_init(&sum);
    checksum_add(&sum, f->bytes, DIGITS_AT);
    checksum_add(&sum, zeros, DIGITS);
    checksum_add(&sum, f->bytes + after, f->data - after);
    read_data(f, &sum, read, context);
    char digits[DIGITS + 1];
    snprintf(digits, sizeof digits, "%016" PRIx64, checksum_value(&sum));
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    return ATTEND_OK; /* otherwise almost every mutated file would be refused here */
#endif
    if (memcmp(f->bytes + DIGITS_AT, digits, DIGITS) != 0)
        return error_set(err, ATTEND_FORMAT, "%s: is damaged: its checksum does not match",
                         f->path);
    return ATTEND_OK;
}

enum attend_status file_open_unverified(struct file **out, const struct io_map *map,
                                        const char *path, struct attend_error *err)
{
    static enum attend_status (*const checks[])(struct file *, struct attend_error *) = {
        check_length, parse_header, check_format, read_entries, place_entries,
    };
    struct file *f = calloc(1, sizeof *f);
    if (!f)
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    *f = (struct file){.path = path, .map = map, .bytes = map->bytes, .size = map->size};
    enum attend_status status = ATTEND_OK;
    for (size_t i = 0; !status && i < sizeof checks / sizeof *checks; i++)
        status = checks[i](f, err);
    if (status)
        file_close(f);
    else
        *out = f;
    return status;
}

enum attend_status file_open(struct file **out, const struct io_map *map, const char *path,
                             struct attend_error *err)
{
    struct file *f = NULL;
    enum attend_status status = file_open_unverified(&f, map, path, err);
    if (!status)
        status = file_verify(f, NULL, NULL, err);
    if (status)
        file_close(f);
    else
        *out = f;
    return status;
}

enum attend_status file_find_text(const struct file *f, struct file_text *t,
                                  struct attend_error *err)
{
    t->text = metadata(f, t->name);
    return t->text ? ATTEND_OK
                   : error_set(err, ATTEND_FORMAT, "%s: is damaged: its metadata has no %s",
                               f->path, t->name);
}

static struct entry *find_entry(const struct file *f, const char *name)
{
    for (int i = 0; i < f->entries; i++)
        if (strcmp(f->entry[i].tensor.name, name) == 0)
            return &f->entry[i];
    return NULL;
}

static enum attend_status wrong_tensor(const struct file *f, const struct file_tensor *got,
                                       const struct file_tensor *want, struct attend_error *err)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, want->cols ? "%s (%zu, %zu)" : "a vector of %s",
             dtypes[want->dtype].name, want->rows, want->cols);
    return error_set(err, ATTEND_FORMAT, "%s: its tensor %s is %s (%zu, %zu), not %s", f->path,
                     want->name, dtypes[got->dtype].name, got->rows, got->cols, wanted);
}

enum attend_status file_find_tensor(struct file *f, struct file_tensor *want,
                                    struct attend_error *err)
{
    struct entry *e = find_entry(f, want->name);
    if (!e)
        return error_set(err, ATTEND_FORMAT, "%s: is damaged: it has no tensor %s", f->path,
                         want->name);
    const struct file_tensor *got = &e->tensor;
    if (got->dtype != want->dtype || got->rows != want->rows ||
        (want->cols && got->cols != want->cols))
        return wrong_tensor(f, got, want, err);
    want->cols = got->cols;
    want->bytes = got->bytes;
    e->found = true;
    return ATTEND_OK;
}

enum attend_status file_check_all_found(const struct file *f, const char *except,
                                        struct attend_error *err)
{
    for (int i = 0; i < f->entries; i++)
        if (!f->entry[i].found && strncmp(f->entry[i].tensor.name, except, strlen(except)) != 0)
            return error_set(err, ATTEND_FORMAT,
                             "%s: has a tensor %.64s that its config does not need", f->path,
                             f->entry[i].tensor.name);
    return ATTEND_OK;
}

void file_close(struct file *f)
{
    if (!f)
        return;
    json_free(f->header);
    free(f->entry);
    free(f);
}
