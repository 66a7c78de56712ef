#include "attend/explain.h"

#include "attend/matrix.h"
#include "base/json_writer.h"
#include "base/strbuf.h"

struct attend_matrix attend_self_attention_matrix(const struct attend_self_attention *s, int layer,
                                                  int head)
{
    const size_t each = (size_t)s->count * (size_t)s->count;
    return (struct attend_matrix){.source = (const char *const *)s->word,
                                  .target = (const char *const *)s->word,
                                  .source_count = s->count,
                                  .target_count = s->count,
                                  .weight = s->weight + (size_t)(layer * s->heads + head) * each};
}

char *attend_self_attention_json(const struct attend_self_attention *s)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    json_begin_object(&w, NULL);
    json_put_texts(&w, "source", (const char *const *)s->word, s->count);
    json_begin_array(&w, "layers");
    for (int l = 0; l < s->layers; l++) {
        json_begin_array(&w, NULL);
        for (int g = 0; g < s->heads; g++)
            json_put_matrix(&w, NULL, attend_self_attention_matrix(s, l, g).weight, s->count,
                            s->count);
        json_end(&w);
    }
    json_end(&w);
    json_end(&w);
    return strbuf_detach(&out);
}
