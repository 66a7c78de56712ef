/* Lists of words from pairs of text: the attention of a model, or given links, say which target
 * words belong to a source word. */
#include "api/shortlist.h"

#include "base/error.h"
#include "base/io.h"
#include "base/strbuf.h"
#include "base/threads.h"
#include "corpus/encode.h"
#include "corpus/pairs.h"
#include "corpus/pairs_read.h"
#include "corpus/store.h"
#include "decode/force.h"
#include "model/model.h"
#include "text/link_counts.h"
#include "text/vocab.h"

#include <pthread.h>
#include <stdlib.h>

/* Attention counts in hundredths, from LEAST of them on: the rest is noise. Longer pairs are
 * skipped. */
enum { PARTS = 100, LEAST = 10, WORDS = 100, FREQUENT = 100, LONGEST_SIDE = 250, BLOCK = 256 };

struct counting {
    const struct model *model;
    const struct attend_shortlist_text *text;
    const struct corpus *corpus; /* the pairs under way */
    struct link_counts links;
    uint64_t *frequency; /* (targets) */
    struct team *team;
    pthread_mutex_t mutex; /* of the links and the status, while pairs are forced */
    enum attend_status status;
    struct attend_error error;
};

/* ---- Counting ---- */

static const int *ids_of(const struct sequences *s, int item) { return s->ids + s->start[item]; }

static enum attend_status add(struct counting *c, int item, int s, int t, uint64_t count,
                              struct attend_error *err)
{
    return link_counts_add(&c->links, ids_of(&c->corpus->source, item)[s],
                           ids_of(&c->corpus->target, item)[t], count, err);
}

/* The attention of a pair to its source words, not to </s>. */
static enum attend_status add_weights(struct counting *c, const struct forced *f,
                                      struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (int t = 0; t < f->T - 1; t++)
        for (int s = 0; s < f->S - 1 && !status; s++) {
            double sum = 0;
            for (int g = 0; g < f->heads; g++)
                sum += (double)f->weight[((size_t)t * (size_t)f->heads + (size_t)g) * (size_t)f->S +
                                         (size_t)s];
            const int parts = (int)(sum / f->heads * PARTS + 0.5);
            if (parts >= LEAST)
                status = add(c, f->item, s, t, (uint64_t)parts, err);
        }
    return status;
}

static void emit(void *context, const struct forced *f)
{
    struct counting *c = context;
    pthread_mutex_lock(&c->mutex);
    if (!c->status)
        c->status = add_weights(c, f, &c->error);
    pthread_mutex_unlock(&c->mutex);
}

static enum attend_status count_attention(struct counting *c, struct attend_error *err)
{
    const enum attend_status status = force_pairs(c->team,
                                                  &(struct force_job){.net = &c->model->net,
                                                                      .source = &c->corpus->source,
                                                                      .target = &c->corpus->target,
                                                                      .emit = emit,
                                                                      .context = c},
                                                  err);
    if (!status && c->status)
        *err = c->error;
    return status ? status : c->status;
}

static enum attend_status count_links(struct counting *c, struct attend_error *err)
{
    const struct sequences *links = &c->corpus->links;
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < c->corpus->source.count; i++)
        for (size_t k = links->start[i]; k < links->start[i + 1] && !status; k += 2)
            status = add(c, i, links->ids[k], links->ids[k + 1], 1, err);
    return status;
}

static enum attend_status count_block(struct counting *c, const struct store *store, int block,
                                      struct attend_error *err)
{
    struct corpus corpus = {0};
    enum attend_status status = store_read(store, &block, 1, &corpus, err);
    c->corpus = &corpus;
    for (size_t k = 0; !status && k < corpus.target.start[corpus.target.count]; k++)
        c->frequency[corpus.target.ids[k]]++;
    if (!status)
        status = (c->text->links ? count_links : count_attention)(c, err);
    c->corpus = NULL;
    corpus_release(&corpus);
    return status;
}

/* ---- The pairs ---- */

static enum attend_status encode(const struct counting *c, struct store **store, const char *folder,
                                 struct attend_error *err)
{
    const struct attend_shortlist_text *text = c->text;
    const struct text_side *source = &c->model->source, *target = &c->model->target;
    const struct encode_rule rule = {.tokenizer = {source->tokenizer, target->tokenizer},
                                     .vocab = {source->vocab, target->vocab},
                                     .max_length = LONGEST_SIDE,
                                     .links = {.name = text->links}};
    struct pairs *pairs = NULL;
    struct pairs_faults faults = {0};
    struct encode_drops drops = {0};
    enum attend_status status = pairs_new(&pairs, folder, err);
    if (!status)
        status = pairs_read(
            &(struct pairs_input){.source = text->src, .target = text->tgt, .guide = text->links},
            NULL, &pairs, &faults, err);
    if (!status)
        status = store_new(store, folder, BLOCK, err);
    if (!status)
        status = encode_pairs(&rule, pairs, *store, &drops, err);
    if (!status && store_pairs(*store) == 0)
        status = error_set(err, ATTEND_DATA, "%s: has no pair of up to %d tokens", text->src,
                           LONGEST_SIDE);
    if (!status)
        status = store_seal(*store, err);
    pairs_free(pairs);
    return status;
}

static enum attend_status count_text(struct counting *c, const char *path, struct attend_error *err)
{
    struct store *store = NULL;
    char *folder = io_folder(path);
    enum attend_status status =
        folder ? encode(c, &store, folder, err) : error_set(err, ATTEND_NO_MEMORY, "out of memory");
    for (int i = 0; !status && i < store_blocks(store); i++)
        status = count_block(c, store, i, err);
    store_free(store);
    free(folder);
    return status;
}

/* ---- The whole ---- */

static enum attend_status check(const struct model *m, const struct attend_shortlist_text *text,
                                const char *path, struct attend_error *err)
{
    const struct {
        bool wrong;
        const char *message;
    } rules[] = {
        {!text->src || !text->tgt, "lists of words need `src` and `tgt`"},
        {m->source.frames || m->target.frames,
         "lists of words are for models of text on both sides"},
        {m->source.languages, "lists of words are for models of one pair of languages"},
        {!text->links && m->net.decoder.attention.ops == &attention_none,
         "the model has no attention; give `links`"},
        {m->net.decoder.hard,
         "lists of words are for large vocabularies, which its attention does not take"},
        {text->words < 0 || text->words > SHORTLIST_LONGEST, "a list has at most 1000 words"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].wrong)
            return error_set(err, ATTEND_USAGE, "%s: %s", path, rules[i].message);
    return ATTEND_OK;
}

static enum attend_status make_lists(struct counting *c, struct shortlist **out, const char *path,
                                     struct attend_error *err)
{
    const int sources = vocab_size(c->model->source.vocab),
              targets = vocab_size(c->model->target.vocab);
    struct strbuf bytes = {0};
    enum attend_status status =
        link_counts_write(&c->links, sources, c->text->words ? c->text->words : WORDS, c->frequency,
                          targets, FREQUENT, &bytes, err);
    if (!status)
        status = shortlist_read(out, bytes.text, bytes.length, sources, targets, path, err);
    strbuf_release(&bytes);
    return status;
}

static enum attend_status count_all(struct attend_shortlist *out, const struct model *m,
                                    const char *path, const struct attend_shortlist_text *text,
                                    struct attend_error *err)
{
    struct counting c = {.model = m,
                         .text = text,
                         .frequency =
                             calloc((size_t)vocab_size(m->target.vocab) + 1, sizeof *c.frequency)};
    pthread_mutex_init(&c.mutex, NULL);
    enum attend_status status =
        c.frequency ? team_new(&c.team, text->threads ? text->threads : threads_available(), err)
                    : error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    if (!status)
        status = count_text(&c, path, err);
    if (!status)
        status = make_lists(&c, &out->lists, path, err);
    pthread_mutex_destroy(&c.mutex);
    team_free(c.team);
    link_counts_release(&c.links);
    free(c.frequency);
    return status;
}

enum attend_status attend_shortlist_count(struct attend_shortlist **out, const char *path,
                                          const struct attend_shortlist_text *text,
                                          struct attend_error *err)
{
    struct attend_error own;
    struct model *model = NULL;
    struct attend_shortlist *made = calloc(1, sizeof *made);
    err = err ? err : &own;
    enum attend_status status = made ? model_load(&model, path, err)
                                     : error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    if (!status)
        status = check(model, text, path, err);
    if (!status)
        status = count_all(made, model, path, text, err);
    model_free(model);
    if (status)
        attend_shortlist_free(made);
    else
        *out = made;
    return status;
}

void attend_shortlist_free(struct attend_shortlist *s)
{
    if (!s)
        return;
    shortlist_free(s->lists);
    free(s);
}
