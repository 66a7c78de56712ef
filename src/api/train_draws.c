#include "api/train_draws.h"

#include "base/error.h"
#include "base/rng.h"
#include "text/pairs.h"

#include <stdlib.h>
#include <string.h>

struct train_draws {
    struct pairs *text;
    char *folder;
    struct encode_rule rule;
};

enum attend_status train_draws_new(struct train_draws **out, struct pairs **text,
                                   const char *folder, const struct encode_rule *rule,
                                   struct attend_error *err)
{
    struct train_draws *d = calloc(1, sizeof *d);
    char *copy = strdup(folder);
    if (!d || !copy) {
        free(d);
        free(copy);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for the text");
    }
    *d = (struct train_draws){.text = *text, .folder = copy, .rule = *rule};
    *text = NULL;
    *out = d;
    return ATTEND_OK;
}

void train_draws_free(struct train_draws *d)
{
    if (!d)
        return;
    pairs_free(d->text);
    free(d->folder);
    free(d);
}

static enum attend_status draw(void *context, int epoch, struct store **out,
                               struct attend_error *err)
{
    const struct train_draws *d = context;
    struct encode_drops drops = {0};
    struct encode_rule rule = d->rule;
    struct store *store = NULL;
    rule.key = rng_key(rule.key, (uint64_t)epoch);
    enum attend_status status = store_new(&store, d->folder, STORE_BLOCK, err);
    if (!status)
        status = encode_pairs(&rule, d->text, store, &drops, err);
    if (!status)
        status = store_seal(store, err);
    if (!status) {
        *out = store;
        store = NULL;
    }
    store_free(store);
    return status;
}

struct feed_source train_draws_source(struct train_draws *d)
{
    return (struct feed_source){.draw = d ? draw : NULL, .context = d};
}
