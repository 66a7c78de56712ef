/* The whole model: encoder and decoder over one set of parameters.
 *
 * A model that runs is immutable once packed and may be shared by threads; each thread brings its
 * own tape or search. */
#ifndef ATTEND_MODEL_SEQ2SEQ_H
#define ATTEND_MODEL_SEQ2SEQ_H

#include "base/arena.h"
#include "model/batch.h"
#include "model/config.h"
#include "model/decoder.h"
#include "model/encoder.h"

struct seq2seq {
    struct model_config config;
    struct param_set params;
    struct encoder encoder;
    struct decoder decoder;
    bool training;       /* has gradients and transposed weights */
    bool int8;           /* its matrices are int8 */
    size_t decoder_from; /* the decoder's own parameters are the flat vectors' rest from here */
    struct arena packed; /* the rearranged weights */
};

struct seq2seq_tape {
    struct batch batch;
    struct encoder_tape encoder;
    struct decoder_tape decoder;
};

/* Declare the parameters and make room for the rearranged weights. The model must not move
 * afterwards. The values are bound by the caller (param_bind) before seq2seq_pack. */
enum attend_status seq2seq_init(struct seq2seq *, const struct model_config *, enum packing,
                                struct attend_error *err);
/* Rearrange the weights after they have changed; by the whole team, which has met on return. */
void seq2seq_pack(struct seq2seq *, struct compute *);
void seq2seq_release(struct seq2seq *);

/* Products of tokens that have come before, for searching with a model that does not change; shared
 * by threads. All zero is none. */
struct seq2seq_tables {
    struct encoder_tables source;
    struct token_table *target;
};
enum attend_status seq2seq_tables_init(struct seq2seq_tables *, const struct seq2seq *,
                                       struct attend_error *err);
void seq2seq_tables_release(struct seq2seq_tables *);

/* Memory of one batch with targets. */
void seq2seq_tape_bind(struct seq2seq_tape *, struct arena *, const struct seq2seq *,
                       const struct batch_text *, int team);

struct seq2seq_job {
    struct dropouts dropout;
    struct decoder_loss loss;
    /* Scheduled sampling, in two passes (Duckworth et al. 2019): the decoder first runs on the
     * given words, then on given words and its own choices mixed; the second pass counts. */
    double sampling; /* probability of a choice; 0: teacher forcing */
    uint64_t sampling_key;
    /* Called by one member as soon as the gradients [from, to) of the flat vector are final, while
     * the others go on; or NULL. */
    void (*ready)(void *context, size_t from, size_t to);
    void *context;
};
/* The summed loss of a batch, and, when wanted, its gradient added to every parameter's. By the
 * whole team; the batch has been filled. */
double seq2seq_run(const struct seq2seq *, struct seq2seq_tape *, struct compute *,
                   const struct seq2seq_job *);

#endif
