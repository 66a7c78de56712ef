#include "text/encode.h"

#include "base/error.h"
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
static void add_piece(void *context, const char *piece, size_t length)
{
    struct ids *ids = context;
    if (ids->count > SEQUENCES_MAX_LENGTH || ids->failed || !grow(ids)) {
        ids->failed = ids->failed || ids->count <= SEQUENCES_MAX_LENGTH;
        return;
    }
    const int id = vocab_id(ids->vocab, piece, length);
    ids->unknown += id == VOCAB_UNK;
    ids->id[ids->count++] = id;
}

static bool encode(struct ids *ids, const struct tokenizer *tokenizer, const char *text,
                   size_t length)
{
    ids->count = ids->unknown = 0;
    return tokenizer_split(tokenizer, text, length, add_piece, ids) && !ids->failed;
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

static enum attend_status keep_or_drop(const struct encode_rule *rule, const struct ids ids[2],
                                       long line, struct store *store, struct encode_drops *drops,
                                       struct attend_error *err)
{
    const enum encode_drop why = reason(rule, ids[0].count, ids[1].count);
    if (why < ENCODE_DROPS) {
        if (drops->count[why]++ == 0)
            drops->first[why] = line;
        return ATTEND_OK;
    }
    for (int i = 0; i < 2; i++) {
        drops->pieces[i] += ids[i].count;
        drops->unknown[i] += ids[i].unknown;
    }
    return store_add(store,
                     &(struct pair_ids){.source = ids[0].id,
                                        .target = ids[1].id,
                                        .source_length = ids[0].count,
                                        .target_length = ids[1].count,
                                        .line = (int)line},
                     err);
}

enum attend_status encode_pairs(const struct encode_rule *rule, struct pairs *pairs,
                                struct store *store, struct encode_drops *drops,
                                struct attend_error *err)
{
    struct ids ids[2] = {{.vocab = rule->vocab[0]}, {.vocab = rule->vocab[1]}};
    struct pair pair;
    enum attend_status status = pairs_rewind(pairs, err);
    while (!status && !(status = pairs_next(pairs, &pair, err)) && pair.source) {
        const bool good = encode(&ids[0], rule->tokenizer[0], pair.source, pair.source_length) &&
                          encode(&ids[1], rule->tokenizer[1], pair.target, pair.target_length);
        status = good ? keep_or_drop(rule, ids, (long)pair.line, store, drops, err)
                      : error_set(err, ATTEND_NO_MEMORY, "out of memory for line %zu", pair.line);
    }
    free(ids[0].id);
    free(ids[1].id);
    return status;
}
