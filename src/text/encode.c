#include "text/encode.h"

#include "base/error.h"
#include "base/rng.h"
#include "text/pairs.h"
#include "text/store.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>

const char *const encode_drop_names[ENCODE_DROPS] = {
    [ENCODE_EMPTY] = "a side without a piece",
    [ENCODE_LONG] = "longer than --max-length",
    [ENCODE_UNEVEN] = "sides of too different lengths (--max-ratio)",
};

/* The ids of one side of one pair. */
struct ids {
    const struct vocab *vocab;
    int *id;
    int count, size, unknown;
    bool failed;
};

static bool grow(struct ids *ids)
{
    if (ids->count < ids->size)
        return true;
    const int size = ids->size ? 2 * ids->size : 256;
    int *more = realloc(ids->id, (size_t)size * sizeof *more);
    if (!more)
        return false;
    ids->id = more;
    ids->size = size;
    return true;
}

/* A line may have any length; what is beyond the longest sequence is only counted. */
static void add_piece(void *context, const struct tokenizer_piece *piece)
{
    struct ids *ids = context;
    if (ids->count > SEQUENCES_MAX_LENGTH || ids->failed || !grow(ids)) {
        ids->failed = ids->failed || ids->count <= SEQUENCES_MAX_LENGTH;
        return;
    }
    const int id = vocab_id(ids->vocab, piece->text, piece->length);
    ids->unknown += id == VOCAB_UNK;
    ids->id[ids->count++] = id;
}

/* Both sides. */
static bool encode(const struct encode_rule *rule, struct ids ids[2], const struct pair *pair,
                   bool draw)
{
    const char *const text[2] = {pair->source, pair->target};
    const size_t length[2] = {pair->source_length, pair->target_length};
    bool good = true;
    for (int i = 0; i < 2 && good; i++) {
        const struct tokenizer_draw drawn = {
            rule->alpha, rng_key(rng_key(rule->key, (uint64_t)pair->line), (uint64_t)i)};
        ids[i].count = ids[i].unknown = 0;
        good = tokenizer_sample(rule->tokenizer[i], text[i], length[i], draw ? &drawn : NULL,
                                add_piece, &ids[i]) &&
               !ids[i].failed;
    }
    return good;
}

/* ENCODE_DROPS when there is no reason against the pair. */
static enum encode_drop reason(const struct encode_rule *rule, int source, int target)
{
    const int longer = source > target ? source : target,
              shorter = source < target ? source : target;
    if (shorter == 0)
        return ENCODE_EMPTY;
    if (longer > rule->max_length || longer > SEQUENCES_MAX_LENGTH)
        return ENCODE_LONG;
    if (rule->max_ratio > 0 && longer > rule->max_ratio * shorter)
        return ENCODE_UNEVEN;
    return ENCODE_DROPS;
}

/* Whether the pair stays. */
static bool count_pair(const struct encode_rule *rule, const struct ids ids[2], long line,
                       struct encode_drops *drops)
{
    const enum encode_drop why = reason(rule, ids[0].count, ids[1].count);
    if (why < ENCODE_DROPS) {
        if (drops->count[why]++ == 0)
            drops->first[why] = line;
        return false;
    }
    for (int i = 0; i < 2; i++) {
        drops->pieces[i] += ids[i].count;
        drops->unknown[i] += ids[i].unknown;
    }
    return true;
}

static enum attend_status keep(const struct ids ids[2], long line, struct store *store,
                               struct attend_error *err)
{
    return store_add(store,
                     &(struct pair_ids){.source = ids[0].id,
                                        .target = ids[1].id,
                                        .source_length = ids[0].count,
                                        .target_length = ids[1].count,
                                        .line = (int)line},
                     err);
}

/* The ids of one pair, the best and those that were drawn. */
struct pair_forms {
    struct ids best[2], drawn[2];
};

static enum attend_status take(const struct encode_rule *rule, struct pair_forms *f,
                               const struct pair *pair, struct store *store,
                               struct encode_drops *drops, struct attend_error *err)
{
    bool good = encode(rule, f->best, pair, false);
    if (good && !count_pair(rule, f->best, (long)pair->line, drops))
        return ATTEND_OK;
    if (good && rule->alpha > 0)
        good = encode(rule, f->drawn, pair, true);
    if (!good)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for line %zu", pair->line);
    const bool fits =
        rule->alpha > 0 && reason(rule, f->drawn[0].count, f->drawn[1].count) == ENCODE_DROPS;
    return keep(fits ? f->drawn : f->best, (long)pair->line, store, err);
}

enum attend_status encode_pairs(const struct encode_rule *rule, struct pairs *pairs,
                                struct store *store, struct encode_drops *drops,
                                struct attend_error *err)
{
    struct pair_forms forms = {0};
    struct pair pair;
    for (int i = 0; i < 2; i++)
        forms.best[i].vocab = forms.drawn[i].vocab = rule->vocab[i];
    enum attend_status status = pairs_rewind(pairs, err);
    while (!status && !(status = pairs_next(pairs, &pair, err)) && pair.source)
        status = take(rule, &forms, &pair, store, drops, err);
    for (int i = 0; i < 2; i++) {
        free(forms.best[i].id);
        free(forms.drawn[i].id);
    }
    return status;
}
