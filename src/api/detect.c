#include "text/detect.h"

#include "api/model.h"

#include <stdlib.h>
#include <string.h>

/* Sides of models that have a language and look like something. */
struct sides {
    const struct detect **detect;
    const char **language;
    int count;
};

static void add_side(struct sides *s, const struct model_side *side)
{
    if (!side->language || !side->detect)
        return;
    s->detect[s->count] = side->detect;
    s->language[s->count++] = side->language;
}

/* Of several sides of one language the one that fits best speaks for it. */
static int keep_best(const struct sides *s, const double *bits, struct attend_guess *out)
{
    int count = 0;
    for (int i = 0; i < s->count; i++) {
        int l = 0;
        while (l < count && strcmp(out[l].language, s->language[i]) != 0)
            l++;
        if (l == count)
            out[count++] = (struct attend_guess){s->language[i], bits[i]};
        else if (bits[i] < out[l].confidence)
            out[l].confidence = bits[i];
    }
    return count;
}

static int likelier_first(const void *a, const void *b)
{
    const struct attend_guess *x = a, *y = b;
    if (x->confidence != y->confidence)
        return x->confidence > y->confidence ? -1 : 1;
    return strcmp(x->language, y->language);
}

/* From the bits of sides to the probabilities of languages, best first. */
static int judge(const struct sides *s, double *bits, struct attend_guess *all)
{
    const double chance = bits[s->count];
    const int count = keep_best(s, bits, all);
    for (int l = 0; l < count; l++)
        bits[l] = all[l].confidence;
    bits[count] = chance;
    detect_shares(bits, count);
    for (int l = 0; l < count; l++)
        all[l].confidence = bits[l];
    qsort(all, (size_t)count, sizeof *all, likelier_first);
    return count;
}

int attend_detect(const struct attend_model *const *models, int count, const char *text,
                  struct attend_guess *out, int room)
{
    const size_t most = 2 * (size_t)count + 1;
    struct sides s = {0};
    double *bits = calloc(most, sizeof *bits);
    struct attend_guess *all = calloc(most, sizeof *all);
    int found = -1;
    s.detect = calloc(most, sizeof(const struct detect *));
    s.language = calloc(most, sizeof *s.language);
    if (!s.detect || !s.language || !bits || !all)
        goto done;
    for (int i = 0; i < count; i++) {
        add_side(&s, &models[i]->model->source);
        add_side(&s, &models[i]->model->target);
    }
    if (!detect_bits(s.detect, s.count, text, bits))
        goto done;
    found = judge(&s, bits, all);
    found = found < room ? found : room;
    memcpy(out, all, (size_t)found * sizeof *out);
done:
    free(s.detect);
    free(s.language);
    free(bits);
    free(all);
    return found;
}
