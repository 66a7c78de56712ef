#include "decode/write.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

int write_limit(const struct write_setup *setup, int S)
{
    const double each = setup->each > 0 ? setup->each : 3;
    return setup->limit > 0 ? setup->limit : (int)fmin(each * WRITE_EACH * S, 1 << 24);
}

/* ---- Memory ---- */

static void bind_traces(struct write *w, struct arena *arena)
{
    const size_t B = (size_t)w->batch.B, L = (size_t)w->limit, S = (size_t)w->batch.S;
    w->trace = arena_take(arena, sizeof *w->trace, B);
    for (size_t b = 0; b < B; b++) {
        const struct write_trace trace = {.stroke =
                                              arena_take(arena, sizeof(float), L * MIXTURE_STROKE),
                                          .weight = arena_take(arena, sizeof(float), L * S)};
        if (w->trace)
            w->trace[b] = trace;
    }
}

void write_bind(struct write *w, struct arena *arena, const struct write_setup *setup,
                const struct batch_text *text)
{
    const struct decoder *d = &setup->net->decoder;
    const struct batch_text source = {
        .source = text->source, .item = text->item, .count = text->count};
    *w = (struct write){.setup = setup};
    batch_bind(&w->batch, arena, &source, 1, setup->net->config.pyramid);
    const size_t B = (size_t)w->batch.B;
    const int S = w->batch.S;
    encoder_tape_bind(&w->encoder, arena, &setup->net->encoder, &w->batch, 1, false);
    decoder_begin_bind(&w->begin, arena, d, &w->batch);
    w->limit = write_limit(setup, S);
    w->record_width = decoder_record_width(d, S);
    w->weight_width = decoder_weight_width(d, S);
    w->record = arena_take(arena, sizeof(real), B * (size_t)w->record_width);
    w->next_record = arena_take(arena, sizeof(real), B * (size_t)w->record_width);
    w->stroke = arena_take(arena, sizeof(real), B * MIXTURE_STROKE);
    w->pen = arena_take(arena, sizeof(real), B * (size_t)d->pen.Y);
    w->weight = arena_take(arena, sizeof(real), B * (size_t)w->weight_width);
    w->work = arena_take(arena, sizeof(real),
                         decoder_step_work(d, w->batch.B, decoder_memory_span(d, S)));
    w->own = arena_take(arena, sizeof(int), B);
    w->sentence = arena_take(arena, sizeof(int), B);
    bind_traces(w, arena);
}

/* ---- Begin ---- */

static void begin(struct write *w, struct compute *c)
{
    const struct seq2seq *net = w->setup->net;
    const struct dropouts none = {0};
    w->encoder.tables = w->setup->tables ? &w->setup->tables->source : NULL;
    encoder_forward(&net->encoder, &w->encoder, c, &w->batch, &none);
    decoder_begin(&net->decoder, c, &w->begin, &w->batch, &w->encoder, &w->memory,
                  view_of(w->record, w->batch.B, w->record_width));
    for (int i = 0; i < w->batch.B; i++) {
        static const real first[MIXTURE_STROKE] = {0, 0, 1};
        memcpy(w->stroke + i * MIXTURE_STROKE, first, sizeof first);
        w->own[i] = w->sentence[i] = i;
    }
}

/* ---- Step ---- */

static void step(struct write *w, struct compute *c, int rows)
{
    const struct decoder *d = &w->setup->net->decoder;
    decoder_step(d, c, &w->memory,
                 &(struct decoder_step){
                     .rows = rows,
                     .states = rows,
                     .state = w->own,
                     .sentence = w->sentence,
                     .state_sentence = w->sentence,
                     .previous = view_of(w->record, rows, w->record_width),
                     .next = view_of(w->next_record, rows, w->record_width),
                     .weight = view_of(w->weight, rows, w->weight_width),
                     .stroke = view_of(w->stroke, rows, MIXTURE_STROKE),
                     .pen = view_of(w->pen, rows, d->pen.Y),
                     .work = w->work,
                 });
}

/* The mean over heads; a model without attention looks nowhere. */
static void keep_weights(const struct write *w, int row, float *out)
{
    const int S = w->batch.S, heads = w->weight_width / S;
    const real *weight = w->weight + (ptrdiff_t)row * w->weight_width;
    memset(out, 0, (size_t)S * sizeof *out);
    for (int g = 0; g < heads; g++)
        for (int j = 0; j < w->batch.memory_length[w->sentence[row]]; j++)
            out[j] += (float)(weight[g * S + j] / (real)heads);
}

/* The stroke of step t into row `row` of w->stroke; false if the trace is over. */
static bool next_stroke(struct write *w, int row, int t)
{
    const struct write_setup *setup = w->setup;
    const struct mixture *pen = &setup->net->decoder.pen;
    const int sentence = w->sentence[row];
    struct write_trace *trace = &w->trace[sentence];
    real *stroke = w->stroke + row * MIXTURE_STROKE;
    if (t < setup->primes) {
        for (int k = 0; k < MIXTURE_STROKE; k++)
            stroke[k] = (real)setup->prime[t * MIXTURE_STROKE + k];
        return true;
    }
    const uint64_t line = (uint64_t)(setup->first_line + w->batch.item[sentence]);
    trace->complete = !mixture_sample(pen, w->pen + (ptrdiff_t)row * pen->Y, setup->bias,
                                      rng_key(rng_seed(setup->seed), line), t, stroke);
    if (trace->complete)
        return false;
    for (int k = 0; k < MIXTURE_STROKE; k++)
        trace->stroke[trace->length * MIXTURE_STROKE + k] = (float)stroke[k];
    keep_weights(w, row, trace->weight + (size_t)trace->length * (size_t)w->batch.S);
    return ++trace->length < w->limit;
}

/* Take the strokes of step t, and move the rows that go on together. Returns their number. */
static int advance(struct write *w, int rows, int t)
{
    const size_t record = (size_t)w->record_width;
    int live = 0;
    for (int i = 0; i < rows; i++) {
        if (!next_stroke(w, i, t))
            continue;
        memcpy(w->record + (size_t)live * record, w->next_record + (size_t)i * record,
               record * sizeof(real));
        memmove(w->stroke + live * MIXTURE_STROKE, w->stroke + i * MIXTURE_STROKE,
                MIXTURE_STROKE * sizeof(real));
        w->sentence[live++] = w->sentence[i];
    }
    return live;
}

bool write_run(struct write *w, struct compute *c, const struct batch_text *text)
{
    const struct batch_text source = {
        .source = text->source, .item = text->item, .count = text->count};
    batch_fill(&w->batch, &source);
    begin(w, c);
    for (int i = 0; i < w->batch.B; i++) {
        w->trace[i].length = 0;
        w->trace[i].complete = false;
    }
    for (int t = 0, rows = w->batch.B; rows > 0; t++) {
        if (stop_asked(w->setup->stop))
            return false;
        step(w, c, rows);
        rows = advance(w, rows, t);
    }
    return true;
}
