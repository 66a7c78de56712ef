#include "base/yaml.h"

#include "base/error.h"
#include "base/io.h"
#include "base/strbuf.h"

#include <stdio.h>
#include <string.h>
#include <yaml.h>

struct reading {
    const char *path;
    yaml_parser_t parser;
    yaml_setting_fn *set;
    void *context;
};

static enum attend_status wrong(const struct reading *r, size_t line, struct attend_error *err,
                                const char *what)
{
    return error_at(err, ATTEND_USAGE, r->path, line + 1, "%s", what);
}

/* Get the next event; invalid YAML is an error. */
static enum attend_status next(struct reading *r, yaml_event_t *event, struct attend_error *err)
{
    if (yaml_parser_parse(&r->parser, event))
        return ATTEND_OK;
    if (r->parser.error == YAML_MEMORY_ERROR)
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", r->path);
    return wrong(r, r->parser.problem_mark.line, err,
                 r->parser.problem ? r->parser.problem : "is not YAML");
}

static enum attend_status next_of_type(struct reading *r, yaml_event_type_t type,
                                       struct attend_error *err)
{
    yaml_event_t event;
    enum attend_status status = next(r, &event, err);
    if (status)
        return status;
    if (event.type != type)
        status = wrong(r, event.start_mark.line, err,
                       "is not a mapping; write one 'name: value' per line");
    yaml_event_delete(&event);
    return status;
}

static enum attend_status read_value(struct reading *r, const char *name, struct attend_error *err)
{
    yaml_event_t event;
    struct attend_error why;
    enum attend_status status = next(r, &event, err);
    if (status)
        return status;
    if (event.type != YAML_SCALAR_EVENT) {
        status = wrong(r, event.start_mark.line, err,
                       "the value of a setting must be a single word, number or text");
    } else {
        status = r->set(r->context, name, (const char *)event.data.scalar.value, &why);
        if (status)
            error_at(err, status, r->path, event.start_mark.line + 1, "%s", why.message);
    }
    yaml_event_delete(&event);
    return status;
}

static enum attend_status read_mapping(struct reading *r, struct attend_error *err)
{
    for (;;) {
        yaml_event_t event;
        enum attend_status status = next(r, &event, err);
        if (status)
            return status;
        const bool end = event.type == YAML_MAPPING_END_EVENT;
        if (!end && event.type != YAML_SCALAR_EVENT)
            status =
                wrong(r, event.start_mark.line, err, "the name of a setting must be a single word");
        else if (!end)
            status = read_value(r, (const char *)event.data.scalar.value, err);
        yaml_event_delete(&event);
        if (status || end)
            return status;
    }
}

enum attend_status yaml_read(const char *path, yaml_setting_fn *set, void *context,
                             struct attend_error *err)
{
    struct strbuf bytes = {0};
    struct reading r = {.path = path, .set = set, .context = context};
    enum attend_status status = io_read(path, &bytes, err);
    if (!status && !yaml_parser_initialize(&r.parser))
        status = error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    if (status)
        goto done;
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)(bytes.text ? bytes.text : ""),
                                 bytes.length);
    status = next_of_type(&r, YAML_STREAM_START_EVENT, err);
    if (!status)
        status = next_of_type(&r, YAML_DOCUMENT_START_EVENT, err);
    if (!status)
        status = next_of_type(&r, YAML_MAPPING_START_EVENT, err);
    if (!status)
        status = read_mapping(&r, err);
    yaml_parser_delete(&r.parser);
done:
    strbuf_release(&bytes);
    return status;
}
