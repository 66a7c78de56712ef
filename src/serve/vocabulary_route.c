/* POST /vocabulary: the tokens that a small model knows, and its example lines. */
#include "serve/routes.h"

#include "base/json_writer.h"

#include <string.h>

enum { TOKENS_MOST = 5000, BYTES_MOST = 1 << 18 }; /* of a side that is listed */

static int size_of(const struct attend_model *m, bool target)
{
    struct attend_network_options network = attend_network_defaults();
    attend_model_network(m, &network);
    return (target ? network.target_vocab : network.source_vocab) - ATTEND_SPECIAL_TOKENS;
}

/* Whether a side is small enough to list. A large one is not read. */
static bool is_small(const struct attend_model *m, bool target, int size)
{
    size_t bytes = 0;
    for (int i = 0; i < size && size <= TOKENS_MOST; i++)
        bytes += strlen(attend_model_token(m, target, i));
    return size <= TOKENS_MOST && bytes <= BYTES_MOST;
}

static void put_side(struct json_writer *w, const char *name, const struct attend_model *m,
                     bool target)
{
    const int size = size_of(m, target);
    const bool small = is_small(m, target, size);
    json_begin_object(w, name);
    json_put_whole(w, "size", size);
    if (small) {
        json_begin_array(w, "tokens");
        for (int i = 0; i < size; i++)
            json_put_text(w, NULL, attend_model_token(m, target, i));
        json_end(w);
    }
    json_end(w);
}

void vocabulary_begin(struct exchange *e, const struct params *p)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    int count;
    const struct served *served = routes_model(e, p, "target_language");
    if (!served)
        return;
    const char *const *line = attend_model_examples(served->model, &count);
    json_begin_object(&w, NULL);
    json_put_text(&w, "model", served->name);
    json_put_texts(&w, "examples", line, count);
    if (!served->info.frames)
        put_side(&w, "source", served->model, false);
    if (!served->writes)
        put_side(&w, "target", served->model, true);
    json_end(&w);
    exchange_json(e, 200, strbuf_detach(&out));
}
