#include "browser/modules.h"

#include "base/asset.h"
#include "base/bug.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <string.h>

enum { MODULES = 64 };

struct modules {
    const struct asset *module[MODULES]; /* (count) the root first */
    bool added[MODULES];
    int count;
};

/* A part of a text. */
struct span {
    const char *at;
    size_t length;
};

static bool begins(struct span line, const char *start)
{
    return line.length >= strlen(start) && strncmp(line.at, start, strlen(start)) == 0;
}

/* The next line of a text, without its end; false after the last. */
static bool next_line(const char **text, struct span *line)
{
    *line = (struct span){*text, strcspn(*text, "\n")};
    *text += line->length + ((*text)[line->length] == '\n');
    return **text || line->length;
}

/* ---- import {a, b as c} from './x.js'; ---- */

/* What lies between two texts in a line; a line without them is a bug. */
static struct span between(struct span line, const char *before, const char *after)
{
    const char *from = strstr(line.at, before);
    BUG_ON(!from || from >= line.at + line.length);
    from += strlen(before);
    const char *to = strstr(from, after);
    BUG_ON(!to || to >= line.at + line.length);
    return (struct span){from, (size_t)(to - from)};
}

static const struct asset *module_of(struct span import)
{
    const struct span path = between(import, "from './", "';");
    char name[64];
    BUG_ON(path.length >= sizeof name);
    memcpy(name, path.at, path.length);
    name[path.length] = '\0';
    return asset_get(name);
}

/* x_js for x.js */
static void add_variable(struct strbuf *out, const struct asset *module)
{
    for (const char *c = module->name; *c; c++)
        strbuf_addc(out, *c == '.' ? '_' : *c);
}

static void add_import(struct strbuf *out, struct span line)
{
    static const char as[] = " as ";
    const struct span names = between(line, "{", "}");
    const char *const end = names.at + names.length;
    strbuf_adds(out, "const {");
    for (const char *at = names.at; at < end;) {
        const bool other = strncmp(at, as, sizeof as - 1) == 0;
        strbuf_add(out, other ? ": " : at, other ? 2 : 1);
        at += other ? sizeof as - 1 : 1;
    }
    strbuf_adds(out, "} = ");
    add_variable(out, module_of(line));
    strbuf_adds(out, ";\n");
}

/* ---- export async function f(x) { ---- */

static const char declared[] = "export ";

/* The name that an exported declaration gives. */
static struct span name_of(struct span line)
{
    static const char *const words[] = {"export ", "async ", "function ", "class ", "const "};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const char *at = line.at;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            at += strlen(words[i]);
    const struct span name = {at, strspn(at, letters)};
    BUG_ON(name.length == 0 || strncmp(at, "let ", 4) == 0 || strncmp(at, "default ", 8) == 0);
    return name;
}

static void add_exports(struct strbuf *out, const struct asset *module)
{
    const char *text = module->bytes, *between_names = "";
    strbuf_adds(out, "return {");
    for (struct span line; next_line(&text, &line);) {
        if (!begins(line, declared))
            continue;
        const struct span name = name_of(line);
        strbuf_adds(out, between_names);
        strbuf_add(out, name.at, name.length);
        between_names = ", ";
    }
    strbuf_adds(out, "};\n");
}

/* ---- Modules ---- */

static int find(const struct modules *m, const struct asset *module)
{
    int i = 0;
    while (i < m->count && m->module[i] != module)
        i++;
    return i;
}

/* List a module's imports behind it. */
static void collect(struct modules *m, const struct asset *module)
{
    const char *text = module->bytes;
    for (struct span line; next_line(&text, &line);) {
        const struct asset *imported = begins(line, "import ") ? module_of(line) : NULL;
        if (!imported || find(m, imported) < m->count)
            continue;
        BUG_ON(m->count == MODULES);
        m->module[m->count++] = imported;
    }
}

/* Whether all that a module imports has been added. */
static bool is_ready(const struct modules *m, const struct asset *module)
{
    const char *text = module->bytes;
    for (struct span line; next_line(&text, &line);)
        if (begins(line, "import ") && !m->added[find(m, module_of(line))])
            return false;
    return true;
}

static void add_module(struct strbuf *out, const struct asset *module, bool is_root)
{
    const char *text = module->bytes;
    strbuf_adds(out, "const ");
    add_variable(out, module);
    strbuf_adds(out, is_root ? " = (async () => {\n" : " = (() => {\n");
    for (struct span line; next_line(&text, &line);) {
        const size_t skipped = begins(line, declared) ? sizeof declared - 1 : 0;
        if (begins(line, "import ")) {
            add_import(out, line);
            continue;
        }
        strbuf_add(out, line.at + skipped, line.length - skipped);
        strbuf_addc(out, '\n');
    }
    add_exports(out, module);
    strbuf_adds(out, "})();\n");
}

/* Add a module whose imports are there; false if there is none. */
static bool add_ready(struct modules *m, struct strbuf *out)
{
    for (int i = m->count - 1; i >= 0; i--)
        if (!m->added[i] && is_ready(m, m->module[i])) {
            add_module(out, m->module[i], i == 0);
            m->added[i] = true;
            return true;
        }
    return false;
}

void modules_add(struct strbuf *out, const char *root)
{
    struct modules m = {.module = {asset_get(root)}, .count = 1};
    for (int i = 0; i < m.count; i++)
        collect(&m, m.module[i]);
    while (!m.added[0]) {
        const bool progress = add_ready(&m, out);
        BUG_ON(!progress);
    }
}
