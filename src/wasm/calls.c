#include "wasm/calls.h"

#include "base/error.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory for texts ---- */

void *WASM_CALL(memory_take)(size_t size);
void *memory_take(size_t size) { return malloc(size); }

void WASM_CALL(memory_free)(void *at);
void memory_free(void *at) { free(at); }

/* ---- Answers ---- */

static const char *name_of(enum attend_status status)
{
    static const char *const names[] = {
#define NAME(name, text) #name,
        ATTEND_STATUS_LIST(NAME)
#undef NAME
    };
    return names[status];
}

char *answer_failure(enum attend_status status, const struct attend_error *err)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    json_begin_object(&w, NULL);
    json_put_text(&w, "error", err->message);
    json_put_text(&w, "status", name_of(status));
    json_end(&w);
    return strbuf_detach(&out);
}

char *answer_text(enum attend_status status, char *json, const struct attend_error *err)
{
    static const struct attend_error no_memory = {.message = "out of memory"};
    if (status)
        return answer_failure(status, err);
    return json ? json : answer_failure(ATTEND_NO_MEMORY, &no_memory);
}

char *answer_handle(enum attend_status status, const char *name, const void *handle,
                    const struct attend_error *err)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    json_begin_object(&w, NULL);
    json_put_whole(&w, name, (int64_t)(uintptr_t)handle);
    json_end(&w);
    return answer_text(status, strbuf_detach(&out), err);
}

/* ---- Requests ---- */

enum attend_status request_parse(struct json **out, const char *text, struct attend_error *err)
{
    return json_parse(out, text, strlen(text), "the request", err);
}

static enum attend_status take_value(struct attend_settings *s, const char *name,
                                     const struct json *value, struct attend_error *err)
{
    struct strbuf text = {0};
    enum attend_status status =
        json_print(value, &text)
            ? strbuf_status(&text, err)
            : error_set(err, ATTEND_USAGE, "`%s` is a text, a number, true or false", name);
    if (!status)
        status = attend_settings_set(s, name, text.text ? text.text : "", err);
    strbuf_release(&text);
    return status;
}

static enum attend_status take_list(struct attend_settings *s, const char *name,
                                    const struct json *list, struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < json_length(list) && !status; i++)
        status = take_value(s, name, json_at(list, i), err);
    return status;
}

enum attend_status settings_take_object(struct attend_settings *s, const struct json *object,
                                        struct attend_error *err)
{
    struct json_walk w = {0};
    enum attend_status status = ATTEND_OK;
    while (!status && json_next(object, &w))
        if (!json_absent(w.value))
            status = json_length(w.value) >= 0 ? take_list(s, w.name, w.value, err)
                                               : take_value(s, w.name, w.value, err);
    return status;
}
