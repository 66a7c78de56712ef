/* POST /translator/translate, as OpenNMT's servers have it: `[{"src":"...","id":0}, ...]` in, a
 * list for each rank out (the Python server's nesting), attention by the Lua server's names when a
 * sentence has `withAttn`. What is wrong is told with code 200, as they do. */
#include "serve/routes.h"

#include "serve/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sentence {
    char *src;     /* as given */
    char *prefix;  /* `ref`; or NULL */
    size_t before; /* blanks around it, which come back around the translation */
    size_t after;
    bool attention;
};

struct opennmt_work {
    struct text_job *job;
    struct sentence *sentence; /* (job->job.lines) */
    int count, ranks;
};

static void free_work(void *context)
{
    struct opennmt_work *w = context;
    for (int i = 0; w->sentence && i < w->count; i++) {
        free(w->sentence[i].src);
        free(w->sentence[i].prefix);
    }
    free(w->sentence);
    text_job_free(w->job);
    free(w);
}

static bool refuse(struct exchange *e, const char *message)
{
    struct strbuf out = {0};
    strbuf_adds(&out, "{\"error\":");
    json_add_text(&out, message);
    strbuf_adds(&out, ",\"status\":\"error\"}");
    exchange_json(e, 200, &out);
    return false;
}

/* ---- What is asked for ---- */

/* The first sentence's id: a model's number or name. */
static struct served *find_model(struct exchange *e, const struct json *first)
{
    const struct json *id = json_member(first, "id");
    const char *name = json_text(id);
    const double number = json_absent(id) ? 0 : json_number(id);
    if (name)
        return catalog_find(e->catalog, name);
    const bool is_place = number >= 0 && number < e->catalog->count;
    return is_place ? e->catalog->item[(int)number] : NULL;
}

static bool take_sentence(struct exchange *e, struct opennmt_work *w, int i,
                          const struct json *value)
{
    static const char blanks[] = " \t\r\n";
    struct sentence *s = &w->sentence[i];
    const char *src = json_text(json_member(value, "src"));
    const char *ref = json_text(json_member(value, "ref"));
    if (!src || strpbrk(src, "\n\r"))
        return refuse(e, src ? "a src holds a line end" : "a sentence has no src");
    if (!routes_check_text(e, src) || (ref && !routes_check_text(e, ref)))
        return false;
    s->src = strdup(src);
    s->prefix = ref && *ref ? strdup(ref) : NULL;
    s->before = strspn(src, blanks);
    for (size_t end = strlen(src); end > s->before && strchr(blanks, src[end - 1]); end--)
        s->after++;
    s->attention = json_flag(json_member(value, "withAttn"));
    w->job->shows = w->job->shows || s->attention;
    w->job->line[i] = strndup(src + s->before, strlen(src) - s->before - s->after);
    w->job->wish[i].prefix = s->prefix;
    return (s->src && w->job->line[i] && (s->prefix || !ref || !*ref)) ||
           refuse(e, "out of memory");
}

void opennmt_begin(struct exchange *e, const struct params *p)
{
    const int count = json_length(p->json);
    if (count < 1 || count > e->server->limits.lines) {
        refuse(e, count > 0 ? "too many sentences" : "a list of sentences is needed");
        return;
    }
    struct served *served = find_model(e, json_at(p->json, 0));
    if (!served) {
        refuse(e, "there is no model of this id");
        return;
    }
    struct opennmt_work *w = calloc(1, sizeof *w);
    if (!w) {
        refuse(e, "out of memory");
        return;
    }
    e->work = w;
    e->free_work = free_work;
    e->model = served->name;
    e->lines = count;
    w->job = text_job_new(e, served, count, false);
    w->sentence = calloc((size_t)count, sizeof *w->sentence);
    w->count = count;
    w->ranks = (int)attend_options_number(e->server->options, "nbest");
    bool good = (w->job && w->sentence) || refuse(e, "out of memory");
    for (int i = 0; i < count && good; i++)
        good = take_sentence(e, w, i, json_at(p->json, i));
}

bool opennmt_submit(struct exchange *e)
{
    struct opennmt_work *w = e->work;
    return routes_submit_text(e, &w->job->job);
}

/* ---- The answer ---- */

static void add_words(struct strbuf *out, const char *name, char *const *word, int count)
{
    strbuf_addf(out, ",\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        strbuf_adds(out, i ? "," : "");
        json_add_text(out, word[i]);
    }
    strbuf_addc(out, ']');
}

static void add_attention(struct strbuf *out, const struct attend_translation *t,
                          const struct attend_translation *h)
{
    const int S = t->source_count;
    add_words(out, "src_tokens", t->source, S);
    add_words(out, "tgt_tokens", h->target, h->target_count);
    strbuf_adds(out, ",\"attn\":[");
    for (int i = 0; h->attention && i < h->target_count; i++)
        for (int j = 0; j < S; j++) {
            strbuf_adds(out, j ? "," : i ? ",[" : "[");
            json_add_number(out, (double)h->attention[i * S + j], 7);
            strbuf_adds(out, j == S - 1 ? "]" : "");
        }
    strbuf_addc(out, ']');
}

static void add_sentence(struct strbuf *out, const struct opennmt_work *w, int i, int rank)
{
    const struct sentence *s = &w->sentence[i];
    const struct attend_translation *t = &w->job->result[i];
    const struct attend_translation *h = rank && rank <= t->others ? &t->other[rank - 1] : t;
    struct strbuf text = {0};
    strbuf_add(&text, s->src, s->before);
    strbuf_adds(&text, h->text);
    strbuf_add(&text, s->src + strlen(s->src) - s->after, s->after);
    strbuf_adds(out, "{\"src\":");
    json_add_text(out, s->src);
    strbuf_adds(out, ",\"tgt\":");
    json_add_text(out, text.text ? text.text : "");
    strbuf_addf(out, ",\"n_best\":%d,\"pred_score\":", w->ranks);
    json_add_number(out, h->score, 9);
    if (s->attention)
        add_attention(out, t, h);
    strbuf_addc(out, '}');
    out->failed = out->failed || text.failed;
    strbuf_release(&text);
}

void opennmt_finish(struct exchange *e)
{
    const struct opennmt_work *w = e->work;
    const struct job *job = &w->job->job;
    struct strbuf out = {0};
    if (job->late) {
        work_failed(e, job);
        return;
    }
    if (job->status) {
        refuse(e, job->error.message);
        return;
    }
    strbuf_addc(&out, '[');
    for (int rank = 0; rank < w->ranks || rank == 0; rank++) {
        strbuf_adds(&out, rank ? ",[" : "[");
        for (int i = 0; i < w->count; i++) {
            strbuf_adds(&out, i ? "," : "");
            add_sentence(&out, w, i, rank);
        }
        strbuf_addc(&out, ']');
    }
    strbuf_addc(&out, ']');
    exchange_json(e, 200, &out);
}
