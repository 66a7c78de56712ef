#include "attend/translate.h"

#include "base/error.h"
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

/* Copy a member that must be a text of one line; *out stays NULL when it is absent. */
static enum attend_status take(char **out, const struct json *object, const char *member,
                               const char *name, struct attend_error *err)
{
    const struct json *value = json_member(object, member);
    const char *text = json_text(value);
    if (!value)
        return ATTEND_OK;
    if (!text)
        return error_set(err, ATTEND_DATA, "%s: \"%s\" is not a text", name, member);
    if (strpbrk(text, "\n\r"))
        return error_set(err, ATTEND_DATA,
                         "%s: \"%s\" holds a line end; ask for one line at a time", name, member);
    *out = strdup(text);
    return *out ? ATTEND_OK : error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", name);
}

static enum attend_status take_phrases(struct attend_request *r, const struct json *object,
                                       const char *name, struct attend_error *err)
{
    const struct json *value = json_member(object, "require");
    const char *text[ATTEND_MAX_PHRASES];
    if (!value)
        return ATTEND_OK;
    const int count = json_texts(value, text, ATTEND_MAX_PHRASES);
    if (count < 0)
        return error_set(err, ATTEND_DATA, "%s: \"require\" is not a list of at most %d texts",
                         name, ATTEND_MAX_PHRASES);
    r->require = calloc((size_t)count + 1, sizeof *r->require);
    for (int i = 0; r->require && i < count; i++) {
        r->require[i] = strdup(text[i]);
        r->require_count += r->require[i] != NULL;
    }
    return r->require && r->require_count == count
               ? ATTEND_OK
               : error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", name);
}

enum attend_status attend_request_parse(struct attend_request *out, const char *json,
                                        const char *name, struct attend_error *err)
{
    struct attend_request request = {0};
    struct json *object = NULL;
    enum attend_status status = json_parse(&object, json, strlen(json), name, err);
    if (!status)
        status = take(&request.source, object, "source", name, err);
    if (!status && !request.source)
        status = error_set(err, ATTEND_DATA, "%s: has no \"source\"", name);
    if (!status)
        status = take(&request.prefix, object, "prefix", name, err);
    if (!status)
        status = take_phrases(&request, object, name, err);
    if (!status)
        status = take(&request.from, object, "from", name, err);
    if (!status)
        status = take(&request.to, object, "to", name, err);
    if (!status)
        *out = request;
    else
        attend_request_release(&request);
    json_free(object);
    return status;
}

void attend_request_release(struct attend_request *r)
{
    free(r->source);
    free(r->prefix);
    free(r->from);
    free(r->to);
    for (int i = 0; i < r->require_count; i++)
        free(r->require[i]);
    free(r->require);
    *r = (struct attend_request){0};
}
