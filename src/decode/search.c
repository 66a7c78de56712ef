#include "decode/search.h"

#include "base/rng.h"
#include "base/stop.h"
#include "decode/sample.h"
#include "decode/search_parts.h"
#include "text/vocab.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Annotations without that of </s>, which only a source of tokens has. */
static int without_end(const struct search *s, int annotations)
{
    return annotations - (s->batch.width == 0);
}

static int step_limit(const struct search *s, int sentence)
{
    const int length = without_end(s, s->batch.memory_length[sentence]);
    return (int)(s->setup->options.max_length * length) + SEARCH_EXTRA;
}

/* ---- Memory ---- */

static int count_nodes(const struct search *s, const struct batch_text *text)
{
    double nodes = 0;
    for (int i = 0; i < text->count; i++) {
        const int length =
            without_end(s, seq2seq_annotations(s->setup->net[0],
                                               sequences_length(text->source, text->item[i])));
        nodes += s->K * (s->setup->options.max_length * length + SEARCH_EXTRA + 1);
    }
    return nodes < INT_MAX ? (int)nodes : INT_MAX; /* more than any memory: the arena reports it */
}

static int longest_limit(const struct search *s)
{
    return (int)(s->setup->options.max_length * s->batch.S) + SEARCH_EXTRA + 1;
}

/* The number of heads whose weights are kept: on request, for a single model with several heads. */
static int heads_kept(const struct search_setup *setup)
{
    const int heads = setup->net[0]->decoder.attention.dims.heads;
    return setup->options.each_head && setup->nets == 1 && heads > 1 ? heads : 0;
}

void search_bind(struct search *s, struct arena *arena, const struct search_setup *setup,
                 const struct batch_text *text)
{
    const struct attend_translator_options *o = &setup->options;
    const struct batch_text source = {
        .source = text->source, .item = text->item, .count = text->count};
    *s = (struct search){.setup = setup, .K = !o->sample ? o->beam : o->nbest > 1 ? o->nbest : 1};
    batch_bind(&s->batch, arena, &source, 1, setup->net[0]->config.pyramid);
    search_words_bind(s, arena, &source);
    search_nets_bind(s, arena);
    const size_t B = (size_t)s->batch.B, K = (size_t)s->K, rows = B * K, S = (size_t)s->batch.S;
    const size_t pool = setup->constraints ? K * (K + CONSTRAINTS_MAX + 1) : 0;
    s->weight = arena_take(arena, sizeof(real), rows * S);
    s->row = arena_take(arena, sizeof *s->row, rows);
    s->next_row = arena_take(arena, sizeof *s->row, rows);
    s->row_sentence = arena_take(arena, sizeof(int), rows);
    s->row_token = arena_take(arena, sizeof(int), rows);
    s->row_state = arena_take(arena, sizeof(int), rows);
    s->state_sentence = arena_take(arena, sizeof(int), rows);
    s->state_of = arena_take(arena, sizeof(int), rows);
    s->focus = arena_take(arena, sizeof *s->focus, setup->constraints ? B : 0);
    s->candidate = arena_take(arena, sizeof *s->candidate, K + pool);
    s->sorted = arena_take(arena, sizeof *s->sorted,
                           o->sample ? (size_t)setup->net[0]->decoder.output.V : 0);
    s->history = arena_take(arena, sizeof(int), (size_t)longest_limit(s));
    s->node_limit = count_nodes(s, text);
    s->node = arena_take(arena, sizeof *s->node, (size_t)s->node_limit);
    s->node_weight = arena_take(arena, sizeof(real), (size_t)s->node_limit * S);
    s->heads = heads_kept(setup);
    s->node_head = arena_take(arena, sizeof(real), (size_t)s->node_limit * (size_t)s->heads * S);
    s->copies = setup->nets == 1 && setup->net[0]->decoder.copy.used;
    s->node_share = arena_take(arena, sizeof(float), s->copies ? (size_t)s->node_limit : 0);
    s->finished = arena_take(arena, sizeof *s->finished, rows);
    s->finished_count = arena_take(arena, sizeof(int), B);
}

/* ---- Start ---- */

static int start(struct search *s, struct compute *c, const struct batch_text *text)
{
    const struct batch_text source = {
        .source = text->source, .item = text->item, .count = text->count};
    const int each = s->setup->options.sample ? s->K : 1;
    batch_fill(&s->batch, &source);
    search_nets_begin(s, c);
    search_words_begin(s, &source);
    s->nodes = 0;
    for (int b = 0; b < s->batch.B; b++) {
        for (int k = 0; k < each; k++) {
            s->row[b * each + k] =
                (struct search_row){.sentence = b, .node = -1, .token = VOCAB_BOS, .place = k};
            s->row_state[b * each + k] = b;
        }
        s->finished_count[b] = 0;
    }
    return s->batch.B * each;
}

/* ---- Nodes and finished hypotheses ---- */

/* The share of copying in `token` as the next word of a row; log_probability is that of the
 * word. */
static float share_of(const struct search *s, int row, int token, double log_probability)
{
    const struct search_net *n = &s->net[0];
    const int heads = n->net->decoder.attention.dims.heads;
    const struct copy_choice choice = {.sentence = s->row[row].sentence,
                                       .word = search_place(s, s->row[row].sentence, token),
                                       .weight = n->weight + (size_t)row * (size_t)n->weight_width,
                                       .heads = heads,
                                       .S = n->weight_width / heads,
                                       .gate = (double)n->gate[row],
                                       .log_probability =
                                           log_probability - s->row[row].log_probability};
    return (float)copy_share(&n->memory.copies, &choice);
}

static int add_node(struct search *s, int row, int token, double log_probability)
{
    const size_t S = (size_t)s->batch.S;
    search_nets_see(s, row, token);
    s->node[s->nodes] = (struct search_node){s->row[row].node, token, log_probability};
    memcpy(s->node_weight + (size_t)s->nodes * S, s->weight + (size_t)row * S, S * sizeof(real));
    if (s->heads) {
        const size_t width = (size_t)s->heads * S;
        memcpy(s->node_head + (size_t)s->nodes * width, s->net[0].weight + (size_t)row * width,
               width * sizeof(real));
    }
    if (s->copies)
        s->node_share[s->nodes] = share_of(s, row, token, log_probability);
    return s->nodes++;
}

static double normalized(const struct search *s, double log_probability, int length)
{
    return log_probability / pow(length > 1 ? length : 1, s->setup->options.length_penalty);
}

/* sum_j log min(1, sum_t a_tj), at most 0. */
static double coverage(const struct search *s, int sentence, int last)
{
    const double least = 1e-9;
    const size_t S = (size_t)s->batch.S;
    double sum = 0;
    for (int j = 0; j < s->batch.memory_length[sentence]; j++) {
        double seen = least;
        for (int node = last; node >= 0; node = s->node[node].parent)
            seen += (double)s->node_weight[(size_t)node * S + (size_t)j];
        sum += seen < 1 ? log(seen) : 0;
    }
    return sum;
}

/* `steps` includes </s>, or counts only words if the hypothesis was cut off. */
static void finish(struct search *s, int sentence, int node, double log_probability, int steps,
                   bool complete)
{
    const double beta = s->setup->options.coverage_penalty;
    struct hypothesis *list = s->finished + (size_t)sentence * (size_t)s->K;
    struct hypothesis new = {.score = normalized(s, log_probability, steps),
                             .log_probability = log_probability,
                             .length = complete ? steps - 1 : steps,
                             .complete = complete,
                             .node = node};
    if (beta > 0)
        new.score += beta *coverage(s, sentence, node);
    int at = s->finished_count[sentence]++;
    for (; at > 0 && new.score > list[at - 1].score; at--)
        list[at] = list[at - 1];
    list[at] = new;
}

/* ---- Beam ---- */

/* An upper bound of the final score of a live hypothesis: further words cost nothing, its length
 * reaches the limit, and it covers all source words. */
static double best_possible(const struct search *s, const struct search_row *row)
{
    return normalized(s, row->log_probability, step_limit(s, row->sentence) + 1);
}

/* Turn the live rows of one sentence into hypotheses as they are. Rows that do not meet the
 * constraint count only if there is no other. */
static void cut_off(struct search *s, const struct search_row *live, int count)
{
    const int sentence = live->sentence;
    const struct search_constraint *constraint = search_constraint_of(s, sentence);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < count; i++)
            if (pass == 0 ? constraint_met(constraint, live[i].constraint)
                          : !s->finished_count[sentence])
                finish(s, sentence, live[i].node, live[i].log_probability, live[i].length, false);
}

/* Whether a sentence is done; `live` is sorted, best first. */
static bool done(struct search *s, int sentence, const struct search_row *live, int count)
{
    const struct attend_translator_options *o = &s->setup->options;
    const int finished = s->finished_count[sentence], wanted = o->nbest > 1 ? o->nbest : 1;
    if (count == 0 || finished == s->K)
        return true;
    if (live->length >= step_limit(s, sentence)) {
        cut_off(s, live, count);
        return true;
    }
    return !o->finish_all && finished >= wanted &&
           search_best(s, sentence, wanted - 1)->score >= best_possible(s, live);
}

static struct search_row follow(const struct search *s, int parent, int node, int token,
                                double log_probability)
{
    const struct search_row *row = &s->row[parent];
    return (struct search_row){.sentence = row->sentence,
                               .node = node,
                               .length = row->length + 1,
                               .parent = parent,
                               .token = token,
                               .place = row->place,
                               .log_probability = log_probability,
                               .constraint = constraint_advance(
                                   search_constraint_of(s, row->sentence), row->constraint, token)};
}

/* Append one word to a row, which then finishes or continues as *next; returns the number of rows
 * that continue. */
static int extend(struct search *s, int row, int token, double log_probability,
                  struct search_row *next)
{
    const int node = add_node(s, row, token, log_probability);
    if (token == VOCAB_EOS) {
        finish(s, s->row[row].sentence, node, log_probability, s->row[row].length + 1, true);
        return 0;
    }
    *next = follow(s, row, node, token, log_probability);
    return 1;
}

/* Continue one sentence, rows [from, to), into next_row from index `at`; returns its number of live
 * rows. */
static int continue_beam(struct search *s, int from, int to, int at)
{
    const int sentence = s->row[from].sentence;
    const int count = search_choose(s, from, to, s->K - s->finished_count[sentence]);
    int live = 0;
    if (count == 0) /* all continuations are forbidden */
        cut_off(s, s->row + from, to - from);
    for (int i = 0; i < count; i++) {
        const struct search_candidate *best = &s->candidate[i];
        live += extend(s, best->row, best->token, best->log_probability, &s->next_row[at + live]);
    }
    return done(s, sentence, s->next_row + at, live) ? 0 : live;
}

/* ---- Sampling ---- */

/* The place of the word among those of the sentence; -1: none is possible. */
static int sample_place(struct search *s, int i)
{
    const struct attend_translator_options *o = &s->setup->options;
    const struct search_row *row = &s->row[i];
    const uint64_t line = (uint64_t)(s->setup->first_line + s->batch.item[row->sentence]);
    const uint64_t key = rng_key(rng_key(rng_seed((uint64_t)o->seed), line), (uint64_t)row->place);
    return sample_token(search_logits(s, i), logits_count(&s->net[0].logits, i),
                        &(struct sample_rule){o->temperature, o->top_k, o->top_p},
                        rng_uniform(key, (uint64_t)row->length), s->sorted);
}

static int continue_draws(struct search *s, int from, int to, int at)
{
    int live = 0;
    for (int i = from; i < to; i++) {
        const int place = sample_place(s, i);
        if (place < 0 || s->row[i].length >= step_limit(s, s->row[i].sentence)) {
            cut_off(s, &s->row[i], 1);
            continue;
        }
        const double log_probability =
            s->row[i].log_probability +
            (double)(search_logits(s, i)[place] - s->net[0].logits.norm[i]);
        live += extend(s, i, search_token(s, s->row[i].sentence, place), log_probability,
                       &s->next_row[at + live]);
    }
    return live;
}

/* ---- All sentences ---- */

/* Compact the live rows and their states. */
static int advance(struct search *s, int rows)
{
    int next = 0;
    for (int i = 0; i < rows; i++)
        search_forbid(s, i);
    for (int from = 0, to; from < rows; from = to) {
        for (to = from + 1; to < rows && s->row[to].sentence == s->row[from].sentence;)
            to++;
        next += (s->setup->options.sample ? continue_draws : continue_beam)(s, from, to, next);
    }
    struct search_row *swap = s->row;
    s->row = s->next_row;
    s->next_row = swap;
    search_nets_follow(s, next);
    return next;
}

bool search_run(struct search *s, struct compute *c, const struct batch_text *text)
{
    for (int rows = start(s, c, text); rows > 0; rows = advance(s, rows)) {
        if (stop_asked(s->setup->stop))
            return false;
        search_nets_step(s, c, rows);
    }
    return true;
}

/* ---- Results ---- */

void search_tokens(const struct search *s, const struct hypothesis *h, int *out)
{
    int node = h->complete ? s->node[h->node].parent : h->node;
    for (int t = h->length - 1; t >= 0; t--, node = s->node[node].parent)
        out[t] = s->node[node].token;
}

void search_scores(const struct search *s, const struct hypothesis *h, float *out)
{
    int node = h->node;
    for (int t = h->length + h->complete - 1; t >= 0; t--, node = s->node[node].parent) {
        const int before = s->node[node].parent;
        out[t] = (float)(s->node[node].log_probability -
                         (before < 0 ? 0 : s->node[before].log_probability));
    }
}

void search_shares(const struct search *s, const struct hypothesis *h, float *out)
{
    int node = h->node;
    for (int t = h->length + h->complete - 1; t >= 0; t--, node = s->node[node].parent)
        out[t] = s->node_share[node];
}

/* Copies the weights of a hypothesis; the rows of nodes are `width` apart. */
static void copy_rows(const struct search *s, const struct hypothesis *h, int source,
                      const real *weight, size_t width, float *out)
{
    int node = h->node;
    for (int t = h->length + h->complete - 1; t >= 0; t--, node = s->node[node].parent)
        for (int j = 0; j < source; j++)
            out[(size_t)t * (size_t)source + (size_t)j] =
                (float)weight[(size_t)node * width + (size_t)j];
}

void search_weights(const struct search *s, const struct hypothesis *h, int sentence, float *out)
{
    copy_rows(s, h, s->batch.memory_length[sentence], s->node_weight, (size_t)s->batch.S, out);
}

void search_head_weights(const struct search *s, const struct hypothesis *h, int sentence,
                         float *out)
{
    const size_t S = (size_t)s->batch.S, source = (size_t)s->batch.memory_length[sentence];
    const size_t steps = (size_t)h->length + h->complete;
    for (size_t g = 0; g < (size_t)s->heads; g++)
        copy_rows(s, h, (int)source, s->node_head + g * S, (size_t)s->heads * S,
                  out + g * steps * source);
}
