/* Inside the decoder: which columns of frames and projections are what. See model/decoder.h. */
#ifndef ATTEND_MODEL_DECODER_PARTS_H
#define ATTEND_MODEL_DECODER_PARTS_H

#include "model/decoder.h"

static inline int slots_width(const struct decoder *d) { return d->cell->slots * d->H; }
static inline int input_width(const struct decoder *d) { return d->cell->input_slots * d->H; }
static inline int state_width(const struct decoder *d) { return d->cell->state_slots * d->H; }
static inline int record_state(const struct decoder *d) { return d->cell->states * d->H; } /* W */
static inline int top_layer(const struct decoder *d) { return d->layers - 1; }

/* Whether the state before the step asks: attention does not wait for the word. */
static inline bool asks_first(const struct decoder *d) { return !d->luong && !d->conditional; }
/* The cell that the context enters, and the one whose frame holds the query; not luong's. */
static inline int context_layer(const struct decoder *d) { return d->conditional ? 1 : 0; }
static inline int asking_layer(const struct decoder *d)
{
    return d->conditional ? context_layer(d) : top_layer(d);
}
/* conditional: the second cell of the first layer, which goes on from the state that the first
 * leaves within the step. Every other cell has a state of its own from step to step. */
static inline bool is_second(const struct decoder *d, int l) { return d->conditional && l == 1; }
static inline int state_count(const struct decoder *d) { return d->layers - d->conditional; }
/* Which of these is cell l's. */
static inline int state_index(const struct decoder *d, int l)
{
    return d->conditional && l > 0 ? l - 1 : l;
}
/* The cell that has the last word on the state from which cell l starts its next step. */
static inline int state_keeper(const struct decoder *d, int l)
{
    return is_second(d, l + 1) ? 1 : l;
}
/* Whether cell l reads the output of the cell below. */
static inline bool reads_below(const struct decoder *d, int l) { return l > 0 && !is_second(d, l); }

/* Columns before and behind a layer's cell slots. */
static inline int prefix_width(const struct decoder *d, int l)
{
    return l <= context_layer(d) && !d->luong ? d->RR : 0;
}
static inline int suffix_width(const struct decoder *d, int l)
{
    return l == asking_layer(d) && !d->luong ? d->attention.Q : 0;
}
static inline int frame_width(const struct decoder *d, int l)
{
    return prefix_width(d, l) + slots_width(d) + suffix_width(d, l);
}
static inline int pooled_width(const struct decoder *d)
{
    return d->luong ? d->H : d->RR + input_width(d);
}
static inline int after_width(const struct decoder *d) { return d->H + d->attention.Q; }

static inline struct view cell_part(const struct decoder *d, int l, struct view frame)
{
    return view_cols(frame, prefix_width(d, l), slots_width(d));
}
static inline struct view input_part(const struct decoder *d, int l, struct view frame)
{
    return view_cols(frame, prefix_width(d, l), input_width(d));
}
static inline struct view state_part(const struct decoder *d, int l, struct view frame)
{
    return view_cols(frame, prefix_width(d, l) + d->cell->state_from * d->H, state_width(d));
}
/* State slots and, where the frame has one, the query: they adjoin. */
static inline struct view state_and_query_part(const struct decoder *d, int l, struct view frame)
{
    return view_cols(frame, prefix_width(d, l) + d->cell->state_from * d->H,
                     state_width(d) + suffix_width(d, l));
}

static inline struct view key_part(const struct decoder *d, struct view projected)
{
    return view_cols(projected, 0, d->attention.D);
}
static inline struct view value_part(const struct decoder *d, struct view projected)
{
    return view_cols(projected, d->attention.D, pooled_width(d));
}

/* One step of M rows: where everything is, in training's slabs or in search's work space. */
struct step_rows {
    struct attention_rows
        attention;     /* spans, weight, key and carry; state and query are filled in */
    bool direct;       /* the form */
    struct view value; /* (N, C) or (N, P): what is pooled */
    struct layer_rows {
        struct view frame, x, previous, asked, state; /* asked: previous s as U sees it (masked) */
        struct view normal, scale;
    } layer[DECODER_LAYERS];
    struct view top;            /* (M, H) */
    struct view after, fed;     /* luong: (M, H + Q), (M, H) */
    struct view context;        /* (M, C) direct form */
    const struct dropout *drop; /* between layers; NULL: none */
    const int *place;           /* (M, 2) rows' sentence and position, for dropout */
};

/* The query's columns: of a frame, or of `after`. */
static inline struct view query_part(const struct decoder *d, const struct step_rows *s)
{
    const int Q = d->attention.Q;
    if (d->luong)
        return view_cols(s->after, d->H, Q);
    const int l = asking_layer(d);
    return view_cols(s->layer[l].frame, prefix_width(d, l) + slots_width(d), Q);
}
/* Where pooled values, or the projected context, go. */
static inline struct view pooled_part(const struct decoder *d, const struct step_rows *s)
{
    return view_cols(d->luong ? s->after : s->layer[context_layer(d)].frame, 0, pooled_width(d));
}

/* Forward through one step, in two halves; frames come with biases and the embedding's share,
 * `after` with its bias. First what the states before the step decide alone: products with states
 * and with r, and in bahdanau's placement the attention; then the rest. */
void decoder_ask(const struct decoder *, struct gemm_scratch *, struct step_rows *);
void decoder_move(const struct decoder *, struct gemm_scratch *, struct step_rows *);
/* o = f(pre). */
void decoder_readout(const struct decoder *, struct view pre, struct view o);
/* Start states from the encoder: cell l's rows [from, to) of `start` (B, W), before and after the
 * product of `last` and `mean`. */
void decoder_first(const struct decoder *, const struct batch *, const struct encoder_tape *, int l,
                   real *first, struct view start, int from, int to);
/* `none`: the fixed contexts [forward h_n; backward h_1] of sentences [from, to). */
void decoder_fixed(const struct decoder *, const struct batch *, struct view memory, real *fixed,
                   int *start, int *length, int from, int to);
/* Folded keys of annotation rows [from, to). */
void decoder_fold(const struct decoder *, struct view annotation, struct view key, int from,
                  int to);

/* The sources of sentences [from, to) as target words. */
void decoder_lay_copies(const struct decoder *, const struct batch *, const struct copy_source *,
                        int from, int to);

static inline bool is_fixed(const struct decoder *d) { return d->attention.ops == &attention_none; }
static inline bool folds(const struct decoder *d)
{
    return d->attention.ops->keys == ATTENTION_FOLDED_KEYS;
}
/* Columns that the product of the annotations with `project` makes. */
static inline int product_from(const struct decoder *d) { return folds(d) ? d->attention.D : 0; }
static inline bool starts_by_product(const struct decoder *d)
{
    return d->start == START_LAST || d->start == START_MEAN;
}
static inline int first_width(const struct decoder *d)
{
    return d->start == START_MEAN ? d->C : d->H;
}

#endif
