#include "api/train_sides.h"

#include "base/error.h"
#include "base/io.h"
#include "base/strbuf.h"
#include "text/choose.h"
#include "text/detect.h"
#include "text/pairs.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a tokenizer learns from, at most: more would not change what is frequent. */
static const size_t SAMPLE_LINES = 500000, SAMPLE_BYTES = (size_t)64 << 20;

/* ---- Walking over the pairs ---- */

struct walk {
    struct pairs *pairs;
    bool wanted[2]; /* sides */
    size_t step;    /* every step-th pair */
    struct pair pair;
    int side; /* that comes next; 2: the next pair does */
    size_t passed;
    enum attend_status status;
    struct attend_error *err;
};

static bool next_pair(struct walk *w)
{
    do
        w->status = pairs_next(w->pairs, &w->pair, w->err);
    while (!w->status && w->pair.source && w->passed++ % w->step);
    w->side = 0;
    return !w->status && w->pair.source;
}

static bool next_text(void *context, const char **text, size_t *length)
{
    struct walk *w = context;
    while (w->side == 2 || !w->wanted[w->side]) {
        if (w->side < 2)
            w->side++;
        else if (!next_pair(w))
            return false;
    }
    *text = w->side ? w->pair.target : w->pair.source;
    *length = w->side ? w->pair.target_length : w->pair.source_length;
    w->side++;
    return true;
}

/* Of one side (0, 1) or of both (2); a sample, or everything. */
static enum attend_status begin(struct walk *w, struct pairs *pairs, int side, bool sample,
                                struct attend_error *err)
{
    const size_t bytes = pairs_source_bytes(pairs) + pairs_target_bytes(pairs);
    *w = (struct walk){
        .pairs = pairs, .wanted = {side != 1, side != 0}, .step = 1, .side = 2, .err = err};
    if (sample)
        w->step += pairs_count(pairs) / SAMPLE_LINES + bytes / SAMPLE_BYTES;
    return pairs_rewind(pairs, err);
}

/* ---- Choosing ---- */

/* What a side's tokenizer is to be. */
struct wish {
    const char *name, *model; /* of the row; a file with its state, or NULL */
    int vocab_size;
    struct tokenizer_settings settings;
};

static struct wish wish_of(const struct data_options *d, int side)
{
    const char *own = side ? d->tgt_tokenizer : d->src_tokenizer,
               *model = side ? d->tgt_tokenizer_model : d->src_tokenizer_model;
    struct wish w = {.name = own ? own : d->tokenizer,
                     .model = model ? model : d->tokenizer_model,
                     .vocab_size = d->vocab_size,
                     .settings = {.form = d->normalize, .features = side == 0 && d->features}};
    if (w.model)
        w.name = "sentencepiece";
    return w;
}

static enum attend_status choose(struct wish *w, struct pairs *pairs, int side,
                                 const struct train_data_job *job, struct attend_error *err)
{
    static const char *const names[] = {"source", "target"};
    struct choose_result chosen;
    struct walk walk;
    char note[256];
    if (strcmp(w->name, "auto") != 0)
        return ATTEND_OK;
    enum attend_status status = begin(&walk, pairs, side, true, err);
    if (!status)
        status = choose_tokenizer(&chosen, &(struct tokenizer_walk){next_text, &walk},
                                  w->settings.features, err);
    status = status ? status : walk.status;
    if (status)
        return status;
    w->name = chosen.tokenizer;
    w->vocab_size = w->vocab_size ? w->vocab_size : chosen.vocab_size;
    snprintf(note, sizeof note, "%s: %s", names[side], chosen.reason);
    job->note(job->context, note);
    return ATTEND_OK;
}

/* ---- Making ---- */

static enum attend_status load_file(struct tokenizer **out, const struct wish *w,
                                    struct attend_error *err)
{
    struct io_map map;
    struct attend_error why;
    enum attend_status status = io_map(&map, w->model, err);
    if (status)
        return status;
    status = tokenizer_load(out, w->name, &w->settings, map.bytes, map.size, &why);
    if (status)
        error_set(err, status, "%s: %s", w->model, why.message);
    io_unmap(&map);
    return status;
}

/* `texts`: the side it learns from, or 2 for both. */
static enum attend_status make_tokenizer(struct tokenizer **out, const struct wish *w,
                                         struct pairs *pairs, int texts,
                                         const struct train_data_job *job, struct attend_error *err)
{
    enum { USUAL_SIZE = 8000 };
    struct walk walk;
    if (w->model)
        return load_file(out, w, err);
    enum attend_status status = tokenizer_new(out, w->name, &w->settings, err);
    if (status || !tokenizer_must_learn(*out))
        return status;
    status = begin(&walk, pairs, texts, true, err);
    if (!status)
        status = tokenizer_learn(
            *out, &(struct tokenizer_walk){next_text, &walk},
            &(struct tokenizer_lesson){.vocab_size = w->vocab_size ? w->vocab_size : USUAL_SIZE,
                                       .method = job->options->data.subwords},
            err);
    return status ? status : walk.status;
}

static enum attend_status make_vocab(struct model_side *side, const struct wish *w,
                                     struct pairs *pairs, int texts, struct attend_error *err)
{
    struct walk walk;
    enum attend_status status = begin(&walk, pairs, texts, false, err);
    if (!status)
        status = tokenizer_vocab(&side->vocab, side->tokenizer,
                                 &(struct tokenizer_walk){next_text, &walk}, w->vocab_size, err);
    return status ? status : walk.status;
}

/* The target's side of what was learned from both. */
static enum attend_status share(struct model_side side[2], const struct wish *target,
                                struct attend_error *err)
{
    const void *state = NULL;
    size_t length = 0;
    struct strbuf text = {0};
    tokenizer_state(side[0].tokenizer, &state, &length);
    vocab_write(side[0].vocab, &text);
    enum attend_status status = strbuf_status(&text, err);
    if (!status)
        status =
            tokenizer_load(&side[1].tokenizer, target->name, &target->settings, state, length, err);
    if (!status)
        status = vocab_parse(&side[1].vocab, text.text, text.length, "vocabulary", err);
    strbuf_release(&text);
    return status;
}

static enum attend_status make_apart(struct model_side side[2], const struct wish wish[2],
                                     struct pairs *pairs, const struct train_data_job *job,
                                     struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < 2 && !status; i++) {
        status = make_tokenizer(&side[i].tokenizer, &wish[i], pairs, i, job, err);
        if (!status)
            status = make_vocab(&side[i], &wish[i], pairs, i, err);
    }
    return status;
}

static enum attend_status make_joint(struct model_side side[2], const struct wish wish[2],
                                     struct pairs *pairs, const struct train_data_job *job,
                                     struct attend_error *err)
{
    if (strcmp(wish[0].name, wish[1].name) != 0)
        return error_set(err, ATTEND_USAGE,
                         "--tie all and --joint-vocab need the same tokenizer on both sides, not "
                         "%s and %s",
                         wish[0].name, wish[1].name);
    enum attend_status status = make_tokenizer(&side[0].tokenizer, &wish[0], pairs, 2, job, err);
    if (!status)
        status = make_vocab(&side[0], &wish[0], pairs, 2, err);
    return status ? status : share(side, &wish[1], err);
}

/* ---- How the text looks, for those who have to guess its language ---- */

static enum attend_status count_letters(struct detect_counts *counts, const struct model_side *side,
                                        struct walk *walk, struct attend_error *err)
{
    const char *text;
    size_t length;
    bool good = true;
    while (good && next_text(walk, &text, &length)) {
        /* Features are behind a tab and no text. */
        char *line = strndup(text, side->tokenizer->features ? strcspn(text, "\t") : length);
        good = line && detect_count(counts, line);
        free(line);
    }
    return good ? walk->status : error_set(err, ATTEND_NO_MEMORY, "out of memory for a language");
}

static enum attend_status make_detect(struct model_side *side, struct pairs *pairs, int texts,
                                      struct attend_error *err)
{
    struct walk walk = {0};
    struct detect_counts *counts = calloc(1, sizeof *counts);
    side->detect = malloc(sizeof *side->detect);
    enum attend_status status =
        counts && side->detect ? begin(&walk, pairs, texts, true, err)
                               : error_set(err, ATTEND_NO_MEMORY, "out of memory for a language");
    if (!status)
        status = count_letters(counts, side, &walk, err);
    if (!status)
        detect_make(side->detect, counts);
    free(counts);
    return status;
}

enum attend_status train_sides_make(struct model_side side[2], struct pairs *pairs,
                                    const struct train_data_job *job, struct attend_error *err)
{
    const struct data_options *d = &job->options->data;
    const bool joint = d->joint_vocab || model_config_tie(&job->options->config) == TIE_ALL;
    struct wish wish[2] = {wish_of(d, 0), wish_of(d, 1)};
    enum attend_status status = choose(&wish[0], pairs, 0, job, err);
    if (!status)
        status = choose(&wish[1], pairs, 1, job, err);
    if (!status)
        status = (joint ? make_joint : make_apart)(side, wish, pairs, job, err);
    for (int i = 0; i < 2 && !status; i++)
        status = make_detect(&side[i], pairs, i, err);
    return status;
}
