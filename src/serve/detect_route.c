/* POST /detect: among the languages served. */
#include "serve/routes.h"

#include <stdlib.h>
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

void detect_begin(struct exchange *e, const struct params *p)
{
    const struct catalog *c = e->catalog;
    const char *text = params_text(p, "q");
    struct strbuf out = {0};
    if (!params_given(p, "q") || !text) {
        exchange_error(e, 400,
                       params_given(p, "q") ? "Invalid request: q parameter is not a text"
                                            : "Invalid request: missing q parameter");
        return;
    }
    if (!routes_check_text(e, text))
        return;
    const int room = 2 * c->count;
    struct attend_guess *guess = calloc((size_t)room, sizeof *guess);
    const int count = guess ? attend_detect(c->models, c->count, text, guess, room) : -1;
    strbuf_addc(&out, '[');
    for (int i = 0; i < count; i++)
        add_guess(&out, i ? "," : "", guess[i].language, guess[i].confidence);
    add_unknown(&out, c, guess, count);
    strbuf_addc(&out, ']');
    out.failed = out.failed || count < 0;
    exchange_json(e, 200, &out);
    strbuf_release(&out);
    free(guess);
}
