/* POST /translator/translate, compatible with OpenNMT's servers. The request is
 * `[{"src":"...","id":0}, ...]`. The answer is a list for each rank (the Python server's nesting),
 * with attention under the Lua server's names if a sentence has `withAttn`. Errors have status 200,
 * as they do there. */
#include "serve/routes.h"

#include "base/json_writer.h"
#include "serve/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sentence {
    char *src;     /* as the client sent it */
    char *prefix;  /* `ref`; or NULL */
    size_t before; /* blanks around src, which are put back around the translation */
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
    struct json_writer w = {.out = &out};
    json_begin_object(&w, NULL);
    json_put_text(&w, "error", message);
    json_put_text(&w, "status", "error");
    json_end(&w);
    exchange_json(e, 200, strbuf_detach(&out));
    return false;
}

/* ---- Parameters ---- */

/* The model is chosen by the id of the first sentence: its number or name. */
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
        return refuse(e, src ? "a src contains a line end; send one line per sentence"
                             : "a sentence has no src");
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
    w->job->constraint[i].prefix = s->prefix;
    return (s->src && w->job->line[i] && (s->prefix || !ref || !*ref)) ||
           refuse(e, "out of memory");
}

void opennmt_begin(struct exchange *e, const struct params *p)
{
    const int count = json_length(p->json);
    if (count < 1 || count > e->server->limits.lines) {
        refuse(e, count > 0 ? "too many sentences" : "the body must be a list of sentences");
        return;
    }
    struct served *served = find_model(e, json_at(p->json, 0));
    if (!served) {
        refuse(e, "there is no model with this id");
        return;
    }
    if (!routes_check_model(e, served))
        return;
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
    w->ranks = e->server->search.nbest;
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

static void put_attention(struct json_writer *out, const struct attend_translation *t,
                          const struct attend_translation *h)
{
    json_put_texts(out, "src_tokens", (const char *const *)t->source, t->source_count);
    json_put_texts(out, "tgt_tokens", (const char *const *)h->target, h->target_count);
    if (h->attention)
        json_put_matrix(out, "attn", h->attention, h->target_count, t->source_count);
    else
        json_put_texts(out, "attn", NULL, 0);
}

static void put_sentence(struct json_writer *out, const struct opennmt_work *w, int i, int rank)
{
    const struct sentence *s = &w->sentence[i];
    const struct attend_translation *t = &w->job->result[i];
    const struct attend_translation *h = rank && rank <= t->others ? &t->other[rank - 1] : t;
    struct strbuf text = {0};
    strbuf_add(&text, s->src, s->before);
    strbuf_adds(&text, h->text);
    strbuf_add(&text, s->src + strlen(s->src) - s->after, s->after);
    json_begin_object(out, NULL);
    json_put_text(out, "src", s->src);
    json_put_text(out, "tgt", text.text ? text.text : "");
    json_put_whole(out, "n_best", w->ranks);
    json_put_number(out, "pred_score", h->score, 9);
    if (s->attention)
        put_attention(out, t, h);
    json_end(out);
    out->out->failed = out->out->failed || text.failed;
    strbuf_release(&text);
}

void opennmt_finish(struct exchange *e)
{
    const struct opennmt_work *w = e->work;
    const struct batch_job *job = &w->job->job;
    struct strbuf text = {0};
    struct json_writer out = {.out = &text};
    if (job->late) {
        work_failed(e, job);
        return;
    }
    if (job->status) {
        refuse(e, job->error.message);
        return;
    }
    json_begin_array(&out, NULL);
    for (int rank = 0; rank < w->ranks || rank == 0; rank++) {
        json_begin_array(&out, NULL);
        for (int i = 0; i < w->count; i++)
            put_sentence(&out, w, i, rank);
        json_end(&out);
    }
    json_end(&out);
    exchange_json(e, 200, strbuf_detach(&text));
}
