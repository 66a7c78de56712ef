#include "attend/settings.h"

#include <stdio.h>
#include <yaml.h>

struct reading {
    yaml_parser_t parser;
    attend_setting_fn *set;
    void *context;
    size_t *line; /* of the failure */
};

static enum attend_status fail(struct attend_error *err, enum attend_status status,
                               const char *what)
{
    if (err) {
        *err = (struct attend_error){.status = status};
        snprintf(err->message, sizeof err->message, "%s", what);
    }
    return status;
}

static enum attend_status wrong(const struct reading *r, size_t line, struct attend_error *err,
                                const char *what)
{
    *r->line = line + 1;
    return fail(err, ATTEND_USAGE, what);
}

/* Get the next event; invalid YAML is an error. */
static enum attend_status next(struct reading *r, yaml_event_t *event, struct attend_error *err)
{
    if (yaml_parser_parse(&r->parser, event))
        return ATTEND_OK;
    if (r->parser.error == YAML_MEMORY_ERROR)
        return fail(err, ATTEND_NO_MEMORY, "out of memory");
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

static enum attend_status take_scalar(struct reading *r, const char *name,
                                      const yaml_event_t *event, bool item,
                                      struct attend_error *err)
{
    if (event->type != YAML_SCALAR_EVENT)
        return wrong(r, event->start_mark.line, err,
                     "the value of a setting must be a word, number or text, or a list of these");
    *r->line = event->start_mark.line + 1;
    return r->set(r->context, name, (const char *)event->data.scalar.value, item, err);
}

/* The rest of a list. */
static enum attend_status read_list(struct reading *r, const char *name, struct attend_error *err)
{
    for (;;) {
        yaml_event_t event;
        enum attend_status status = next(r, &event, err);
        if (status)
            return status;
        const bool end = event.type == YAML_SEQUENCE_END_EVENT;
        if (!end)
            status = take_scalar(r, name, &event, true, err);
        yaml_event_delete(&event);
        if (status || end)
            return status;
    }
}

static enum attend_status read_value(struct reading *r, const char *name, struct attend_error *err)
{
    yaml_event_t event;
    enum attend_status status = next(r, &event, err);
    if (status)
        return status;
    status = event.type == YAML_SEQUENCE_START_EVENT ? read_list(r, name, err)
                                                     : take_scalar(r, name, &event, false, err);
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

enum attend_status attend_yaml_read(const void *bytes, size_t length, attend_setting_fn *set,
                                    void *context, size_t *line, struct attend_error *err)
{
    struct reading r = {.set = set, .context = context, .line = line};
    *line = 0;
    if (!yaml_parser_initialize(&r.parser))
        return fail(err, ATTEND_NO_MEMORY, "out of memory");
    yaml_parser_set_input_string(&r.parser, bytes, length);
    enum attend_status status = next_of_type(&r, YAML_STREAM_START_EVENT, err);
    if (!status)
        status = next_of_type(&r, YAML_DOCUMENT_START_EVENT, err);
    if (!status)
        status = next_of_type(&r, YAML_MAPPING_START_EVENT, err);
    if (!status)
        status = read_mapping(&r, err);
    yaml_parser_delete(&r.parser);
    return status;
}
