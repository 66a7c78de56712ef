/* Internal to the decoder: what follows from the description of its layers, and the columns of
 * frames and projections. See model/decoder.h. */
#ifndef ATTEND_MODEL_DECODER_PARTS_H
#define ATTEND_MODEL_DECODER_PARTS_H

#include "model/decoder.h"

#include <string.h>

/* A state row of a layer, and of the kept states. */
static inline int state_row(const struct decoder *d, int l)
{
    return d->layer[l].cell->states * d->H;
}
static inline int record_state(const struct decoder *d) { return d->cell->states * d->H; } /* W */

/* Whether a layer starts a step from a kept state. Other layers continue the state that the layer
 * below has just computed. */
static inline bool keeps(const struct decoder *d, int l)
{
    return d->layer[l].plan.kind == LAYER_CELL;
}
/* Whether products of kept states, or their context, enter the layer's frame before the word is
 * known. */
static inline bool begins_first(const struct decoder *d, int l)
{
    return keeps(d, l) || (d->asks_first && l == d->reading);
}
static inline bool is_vector(const struct decoder *d, int l) { return l > d->top; }
static inline bool is_normalized(const struct decoder *d, int l)
{
    return d->normalize && !is_vector(d, l);
}
/* Whether the layer's result goes to the layer above or is the top output. A state that a second
 * cell continues is not an output yet. */
static inline bool has_output(const struct decoder *d, int l)
{
    return !is_vector(d, l) && d->layer[l].last_cell == l;
}

static inline int query_width(const struct decoder *d, int l)
{
    return d->layer[l].plan.asks ? d->attention.Q : 0;
}
static inline int frame_width(const struct decoder *d, int l)
{
    return d->layer[l].columns.readout + d->layer[l].columns.slots + query_width(d, l);
}
/* Whether a cell reads the word and the context beside the layer below. */
static inline bool skips(const struct decoder *d, int l)
{
    return d->skip && d->layer[l].plan.below;
}
/* Whether a layer reads the context, which is then pooled into its frame. */
static inline bool reads(const struct decoder *d, int l)
{
    return d->layer[l].plan.context || skips(d, l);
}
/* The columns of a layer that reads the context: of the readout, if any, and of its input. */
static inline int pooled_width(const struct decoder *d, int l)
{
    return d->layer[l].columns.readout + d->layer[l].columns.input;
}
/* P, of all layers that read. */
static inline int values_width(const struct decoder *d)
{
    int width = 0;
    for (int l = 0; l < d->layers; l++)
        width += reads(d, l) ? pooled_width(d, l) : 0;
    return width;
}

static inline struct view cell_part(const struct decoder *d, int l, struct view frame)
{
    return view_cols(frame, d->layer[l].columns.readout, d->layer[l].columns.slots);
}
static inline struct view input_part(const struct decoder *d, int l, struct view frame)
{
    return view_cols(frame, d->layer[l].columns.readout, d->layer[l].columns.input);
}
static inline struct view state_part(const struct decoder *d, int l, struct view frame)
{
    return view_cols(frame, d->layer[l].columns.state_from, d->layer[l].columns.state);
}
/* State slots and, if the frame has one, the query: they are adjacent. */
static inline struct view state_and_query_part(const struct decoder *d, int l, struct view frame)
{
    return view_cols(frame, d->layer[l].columns.state_from,
                     d->layer[l].columns.state + query_width(d, l));
}
/* The query columns of the layer that asks. */
static inline struct view query_part(const struct decoder *d, struct view frame)
{
    const struct decoder_columns *columns = &d->layer[d->asking].columns;
    return view_cols(frame, columns->readout + columns->slots, d->attention.Q);
}
/* The columns of a layer that reads the context, for pooled values or the projected context. */
static inline struct view pooled_part(const struct decoder *d, int l, struct view frame)
{
    return view_cols(frame, 0, pooled_width(d, l));
}
/* The columns of pooled values or their gradient: those of the readout, and those of the layer. */
static inline struct view pooled_readout(const struct decoder *d, int l, struct view pooled)
{
    return view_cols(pooled, 0, d->layer[l].columns.readout);
}
static inline struct view pooled_input(const struct decoder *d, int l, struct view pooled)
{
    const struct decoder_columns *columns = &d->layer[l].columns;
    return view_cols(pooled, columns->readout, columns->input);
}

/* What the mean context enters. With hard attention the readout reads every position by itself
 * (model/decoder_hard.c), so only the layer does; a vector, which has both roles, is read twice. */
static inline struct view mixed_part(const struct decoder *d, int l, struct view frame)
{
    return d->hard ? input_part(d, l, frame) : pooled_part(d, l, frame);
}

static inline struct view key_part(const struct decoder *d, struct view projected)
{
    return view_cols(projected, 0, d->attention.D);
}
static inline struct view value_part(const struct decoder *d, struct view projected)
{
    return view_cols(projected, d->attention.D, values_width(d));
}
/* The values that layer l pools. */
static inline struct view value_of(const struct decoder *d, int l, struct view values)
{
    return view_cols(values, d->layer[l].values, pooled_width(d, l));
}

/* Of these, the columns that are mixed. */
static inline struct view mixed_value(const struct decoder *d, int l, struct view values)
{
    const struct view all = value_of(d, l, values);
    return d->hard ? pooled_input(d, l, all) : all;
}
/* Hard attention: the columns that the output reads at each position, X. */
static inline struct view split_value(const struct decoder *d, struct view values)
{
    const int l = d->reading;
    const struct view all = value_of(d, l, values);
    return d->vector ? all : pooled_readout(d, l, all);
}

/* Hard attention of the first order: the columns of keys that score jumps, k, of the n positions from
 * `start` on. */
static inline struct view jump_part(const struct decoder *d, struct view projected, int start,
                                    int n)
{
    return view_cols(key_part(d, view_rows(projected, start, n)), d->H, d->attention.Q);
}

static inline void copy_rows(struct view to, struct view from)
{
    for (int i = 0; i < to.rows; i++)
        memcpy(to.at + i * to.row, from.at + i * from.row, (size_t)to.cols * sizeof(real));
}

/* Views of one step of M rows, in training's slabs or in search's workspace. */
struct step_rows {
    /* spans, weight, key and carry; the step fills in state and query */
    struct attention_rows attention;
    bool direct;       /* direct form */
    struct view value; /* (N, C) or (N, P): the values to pool */
    struct layer_rows {
        struct view frame, x;
        struct view previous; /* the state that the layer continues; a vector: the top output */
        struct view asked;    /* (M, H) its s as U sees it: masked by recurrent dropout */
        struct view state;
        struct view normal, scale;
    } layer[DECODER_LAYERS];
    struct view top;            /* (M, H) */
    struct view fed;            /* (M, H) input feeding: r of the step before */
    struct view context;        /* (M, C) direct form */
    struct view base;           /* (M, H) hard attention with a vector: W_s s */
    const struct dropout *drop; /* dropout between layers; or NULL */
    const int *place;           /* (M, 2) item and position of each row, for dropout */
};

/* Forward through one step, in two halves. The frames already hold biases and the embedding's
 * share. decoder_ask does what depends only on the states before the step: products with states and
 * with r, and the attention if a kept state asks. The second half does the rest. */
void decoder_ask(const struct decoder *, struct gemm_scratch *, struct step_rows *);
void decoder_move(const struct decoder *, struct gemm_scratch *, struct step_rows *);
/* Hard attention: the start of a record, and the end of a step whose rows have run, with its work
 * space. */
void decoder_hard_begin(const struct decoder *, const struct decoder_memory *, struct view record);
size_t decoder_hard_work(const struct decoder *, int S);
void decoder_hard_step(const struct decoder *, struct compute *, const struct decoder_memory *,
                       const struct decoder_step *, const struct step_rows *, struct view base,
                       real *work);
/* The columns of a record that only hard attention has. */
static inline int joint_width(const struct decoder *d, int S)
{
    return d->hard ? S * d->output.V : 0;
}
/* The attentional vector as a cell without memory: r = tanh(frame). */
extern const struct cell_ops decoder_vector;
/* o = f(pre). */
void decoder_readout(const struct decoder *, struct view pre, struct view o);
/* Start states from the encoder: rows [from, to) of `start` (B, W) for cell l, before and after the
 * product of `last` and `mean`. */
void decoder_first(const struct decoder *, const struct batch *, const struct encoder_tape *, int l,
                   real *first, struct view start, int from, int to);
/* `none`: the fixed contexts [forward h_n; backward h_1] of sentences [from, to). */
void decoder_fixed(const struct decoder *, const struct batch *, struct view memory, real *fixed,
                   int *start, int *length, int from, int to);
/* Folded keys of annotation rows [from, to). */
void decoder_fold(const struct decoder *, struct view annotation, struct view key, int from,
                  int to);

/* Map the sources of sentences [from, to) to target words. */
void decoder_lay_copies(const struct decoder *, const struct batch *, const struct copy_source *,
                        int from, int to);

static inline bool is_fixed(const struct decoder *d) { return d->attention.ops == &attention_none; }
static inline bool folds(const struct decoder *d)
{
    return d->attention.ops->keys == ATTENTION_FOLDED_KEYS;
}
/* The first column that the product of the annotations with `project` or `key` writes. */
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
