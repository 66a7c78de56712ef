/* The network: encoder and decoder over one set of parameters.
 *
 * After packing, a network for inference is immutable and can be shared by threads; each thread has
 * its own tape or search. */
#ifndef ATTEND_MODEL_SEQ2SEQ_H
#define ATTEND_MODEL_SEQ2SEQ_H

#include "base/arena.h"
#include "model/batch.h"
#include "model/config.h"
#include "model/decoder.h"
#include "model/encoder.h"
#include "model/frame_masks.h"

struct seq2seq {
    struct attend_network_options config;
    struct param_set params;
    struct encoder encoder;
    struct decoder decoder;
    bool training; /* has gradients and transposed weights */
    bool int8;     /* its matrices are int8 */
    /* the decoder's own parameters are the rest of the flat vectors from here */
    size_t decoder_from;
    struct arena packed; /* the rearranged weights */
};

struct seq2seq_tape {
    struct batch batch;
    struct encoder_tape encoder;
    struct decoder_tape decoder;
};

/* Declare the parameters and make room for the rearranged weights. The model must not move
 * afterwards. The values are bound by the caller (param_bind) before seq2seq_pack. */
enum attend_status seq2seq_init(struct seq2seq *, const struct attend_network_options *,
                                enum packing, struct attend_error *err);
/* Rearrange the weights after they have changed. By the whole team; ends with a barrier. */
void seq2seq_pack(struct seq2seq *, struct compute *);
void seq2seq_release(struct seq2seq *);

/* The number of annotations, and so of columns of attention, of a source with this many tokens,
 * without </s>, or frames. */
static inline int seq2seq_annotations(const struct seq2seq *m, int length)
{
    return batch_annotations(length, m->config.source_width, m->config.pyramid);
}

/* Cached products of tokens, for searching with weights that do not change; shared by threads. All
 * zero is empty. */
struct seq2seq_tables {
    struct encoder_tables source;
    struct token_table *target;
};
enum attend_status seq2seq_tables_init(struct seq2seq_tables *, const struct seq2seq *,
                                       struct attend_error *err);
void seq2seq_tables_release(struct seq2seq_tables *);
size_t seq2seq_tables_memory(const struct seq2seq_tables *); /* bytes */

/* Memory of one batch with targets. */
void seq2seq_tape_bind(struct seq2seq_tape *, struct arena *, const struct seq2seq *,
                       const struct batch_text *, int team);

struct seq2seq_job {
    struct dropouts dropout;
    struct frame_masks masks;
    struct decoder_loss loss;
    /* Scheduled sampling in two passes (Duckworth et al. 2019): the decoder first runs on the given
     * words, then on a mixture of given words and its own choices; the second pass gives the
     * loss. */
    double sampling; /* probability of a choice; 0: teacher forcing, as always for strokes */
    uint64_t sampling_key;
    /* Called by one member as soon as the gradients [from, to) of the flat vector are final, while
     * the other members continue; or NULL. */
    void (*ready)(void *context, size_t from, size_t to);
    void *context;
};
/* Returns the summed loss of a batch and, if requested, adds its gradient to that of every
 * parameter. By the whole team, after batch_fill. */
double seq2seq_run(const struct seq2seq *, struct seq2seq_tape *, struct compute *,
                   const struct seq2seq_job *);

#endif
