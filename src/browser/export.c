/* A page of models: the page of attend serve, as a single file. */
#include "attend/browser.h"

#include "attend/convert.h"
#include "attend/model.h"
#include "base/error.h"
#include "base/io.h"
#include "base/json_writer.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "browser/engine.h"
#include "browser/standalone.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MODELS = 16 };

/* What the page holds: the engine, then the models. */
struct content {
    const char *path;
    const struct attend_export *what;
    struct io_writer file;
    struct io_map map[1 + MODELS];
    struct standalone_part part[1 + MODELS];
    char id[1 + MODELS][24]; /* names of parts */
    char *name[MODELS];      /* what the page calls the models */
    int models;
};

static enum attend_status no_memory(struct attend_error *err)
{
    return error_set(err, ATTEND_NO_MEMORY, "out of memory for a page");
}

/* ---- The engine ---- */

static enum attend_status add_engine(struct content *c, struct attend_error *err)
{
    const enum attend_status status = engine_map(&c->map[0], c->what->engine, err);
    c->part[0] = (struct standalone_part){STANDALONE_ENGINE, c->map[0].bytes, c->map[0].size};
    return status;
}

/* ---- Models ---- */

/* A file beside the page, or in a folder for temporary files if the page goes to a pipe. The caller
 * removes and frees it. */
static enum attend_status temporary_name(const struct content *c, char **out,
                                         struct attend_error *err)
{
    struct strbuf path = {0};
    strbuf_addf(&path, "%s.XXXXXX", c->file.temporary ? c->file.temporary : P_tmpdir "/attend");
    if (path.failed) {
        strbuf_release(&path);
        return no_memory(err);
    }
    const int fd = mkostemp(path.text, O_CLOEXEC);
    if (fd < 0) {
        const enum attend_status status =
            error_set(err, ATTEND_IO, "%s: cannot be written: %s", path.text, strerror(errno));
        strbuf_release(&path);
        return status;
    }
    close(fd);
    *out = strbuf_detach(&path);
    return ATTEND_OK;
}

static enum attend_status map_rounded(const struct content *c, struct io_map *map, const char *path,
                                      struct attend_error *err)
{
    static const struct attend_conversion rounding = {.int8 = true};
    char *small = NULL;
    enum attend_status status = temporary_name(c, &small, err);
    if (status)
        return status;
    status = attend_convert(path, small, &rounding, err);
    if (!status)
        status = io_map(map, small, err);
    unlink(small); /* what is mapped stays */
    free(small);
    return status;
}

/* The file of a model, rounded to int8 unless it is that already or shall stay as it is. */
static enum attend_status map_model(const struct content *c, struct io_map *map, const char *path,
                                    struct attend_error *err)
{
    struct attend_model *model = NULL;
    enum attend_status status = attend_model_load(&model, path, err);
    if (status)
        return status;
    const bool keep = c->what->floats || attend_model_info(model).int8;
    attend_model_free(model);
    return keep ? io_map(map, path, err) : map_rounded(c, map, path, err);
}

/* The file name without folder and ending. */
static char *name_of(const char *path)
{
    static const char ending[] = ".safetensors";
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t length = strlen(name), end = sizeof ending - 1;
    const bool ends = length > end && strcmp(name + length - end, ending) == 0;
    return strndup(name, ends ? length - end : length);
}

static enum attend_status take_name(struct content *c, const char *given, const char *path,
                                    struct attend_error *err)
{
    char *name = given ? strdup(given) : name_of(path);
    if (!name)
        return no_memory(err);
    c->name[c->models++] = name;
    for (int i = 0; i < c->models - 1; i++)
        if (strcmp(c->name[i], name) == 0)
            return error_set(err, ATTEND_USAGE,
                             "%s: two models are called %s; give them different names", path, name);
    return ATTEND_OK;
}

static enum attend_status add_model(struct content *c, const char *path, const char *name,
                                    struct attend_error *err)
{
    if (c->models == MODELS)
        return error_set(err, ATTEND_USAGE, "%s: a page has at most %d models", path, MODELS);
    if (path_same(path, c->path))
        return error_set(err, ATTEND_USAGE, "%s: is a model; choose another file for the page",
                         path);
    const int i = 1 + c->models;
    enum attend_status status = take_name(c, name, path, err);
    if (!status)
        status = map_model(c, &c->map[i], path, err);
    if (status)
        return status;
    snprintf(c->id[i], sizeof c->id[i], "model-%d", i);
    c->part[i] = (struct standalone_part){c->id[i], c->map[i].bytes, c->map[i].size};
    return ATTEND_OK;
}

static enum attend_status add_models(struct content *c, struct attend_error *err)
{
    static const char *const none[] = {NULL};
    const char *const *name = c->what->names ? c->what->names : none;
    enum attend_status status = ATTEND_OK;
    for (const char *const *path = c->what->models; *path && !status; path++) {
        status = add_model(c, *path, *name, err);
        name += *name != NULL;
    }
    if (!status && *name)
        status = error_set(err, ATTEND_USAGE, "`name` is given more often than `model`");
    return status;
}

/* ---- The page ---- */

/* web/local.js reads it. */
static void add_data(struct strbuf *out, const struct content *c)
{
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_begin_array(&w, "models");
    for (int i = 0; i < c->models; i++) {
        json_begin_object(&w, NULL);
        json_put_text(&w, "name", c->name[i]);
        json_put_text(&w, "part", c->id[1 + i]);
        json_end(&w);
    }
    json_end(&w);
    json_end(&w);
}

static void add_title(struct strbuf *out, const struct content *c)
{
    if (c->what->title) {
        strbuf_adds(out, c->what->title);
        return;
    }
    for (int i = 0; i < c->models; i++) {
        strbuf_adds(out, i ? ", " : "");
        strbuf_adds(out, c->name[i]);
    }
    strbuf_adds(out, " · attend");
}

static enum attend_status write_page(struct content *c, struct attend_error *err)
{
    struct strbuf data = {0}, title = {0}, page = {0};
    add_data(&data, c);
    add_title(&title, c);
    enum attend_status status = strbuf_status(data.failed ? &data : &title, err);
    if (!status) {
        standalone_add(&page, &(struct standalone){.page = "app.html",
                                                   .title = title.text,
                                                   .data = data.text,
                                                   .part = c->part,
                                                   .parts = 1 + c->models});
        status = strbuf_status(&page, err);
    }
    if (!status) {
        io_writer_add(&c->file, page.text, page.length);
        status = io_writer_commit(&c->file, err);
    }
    strbuf_release(&data);
    strbuf_release(&title);
    strbuf_release(&page);
    return status;
}

static void release(struct content *c)
{
    io_writer_close(&c->file);
    for (int i = 0; i < 1 + MODELS; i++)
        io_unmap(&c->map[i]);
    for (int i = 0; i < c->models; i++)
        free(c->name[i]);
}

enum attend_status attend_export_html(const char *path, const struct attend_export *what,
                                      struct attend_error *err)
{
    struct content c = {.path = path, .what = what};
    enum attend_status status = io_writer_open(&c.file, path, err);
    if (!status)
        status = add_engine(&c, err);
    if (!status)
        status = add_models(&c, err);
    if (!status)
        status = write_page(&c, err);
    release(&c);
    return status;
}
