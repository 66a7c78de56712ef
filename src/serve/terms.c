#include "serve/terms.h"

#include "base/error.h"
#include "serve/params.h"
#include "serve/routes.h"
#include "serve/server.h"
#include "serve/work.h"

#include <stdlib.h>
#include <string.h>

/* ---- The glossary of a request ---- */

static bool refuse(struct exchange *e, enum attend_status status, const struct attend_error *err)
{
    const bool mine = status == ATTEND_DATA || status == ATTEND_USAGE;
    exchange_error(e, mine ? 400 : 500, "%s%s",
                   mine ? "Invalid request: " : "Cannot translate text: ", err->message);
    return false;
}

static enum attend_status add(struct attend_glossary *g, const char *source,
                              const struct json *target, long number, struct attend_error *err)
{
    if (!source || !(json_text(target) || json_absent(target)))
        return error_set(err, ATTEND_DATA,
                         "glossary: term %ld is not a source text with a target text or null",
                         number);
    return attend_glossary_add(g, source, json_text(target), number, err);
}

static enum attend_status add_all(struct attend_glossary *g, const struct json *value,
                                  struct attend_error *err)
{
    const int list = json_length(value);
    const int count = list >= 0 ? list : json_count(value);
    enum attend_status status = ATTEND_OK;
    struct json_walk walk = {0};
    if (count < 1 || count > TERMS_MAX)
        return error_set(err, ATTEND_DATA, "glossary is not a list or an object of 1 to %d terms",
                         TERMS_MAX);
    for (int i = 0; i < list && !status; i++) {
        const struct json *term = json_at(value, i);
        status =
            add(g, json_text(json_member(term, "source")), json_member(term, "target"), i + 1, err);
    }
    for (long i = 1; list < 0 && !status && json_next(value, &walk); i++)
        status = add(g, walk.name, walk.value, i, err);
    return status;
}

bool terms_take(struct attend_glossary **out, struct exchange *e, const struct params *p)
{
    const char *text = params_text(p, "glossary"); /* a form holds it as JSON */
    const struct json *value = params_value(p, "glossary");
    struct json *parsed = NULL;
    struct attend_glossary *g = NULL;
    struct attend_error err;
    enum attend_status status = ATTEND_OK;
    if (!text && json_absent(value))
        return true;
    if (text)
        status = json_parse_any(&parsed, text, strlen(text), "glossary", &err);
    if (!status)
        status = attend_glossary_new(&g, "glossary", &err);
    if (!status)
        status = add_all(g, text ? parsed : value, &err);
    json_free(parsed);
    if (status) {
        attend_glossary_free(g);
        return refuse(e, status == ATTEND_FORMAT ? ATTEND_DATA : status, &err);
    }
    *out = g;
    return true;
}

/* ---- Lines ---- */

bool terms_wanted(const struct exchange *e, const struct text_job *job, enum attend_tags tags,
                  const struct attend_glossary *own)
{
    return tags || own || job->served->glossary || e->catalog->masks;
}

static bool check_length(struct exchange *e, const char *text)
{
    const long characters = routes_characters(text);
    if (characters <= e->server->limits.line)
        return true;
    exchange_error(e, 400, "Invalid request: a line of the request (%ld) exceeds text limit (%d)",
                   characters, e->server->limits.line);
    return false;
}

bool terms_prepare(struct exchange *e, struct text_job *job, int k, enum attend_tags tags,
                   const struct attend_glossary *own)
{
    const struct attend_markup_options options = {
        .tags = tags,
        .tolerant = true,
        .masks = e->catalog->masks,
        .glossary = own,
        .general = job->served->glossary,
        .model = job->served->model,
    };
    struct attend_constraint *constraint = &job->constraint[k];
    struct attend_error err;
    enum attend_status status = ATTEND_OK;
    if (!job->markup)
        job->markup = calloc((size_t)job->job.lines, sizeof(struct attend_markup *));
    status = job->markup ? attend_markup_parse(&job->markup[k], job->line[k], &options, &err)
                         : error_set(&err, ATTEND_NO_MEMORY, "out of memory");
    if (status)
        return refuse(e, status, &err);
    free(job->line[k]);
    job->line[k] = strdup(attend_markup_text(job->markup[k]));
    if (!job->line[k])
        return refuse(e, ATTEND_NO_MEMORY, &(struct attend_error){.message = "out of memory"});
    constraint->require = attend_markup_terms(job->markup[k], &constraint->require_count);
    job->search.spans = job->search.spans || attend_markup_moves(job->markup[k]);
    return check_length(e, job->line[k]);
}
