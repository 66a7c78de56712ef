#include "decode/crew.h"

#include "base/assist.h"
#include "base/error.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Limit on the attention kept for one batch, in elements: B x K x T x S (x heads). Longer sentences
 * get smaller batches. */
enum { WEIGHTS_AT_MOST = 1 << 24 };

struct sorted {
    int length, item;
};

struct crew {
    struct team *team;
    const struct crew_job *job;
    int *item; /* sentences, longest first; batch i is item[first[i]] .. item[first[i + 1] - 1] */
    int *first;
    int batches;
    atomic_int next;
    struct assist assist; /* shares the products of a single batch */
    struct crew_member {
        struct arena arena;
        enum attend_status status;
        struct attend_error error;
    } * member; /* (team) */
};

enum attend_status crew_new(struct crew **out, struct team *team, struct attend_error *err)
{
    struct crew *crew = calloc(1, sizeof *crew);
    if (crew)
        crew->member = calloc((size_t)team_size(team), sizeof *crew->member);
    if (!crew || !crew->member) {
        free(crew);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d searches", team_size(team));
    }
    crew->team = team;
    *out = crew;
    return ATTEND_OK;
}

void crew_free(struct crew *crew)
{
    if (!crew)
        return;
    for (int i = 0; i < team_size(crew->team); i++)
        arena_release(&crew->member[i].arena);
    free(crew->member);
    free(crew);
}

size_t crew_memory(const struct crew *crew)
{
    size_t bytes = 0;
    for (int i = 0; i < team_size(crew->team); i++)
        bytes += crew->member[i].arena.size;
    return bytes;
}

/* ---- Batches ---- */

static int longer_first(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    if (x->length != y->length)
        return x->length > y->length ? -1 : 1;
    return x->item < y->item ? -1 : x->item > y->item;
}

static int sort_items(const struct crew_job *job, struct sorted *sorted, int *item)
{
    int count = 0;
    for (int i = 0; i < job->source->count; i++)
        if (sequences_length(job->source, i) > 0)
            sorted[count++] = (struct sorted){sequences_length(job->source, i), i};
    qsort(sorted, (size_t)count, sizeof *sorted, longer_first);
    for (int i = 0; i < count; i++)
        item[i] = sorted[i].item;
    return count;
}

/* The number of sentences in a batch whose longest source has `elements` words or frames. */
static int batch_size(const struct crew_job *job, int elements)
{
    const int S = seq2seq_annotations(job->setup.net[0], elements);
    const int length = S - (job->source->width == 0);
    const struct attend_translator_options *o = &job->setup.options;
    const int places = o->sample ? o->nbest : o->beam;
    const int heads = o->each_head ? job->setup.net[0]->decoder.attention.dims.heads : 0;
    const double each =
        (places > 1 ? places : 1) * (o->max_length * length + SEARCH_EXTRA) * S * (1 + heads);
    const double most = WEIGHTS_AT_MOST / each;
    return most < 1 ? 1 : most > job->batch_sentences ? job->batch_sentences : (int)most;
}

static enum attend_status plan(struct crew *crew, struct attend_error *err)
{
    const size_t count = (size_t)crew->job->source->count + 1;
    struct sorted *sorted = malloc(count * sizeof *sorted);
    crew->item = malloc(count * sizeof *crew->item);
    crew->first = malloc(count * sizeof *crew->first);
    if (!sorted || !crew->item || !crew->first) {
        free(sorted);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %zu sentences", count);
    }
    const int items = sort_items(crew->job, sorted, crew->item);
    crew->batches = 0;
    for (int at = 0; at < items; at += batch_size(crew->job, sorted[at].length))
        crew->first[crew->batches++] = at;
    crew->first[crew->batches] = items;
    free(sorted);
    return ATTEND_OK;
}

/* ---- Members ---- */

static void bind(struct search *search, struct gemm_scratch *gemm, struct arena *arena,
                 const struct crew_job *job, const struct batch_text *text)
{
    gemm_scratch_bind(gemm, arena);
    search_bind(search, arena, &job->setup, text);
}

/* If there is only one batch, all members work on it together. */
static bool together(const struct crew *crew)
{
    return crew->batches == 1 && team_size(crew->team) > 1;
}

static enum attend_status search_batch(struct crew *crew, struct crew_member *member, int batch)
{
    const struct crew_job *job = crew->job;
    const struct batch_text text = {.source = job->source,
                                    .item = crew->item + crew->first[batch],
                                    .count = crew->first[batch + 1] - crew->first[batch]};
    struct worker alone = worker_alone();
    struct compute compute = {.worker = &alone};
    struct search search;
    struct arena count = {0};
    bind(&search, &compute.gemm, &count, job, &text);
    const enum attend_status status = arena_reserve(&member->arena, count.used, &member->error);
    if (status)
        return status;
    bind(&search, &compute.gemm, &member->arena, job, &text);
    compute.gemm.assist = together(crew) ? &crew->assist : NULL;
    if (!search_run(&search, &compute, &text))
        return error_set(&member->error, ATTEND_STOPPED, "stopped on request");
    for (int b = 0; b < text.count; b++)
        job->emit(job->context, &search, b);
    return ATTEND_OK;
}

static void search_batches(struct worker *w, void *job)
{
    struct crew *crew = job;
    struct crew_member *member = &crew->member[w->index];
    for (int i = atomic_fetch_add(&crew->next, 1); i < crew->batches && !member->status;
         i = atomic_fetch_add(&crew->next, 1))
        member->status = search_batch(crew, member, i);
}

static void search_together(struct worker *w, void *job)
{
    struct crew *crew = job;
    if (w->index > 0) {
        assist_stand_by(&crew->assist);
        return;
    }
    search_batches(w, crew);
    assist_end(&crew->assist);
}

enum attend_status crew_search(struct crew *crew, const struct crew_job *job,
                               struct attend_error *err)
{
    crew->job = job;
    atomic_store(&crew->next, 0);
    enum attend_status status = plan(crew, err);
    for (int i = 0; i < team_size(crew->team); i++)
        crew->member[i].status = ATTEND_OK;
    assist_init(&crew->assist);
    if (status == ATTEND_OK)
        team_run(crew->team, together(crew) ? search_together : search_batches, crew);
    for (int i = 0; i < team_size(crew->team) && !status; i++) {
        status = crew->member[i].status;
        if (status && err)
            *err = crew->member[i].error;
    }
    free(crew->item);
    free(crew->first);
    crew->item = crew->first = NULL;
    return status;
}
