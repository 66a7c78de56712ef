#include "corpus/resampling.h"

#include "base/error.h"
#include "base/rng.h"
#include "corpus/pairs.h"
#include "corpus/store.h"

#include <stdlib.h>
#include <string.h>

struct resampling {
    struct pairs *text;
    char *folder;
    struct encode_rule rule;
};

enum attend_status resampling_new(struct resampling **out, struct pairs **text, const char *folder,
                                  const struct encode_rule *rule, struct attend_error *err)
{
    struct resampling *d = calloc(1, sizeof *d);
    char *copy = strdup(folder);
    if (!d || !copy) {
        free(d);
        free(copy);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for the text");
    }
    *d = (struct resampling){.text = *text, .folder = copy, .rule = *rule};
    *text = NULL;
    *out = d;
    return ATTEND_OK;
}

void resampling_free(struct resampling *d)
{
    if (!d)
        return;
    pairs_free(d->text);
    free(d->folder);
    free(d);
}

static enum attend_status sample(void *context, int epoch, struct store **out,
                                 struct attend_error *err)
{
    const struct resampling *d = context;
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

struct pair_source resampling_source(struct resampling *d)
{
    return (struct pair_source){.sample = d ? sample : NULL, .context = d};
}
