#include "model_mutate.h"

#include "base/checksum.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "fuzz.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_SIZE = 8, PARTS = 128, NAME = 96, GROWTH = 64, CHANGES = 3, DIGITS = 16 };
enum { SLACK = (CHANGES + 1) * GROWTH };

/* A parsed file: texts of the metadata and tensors, in order. */
struct part {
    char name[NAME], dtype[8];
    int64_t shape[2];
    int dims;       /* 0: a text */
    uint8_t *bytes; /* (length), with room for SLACK more */
    size_t length;
};

struct container {
    struct part part[PARTS];
    int count;
};

struct dice {
    uint64_t key, at;
};
static uint32_t roll(struct dice *d, uint32_t n) { return (uint32_t)rng_below(d->key, d->at++, n); }

/* ---- Parsing ---- */

static bool add_part(struct container *c, const char *name, const void *bytes, size_t length)
{
    if (c->count == PARTS || strlen(name) >= NAME)
        return false;
    struct part *p = &c->part[c->count++];
    *p = (struct part){.length = length, .bytes = calloc(1, length + SLACK)};
    FUZZ_CHECK(p->bytes);
    snprintf(p->name, NAME, "%s", name);
    if (length)
        memcpy(p->bytes, bytes, length);
    return true;
}

static bool add_tensor(struct container *c, const struct json_walk *w, const uint8_t *data,
                       size_t size)
{
    int64_t shape[2], place[2];
    const char *dtype = json_text(json_member(w->value, "dtype"));
    const int dims = json_wholes(json_member(w->value, "shape"), shape, 2);
    if (!dtype || dims < 1 || json_wholes(json_member(w->value, "data_offsets"), place, 2) != 2 ||
        place[0] < 0 || place[1] < place[0] || (uint64_t)place[1] > size)
        return false;
    if (!add_part(c, w->name, data + place[0], (size_t)(place[1] - place[0])))
        return false;
    struct part *p = &c->part[c->count - 1];
    snprintf(p->dtype, sizeof p->dtype, "%s", dtype);
    memcpy(p->shape, shape, sizeof shape);
    p->dims = dims;
    return true;
}

static bool add_texts(struct container *c, const struct json *metadata)
{
    struct json_walk w = {0};
    bool good = metadata;
    while (good && json_next(metadata, &w)) {
        const char *text = json_text(w.value);
        if (strcmp(w.name, "checksum") == 0)
            continue;
        good = text && add_part(c, w.name, text, strlen(text));
    }
    return good;
}

static bool take_apart(struct container *c, const uint8_t *data, size_t size)
{
    uint64_t header = 0;
    struct json *json = NULL;
    struct json_walk w = {0};
    for (int i = 0; i < LENGTH_SIZE && size >= LENGTH_SIZE; i++)
        header |= (uint64_t)data[i] << (8 * i);
    if (size < LENGTH_SIZE || header > size - LENGTH_SIZE ||
        json_parse(&json, (const char *)data + LENGTH_SIZE, (size_t)header, "", NULL))
        return false;
    const uint8_t *values = data + LENGTH_SIZE + header;
    bool good = add_texts(c, json_member(json, "__metadata__"));
    while (good && json_next(json, &w))
        if (strcmp(w.name, "__metadata__") != 0)
            good = add_tensor(c, &w, values, size - LENGTH_SIZE - (size_t)header);
    json_free(json);
    return good;
}

static void release(struct container *c)
{
    for (int i = 0; i < c->count; i++)
        free(c->part[i].bytes);
}

/* ---- Writing ---- */

static void put_member(struct json_writer *w, const struct part *p, size_t *place)
{
    if (!p->dims) {
        char *text = strndup((const char *)p->bytes, p->length);
        FUZZ_CHECK(text);
        fuzz_make_text(text, strlen(text), true);
        json_put_text(w, p->name, text);
        free(text);
        return;
    }
    json_begin_object(w, p->name);
    json_put_text(w, "dtype", p->dtype);
    json_begin_array(w, "shape");
    for (int i = 0; i < p->dims; i++)
        json_put_whole(w, NULL, p->shape[i]);
    json_end(w);
    json_begin_array(w, "data_offsets");
    json_put_whole(w, NULL, (int64_t)*place);
    json_put_whole(w, NULL, (int64_t)(*place + p->length));
    json_end(w);
    json_end(w);
    *place += p->length;
}

static void add_header(struct strbuf *s, const struct container *c)
{
    struct json_writer w = {.out = s};
    size_t place = 0;
    json_begin_object(&w, NULL);
    json_begin_object(&w, "__metadata__");
    json_put_text(&w, "checksum", "0000000000000000");
    for (int i = 0; i < c->count; i++)
        if (!c->part[i].dims)
            put_member(&w, &c->part[i], &place);
    json_end(&w);
    for (int i = 0; i < c->count; i++)
        if (c->part[i].dims)
            put_member(&w, &c->part[i], &place);
    json_end(&w);
    while ((LENGTH_SIZE + s->length) % 64)
        strbuf_addc(s, ' ');
}

static void write_checksum(struct strbuf *file)
{
    static const char opening[] = "{\"__metadata__\":{\"checksum\":\"";
    char digits[DIGITS + 1];
    struct checksum sum;
    checksum_init(&sum);
    checksum_add(&sum, file->text, file->length);
    snprintf(digits, sizeof digits, "%016" PRIx64, checksum_value(&sum));
    memcpy(file->text + LENGTH_SIZE + sizeof opening - 1, digits, DIGITS);
}

static size_t put_together(const struct container *c, uint8_t *out, size_t room)
{
    struct strbuf header = {0}, file = {0};
    add_header(&header, c);
    for (int i = 0; i < LENGTH_SIZE; i++)
        strbuf_addc(&file, (char)((uint64_t)header.length >> (8 * i) & 0xff));
    strbuf_add(&file, header.text, header.length);
    for (int i = 0; i < c->count; i++)
        if (c->part[i].dims)
            strbuf_add(&file, (const char *)c->part[i].bytes, c->part[i].length);
    FUZZ_CHECK(!file.failed && !header.failed);
    write_checksum(&file);
    const size_t length = file.length <= room ? file.length : 0;
    if (length)
        memcpy(out, file.text, length);
    strbuf_release(&header);
    strbuf_release(&file);
    return length;
}

/* ---- Changes ---- */

static void change_bytes(struct part *p, struct dice *d)
{
    (void)d;
    /* Numeric tensors keep their size; texts and tables may grow and shrink. */
    const bool numbers = p->dims && strcmp(p->dtype, "U8") != 0;
    const size_t before = p->length;
    const size_t after = LLVMFuzzerMutate(p->bytes, before, before + (numbers ? 0 : GROWTH));
    p->length = numbers ? before : after;
    if (p->dims == 1 && !numbers)
        p->shape[0] = (int64_t)after;
}

static void change_numbers(struct part *p, struct dice *d)
{
    static const float wild[] = {NAN,    INFINITY, -INFINITY, 0,     -0.0f, 1e38f,
                                 -1e38f, 1e-45f,   1e4f,      -1e4f, 88.8f, 1};
    for (uint32_t i = 1 + roll(d, 4); i-- && p->length >= sizeof(float);) {
        const size_t at = roll(d, (uint32_t)(p->length / sizeof(float)));
        memcpy(p->bytes + at * sizeof(float), &wild[roll(d, sizeof wild / sizeof *wild)],
               sizeof(float));
    }
}

static void change_shape(struct part *p, struct dice *d)
{
    static const int64_t odd[] = {0, 1, 2, -1, 3, 64, INT64_MAX, INT32_MAX, 1LL << 32};
    if (!p->dims)
        return;
    int64_t *side = &p->shape[roll(d, (uint32_t)p->dims)];
    switch (roll(d, 4)) {
    case 0: *side = odd[roll(d, sizeof odd / sizeof *odd)]; break;
    case 1: *side = (int64_t)((uint64_t)*side + roll(d, 3) - 1); break;
    case 2: p->dims = 3 - p->dims; break;
    default: { /* transposed */
        const int64_t first = p->shape[0];
        p->shape[0] = p->shape[1];
        p->shape[1] = first;
    }
    }
}

static void change_type(struct part *p, struct dice *d)
{
    static const char *const types[] = {"U8", "I8", "F32", "F64", "F16", ""};
    if (p->dims)
        snprintf(p->dtype, sizeof p->dtype, "%s", types[roll(d, sizeof types / sizeof *types)]);
}

static void change_name(struct part *p, struct dice *d)
{
    const size_t length = strlen(p->name);
    if (length)
        p->name[roll(d, (uint32_t)length)] = (char)('0' + roll(d, 75));
}

/* Replace a number in a text of settings. */
static void change_setting(struct part *p, struct dice *d)
{
    static const char *const numbers[] = {"0", "1", "2", "3", "8", "64", "9", "-1", "8192", "1e9"};
    const char *with = numbers[roll(d, sizeof numbers / sizeof *numbers)];
    size_t at = p->length ? roll(d, (uint32_t)p->length) : 0;
    while (at < p->length && (p->bytes[at] < '0' || p->bytes[at] > '9'))
        at++;
    size_t end = at;
    while (end < p->length && p->bytes[end] >= '0' && p->bytes[end] <= '9')
        end++;
    if (p->dims || at == end)
        return;
    memmove(p->bytes + at + strlen(with), p->bytes + end, p->length - end);
    memcpy(p->bytes + at, with, strlen(with));
    p->length = p->length - (end - at) + strlen(with);
}

static void remove_part(struct part *p, struct dice *d)
{
    (void)d;
    p->length = 0;
    if (p->dims)
        p->shape[0] = 0;
}

static void (*const changes[])(struct part *, struct dice *) = {
    change_bytes, change_bytes, change_bytes,   change_numbers, change_numbers, change_shape,
    change_type,  change_name,  change_setting, change_setting, remove_part,
};

size_t model_mutate(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    struct container c = {.count = 0};
    struct dice d = {.key = rng_seed(seed)};
    size_t length = 0;
    if (take_apart(&c, data, size) && c.count) {
        for (uint32_t i = 1 + roll(&d, CHANGES); i--;)
            changes[roll(&d, sizeof changes / sizeof *changes)](
                &c.part[roll(&d, (uint32_t)c.count)], &d);
        length = put_together(&c, data, max_size);
    }
    release(&c);
    return length;
}
