/* POST /detect: the language of a text, among those that are served. */
#include "base/json_writer.h"
#include "serve/detection.h"
#include "serve/routes.h"

#include <string.h>

static void put_guess(struct json_writer *out, const char *language, double confidence)
{
    json_begin_object(out, NULL);
    json_put_fixed(out, "confidence", 100 * confidence, 1);
    json_put_text(out, "language", language);
    json_end(out);
}

static bool is_among(const struct attend_guess *guess, int count, const char *language)
{
    for (int i = 0; i < count; i++)
        if (strcmp(guess[i].language, language) == 0)
            return true;
    return false;
}

/* A language that is known only from a model's name cannot be detected; its confidence is 0. */
static void put_unknown(struct json_writer *out, const struct catalog *c,
                        const struct attend_guess *guess, int count)
{
    const char *language;
    for (int i = 0; (language = catalog_language(c, i)); i++)
        if (!is_among(guess, count, language))
            put_guess(out, language, 0);
}

static void free_work(void *context) { detection_free(context); }

void detect_begin(struct exchange *e, const struct params *p)
{
    const char *text = params_text(p, "q");
    if (!params_given(p, "q") || !text) {
        exchange_error(e, 400,
                       params_given(p, "q") ? "Invalid request: q parameter is not a text"
                                            : "Invalid request: missing q parameter");
        return;
    }
    if (!routes_check_text(e, text))
        return;
    struct detection *d = detection_new(e, 1, e->catalog->languages + 1);
    e->work = d;
    e->free_work = free_work;
    if (d)
        d->text[0] = strdup(text);
    if (!d || !d->text[0])
        exchange_error(e, 500, "Out of memory");
}

bool detect_submit(struct exchange *e)
{
    struct detection *d = e->work;
    return routes_submit_detection(e, &d->task.job);
}

void detect_finish(struct exchange *e)
{
    const struct detection *d = e->work;
    struct strbuf text = {0};
    struct json_writer out = {.out = &text};
    if (work_failed(e, &d->task.job))
        return;
    json_begin_array(&out, NULL);
    for (int i = 0; i < d->found[0]; i++)
        put_guess(&out, d->guess[i].language, d->guess[i].confidence);
    put_unknown(&out, e->catalog, d->guess, d->found[0]);
    json_end(&out);
    exchange_json(e, 200, strbuf_detach(&text));
}
