#include "corpus/encode_set.h"

#include "base/error.h"
#include "base/rng.h"
#include "corpus/store.h"
#include "frames/source.h"
#include "text/tokenizer.h"

struct encode_rule encode_set_rule(const struct dataset_job *job, const struct text_side *side,
                                   bool trains)
{
    const struct attend_data_options *d = job->options;
    const bool marked = side[0].tokenizer && side[0].tokenizer->letter_case == LETTER_CASE_MARKED;
    return (struct encode_rule){.tokenizer = {side[0].tokenizer, side[1].tokenizer},
                                .vocab = {side[0].vocab, side[1].vocab},
                                .languages = side[0].languages,
                                .max_length = d->max_length,
                                .max_ratio = d->max_ratio,
                                .disguises = trains && marked,
                                .disguise_key = rng_key(rng_seed(job->seed), 0x63617365),
                                .links = {trains ? d->guide : NULL, d->train && d->header}};
}

enum attend_status encode_set_check(const struct dataset_job *job, const struct encode_drops *drops,
                                    struct attend_error *err)
{
    static const char *const names[] = {"source", "target"};
    for (int i = 0; i < 2 && job->given_source; i++)
        if ((double)drops->unknown[i] > 0.2 * (double)drops->pieces[i])
            return error_set(err, ATTEND_DATA,
                             "%.0f %% of the %s pieces are unknown to the vocabulary of %s; give "
                             "text of its languages and spelling, or train without `init_from`",
                             100.0 * (double)drops->unknown[i] / (double)drops->pieces[i], names[i],
                             job->given_name);
    return ATTEND_OK;
}

static enum attend_status no_pair(const char *where, const struct encode_drops *drops,
                                  struct attend_error *err)
{
    const long frames = drops->count[ENCODE_FRAMES], broken = drops->count[ENCODE_BROKEN];
    if (frames || broken)
        return error_set(err, ATTEND_DATA,
                         "%s: has no line to train on: %ld files have more frames than "
                         "`max_frames`, %ld cannot be read",
                         where, frames, broken);
    return error_set(err, ATTEND_DATA,
                     "%s: has no line to train on: %ld are empty, %ld too long for `max_length`, "
                     "%ld beyond `max_ratio`",
                     where, drops->count[ENCODE_EMPTY], drops->count[ENCODE_LONG],
                     drops->count[ENCODE_UNEVEN]);
}

/* ---- Frames ---- */

int encode_set_frames(const struct text_side *side)
{
    return side[0].frames ? 0 : side[1].frames ? 1 : -1;
}

/* Encode pairs one side of which is files; `observe` may be NULL. */
static enum attend_status encode_files(const struct encode_set *set,
                                       const struct frame_source *read,
                                       struct frame_source *observe, struct store *store,
                                       struct encode_drops *drops, struct attend_error *err)
{
    const struct attend_data_options *d = set->job->options;
    struct encode_rule rule = encode_set_rule(set->job, set->side, set->trains);
    rule.frames = &(struct encode_frames){.side = encode_set_frames(set->side),
                                          .read = read,
                                          .observe = observe,
                                          .file = set->paths,
                                          .max_frames = d->max_frames,
                                          .skip_broken = d->skip_broken};
    return encode_pairs(&rule, set->pairs, store, drops, err);
}

/* Frames of the training set are kept as they are read, because their mean is known only after the
 * last one, and are normalized when the store is read. */
static enum attend_status encode_first(const struct encode_set *set, struct store *store,
                                       struct encode_drops *drops, struct attend_error *err)
{
    struct frame_source *source = set->side[encode_set_frames(set->side)].frames;
    const enum attend_status status = encode_files(set, source, source, store, drops, err);
    return status || store_pairs(store) == 0 ? status : frame_source_settle(source, err);
}

/* A model that is trained on has its mean. The frames are kept in the same way, so that a resumed
 * run finds the same checksum. */
static enum attend_status encode_again(const struct encode_set *set, struct store *store,
                                       struct encode_drops *drops, struct attend_error *err)
{
    struct frame_source *raw;
    enum attend_status status =
        frame_source_copy(&raw, set->side[encode_set_frames(set->side)].frames, err);
    if (status)
        return status;
    frame_source_forget(raw);
    status = encode_files(set, raw, NULL, store, drops, err);
    frame_source_free(raw);
    return status;
}

static enum attend_status encode_frames(const struct encode_set *set, struct store *store,
                                        struct encode_drops *drops, struct attend_error *err)
{
    const struct frame_source *source = set->side[encode_set_frames(set->side)].frames;
    if (!set->trains && encode_set_frames(set->side) == 0)
        return encode_files(set, source, NULL, store, drops, err);
    const bool settled = frame_source_settled(source);
    store_normalize(store, source);
    return (settled ? encode_again : encode_first)(set, store, drops, err);
}

/* ---- Any set ---- */

static enum attend_status encode_text(const struct encode_set *set, struct store *store,
                                      struct encode_drops *drops, struct attend_error *err)
{
    const struct encode_rule rule = encode_set_rule(set->job, set->side, set->trains);
    return encode_pairs(&rule, set->pairs, store, drops, err);
}

enum attend_status encode_set(struct store **out, const struct encode_set *set,
                              struct encode_drops *drops, struct attend_error *err)
{
    enum attend_status status = store_new(out, set->folder, STORE_BLOCK, err);
    if (!status)
        status =
            (encode_set_frames(set->side) < 0 ? encode_text : encode_frames)(set, *out, drops, err);
    if (!status)
        status = store_seal(*out, err);
    if (!status && store_pairs(*out) == 0)
        status = no_pair(set->file, drops, err);
    return status;
}
