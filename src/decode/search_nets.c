#include "decode/search_parts.h"

#include "tensor/vec.h"

#include <math.h>
#include <string.h>

static void bind_net(struct search *s, struct search_net *n, struct arena *arena)
{
    const struct decoder *d = &n->net->decoder;
    const size_t B = (size_t)s->batch.B, rows = B * (size_t)s->K;
    encoder_tape_bind(&n->encoder, arena, &n->net->encoder, &s->batch, 1, false);
    n->record_width = decoder_record_width(d, s->batch.S);
    n->weight_width = decoder_weight_width(d, s->batch.S);
    decoder_begin_bind(&n->begin, arena, d, &s->batch);
    n->record = arena_take(arena, sizeof(real), rows * (size_t)n->record_width);
    n->next_record = arena_take(arena, sizeof(real), rows * (size_t)n->record_width);
    n->weight = arena_take(arena, sizeof(real), rows * (size_t)n->weight_width);
    logits_bind(&n->logits, arena, (int)rows, s->words.most);
    if (s->words.lists) {
        n->logits.count = arena_take(arena, sizeof(int), rows);
        logits_words_bind(&n->words, arena, &d->output, s->words.most);
    }
    n->gate = arena_take(arena, sizeof(real), d->copy.used ? rows : 0);
    n->work = arena_take(arena, sizeof(real),
                         decoder_step_work(d, (int)rows, decoder_memory_span(d, s->batch.S)));
}

void search_nets_bind(struct search *s, struct arena *arena)
{
    const int nets = s->setup->nets;
    /* While counting there is no memory for the nets: `counted` stands in for each. */
    struct search_net counted = {0};
    s->net = arena_take(arena, sizeof *s->net, (size_t)nets);
    for (int i = 0; i < nets; i++) {
        struct search_net *n = s->net ? &s->net[i] : &counted;
        *n = (struct search_net){.net = s->setup->net[i]};
        bind_net(s, n, arena);
    }
}

/* ---- Begin ---- */

void search_nets_begin(struct search *s, struct compute *c)
{
    const struct dropouts none = {0};
    for (int i = 0; i < s->setup->nets; i++) {
        struct search_net *n = &s->net[i];
        n->encoder.tables = s->setup->tables ? &s->setup->tables[i].source : NULL;
        encoder_forward(&n->net->encoder, &n->encoder, c, &s->batch, &none);
        decoder_begin(&n->net->decoder, c, &n->begin, &s->batch, &n->encoder, &n->memory,
                      view_of(n->record, s->batch.B, n->record_width));
    }
    s->states = s->batch.B;
    for (int b = 0; b < s->batch.B; b++)
        s->state_sentence[b] = b;
}

/* ---- Step ---- */

/* x = exp(x - norm); then y += exp(x - norm). */
SIMD_BODY void to_probability_body(real *x, real norm, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = fast_exp(x[i] - norm);
}
SIMD_STATIC(to_probability, (real * x, real norm, int n), (x, norm, n))

SIMD_BODY void add_probability_body(real *y, const real *x, real norm, int n)
{
    for (int i = 0; i < n; i++)
        y[i] += fast_exp(x[i] - norm);
}
SIMD_STATIC(add_probability, (real * y, const real *x, real norm, int n), (y, x, norm, n))

/* Replaces the first model's logits by the log of the sum of the models' probabilities; with norm =
 * log(nets) this is the log of their mean. */
static void average_logits(struct search *s, int row)
{
    const int nets = s->setup->nets;
    const struct logits *first = &s->net[0].logits;
    const int V = logits_count(first, row);
    real *sum = first->at.at + row * first->at.row;
    to_probability(sum, first->norm[row], V);
    for (int i = 1; i < nets; i++) {
        const struct logits *l = &s->net[i].logits;
        add_probability(sum, l->at.at + row * l->at.row, l->norm[row], V);
    }
    vec_log(sum, (size_t)V);
    logits_measure(first, row);
    first->norm[row] = (real)log(nets);
}

/* The mean over heads and over the models with attention. */
static void average_weights(struct search *s, int row)
{
    const int S = s->batch.S;
    real *out = s->weight + (size_t)row * (size_t)S;
    int looking = 0; /* models without attention have a width of 1 */
    memset(out, 0, (size_t)S * sizeof *out);
    for (int i = 0; i < s->setup->nets; i++)
        looking += s->net[i].weight_width >= S;
    for (int i = 0; i < s->setup->nets; i++) {
        const struct search_net *n = &s->net[i];
        const int heads = n->weight_width / S;
        const real *weight = n->weight + (size_t)row * (size_t)n->weight_width;
        for (int g = 0; g < heads; g++)
            for (int j = 0; j < S; j++)
                out[j] += weight[g * S + j] / (real)(heads * looking);
    }
}

/* The focus of the sentences at this step; NULL: none. */
static const struct attention_focus *focus_of(const struct search *s, int rows)
{
    if (!s->setup->constraints)
        return NULL;
    for (int i = 0; i < rows; i++) {
        const int b = s->row[i].sentence, step = s->row[i].length;
        const struct search_constraint *constraint = search_constraint_of(s, b);
        s->focus[b] =
            step < constraint->focus_steps ? constraint->focus[step] : (struct attention_focus){0};
    }
    return s->focus;
}

void search_nets_step(struct search *s, struct compute *c, int rows)
{
    const struct attention_focus *focus = focus_of(s, rows);
    for (int i = 0; i < rows; i++) {
        s->row_sentence[i] = s->row[i].sentence;
        s->row_token[i] = s->row[i].token;
    }
    for (int i = 0; i < s->setup->nets; i++) {
        struct search_net *n = &s->net[i];
        decoder_step(&n->net->decoder, c, &n->memory,
                     &(struct decoder_step){
                         .rows = rows,
                         .states = s->states,
                         .state = s->row_state,
                         .token = s->row_token,
                         .sentence = s->row_sentence,
                         .state_sentence = s->state_sentence,
                         .previous = view_of(n->record, s->states, n->record_width),
                         .next = view_of(n->next_record, rows, n->record_width),
                         .weight = view_of(n->weight, rows, n->weight_width),
                         .logits = n->logits,
                         .words = s->words.lists ? &n->words : NULL,
                         .tokens = s->setup->tables ? s->setup->tables[i].target : NULL,
                         .work = n->work,
                         .gate = n->gate,
                         .focus = focus,
                     });
    }
    for (int i = 0; i < rows && s->setup->nets > 1; i++)
        average_logits(s, i);
}

void search_nets_see(struct search *s, int row, int token)
{
    for (int i = 0; i < s->setup->nets; i++) {
        struct search_net *n = &s->net[i];
        decoder_see_word(&n->net->decoder, &n->memory, s->row[row].sentence,
                         n->next_record + (size_t)row * (size_t)n->record_width, token,
                         n->weight + (size_t)row * (size_t)n->weight_width);
    }
    average_weights(s, row);
}

/* Number the states that the live rows continue, in the order of their first row. */
static void number_states(struct search *s, int rows)
{
    const size_t before = (size_t)s->batch.B * (size_t)s->K;
    for (size_t i = 0; i < before; i++)
        s->state_of[i] = -1;
    s->states = 0;
    for (int i = 0; i < rows; i++) {
        int *state = &s->state_of[s->row[i].parent];
        if (*state < 0) {
            *state = s->states;
            s->state_sentence[s->states++] = s->row[i].sentence;
        }
        s->row_state[i] = *state;
    }
}

void search_nets_follow(struct search *s, int rows)
{
    number_states(s, rows);
    for (int k = 0; k < s->setup->nets; k++) {
        struct search_net *n = &s->net[k];
        const size_t width = (size_t)n->record_width;
        for (int i = 0; i < rows; i++)
            memcpy(n->record + (size_t)s->row_state[i] * width,
                   n->next_record + (size_t)s->row[i].parent * width, width * sizeof(real));
    }
}
