#include "viz/template.h"

#include "base/asset.h"
#include "base/bug.h"
#include "base/strbuf.h"
#include "viz/label.h"
#include "viz/markup.h"

#include <stdbool.h>
#include <string.h>

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

void template_add_script(struct strbuf *out, const char *name)
{
    for (const char *script = asset_get(name)->bytes; *script;) {
        const size_t line = strcspn(script, "\n"), length = line + (script[line] == '\n');
        const size_t skipped = begins(script, "export ") ? strlen("export ") : 0;
        if (!begins(script, "import "))
            strbuf_add(out, script + skipped, length - skipped);
        script += length;
    }
}

void template_add_text(struct strbuf *out, const char *raw)
{
    struct strbuf safe = {0};
    label_add(&safe, raw);
    out->failed |= safe.failed;
    markup_add(out, safe.text ? safe.text : "");
    strbuf_release(&safe);
}

static const struct template_place *find_place(const struct template_place *place, const char *name,
                                               size_t length)
{
    while (place->name &&
           (strlen(place->name) != length || strncmp(place->name, name, length) != 0))
        place++;
    BUG_ON(!place->name);
    return place;
}

void template_fill(struct strbuf *out, const char *name, const struct template_place *places,
                   const void *context)
{
    const char *at = asset_get(name)->bytes;
    for (const char *mark; (mark = strstr(at, "{{")); at = strstr(mark, "}}") + 2) {
        const struct template_place *place = find_place(places, mark + 2, strcspn(mark + 2, "}"));
        strbuf_add(out, at, (size_t)(mark - at));
        place->add(out, context);
    }
    strbuf_adds(out, at);
}
