/* POST /detect: among the languages served. */
#include "serve/detection.h"
#include "serve/routes.h"

#include <string.h>

static void add_guess(struct strbuf *out, const char *comma, const char *language,
                      double confidence)
{
    strbuf_addf(out, "%s{\"confidence\":%.1f,\"language\":", comma, 100 * confidence);
    json_add_text(out, language);
    strbuf_addc(out, '}');
}

static bool is_among(const struct attend_guess *guess, int count, const char *language)
{
    for (int i = 0; i < count; i++)
        if (strcmp(guess[i].language, language) == 0)
            return true;
    return false;
}

/* Languages that models have by their names only cannot be told: their confidence is 0. */
static void add_unknown(struct strbuf *out, const struct catalog *c,
                        const struct attend_guess *guess, int count)
{
    const char *language;
    for (int i = 0; (language = catalog_language(c, i)); i++)
        if (!is_among(guess, count, language))
            add_guess(out, out->length > 1 ? "," : "", language, 0);
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
    struct detection *d = detection_new(e, 1, 2 * e->catalog->count);
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
    struct strbuf out = {0};
    if (work_failed(e, &d->task.job))
        return;
    strbuf_addc(&out, '[');
    for (int i = 0; i < d->found[0]; i++)
        add_guess(&out, i ? "," : "", d->guess[i].language, d->guess[i].confidence);
    add_unknown(&out, e->catalog, d->guess, d->found[0]);
    strbuf_addc(&out, ']');
    exchange_json(e, 200, &out);
}
