#include "corpus/sides.h"

#include "base/error.h"
#include "base/io.h"
#include "base/strbuf.h"
#include "frames/reader.h"
#include "frames/source.h"
#include "frames/strokes.h"
#include "text/choose.h"
#include "text/choose_case.h"
#include "text/detect.h"
#include "corpus/pairs.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most text that a tokenizer learns from; more would hardly change the frequent pieces. */
static const size_t SAMPLE_LINES = 500000, SAMPLE_BYTES = (size_t)64 << 20;

/* ---- Walking over the pairs ---- */

struct walk {
    struct pairs *pairs;
    bool wanted[2]; /* which sides to visit */
    size_t step;    /* every step-th pair */
    struct text_pair pair;
    int side; /* the next side of this pair; 2: read the next pair */
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

/* Start a walk over the texts of one side (0, 1) or both (2), over a sample or over all. */
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

/* The tokenizer to make for a side. */
struct choice {
    const char *name, *model; /* name of the tokenizer; file of a SentencePiece model, or NULL */
    int vocab_size;
    struct tokenizer_settings settings;
};

static struct choice choice_of(const struct attend_data_options *d, int side)
{
    const char *own = side ? d->tgt_tokenizer : d->src_tokenizer,
               *model = side ? d->tgt_tokenizer_model : d->src_tokenizer_model;
    struct choice w = {.name = own ? own : d->tokenizer,
                       .model = model ? model : d->tokenizer_model,
                       .vocab_size = d->vocab_size,
                       .settings = {.form = d->normalize, .features = side == 0 && d->features}};
    if (w.model)
        w.name = "sentencepiece";
    return w;
}

/* Whether the source is files of frames; the name of a reader stands for a tokenizer. */
bool sides_has_frames(const struct attend_data_options *d)
{
    const struct choice w = choice_of(d, 0);
    return !w.model && d->src_tokenizer && frame_reader_find(w.name);
}

bool sides_writes(const struct attend_data_options *d)
{
    const struct choice w = choice_of(d, 1);
    return !w.model && d->tgt_tokenizer && frame_reader_find(w.name);
}

static enum attend_status choose(struct choice *w, struct pairs *pairs, int side,
                                 const struct dataset_job *job, struct attend_error *err)
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
    if (job->note)
        job->note(job->context, note);
    return ATTEND_OK;
}

/* ---- Case ---- */

static enum attend_status survey(struct case_facts *facts, const struct choice *w,
                                 struct pairs *pairs, int side, struct attend_error *err)
{
    struct walk walk;
    const enum attend_status status = begin(&walk, pairs, side, true, err);
    if (status)
        return status;
    *facts = (struct case_facts){.separated = strcmp(w->name, tokenizer_spaces.name) == 0};
    case_facts_gather(facts, &(struct tokenizer_walk){next_text, &walk}, w->settings.features);
    return walk.status;
}

/* Decide what becomes of capitals, and say why if the user left it open. */
static enum attend_status choose_case(struct choice choice[2], struct pairs *pairs,
                                      const struct dataset_job *job, struct attend_error *err)
{
    struct case_facts facts[2];
    const char *asked = job->options->letter_case;
    struct case_choice chosen = {.name = asked ? asked : letter_cases[LETTER_CASE_KEEP]};
    enum attend_status status = ATTEND_OK;
    if (strcmp(chosen.name, "auto") == 0 &&
        (sides_has_frames(job->options) || sides_writes(job->options)))
        chosen.name = letter_cases[LETTER_CASE_KEEP];
    if (strcmp(chosen.name, "auto") == 0) {
        for (int i = 0; i < 2 && !status; i++)
            status = survey(&facts[i], &choice[i], pairs, i, err);
        if (!status)
            case_choose(&chosen, &facts[0], &facts[1]);
        if (!status && job->case_note)
            strbuf_adds(job->case_note, chosen.reason);
    }
    const bool marked = strcmp(chosen.name, letter_cases[LETTER_CASE_MARKED]) == 0;
    choice[0].settings.letter_case = chosen.name;
    choice[1].settings.letter_case = letter_cases[marked ? LETTER_CASE_MARKED : LETTER_CASE_KEEP];
    return status;
}

/* ---- Making ---- */

static enum attend_status load_file(struct tokenizer **out, const struct choice *w,
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

/* `texts` is the side to learn from, or 2 for both. */
static enum attend_status make_tokenizer(struct tokenizer **out, const struct choice *w,
                                         struct pairs *pairs, int texts,
                                         const struct dataset_job *job, struct attend_error *err)
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
                                       .method = job->options->subwords,
                                       .learn = job->learn_subwords},
            err);
    return status ? status : walk.status;
}

static enum attend_status make_vocab(struct text_side *side, const struct choice *w,
                                     struct pairs *pairs, int texts, struct attend_error *err)
{
    struct walk walk;
    enum attend_status status = begin(&walk, pairs, texts, false, err);
    if (!status)
        status = tokenizer_vocab(&side->vocab, side->tokenizer,
                                 &(struct tokenizer_walk){next_text, &walk}, w->vocab_size, err);
    return status ? status : walk.status;
}

/* Make the target side from what was learned from both sides. */
static enum attend_status share(struct text_side side[2], const struct choice *target,
                                struct attend_error *err)
{
    const void *state = NULL;
    size_t length = 0;
    tokenizer_state(side[0].tokenizer, &state, &length);
    const enum attend_status status =
        tokenizer_load(&side[1].tokenizer, target->name, &target->settings, state, length, err);
    return status ? status : vocab_copy(&side[1].vocab, side[0].vocab, err);
}

static enum attend_status make_apart(struct text_side side[2], const struct choice choice[2],
                                     struct pairs *pairs, const struct dataset_job *job,
                                     struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    const bool frames[] = {sides_has_frames(job->options), sides_writes(job->options)};
    for (int i = 0; i < 2 && !status; i++) {
        if (frames[i]) {
            status = frame_source_new(&side[i].frames, choice[i].name, job->options->frames, err);
            continue;
        }
        status = make_tokenizer(&side[i].tokenizer, &choice[i], pairs, i, job, err);
        if (!status)
            status = make_vocab(&side[i], &choice[i], pairs, i, err);
    }
    return status || !frames[1] ? status : strokes_check(side[1].frames, err);
}

/* Only the target has capitals if the case of the source is `lower`, so the vocabulary of both is
 * made from the text as it is. */
static enum attend_status make_joint(struct text_side side[2], const struct choice choice[2],
                                     struct pairs *pairs, const struct dataset_job *job,
                                     struct attend_error *err)
{
    struct choice both = choice[0];
    both.settings.letter_case = choice[1].settings.letter_case;
    if (strcmp(choice[0].name, choice[1].name) != 0)
        return error_set(err, ATTEND_USAGE,
                         "`tie` all and `joint_vocab` need the same tokenizer on both sides, not "
                         "%s and %s",
                         choice[0].name, choice[1].name);
    enum attend_status status = make_tokenizer(&side[0].tokenizer, &both, pairs, 2, job, err);
    if (!status)
        status = make_vocab(&side[0], &both, pairs, 2, err);
    if (!status)
        status = share(side, &choice[1], err);
    if (!status && strcmp(choice[0].settings.letter_case, letter_cases[LETTER_CASE_LOWER]) == 0)
        side[0].tokenizer->letter_case = LETTER_CASE_LOWER;
    return status;
}

/* ---- Statistics for language detection ---- */

static enum attend_status count_letters(struct detect_counts *counts, const struct text_side *side,
                                        struct walk *walk, struct attend_error *err)
{
    const char *text;
    size_t length;
    bool good = true;
    while (good && next_text(walk, &text, &length)) {
        /* Features follow a tab and are not text. */
        char *line = strndup(text, side->tokenizer->features ? strcspn(text, "\t") : length);
        good = line && detect_count(counts, line);
        free(line);
    }
    return good ? walk->status : error_set(err, ATTEND_NO_MEMORY, "out of memory for a language");
}

static enum attend_status make_detect(struct text_side *side, struct pairs *pairs, int texts,
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

enum attend_status sides_make(struct text_side side[2], struct pairs *pairs,
                              const struct dataset_job *job, struct attend_error *err)
{
    const struct attend_data_options *d = job->options;
    const bool joint = d->joint_vocab || job->joint;
    struct choice choice[2] = {choice_of(d, 0), choice_of(d, 1)};
    if (joint && (sides_has_frames(d) || sides_writes(d)))
        return error_set(err, ATTEND_USAGE,
                         "`tie` all needs tokens on both sides; frames have no embedding table");
    enum attend_status status = choose(&choice[0], pairs, 0, job, err);
    if (!status)
        status = choose(&choice[1], pairs, 1, job, err);
    if (!status)
        status = choose_case(choice, pairs, job, err);
    if (!status)
        status = (joint ? make_joint : make_apart)(side, choice, pairs, job, err);
    for (int i = 0; i < 2 && !status; i++)
        if (!side[i].frames)
            status = make_detect(&side[i], pairs, i, err);
    return status;
}
