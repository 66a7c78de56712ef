/* The playground: a page that trains small models. */
#include "attend/browser.h"

#include "attend/model.h"
#include "attend/settings.h"
#include "base/io.h"
#include "base/json_writer.h"
#include "base/strbuf.h"
#include "browser/engine.h"
#include "browser/standalone.h"

#include <string.h>

/* ---- What the page's form offers: {"attentions": [{"name", "help"}], "cells": [...]} ---- */

static void put_choices(struct json_writer *w, const char *name, const struct attend_setting *row)
{
    json_begin_array(w, name);
    for (int i = 0; row->choices(i).name; i++) {
        json_begin_object(w, NULL);
        json_put_text(w, "name", row->choices(i).name);
        json_put_text(w, "help", row->choices(i).help);
        json_end(w);
    }
    json_end(w);
}

static enum attend_status list_choices(struct strbuf *out, struct attend_error *err)
{
    struct attend_network_options network = attend_network_defaults();
    struct attend_settings *settings = NULL;
    struct json_writer w = {.out = out};
    enum attend_status status = attend_settings_new(&settings, err);
    if (!status)
        status = attend_settings_add(settings, "", ATTEND_TABLE_NETWORK, &network, err);
    json_begin_object(&w, NULL);
    struct attend_setting_info info;
    for (int i = 0; !status && attend_settings_describe(settings, i, &info); i++)
        if (strcmp(info.row->name, "attention") == 0)
            put_choices(&w, "attentions", info.row);
        else if (strcmp(info.row->name, "cell") == 0)
            put_choices(&w, "cells", info.row);
    json_end(&w);
    attend_settings_free(settings);
    return status ? status : strbuf_status(out, err);
}

/* ---- The page ---- */

static enum attend_status fill(struct strbuf *page, const struct io_map *engine,
                               struct attend_error *err)
{
    const struct standalone_part part = {STANDALONE_ENGINE, engine->bytes, engine->size};
    struct strbuf choices = {0};
    enum attend_status status = list_choices(&choices, err);
    if (!status) {
        standalone_add(page, &(struct standalone){.page = "playground.html",
                                                  .data = choices.text,
                                                  .worker = "playground_worker.js",
                                                  .part = &part,
                                                  .parts = 1});
        status = strbuf_status(page, err);
    }
    strbuf_release(&choices);
    return status;
}

enum attend_status attend_playground_html(const char *path, const char *engine,
                                          struct attend_error *err)
{
    struct io_map map = {0};
    struct strbuf page = {0};
    enum attend_status status = engine_map(&map, engine, err);
    if (!status)
        status = fill(&page, &map, err);
    if (!status)
        status = io_write(path, page.text, page.length, err);
    strbuf_release(&page);
    io_unmap(&map);
    return status;
}
