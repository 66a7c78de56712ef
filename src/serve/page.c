/* GET / and the files of web/, which are embedded in the library. */
#include "serve/routes.h"

#include "base/asset.h"
#include "base/checksum.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char nothing[] =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>attend</title>"
    "<p>Models are served here: POST /translate, POST /attention, GET /languages, GET /models. "
    "All of it is described at <a href=\"/spec\">/spec</a>.";

static const char *type_of(const char *name)
{
    static const struct {
        const char *ending, *type;
    } types[] = {{".html", "text/html; charset=utf-8"},
                 {".css", "text/css; charset=utf-8"},
                 {".js", "text/javascript; charset=utf-8"},
                 {".json", "application/json; charset=utf-8"},
                 {".svg", "image/svg+xml"}};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].ending, dot) == 0)
            return types[i].type;
    return "application/octet-stream";
}

static const struct asset *find(const char *name)
{
    for (const struct asset *asset = asset_files; asset->name; asset++)
        if (strcmp(asset->name, name) == 0)
            return asset;
    return NULL;
}

/* Whether the list of entity tags in If-None-Match contains this one or is `*`. */
static bool matches(const char *list, const char *tag)
{
    return list && (strcmp(list, "*") == 0 || strstr(list, tag));
}

static void answer_file(struct exchange *e, const struct asset *asset)
{
    char tag[32];
    struct checksum sum;
    checksum_init(&sum);
    checksum_add(&sum, asset->bytes, asset->size);
    snprintf(tag, sizeof tag, "\"%016" PRIx64 "\"", checksum_value(&sum));
    if (matches(e->if_none_match, tag))
        exchange_fixed(e, 304, NULL, "", 0);
    else
        exchange_fixed(e, 200, type_of(asset->name), asset->bytes, asset->size);
    exchange_field(e, "Cache-Control", "no-cache");
    exchange_field_owned(e, "ETag", strdup(tag));
}

bool page_file(struct exchange *e)
{
    const struct asset *asset = e->path[0] == '/' ? find(e->path + 1) : NULL;
    if (asset)
        answer_file(e, asset);
    return asset;
}

void page_begin(struct exchange *e, const struct params *p)
{
    const struct asset *app = find("app.html");
    (void)p;
    if (app)
        answer_file(e, app);
    else
        exchange_fixed(e, 200, "text/html; charset=utf-8", nothing, sizeof nothing - 1);
}
