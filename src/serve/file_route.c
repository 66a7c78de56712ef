/* POST /translate_file and GET /download_file/NAME, compatible with LibreTranslate. */
#include "serve/routes.h"

#include "attend/document.h"
#include "base/clock.h"
#include "base/json_writer.h"
#include "serve/detection.h"
#include "serve/language_names.h"
#include "serve/terms.h"
#include "serve/work.h"

#include <stdlib.h>
#include <string.h>

/* Lines that are translated at a time. */
enum { FILE_LINES = 2048, SAMPLE = 4096 };

struct file_work {
    char *called; /* the file's name */
    char *bytes;
    size_t size;
    bool split;
    const char *source, *target; /* codes, owned by the catalog; source NULL: to be detected */
    struct served *served;       /* NULL: the file is already in the target language */
    struct detection *detection; /* NULL: the source language was given */
    bool detected;
    struct attend_document *document;
    struct text_job *job; /* the lines that are being translated */
    struct strbuf out;
};

static void free_work(void *context)
{
    struct file_work *w = context;
    attend_document_close(w->document);
    text_job_free(w->job);
    detection_free(w->detection);
    strbuf_release(&w->out);
    free(w->called);
    free(w->bytes);
    free(w);
}

static bool no_memory(struct exchange *e)
{
    exchange_error(e, 500, "Cannot translate file: out of memory");
    return false;
}

/* ---- The document ---- */

static bool add(void *context, const char *bytes, size_t length)
{
    strbuf_add(context, bytes, length);
    return true;
}

static bool open_document(struct exchange *e, struct file_work *w)
{
    struct attend_error err;
    const struct attend_document_setup setup = {
        .splitting = {.sentences = w->split ? e->server->hooks.sentences : NULL,
                      .model = w->served ? w->served->model : NULL,
                      .language = w->source},
        .source = w->source,
        .target = w->target,
    };
    if (!attend_document_open_bytes(&w->document, w->called, w->bytes, w->size, &setup, &err))
        return true;
    exchange_error(e, 400, "Invalid request: %s", err.message);
    return false;
}

static bool read_failed(struct exchange *e, enum attend_status status,
                        const struct attend_error *err)
{
    if (status == ATTEND_NO_MEMORY)
        no_memory(e);
    else if (status)
        exchange_error(e, 400, "Invalid request: %s", err->message);
    return status;
}

/* Count a line; false after answering that there is too much. */
static bool is_within(struct exchange *e, const char *line)
{
    const struct limits *limits = &e->server->limits;
    const long length = routes_characters(line);
    e->characters += length;
    e->lines++;
    const bool all = e->characters > limits->characters;
    if (!all && length <= limits->line)
        return true;
    exchange_error(e, 400, "Invalid request: %s (%ld) exceeds text limit (%d)",
                   all ? "file" : "a sentence of the file", all ? e->characters : length,
                   all ? limits->characters : limits->line);
    return false;
}

static void add_sample(struct strbuf *sample, const char *line)
{
    if (sample->length < SAMPLE)
        strbuf_addf(sample, "%s%s", sample->length ? "\n" : "", line);
}

/* Read the whole document once without translating it: a broken one, or one that is too long, is
 * refused before any work. `sample`, unless it is NULL, gets some of its text. */
static bool check_document(struct exchange *e, struct file_work *w, struct strbuf *sample)
{
    struct strbuf same = {0};
    const struct attend_sink sink = {add, &same};
    const char *const *lines;
    int count = 1;
    if (!open_document(e, w))
        return false;
    bool good = true;
    while (good && count) {
        struct attend_error err;
        enum attend_status status =
            attend_document_read(w->document, &sink, FILE_LINES, &lines, &count, &err);
        for (int i = 0; i < count && !status && good; i++) {
            good = is_within(e, lines[i]);
            if (sample)
                add_sample(sample, lines[i]);
        }
        if (!status && good)
            status = attend_document_write(w->document, &sink, lines, &err);
        good = good && !read_failed(e, status, &err);
        strbuf_clear(&same);
    }
    strbuf_release(&same);
    attend_document_close(w->document);
    w->document = NULL;
    return good;
}

/* ---- The answer ---- */

/* The address by which the client reached the server; "" if it did not say one that is sane. */
static void add_origin(struct strbuf *out, const struct exchange *e)
{
    static const char good[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:-_[]";
    if (e->host && *e->host && strspn(e->host, good) == strlen(e->host))
        strbuf_addf(out, "%s://%s", e->secure ? "https" : "http", e->host);
}

static void answer(struct exchange *e, struct file_work *w)
{
    struct strbuf url = {0}, text = {0};
    struct json_writer out = {.out = &text};
    const size_t size = w->out.length;
    strbuf_adds(&w->out, "");
    char *bytes = strbuf_detach(&w->out);
    const char *name =
        bytes ? files_keep(&e->server->files, bytes, size, w->called, w->target, clock_seconds())
              : NULL;
    if (!name) {
        no_memory(e);
        return;
    }
    add_origin(&url, e);
    strbuf_addf(&url, "/download_file/%s", name);
    json_begin_object(&out, NULL);
    json_put_text(&out, "translatedFileUrl", url.text ? url.text : "");
    json_end(&out);
    out.out->failed = out.out->failed || url.failed;
    strbuf_release(&url);
    exchange_json(e, 200, strbuf_detach(&text));
}

/* ---- Translating ---- */

/* Leave a job for the next lines, or answer after the last ones. */
static void translate_next(struct exchange *e, struct file_work *w)
{
    const struct attend_sink sink = {add, &w->out};
    const char *const *lines;
    struct attend_error err;
    int count;
    const enum attend_status status =
        attend_document_read(w->document, &sink, FILE_LINES, &lines, &count, &err);
    text_job_free(w->job);
    w->job = NULL;
    if (read_failed(e, status, &err))
        return;
    if (count == 0) {
        answer(e, w);
        return;
    }
    w->job = text_job_new(e, w->served, count, false);
    bool good = w->job;
    for (int i = 0; i < count && good; i++)
        good = (w->job->line[i] = strdup(lines[i]));
    if (!good) {
        no_memory(e);
        return;
    }
    w->job->search = (struct attend_search){.nbest = 1};
    e->model = w->served->name;
    const enum attend_tags tags = attend_document_tags(w->document);
    const bool wanted = terms_wanted(e, w->job, tags, NULL);
    for (int i = 0; i < count && wanted && good; i++)
        good = terms_prepare(e, w->job, i, tags, NULL);
}

static void write_lines(struct exchange *e, struct file_work *w)
{
    const struct attend_sink sink = {add, &w->out};
    struct attend_error err;
    const int count = w->job->job.lines;
    if (work_failed(e, &w->job->job))
        return;
    const char **text = calloc((size_t)count, sizeof *text);
    if (!text) {
        no_memory(e);
        return;
    }
    for (int i = 0; i < count; i++)
        text[i] = w->job->result[i].text;
    const enum attend_status status = attend_document_write(w->document, &sink, text, &err);
    free(text);
    if (!read_failed(e, status, &err))
        translate_next(e, w);
}

/* The languages are known. */
static void begin_translation(struct exchange *e, struct file_work *w)
{
    const bool same = strcmp(w->source, w->target) == 0;
    w->served = same ? NULL : catalog_find_pair(e->catalog, w->source, w->target);
    if (!same && !w->served) {
        exchange_error(e, 400, "%s (%s) is not available as a target language from %s (%s)",
                       language_name(w->target), w->target, language_name(w->source), w->source);
        return;
    }
    if (same) {
        strbuf_add(&w->out, w->bytes, w->size);
        answer(e, w);
    } else if (open_document(e, w)) {
        translate_next(e, w);
    }
}

/* ---- The request ---- */

/* The catalog's copy of a language code; NULL if no model has it. */
static const char *known(const struct catalog *c, const char *code)
{
    const char *language;
    for (int i = 0; (language = catalog_language(c, i)); i++)
        if (strcmp(language, code) == 0)
            return language;
    return NULL;
}

static bool take_languages(struct exchange *e, struct file_work *w, const struct params *p)
{
    const char *source = params_text(p, "source"), *target = params_text(p, "target");
    if (!source || !target) {
        exchange_error(e, 400, "Invalid request: missing %s parameter",
                       source ? "target" : "source");
        return false;
    }
    const bool is_auto = strcmp(source, "auto") == 0;
    w->source = is_auto ? NULL : known(e->catalog, source);
    w->target = known(e->catalog, target);
    if (!w->target || !(w->source || is_auto))
        exchange_error(e, 400, "%s is not supported", w->source || is_auto ? target : source);
    return w->target && (w->source || is_auto);
}

static bool take_file(struct exchange *e, struct file_work *w, const struct params *p)
{
    const struct form_field *field = form_file(&p->form, "file");
    if (!field || !*field->file) {
        exchange_error(e, 400,
                       field ? "Invalid request: empty file"
                             : "Invalid request: missing file parameter");
        return false;
    }
    if (!attend_document_format_of(field->file)) {
        exchange_error(e, 400, "Invalid request: file format not supported");
        return false;
    }
    w->called = strdup(field->file);
    w->bytes = malloc(field->length + 1);
    w->size = field->length;
    if (!w->called || !w->bytes)
        return no_memory(e);
    memcpy(w->bytes, field->bytes, field->length);
    return true;
}

static bool begin_detection(struct exchange *e, struct file_work *w, struct strbuf *sample)
{
    w->detection = detection_new(e, 1, 1);
    strbuf_adds(sample, "");
    if (!w->detection || !(w->detection->text[0] = strbuf_detach(sample)))
        return no_memory(e);
    return true;
}

void file_begin(struct exchange *e, const struct params *p)
{
    struct strbuf sample = {0};
    struct file_work *w = calloc(1, sizeof *w);
    if (!w) {
        no_memory(e);
        return;
    }
    e->work = w;
    e->free_work = free_work;
    w->split = routes_split(e, p);
    if (take_file(e, w, p) && take_languages(e, w, p) &&
        check_document(e, w, w->source ? NULL : &sample)) {
        if (w->source)
            begin_translation(e, w);
        else
            begin_detection(e, w, &sample);
    }
    strbuf_release(&sample);
}

bool file_submit(struct exchange *e)
{
    struct file_work *w = e->work;
    return w->detection && !w->detected ? routes_submit_detection(e, &w->detection->task.job)
                                        : routes_submit_text(e, &w->job->job);
}

void file_finish(struct exchange *e)
{
    struct file_work *w = e->work;
    if (!w->detection || w->detected) {
        write_lines(e, w);
        return;
    }
    w->detected = true;
    if (work_failed(e, &w->detection->task.job))
        return;
    w->source = w->detection->found[0] ? known(e->catalog, w->detection->guess[0].language) : NULL;
    if (w->source)
        begin_translation(e, w);
    else
        exchange_error(e, 400, "auto is not supported");
}

/* ---- GET /download_file/NAME ---- */

void download_begin(struct exchange *e, const struct params *p)
{
    char field[FILES_NAME + 32];
    const struct file *file =
        files_find(&e->server->files, e->path + strlen(e->route->path), clock_seconds());
    (void)p;
    if (!file) {
        exchange_error(e, 404, "Not found");
        return;
    }
    char *copy = malloc(file->size + 1);
    if (!copy) {
        no_memory(e);
        return;
    }
    memcpy(copy, file->bytes, file->size);
    copy[file->size] = '\0';
    exchange_bytes(e, 200, "application/octet-stream", copy, file->size);
    snprintf(field, sizeof field, "attachment; filename=\"%s\"", files_called(file));
    exchange_field_owned(e, "Content-Disposition", strdup(field));
}
