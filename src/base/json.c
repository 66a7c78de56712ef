#include "base/json.h"

#include "base/error.h"
#include "base/strbuf.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/* A struct json is a json_t under our own name. jansson counts references inside the value, so its
 * functions do not take const pointers. */
static json_t *inside(const struct json *j) { return (json_t *)j; }
static const struct json *outside(const json_t *j) { return (const struct json *)j; }

/* ---- Memory ----
 *
 * jansson's lexer does not notice when its buffer cannot grow: it continues with a byte missing and
 * returns a different text, or reads out of bounds. So no allocation during a parse may appear to
 * fail. When memory runs out, allocations come from a reserve taken beforehand, and the result is
 * discarded.
 *
 * jansson has one pair of allocation functions per process. Ours forward to the previous ones. */

enum { RESERVE_LEAST = 1 << 12 };

struct reserve {
    unsigned char *block;
    size_t size, used; /* used > 0: memory ran out */
};
static _Thread_local struct reserve *reserve; /* of this thread's current parse, or NULL */
static json_malloc_t host_malloc;
static json_free_t host_free;

static void *take(size_t size)
{
    struct reserve *r = reserve;
    void *given = host_malloc(size);
    const size_t room = (size + 15) / 16 * 16;
    if (given || !r || room > r->size - r->used)
        return given;
    given = r->block + r->used;
    r->used += room ? room : 16;
    return given;
}

static void give_back(void *pointer)
{
    const struct reserve *r = reserve;
    const uintptr_t at = (uintptr_t)pointer, block = r ? (uintptr_t)r->block : 0;
    if (!r || at < block || at >= block + r->size)
        host_free(pointer);
}

static void hook(void)
{
    json_get_alloc_funcs(&host_malloc, &host_free);
    json_set_alloc_funcs(take, give_back);
}

/* ---- Reading ---- */

/* json_loadb; on failure NULL, and *out_of_memory says whether memory was the cause. */
static json_t *load(const char *bytes, size_t length, size_t flags, json_error_t *why,
                    bool *out_of_memory)
{
    static pthread_once_t hooked = PTHREAD_ONCE_INIT;
    pthread_once(&hooked, hook);
    /* The buffer doubles until it holds the longest text; all its sizes together need at most four
     * times as much. */
    struct reserve r = {.size = 4 * length + RESERVE_LEAST};
    r.block = malloc(r.size);
    *out_of_memory = !r.block;
    if (!r.block)
        return NULL;
    reserve = &r;
    json_t *root = json_loadb(bytes, length, flags, why);
    *out_of_memory = r.used > 0;
    if (r.used > 0) {
        json_decref(root);
        root = NULL;
    }
    reserve = NULL;
    free(r.block);
    return root;
}

static enum attend_status parse(json_t **out, const char *bytes, size_t length, size_t flags,
                                const char *name, struct attend_error *err)
{
    json_error_t why;
    bool out_of_memory;
    json_t *root = load(bytes, length, JSON_REJECT_DUPLICATES | flags, &why, &out_of_memory);
    if (out_of_memory)
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", name);
    if (!root)
        return error_set(err, ATTEND_FORMAT, "%s is not JSON: %s at byte %d", name, why.text,
                         why.position);
    *out = root;
    return ATTEND_OK;
}

enum attend_status json_parse(struct json **out, const char *bytes, size_t length, const char *name,
                              struct attend_error *err)
{
    json_t *root = NULL;
    const enum attend_status status = parse(&root, bytes, length, 0, name, err);
    if (status)
        return status;
    if (!json_is_object(root)) {
        json_decref(root);
        return error_set(err, ATTEND_FORMAT, "%s is not a JSON object", name);
    }
    *out = (struct json *)root;
    return ATTEND_OK;
}

enum attend_status json_parse_any(struct json **out, const char *bytes, size_t length,
                                  const char *name, struct attend_error *err)
{
    json_t *root = NULL;
    const enum attend_status status = parse(&root, bytes, length, JSON_DECODE_ANY, name, err);
    if (!status)
        *out = (struct json *)root;
    return status;
}

void json_free(struct json *j) { json_decref(inside(j)); }

const struct json *json_member(const struct json *object, const char *name)
{
    return outside(json_object_get(inside(object), name));
}

int json_count(const struct json *object)
{
    const size_t count = json_object_size(inside(object));
    return count < INT_MAX ? (int)count : INT_MAX;
}

bool json_next(const struct json *object, struct json_walk *w)
{
    json_t *o = inside(object);
    w->at = w->at ? json_object_iter_next(o, w->at) : json_object_iter(o);
    if (!w->at)
        return false;
    w->name = json_object_iter_key(w->at);
    w->value = outside(json_object_iter_value(w->at));
    return true;
}

int json_length(const struct json *array)
{
    const size_t count = json_array_size(inside(array));
    return !json_is_array(inside(array)) ? -1 : count < INT_MAX ? (int)count : INT_MAX;
}

const struct json *json_at(const struct json *array, int i)
{
    return i < 0 ? NULL : outside(json_array_get(inside(array), (size_t)i));
}

const char *json_text(const struct json *j) { return json_string_value(inside(j)); }

int json_texts(const struct json *value, const char **out, int room)
{
    const json_t *array = inside(value);
    const size_t count = json_array_size(array);
    if (!json_is_array(array) || count > (size_t)room)
        return -1;
    for (size_t i = 0; i < count; i++) {
        out[i] = json_string_value(json_array_get(array, i));
        if (!out[i])
            return -1;
    }
    return (int)count;
}

int json_wholes(const struct json *j, int64_t *out, int room)
{
    const json_t *array = inside(j);
    const size_t count = json_array_size(array);
    if (!json_is_array(array) || count > (size_t)room)
        return -1;
    for (size_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(array, i);
        if (!json_is_integer(item))
            return -1;
        out[i] = json_integer_value(item);
    }
    return (int)count;
}

double json_number(const struct json *j)
{
    const json_t *value = inside(j);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

bool json_flag(const struct json *j) { return json_is_true(inside(j)); }

bool json_absent(const struct json *j) { return !j || json_is_null(inside(j)); }

static int add_to_strbuf(const char *bytes, size_t length, void *context)
{
    strbuf_add(context, bytes, length);
    return 0;
}

bool json_print(const struct json *j, struct strbuf *out)
{
    const json_t *value = inside(j);
    if (json_is_string(value))
        strbuf_add(out, json_string_value(value), json_string_length(value));
    else if (json_is_number(value) || json_is_boolean(value))
        out->failed |= json_dump_callback(value, add_to_strbuf, out, JSON_ENCODE_ANY) != 0;
    else
        return false;
    return true;
}
