#include "text/detect.h"

#include "api/model.h"
#include "text/languages.h"

#include <stdlib.h>
#include <string.h>

/* The sides of all models that have a language and statistics for detection. */
struct sides {
    const struct detect **detect;
    const char **language;
    int count;
};

static void add_side(struct sides *s, const struct text_side *side)
{
    if (!side->language || !side->detect)
        return;
    s->detect[s->count] = side->detect;
    s->language[s->count++] = side->language;
}

static void add_languages(struct sides *s, const struct languages *l)
{
    for (int i = 0; l && i < l->count; i++) {
        s->detect[s->count] = l->item[i].detect;
        s->language[s->count++] = l->item[i].code;
    }
}

/* The number of languages of a model, at most. */
static size_t most_languages(const struct model *m)
{
    return 2 + (m->source.languages ? (size_t)m->source.languages->count : 0);
}

/* If several sides have the same language, keep the one that fits the text best. */
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

/* Turn the bits of sides into probabilities of languages, the most probable first. */
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
    size_t most = 1;
    for (int i = 0; i < count; i++)
        most += most_languages(models[i]->model);
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
        add_languages(&s, models[i]->model->source.languages);
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
