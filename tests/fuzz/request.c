/* JSON lines that request a translation, and base/json.h on any value.
 *
 * Aimed at: src/api/request.c src/base/json.c */
#include "fuzz.h"

#include "attend/translate.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>

static void check_request(const struct attend_request *r)
{
    fuzz_check_text(r->source, false);
    if (r->prefix)
        fuzz_check_text(r->prefix, false);
    FUZZ_CHECK(r->require_count >= 0 && r->require_count <= ATTEND_MAX_PHRASES);
    for (int i = 0; i < r->require_count; i++)
        fuzz_check_text(r->require[i], true);
}

/* A string survives writing and reading. */
static void check_string(const char *text)
{
    struct strbuf out = {0};
    struct json *json = NULL;
    json_put_text(&(struct json_writer){.out = &out}, NULL, text);
    FUZZ_CHECK(!json_parse_any(&json, out.text, out.length, "string", NULL));
    FUZZ_CHECK(strcmp(json_text(json), text) == 0);
    json_free(json);
    strbuf_release(&out);
}

static void check_value(const struct json *value)
{
    struct strbuf out = {0};
    int64_t whole[4];
    const char *text[4];
    FUZZ_CHECK(json_wholes(value, whole, 4) <= 4);
    FUZZ_CHECK(json_texts(value, text, 4) <= 4);
    if (json_text(value))
        check_string(json_text(value));
    if (json_print(value, &out))
        fuzz_check_text(out.text ? out.text : "", true);
    strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    struct attend_request request = {0};
    struct attend_error err = {.message = ""};
    struct json *json = NULL;
    size_t length;
    char *line = fuzz_rest(&in, &length);
    const enum attend_status status = attend_request_parse(&request, line, "line 1", &err);
    fuzz_check_error(status, &err);
    if (!status)
        check_request(&request);
    attend_request_release(&request);
    fuzz_check_error(json_parse_any(&json, line, length, "value", &err), &err);
    check_value(json);
    struct json_walk w = {0};
    while (json && json_length(json) < 0 && json_next(json, &w))
        check_value(w.value);
    for (int i = 0; i < json_length(json); i++)
        check_value(json_at(json, i));
    json_free(json);
    free(line);
    return 0;
}
