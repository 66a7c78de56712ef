/* Reloading: options, models, glossaries and keys are read again while the server runs. */
#include "base/option.h"
#include "serve/server.h"
#include "serve/upload.h"
#include "settings/tables.h"

#include <stdio.h>
#include <string.h>

/* ---- Options ---- */

/* Whether a setting has another value than before. */
static bool differs(const struct attend_setting *row, const void *a, const void *b)
{
    char x[1024], y[1024];
    const int lengths[] = {option_print(row, a, x, sizeof x), option_print(row, b, y, sizeof y)};
    return lengths[0] != lengths[1] || strcmp(x, y) != 0;
}

/* Settings name themselves with dashes, messages with the underscores of their fields. */
static void tell_fixed(struct attend_server *s, const struct attend_setting *row)
{
    char text[160];
    snprintf(text, sizeof text, "`%s` cannot change while the server runs; start it again for that",
             row->name);
    server_note(s, text);
}

/* Take what may change from `given`, and say what may not. */
static void take_changes(struct attend_server *s, settings_tables tables, void *own,
                         const void *given)
{
    for (int t = 0; tables[t]; t++)
        for (const struct attend_setting *row = tables[t]; row->name; row++)
            if (row->flexible)
                option_copy(row, own, given);
            else if (differs(row, own, given))
                tell_fixed(s, row);
}

static void tell(struct attend_server *s, const struct attend_error *err, const char *kept)
{
    char text[sizeof err->message + 64];
    snprintf(text, sizeof text, "%s; keeping the %s before", err->message, kept);
    server_note(s, text);
}

static bool reread(struct attend_server *s)
{
    const struct attend_serve_options *given = NULL;
    const struct attend_translator_options *search = NULL;
    struct attend_serve_options options;
    struct attend_translator_options searching;
    struct attend_error err;
    if (!s->hooks.reread)
        return true;
    if (!s->hooks.reread(s->hooks.context, &given, &search))
        return false;
    if (SETTINGS_TAKE(&options, serve_tables, given, &err) ||
        SETTINGS_TAKE(&searching, translator_tables, search, &err)) {
        tell(s, &err, "options of");
        return false;
    }
    take_changes(s, serve_tables, &s->options, &options);
    take_changes(s, translator_tables, &s->search, &searching);
    atomic_store(&s->rate, s->options.rate);
    return true;
}

/* ---- Models and keys ---- */

static bool reload_catalog(struct attend_server *s)
{
    struct attend_error err;
    struct catalog *catalog, *old;
    const struct catalog_host host = {server_note, s, s->loader};
    if (catalog_reload(&catalog, s->catalog, &s->options, &host, &err)) {
        tell(s, &err, "models that were loaded");
        return false;
    }
    const bool whole = catalog->kept == 0; /* afterwards the catalog belongs to all threads */
    upload_prepare(s, catalog);
    pthread_mutex_lock(&s->lock);
    old = s->catalog;
    s->catalog = catalog;
    pthread_mutex_unlock(&s->lock);
    catalog_release(old);
    server_note(s, "models reloaded");
    return whole;
}

static bool reload_keys(struct attend_server *s)
{
    struct attend_error err;
    struct keys *keys = NULL, *old;
    if (s->options.api_keys && keys_load(&keys, s->options.api_keys, &err)) {
        tell(s, &err, "API keys that were loaded");
        return false;
    }
    pthread_mutex_lock(&s->lock);
    old = s->keys;
    s->keys = keys;
    pthread_mutex_unlock(&s->lock);
    keys_free(old);
    return true;
}

void server_reload(struct attend_server *s)
{
    const bool options = reread(s);
    const bool models = reload_catalog(s), keys = reload_keys(s);
    atomic_store(&s->stale, !options || !models || !keys);
}
