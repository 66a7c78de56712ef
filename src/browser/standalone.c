#include "browser/standalone.h"

#include "base/asset.h"
#include "base/base64.h"
#include "base/bug.h"
#include "base/codec.h"
#include "base/sha256.h"
#include "base/strbuf.h"
#include "browser/modules.h"
#include "viz/template.h"

#include <stdbool.h>
#include <string.h>

/* What the page consists of, before it is put together. */
struct sheet {
    const struct standalone *job;
    struct strbuf style, script;
};

/* The value of an attribute in a line; false if the line does not begin with `tag`. */
static bool attribute(const char *line, const char *tag, const char *name, char out[64])
{
    const size_t length = strcspn(line, "\n");
    if (strncmp(line, tag, strlen(tag)) != 0)
        return false;
    const char *from = strstr(line, name);
    BUG_ON(!from || from >= line + length);
    from += strlen(name);
    const size_t size = strcspn(from, "\"");
    BUG_ON(size >= 64);
    memcpy(out, from, size);
    out[size] = '\0';
    return true;
}

static const char link_tag[] = "<link rel=\"stylesheet\"", script_tag[] = "<script type=\"module\"",
                  policy_tag[] = "<meta http-equiv=\"Content-Security-Policy\"";

/* Collect styles and scripts of the page. */
static void read_page(struct sheet *s)
{
    char name[64];
    for (const char *line = asset_get(s->job->page)->bytes; *line;) {
        if (attribute(line, link_tag, "href=\"", name))
            strbuf_adds(&s->style, asset_get(name)->bytes);
        else if (attribute(line, script_tag, "src=\"", name))
            modules_add(&s->script, name);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    BUG_ON(!s->script.failed && strstr(s->script.text, "</script"));
}

/* ---- The policy ----
 * Only the script and the style with these hashes run; nothing is loaded but what the page makes
 * itself. Browsers that know trusted types also refuse to make markup or scripts of texts. */

static void add_hash(struct strbuf *out, const char *directive, const struct strbuf *text)
{
    unsigned char digest[SHA256_SIZE];
    sha256(text->text, text->length, digest);
    strbuf_adds(out, directive);
    strbuf_adds(out, " 'sha256-");
    base64_add(out, digest, sizeof digest);
    strbuf_addc(out, '\'');
}

static void add_policy(struct strbuf *out, const struct sheet *s)
{
    strbuf_adds(out, policy_tag);
    strbuf_adds(out, " content=\"default-src 'none'; ");
    add_hash(out, "script-src", &s->script);
    strbuf_adds(out, " 'wasm-unsafe-eval'; ");
    add_hash(out, "style-src", &s->style);
    strbuf_adds(out,
                "; worker-src blob:; img-src data: blob:; base-uri 'none'; form-action 'none'; "
                "require-trusted-types-for 'script'; trusted-types attend\">\n");
}

/* ---- Data, scripts of workers, and parts: elements that browsers neither show nor run ---- */

/* In texts of JSON, which is the only place for it, `<` is written so that no tag can begin. */
static void add_data(struct strbuf *out, const struct standalone *job)
{
    strbuf_adds(out, "<script type=\"application/json\" id=\"given\">");
    for (const char *c = job->data ? job->data : "null"; *c; c++)
        if (*c == '<')
            strbuf_adds(out, "\\u003c");
        else
            strbuf_addc(out, *c);
    strbuf_adds(out, "</script>\n");
}

static void add_worker(struct strbuf *out, const struct standalone *job)
{
    struct strbuf script = {0};
    modules_add(&script, job->worker ? job->worker : "worker.js");
    BUG_ON(!script.failed && strstr(script.text, "</script"));
    strbuf_adds(out, "<script type=\"text/plain\" id=\"worker\">\n");
    strbuf_add(out, script.text, script.length);
    strbuf_adds(out, "</script>\n");
    out->failed |= script.failed;
    strbuf_release(&script);
}

static void add_part(struct strbuf *out, const struct standalone_part *part)
{
    struct strbuf packed = {0};
    codec_compress(&packed, part->bytes, part->size);
    strbuf_adds(out, "<script type=\"text/plain\" id=\"");
    template_add_text(out, part->name);
    strbuf_adds(out, "\">");
    base64_add(out, packed.text, packed.length);
    strbuf_adds(out, "</script>\n");
    out->failed |= packed.failed;
    strbuf_release(&packed);
}

/* ---- The page ---- */

/* The line of the page, or what replaces it. Styles and policy take the place of the old policy, so
 * that it stands before all that it rules. */
static void add_line(struct strbuf *out, const struct sheet *s, const char *line, size_t length)
{
    static const char title[] = "<title>", body_end[] = "</body>";
    const struct standalone *job = s->job;
    if (strncmp(line, link_tag, sizeof link_tag - 1) == 0)
        return;
    if (strncmp(line, title, sizeof title - 1) == 0 && job->title) {
        strbuf_adds(out, title);
        template_add_text(out, job->title);
        strbuf_adds(out, "</title>\n");
        return;
    }
    if (strncmp(line, body_end, sizeof body_end - 1) == 0) {
        add_data(out, job);
        add_worker(out, job);
        for (int i = 0; i < job->parts; i++)
            add_part(out, &job->part[i]);
    }
    strbuf_add(out, line, length);
}

static void add_page(struct strbuf *out, const struct sheet *s)
{
    for (const char *line = asset_get(s->job->page)->bytes; *line;) {
        const bool is_policy = strncmp(line, policy_tag, sizeof policy_tag - 1) == 0;
        const char *end = is_policy ? strchr(line, '>') : line + strcspn(line, "\n");
        end += strcspn(end, "\n");
        end += *end == '\n';
        if (is_policy) {
            add_policy(out, s);
            strbuf_adds(out, "<style>");
            strbuf_add(out, s->style.text, s->style.length);
            strbuf_adds(out, "</style>\n");
        } else if (strncmp(line, script_tag, sizeof script_tag - 1) == 0) {
            strbuf_adds(out, "<script type=\"module\">");
            strbuf_add(out, s->script.text, s->script.length);
            strbuf_adds(out, "</script>\n");
        } else {
            add_line(out, s, line, (size_t)(end - line));
        }
        line = end;
    }
}

void standalone_add(struct strbuf *out, const struct standalone *job)
{
    struct sheet s = {.job = job};
    read_page(&s);
    if (!s.style.failed && !s.script.failed)
        add_page(out, &s);
    out->failed |= s.style.failed || s.script.failed;
    strbuf_release(&s.style);
    strbuf_release(&s.script);
}
