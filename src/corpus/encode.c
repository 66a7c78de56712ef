#include "corpus/encode.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/path.h"
#include "base/rng.h"
#include "base/stream.h"
#include "corpus/disguise.h"
#include "corpus/pairs.h"
#include "corpus/store.h"
#include "frames/frames.h"
#include "frames/source.h"
#include "text/languages.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>

const char *const encode_drop_names[ENCODE_DROPS] = {
    [ENCODE_EMPTY] = "a side without a piece",
    [ENCODE_LONG] = "longer than `max_length`",
    [ENCODE_UNEVEN] = "sides of too different lengths (`max_ratio`)",
    [ENCODE_FRAMES] = "more frames than `max_frames`",
    [ENCODE_BROKEN] = "a file that cannot be read",
};

/* The ids of one side of one pair. */
struct ids {
    const struct vocab *vocab;
    int *id;
    int count, size, unknown;
    int tags; /* of count, at the start */
    bool failed;
    bool linked; /* keeps the pieces */
    struct link_pieces pieces;
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

/* A line may have any length; pieces beyond the longest sequence are only counted. */
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
    if (ids->linked)
        link_pieces_add(&ids->pieces, piece->text, piece->length);
}

/* The tags that begin a source. Both sides are empty before. */
static bool add_tags(const struct encode_rule *rule, struct ids ids[2],
                     const struct text_pair *pair)
{
    int tag[LANGUAGES_TAGS];
    const int count = rule->languages ? languages_ids(rule->languages, pair->languages, tag) : 0;
    ids[0].tags = ids[1].tags = 0;
    for (int i = 0; i < count; i++) {
        if (!grow(&ids[0]))
            return false;
        ids[0].id[ids[0].count++] = tag[i];
    }
    ids[0].tags = count;
    return true;
}

/* Encode both sides. */
static bool encode(const struct encode_rule *rule, struct ids ids[2], const struct text_pair *pair,
                   bool sample)
{
    const char *const text[2] = {pair->source, pair->target};
    const size_t length[2] = {pair->source_length, pair->target_length};
    ids[0].count = ids[1].count = ids[0].unknown = ids[1].unknown = 0;
    bool good = add_tags(rule, ids, pair);
    for (int i = 0; i < 2 && good; i++) {
        if (rule->frames && rule->frames->side == i)
            continue;
        const struct tokenizer_sampling sampling = {
            rule->alpha, rng_key(rng_key(rule->key, (uint64_t)pair->line), (uint64_t)i)};
        link_pieces_clear(&ids[i].pieces);
        good = tokenizer_sample(rule->tokenizer[i], text[i], length[i], sample ? &sampling : NULL,
                                add_piece, &ids[i]) &&
               !ids[i].failed;
    }
    return good;
}

/* Why to skip a pair with frames on one side, whose number says nothing about the other. */
static enum encode_drop reason_frames(const struct encode_rule *rule, int source, int target)
{
    const int frames = rule->frames->side ? target : source,
              pieces = rule->frames->side ? source : target;
    if (frames == 0 || pieces == 0)
        return ENCODE_EMPTY;
    if (pieces > rule->max_length || pieces > SEQUENCES_MAX_LENGTH)
        return ENCODE_LONG;
    return frames > rule->frames->max_frames ? ENCODE_FRAMES : ENCODE_DROPS;
}

/* Why to skip the pair; ENCODE_DROPS: keep it. */
static enum encode_drop reason(const struct encode_rule *rule, int source, int target)
{
    const int longer = source > target ? source : target,
              shorter = source < target ? source : target;
    if (rule->frames)
        return reason_frames(rule, source, target);
    if (shorter == 0)
        return ENCODE_EMPTY;
    const int most = SEQUENCES_MAX_LENGTH - (rule->languages ? LANGUAGES_TAGS : 0);
    if (longer > rule->max_length || longer > most)
        return ENCODE_LONG;
    if (rule->max_ratio > 0 && longer > rule->max_ratio * shorter)
        return ENCODE_UNEVEN;
    return ENCODE_DROPS;
}

static void drop(struct encode_drops *drops, enum encode_drop why, long line)
{
    if (drops->count[why]++ == 0)
        drops->first[why] = line;
}

/* Count a pair and return whether to keep it. */
static bool count_pair(const struct encode_rule *rule, const struct ids ids[2], long line,
                       struct encode_drops *drops)
{
    const enum encode_drop why = reason(rule, ids[0].count - ids[0].tags, ids[1].count);
    if (why < ENCODE_DROPS) {
        drop(drops, why, line);
        return false;
    }
    for (int i = 0; i < 2; i++) {
        drops->pieces[i] += ids[i].count;
        drops->unknown[i] += ids[i].unknown;
    }
    return true;
}

/* The ids of one pair: the best pieces, and the sampled ones. */
struct pair_forms {
    struct ids best[2], sampled[2];
    struct disguise disguise;
    struct link_fold links; /* of the pair that is kept */
};

static enum attend_status keep(const struct encode_rule *rule, struct link_fold *links,
                               const struct ids ids[2], const struct text_pair *pair,
                               struct store *store, struct attend_error *err)
{
    const struct link_pieces *const pieces[2] = {&ids[0].pieces, &ids[1].pieces};
    const enum attend_status status =
        rule->links.name
            ? link_fold(links, &rule->links, pair, rule->tokenizer, pieces, ids[0].tags, err)
            : ATTEND_OK;
    return status ? status
                  : store_add(store,
                              &(struct pair_ids){.source = ids[0].id,
                                                 .target = ids[1].id,
                                                 .source_length = ids[0].count,
                                                 .target_length = ids[1].count,
                                                 .line = (int)pair->line,
                                                 .link = links->link,
                                                 .links = links->count},
                              err);
}

/* Keep the pair: as it is encoded now if `again` and if that fits, otherwise its best pieces. */
static enum attend_status keep_form(const struct encode_rule *rule, struct pair_forms *f,
                                    const struct text_pair *pair, bool again, struct store *store,
                                    struct attend_error *err)
{
    if (again && !encode(rule, f->sampled, pair, rule->alpha > 0))
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for line %zu", pair->line);
    const bool fits = again && reason(rule, f->sampled[0].count - f->sampled[0].tags,
                                      f->sampled[1].count) == ENCODE_DROPS;
    return keep(rule, &f->links, fits ? f->sampled : f->best, pair, store, err);
}

static enum attend_status take(const struct encode_rule *rule, struct pair_forms *f,
                               const struct text_pair *pair, struct store *store,
                               struct encode_drops *drops, struct attend_error *err)
{
    bool good = encode(rule, f->best, pair, false);
    if (good && !count_pair(rule, f->best, (long)pair->line, drops))
        return ATTEND_OK;
    if (!good)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for line %zu", pair->line);
    enum attend_status status = keep_form(rule, f, pair, rule->alpha > 0, store, err);
    struct text_pair seen = *pair;
    if (!status && rule->disguises && disguise_pair(&f->disguise, rule->disguise_key, &seen))
        status = keep_form(rule, f, &seen, true, store, err);
    return status;
}

/* ---- Frames ---- */

/* Read the file that the pair names. */
static enum attend_status read_frames(const struct encode_frames *rule,
                                      const struct text_pair *pair, struct frames *out,
                                      struct attend_error *err)
{
    struct attend_error why = {.message = ""};
    char *path = path_beside(rule->file, rule->side ? pair->target : pair->source);
    enum attend_status status = path ? frame_source_read_file(rule->read, path, out, &why)
                                     : error_set(&why, ATTEND_NO_MEMORY, "out of memory");
    free(path);
    return status
               ? error_at(err, status, stream_file_name(rule->file), pair->line, "%s", why.message)
               : ATTEND_OK;
}

static enum attend_status keep_frames(const struct encode_rule *rule, const struct ids ids[2],
                                      const struct frames *frames, const struct text_pair *pair,
                                      struct store *store, struct attend_error *err)
{
    if (store_pairs(store) == 0)
        store_frames(store, rule->frames->side, frames->width);
    BUG_ON(frames->width != store_width(store)); /* the source refuses other widths */
    const enum attend_status status = rule->frames->observe
                                          ? frame_source_observe(rule->frames->observe, frames, err)
                                          : ATTEND_OK;
    if (status)
        return status;
    return store_add(store,
                     &(struct pair_ids){.frame = frames->value,
                                        .source = ids[0].id,
                                        .target = ids[1].id,
                                        .source_length = ids[0].count,
                                        .target_length = ids[1].count,
                                        .line = (int)pair->line},
                     err);
}

static enum attend_status take_frames(const struct encode_rule *rule, struct pair_forms *f,
                                      const struct text_pair *pair, struct store *store,
                                      struct encode_drops *drops, struct attend_error *err)
{
    struct ids *ids = f->best;
    struct frames frames = {0};
    enum attend_status status = read_frames(rule->frames, pair, &frames, err);
    if (status && status != ATTEND_NO_MEMORY && rule->frames->skip_broken) {
        drop(drops, ENCODE_BROKEN, (long)pair->line);
        return ATTEND_OK;
    }
    if (!status && !encode(rule, ids, pair, false))
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for line %zu", pair->line);
    ids[rule->frames->side].count = frames.rows;
    if (!status && count_pair(rule, ids, (long)pair->line, drops))
        status = keep_frames(rule, ids, &frames, pair, store, err);
    frames_release(&frames);
    return status;
}

enum attend_status encode_pairs(const struct encode_rule *rule, struct pairs *pairs,
                                struct store *store, struct encode_drops *drops,
                                struct attend_error *err)
{
    struct pair_forms forms = {0};
    struct text_pair pair;
    for (int i = 0; i < 2; i++) {
        forms.best[i].vocab = forms.sampled[i].vocab = rule->vocab[i];
        forms.best[i].linked = forms.sampled[i].linked = rule->links.name != NULL;
    }
    if (rule->links.name)
        store_links(store);
    enum attend_status status = pairs_rewind(pairs, err);
    while (!status && !(status = pairs_next(pairs, &pair, err)) && pair.source)
        status = (rule->frames ? take_frames : take)(rule, &forms, &pair, store, drops, err);
    for (int i = 0; i < 2; i++) {
        free(forms.best[i].id);
        free(forms.sampled[i].id);
        strbuf_release(&forms.best[i].pieces.spelling);
        strbuf_release(&forms.sampled[i].pieces.spelling);
    }
    link_fold_release(&forms.links);
    disguise_release(&forms.disguise);
    return status;
}
