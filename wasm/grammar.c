/* The grammar of demo/ as a call: sentence pairs in romanized Hindi and English, with their links. */
#include "demo/english.h"
#include "demo/hindi.h"
#include "demo/sampler.h"
#include "wasm/calls.h"

#include "base/error.h"

enum { TEXT = 256, DRAWS_PER_PAIR = 200 };

struct texts {
    char source[TEXT], target[TEXT], links[TEXT];
};

static bool draw_pair(struct rng *rng, struct texts *out)
{
    struct clause clause;
    struct sentence s = {0};
    struct clause_marks at = {0};
    if (!draw_clause(rng, &clause))
        return false;
    build_hindi(&s, &clause, &at);
    build_english(&s, &clause, &at);
    return sentence_is_sound(&s) && source_text(&s, out->source, TEXT) &&
           target_text(&s, out->target, TEXT) && gold_text(&s, out->links, TEXT);
}

/* Samples `count` pairs, of which some may be alike. Answers {"pairs": [[source, target, links]]},
 * with links as in demo/train.gold. The same seed gives the same pairs. */
char *WASM_CALL(grammar_pairs)(int seed, int count);
char *grammar_pairs(int seed, int count)
{
    const struct attend_error none = {0};
    struct rng rng = {(uint64_t)seed};
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    struct texts texts;
    json_begin_object(&w, NULL);
    json_begin_array(&w, "pairs");
    for (long made = 0, draws = 0; made < count && draws < (long)count * DRAWS_PER_PAIR; draws++) {
        if (!draw_pair(&rng, &texts))
            continue;
        json_begin_array(&w, NULL);
        json_put_text(&w, NULL, texts.source);
        json_put_text(&w, NULL, texts.target);
        json_put_text(&w, NULL, texts.links);
        json_end(&w);
        made++;
    }
    json_end(&w);
    json_end(&w);
    return answer_text(ATTEND_OK, strbuf_detach(&out), &none);
}
