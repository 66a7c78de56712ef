#include "decode/search.h"

#include "tensor/vec.h"
#include "text/vocab.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define FIELD(name) offsetof(struct search_options, name)
const struct option_row search_rows[] = {
    {.name = "beam",
     .kind = OPTION_INT,
     .offset = FIELD(beam),
     .fallback = "5",
     .min = 1,
     .max = 100,
     .value = "K",
     .help = "hypotheses kept for each sentence; 1: greedy search"},
    {.name = "length-penalty",
     .kind = OPTION_REAL,
     .offset = FIELD(length_penalty),
     .fallback = "1",
     .min = 0,
     .max = 10,
     .value = "ALPHA",
     .help = "a hypothesis scores log P / length^ALPHA"},
    {.name = "max-length",
     .kind = OPTION_REAL,
     .offset = FIELD(max_length),
     .fallback = "3",
     .min = 0.1,
     .max = 100,
     .value = "R",
     .help = "at most R times the source's words, plus 10"},
    {0},
};
#undef FIELD

/* A live hypothesis. */
struct search_row {
    int sentence, node, length;
    int parent; /* the row of the last step that it continues */
    int token;
    double log_probability;
};

struct search_candidate {
    double log_probability;
    int row, token;
};

/* One word of a hypothesis. */
struct search_node {
    int parent; /* -1: the first */
    int token;
};

static int step_limit(const struct search *s, int sentence)
{
    return (int)(s->options.max_length * (s->batch.memory_length[sentence] - 1)) + SEARCH_EXTRA;
}

static int count_nodes(const struct search *s, const struct batch_text *text)
{
    double nodes = 0;
    for (int i = 0; i < text->count; i++)
        nodes += s->options.beam *
                 (s->options.max_length * sequences_length(text->source, text->item[i]) +
                  SEARCH_EXTRA + 1);
    return nodes < INT_MAX ? (int)nodes : INT_MAX; /* far past any memory: the arena will say so */
}

void search_bind(struct search *s, struct arena *arena, const struct seq2seq *net,
                 const struct search_options *options, const struct batch_text *text)
{
    const struct decoder *d = &net->decoder;
    const struct batch_text source = {
        .source = text->source, .item = text->item, .count = text->count};
    *s = (struct search){.net = net, .options = *options};
    batch_bind(&s->batch, arena, &source, 1);
    encoder_tape_bind(&s->encoder, arena, &net->encoder, &s->batch, 1, false);
    const size_t B = (size_t)s->batch.B, K = (size_t)options->beam, rows = B * K;
    s->record_width = decoder_record_width(d, s->batch.S);
    s->weight_width = decoder_weight_width(d, s->batch.S);
    s->fixed = arena_take(arena, sizeof(real), B * (size_t)d->C);
    s->first = arena_take(arena, sizeof(real), B * (size_t)d->C);
    s->projected = arena_take(arena, sizeof(real),
                              (size_t)s->batch.source_rows * (size_t)decoder_projected_width(d));
    s->span_start = arena_take(arena, sizeof(int), B);
    s->span_length = arena_take(arena, sizeof(int), B);
    s->record = arena_take(arena, sizeof(real), rows * (size_t)s->record_width);
    s->next_record = arena_take(arena, sizeof(real), rows * (size_t)s->record_width);
    s->weight = arena_take(arena, sizeof(real), rows * (size_t)s->weight_width);
    s->logits = arena_take(arena, sizeof(real), rows * (size_t)d->output.V);
    s->work = arena_take(arena, sizeof(real), decoder_step_work(d, (int)rows));
    s->row = arena_take(arena, sizeof *s->row, rows);
    s->next_row = arena_take(arena, sizeof *s->row, rows);
    s->row_sentence = arena_take(arena, sizeof(int), rows);
    s->row_token = arena_take(arena, sizeof(int), rows);
    s->candidate = arena_take(arena, sizeof *s->candidate, K);
    s->node_limit = count_nodes(s, text);
    s->node = arena_take(arena, sizeof *s->node, (size_t)s->node_limit);
    s->node_weight =
        arena_take(arena, sizeof(real), (size_t)s->node_limit * (size_t)s->weight_width);
    s->finished = arena_take(arena, sizeof *s->finished, rows);
    s->finished_count = arena_take(arena, sizeof(int), B);
}

/* ---- Start ---- */

static int start(struct search *s, struct compute *c, const struct batch_text *text)
{
    const struct decoder *d = &s->net->decoder;
    const struct batch_text source = {
        .source = text->source, .item = text->item, .count = text->count};
    const struct dropouts none = {0};
    batch_fill(&s->batch, &source);
    encoder_forward(&s->net->encoder, &s->encoder, c, &s->batch, &none);
    const struct decoder_begin begin = {.B = s->batch.B,
                                        .batch = &s->batch,
                                        .encoded = &s->encoder,
                                        .fixed = s->fixed,
                                        .first = s->first,
                                        .span_start = s->span_start,
                                        .span_length = s->span_length,
                                        .projected = s->projected};
    decoder_begin(d, c, &begin, &s->memory, view_of(s->record, s->batch.B, s->record_width));
    s->nodes = 0;
    for (int b = 0; b < s->batch.B; b++) {
        s->row[b] = (struct search_row){.sentence = b, .node = -1, .token = VOCAB_BOS};
        s->finished_count[b] = 0;
    }
    return s->batch.B;
}

/* ---- One step ---- */

static void step(struct search *s, struct compute *c, int rows)
{
    const struct decoder *d = &s->net->decoder;
    for (int i = 0; i < rows; i++) {
        s->row_sentence[i] = s->row[i].sentence;
        s->row_token[i] = s->row[i].token;
    }
    decoder_step(d, c, &s->memory,
                 &(struct decoder_step){
                     .rows = rows,
                     .sentence = s->row_sentence,
                     .token = s->row_token,
                     .previous = view_of(s->record, rows, s->record_width),
                     .next = view_of(s->next_record, rows, s->record_width),
                     .weight = view_of(s->weight, rows, s->weight_width),
                     .logits = view_of(s->logits, rows, d->output.V),
                     .work = s->work,
                 });
}

/* Keep the best `width` candidates, best first; of equal ones the earlier stays ahead. Returns how
 * many there are. */
static int keep(struct search_candidate *best, int count, int width, struct search_candidate new)
{
    if (count == width && !(new.log_probability > best[count - 1].log_probability))
        return count;
    int at = count < width ? count : width - 1;
    for (; at > 0 && new.log_probability > best[at - 1].log_probability; at--)
        best[at] = best[at - 1];
    best[at] = new;
    return count < width ? count + 1 : width;
}

/* The best continuations of rows [from, to), which belong to one sentence. */
static int best_continuations(struct search *s, int from, int to, int width)
{
    const int V = s->net->decoder.output.V;
    int count = 0;
    for (int i = from; i < to; i++) {
        const real *logit = s->logits + (size_t)i * (size_t)V;
        const double base = s->row[i].log_probability - (double)vec_log_sum_exp(logit, V);
        for (int k = 0; k < V; k++) {
            if (k == VOCAB_UNK || k == VOCAB_BOS)
                continue;
            const double log_probability = base + (double)logit[k];
            if (count < width || log_probability > s->candidate[count - 1].log_probability)
                count = keep(s->candidate, count, width,
                             (struct search_candidate){log_probability, i, k});
        }
    }
    return count;
}

static int add_node(struct search *s, int row, int token)
{
    const size_t S = (size_t)s->weight_width;
    s->node[s->nodes] = (struct search_node){.parent = s->row[row].node, .token = token};
    memcpy(s->node_weight + (size_t)s->nodes * S, s->weight + (size_t)row * S, S * sizeof(real));
    return s->nodes++;
}

static double normalised(const struct search *s, double log_probability, int length)
{
    return log_probability / pow(length, s->options.length_penalty);
}

/* `steps` counts </s>, or the words when the hypothesis was cut off. */
static void finish(struct search *s, int sentence, int node, double log_probability, int steps,
                   bool complete)
{
    struct hypothesis *list = s->finished + (size_t)sentence * (size_t)s->options.beam;
    const struct hypothesis new = {.score = normalised(s, log_probability, steps),
                                   .log_probability = log_probability,
                                   .length = complete ? steps - 1 : steps,
                                   .complete = complete,
                                   .node = node};
    int at = s->finished_count[sentence]++;
    for (; at > 0 && new.score > list[at - 1].score; at--)
        list[at] = list[at - 1];
    list[at] = new;
}

/* The most that a live hypothesis can still score: every further word costs nothing and it grows to
 * the limit. */
static double best_possible(const struct search *s, const struct search_row *row)
{
    return normalised(s, row->log_probability, step_limit(s, row->sentence) + 1);
}

/* Whether a sentence with these live rows is done; `live` is sorted, best first. */
static bool done(struct search *s, int sentence, const struct search_row *live, int count,
                 int length)
{
    const int finished = s->finished_count[sentence];
    if (count == 0 || finished == s->options.beam)
        return true;
    if (length >= step_limit(s, sentence)) {
        for (int i = 0; i < count; i++)
            finish(s, sentence, live[i].node, live[i].log_probability, length, false);
        return true;
    }
    return finished &&
           s->finished[(size_t)sentence * (size_t)s->options.beam].score >= best_possible(s, live);
}

/* Continue one sentence, rows [from, to), into next_row from `at` on; returns how many live rows it
 * has now. */
static int continue_sentence(struct search *s, int from, int to, int at)
{
    const int sentence = s->row[from].sentence, length = s->row[from].length + 1;
    const int width = s->options.beam - s->finished_count[sentence];
    const int count = best_continuations(s, from, to, width);
    int live = 0;
    for (int i = 0; i < count; i++) {
        const struct search_candidate *best = &s->candidate[i];
        const int node = add_node(s, best->row, best->token);
        if (best->token == VOCAB_EOS)
            finish(s, sentence, node, best->log_probability, length, true);
        else
            s->next_row[at + live++] =
                (struct search_row){.sentence = sentence,
                                    .node = node,
                                    .length = length,
                                    .parent = best->row,
                                    .token = best->token,
                                    .log_probability = best->log_probability};
    }
    return done(s, sentence, s->next_row + at, live, length) ? 0 : live;
}

/* All sentences; the live rows close up and take their states along. */
static int advance(struct search *s, int rows)
{
    const size_t width = (size_t)s->record_width;
    int next = 0;
    for (int from = 0, to; from < rows; from = to) {
        for (to = from + 1; to < rows && s->row[to].sentence == s->row[from].sentence;)
            to++;
        next += continue_sentence(s, from, to, next);
    }
    struct search_row *swap = s->row;
    s->row = s->next_row;
    s->next_row = swap;
    for (int i = 0; i < next; i++)
        memcpy(s->record + (size_t)i * width, s->next_record + (size_t)s->row[i].parent * width,
               width * sizeof(real));
    return next;
}

void search_run(struct search *s, struct compute *c, const struct batch_text *text)
{
    for (int rows = start(s, c, text); rows > 0; rows = advance(s, rows))
        step(s, c, rows);
}

/* ---- Results ---- */

void search_tokens(const struct search *s, const struct hypothesis *h, int *out)
{
    int node = h->complete ? s->node[h->node].parent : h->node;
    for (int t = h->length - 1; t >= 0; t--, node = s->node[node].parent)
        out[t] = s->node[node].token;
}

bool search_says(const struct search *s, const struct hypothesis *h, const int *words, int count)
{
    if (!h->complete || h->length != count)
        return false;
    int node = s->node[h->node].parent;
    for (int t = count - 1; t >= 0; t--, node = s->node[node].parent)
        if (s->node[node].token != words[t])
            return false;
    return true;
}

void search_weights(const struct search *s, const struct hypothesis *h, int sentence, float *out)
{
    const int source = s->batch.memory_length[sentence], S = s->batch.S,
              heads = s->weight_width / S;
    int node = h->node;
    for (int t = h->length + h->complete - 1; t >= 0; t--, node = s->node[node].parent) {
        const real *weight = s->node_weight + (size_t)node * (size_t)s->weight_width;
        for (int j = 0; j < source; j++) {
            real sum = 0;
            for (int g = 0; g < heads; g++)
                sum += weight[g * S + j];
            out[(size_t)t * (size_t)source + (size_t)j] = (float)(sum / (real)heads);
        }
    }
}
