#include "api/fit.h"

#include "api/model.h"
#include "settings/train_settings.h"
#include "text/tokenizer.h"

/* For models that say nothing about their training. */
enum { USUAL = 100 };

int fit_limit(const struct model *m)
{
    struct train_settings settings = {0};
    int limit = m->source.longest;
    if (!limit && m->settings &&
        train_settings_read(&settings, m->settings, "settings", NULL) == ATTEND_OK)
        limit = settings.data.max_length;
    train_settings_release(&settings);
    return limit > 0 ? limit : USUAL;
}

/* Counts tokens, and keeps where the first one that is too many begins. */
struct fit {
    int room;
    size_t end;
    bool over;
};

static void count(void *context, const struct tokenizer_piece *piece)
{
    struct fit *fit = context;
    if (fit->room > 0) {
        fit->room--;
        fit->end = piece->to > fit->end ? piece->to : fit->end;
    } else {
        fit->over = true;
    }
}

size_t attend_model_fit(const struct attend_model *model, const char *line, size_t length)
{
    const struct tokenizer *tokenizer = model->model->source.tokenizer;
    struct fit fit = {.room = model->fits};
    /* A token has at least one byte, and a mark may stand before it. */
    if (!tokenizer || 2 * length <= (size_t)model->fits || tokenizer->features)
        return length;
    if (!tokenizer_split(tokenizer, line, length, count, &fit) || !fit.over)
        return length;
    return fit.end < length ? fit.end : length;
}
