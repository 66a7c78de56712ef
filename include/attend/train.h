/* Training a model on sentence pairs. */
#ifndef ATTEND_TRAIN_H
#define ATTEND_TRAIN_H

#include "attend/model.h"
#include "attend/status.h"
#include "attend/subwords.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** When a report is made. */
enum attend_train_event {
    ATTEND_TRAIN_NOTE,      /**< `note` has a message, for instance about skipped pairs */
    ATTEND_TRAIN_STARTED,   /**< data and model are ready: sizes and memory are known */
    ATTEND_TRAIN_UPDATED,   /**< every `log_every` updates */
    ATTEND_TRAIN_PROGRESS,  /**< a few times a second during updates */
    ATTEND_TRAIN_VALIDATED, /**< after each validation */
    ATTEND_TRAIN_AVERAGED,  /**< the average of several models was validated */
    ATTEND_TRAIN_STOPPED,   /**< hooks->stop returned true; the checkpoint is saved */
    ATTEND_TRAIN_FINISHED,  /**< the best model is saved */
};

/** A validation sentence, its reference and the model's translation. */
struct attend_train_sample {
    const char *source, *target, *output;
};
enum { ATTEND_TRAIN_SAMPLES = 3 };

/** The state of a run. Texts are valid during the call. */
struct attend_train_report {
    enum attend_train_event event;
    const char *note;              /**< only for ATTEND_TRAIN_NOTE */
    long train_pairs, valid_pairs; /**< usable pairs */
    int source_vocab, target_vocab;
    size_t parameters;
    size_t memory; /**< bytes for weights, gradients, optimizer state and the largest batch */
    int threads, ranks;
    int epoch, max_epochs;    /**< epoch counts from 1 */
    double epoch_done;        /**< share of the epoch's pairs that are done, 0 to 1 */
    long update;              /**< updates made so far */
    long resumed;             /**< the update from which the run was resumed; 0: a new run */
    double loss;              /**< training loss per target word, mean over this epoch so far */
    double update_loss;       /**< training loss per target word of the last update */
    double norm;              /**< gradient norm of the last update, before clipping */
    double lr;                /**< learning rate of the last update */
    double tokens_per_second; /**< source and target words without </s>, since the last report */
    double seconds;           /**< since the start */
    double eta;               /**< seconds to the last allowed update, without early stopping */
    double valid_loss;        /**< cross-entropy per target word, without label smoothing */
    const char *metric; /**< the metric that selects the best model, named as in `valid_metric` */
    const char *metric_label, *metric_unit; /**< for people: "BLEU" and "", "accuracy" and "%" */
    double valid_metric;                    /**< value of that metric, 0 to 100, or the loss */
    struct attend_train_sample sample[ATTEND_TRAIN_SAMPLES];
    int samples;       /**< used entries of `sample` */
    bool best;         /**< this validation is the best so far; its model was saved */
    int patience_left; /**< validations without improvement that are still allowed */
    int best_epoch;
    long best_update;
    const char *reason; /**< why the run ended */
    int source_width;   /**< numbers in a frame of the source; 0: it is text */
};

/** Communication between processes that train one model together. All processes make the same calls
 * in the same order; values are summed over the processes, and every process gets the sum. A
 * process that cannot reach the others must exit. */
struct attend_comm {
    int rank, size; /**< number of this process, and of all processes */
    /** Start to sum floats in place; the caller must not touch them before `finish`. */
    void (*begin_sum)(void *context, float *values, size_t count);
    /** Wait until all sums that were started are complete. */
    void (*finish)(void *context);
    /** Sum a few numbers in place and wait for the result. */
    void (*sum)(void *context, double *values, int count);
    void *context;
};

/** Callbacks of training. Each may be NULL. They are called on the thread that called
 * attend_train. */
struct attend_train_hooks {
    void (*report)(void *context, const struct attend_train_report *report);
    bool (*stop)(void *context); /**< called after every update; true: save a checkpoint and stop */
    void *context;
    const struct attend_comm *comm; /**< only rank 0 reports and writes files */
    /** Learns subwords: attend_subwords_learn, or another function with its contract. NULL: a
     * training that has to learn subwords fails. */
    attend_subwords_learn_fn *learn_subwords;
    void *reserved[2];
};

/** The training text and its tokens. Required: train_src and train_tgt, or train. */
struct attend_frame_options;
struct attend_data_options {
    size_t size;
    const char *train_src, *train_tgt; /**< files, one sentence per line; "-": standard input */
    const char *valid_src, *valid_tgt; /**< validation text, in the same form */
    const char *train, *valid;         /**< or files of pairs, columns separated by tabs */
    const char *columns;               /**< names of the columns; NULL: "src,tgt" */
    const char *features;              /**< name of a column whose features become source tokens */
    const char *split; /**< shares for training, validation and test: "0.98,0.01,0.01"; NULL: 5 %
                          for validation if no validation text is given; "none": no pair */
    bool header;       /**< the first line names the columns */
    bool skip_broken;  /**< skip broken pairs instead of stopping */
    const char *normalize; /**< Unicode normal form: "nfc" ... */
    const char *tokenizer; /**< tokenizer of both sides: "auto", "sentencepiece" ... */
    const char *src_tokenizer, *tgt_tokenizer;             /**< of one side; NULL: `tokenizer`. For
                                                              the source also the name of a reader
                                                              of frames (attend/frames.h) */
    const char *tokenizer_model;                           /**< SentencePiece model of both sides */
    const char *src_tokenizer_model, *tgt_tokenizer_model; /**< or of one side */
    const char *subwords;    /**< how SentencePiece learns: "bpe" or "unigram" */
    double subword_sampling; /**< alpha of subword sampling; 0: always the best pieces */
    int vocab_size;   /**< tokens of each side; 0: all, or a number that suits the amount of text */
    int max_length;   /**< pairs with more tokens than this on a side are skipped */
    bool joint_vocab; /**< one vocabulary for both sides */
    double max_ratio; /**< pairs with one side this many times as long are skipped; 0: none */
    const char *source_lang, *target_lang; /**< language codes, such as "en"; NULL: not known */
    const char *language_columns; /**< "A,B": columns with the languages of each pair, for one model
                                     of several pairs; "_": that side has one language */
    const char *letter_case;      /**< what becomes of capitals: "auto", "marked" ... */
    int max_frames; /**< pairs with more frames than this are skipped, if the source is frames */
    /** How files of frames are read, if src_tokenizer names a reader; NULL: the defaults. A source
     * is then a path, relative to the folder of the file that names it. */
    const struct attend_frame_options *frames;
    const char *guide; /**< word links of the training pairs, line for line; NULL: none */
};
ATTEND_DEFAULTS(data)

/** How a model is trained. Required: model. `attend train --help-all` explains every option. */
struct attend_train_options {
    size_t size;
    const char *model;        /**< file to write; its checkpoint has .ckpt appended */
    const char *log;          /**< file for a log of JSON lines; NULL: none */
    const char *init_from;    /**< model whose weights, shape and vocabularies to start from */
    bool resume;              /**< continue from the checkpoint; without one, start a new run */
    bool overwrite;           /**< replace an existing model */
    int batch_tokens;         /**< largest number of tokens of either side in a batch */
    int batch_sentences;      /**< largest number of pairs in a batch; 0: any */
    int accumulate;           /**< batches whose gradients make one update */
    int shuffle_window;       /**< thousands of words that are shuffled together */
    double dropout;           /**< dropout on embeddings, annotations and readout */
    double word_dropout;      /**< probability that the embedding of a word is zeroed */
    double recurrent_dropout; /**< dropout on the recurrence */
    double label_smoothing;
    double scheduled_sampling; /**< probability that the decoder reads its own choice */
    int sampling_warmup;       /**< updates over which scheduled_sampling rises from 0 */
    const char *optimizer;     /**< "adam" ... */
    double lr;                 /**< learning rate; 0: the optimizer's default */
    double clip;               /**< largest norm of the gradient; 0: no clipping */
    double weight_decay;
    double momentum;          /**< momentum of sgd */
    double ema;               /**< decay of the moving average of the weights; 0: no average */
    const char *schedule;     /**< "auto" ... */
    int warmup;               /**< updates; 0: the schedule's default */
    double decay;             /**< factor on the learning rate (exponential, plateau) */
    int decay_from;           /**< first epoch in which exponential lowers the learning rate */
    int max_epochs;           /**< largest number of epochs */
    int max_updates;          /**< largest number of updates; 0: any */
    int valid_every;          /**< updates between validations; 0: validate after each epoch */
    const char *valid_metric; /**< the metric that selects the best model: "auto" ... */
    int patience;             /**< stop after so many validations without improvement; 0: never */
    int average;              /**< number of models to average at the end; 0: none */
    const char *average_of;   /**< "best" or "last" */
    int save_every;           /**< updates between checkpoints; 0: every five minutes */
    int log_every;            /**< updates between lines of the log */
    int seed;
    int threads;    /**< 0: one for each physical core that the process may use */
    int examples;   /**< source lines of the validation text that the model file shows; 0: none */
    int time_masks; /**< runs of frames of each source that are set to 0; 0: none */
    double time_mask_share;    /**< the share of the frames in such a run, at most */
    int band_masks;            /**< runs of columns of each source that are set to 0; 0: none */
    double band_mask_share;    /**< the share of the columns in such a run, at most */
    double guide_weight;       /**< weight of the loss of the attention against `guide` */
    double guide_decay;        /**< factor on that weight after each epoch */
    double encoder_layer_drop; /**< probability that an update leaves out a layer of a transformer
                                  encoder */
    const char *precision;     /**< what the products of an update multiply: "float" or "bf16" */
};
ATTEND_DEFAULTS(train)

/** Train a model. `network` NULL is the default shape. With `init_from`, the shape is that of the
 * given model; fields of `network` that are not at their default must agree with it. Returns
 * ATTEND_STOPPED, with the checkpoint saved, when hooks->stop returned true. */
ATTEND_API enum attend_status attend_train(const struct attend_data_options *data,
                                           const struct attend_network_options *network,
                                           const struct attend_train_options *options,
                                           const struct attend_train_hooks *hooks,
                                           struct attend_error *err);

/* ---- Training in steps, for programs that do something between updates ---- */

/** A run of attend_train that its caller advances. */
struct attend_training;
/** Everything up to the first update. Texts in the options must outlive the training. */
ATTEND_API enum attend_status attend_training_new(struct attend_training **out,
                                                  const struct attend_data_options *data,
                                                  const struct attend_network_options *network,
                                                  const struct attend_train_options *options,
                                                  const struct attend_train_hooks *hooks,
                                                  struct attend_error *err);
/** Make up to `updates` updates, and what is due after each. *ended: the run is complete. After a
 * failure, and after ATTEND_STOPPED, the training can only be freed. */
ATTEND_API enum attend_status attend_training_advance(struct attend_training *training, int updates,
                                                      bool *ended, struct attend_error *err);
/** The learning rate from now on. The schedule goes on multiplying it. */
ATTEND_API void attend_training_set_lr(struct attend_training *training, double lr);
/** Write the model as it is now to a file of its own. */
ATTEND_API enum attend_status attend_training_save(struct attend_training *training,
                                                   const char *path, struct attend_error *err);
ATTEND_API void attend_training_free(struct attend_training *training);

#ifdef __cplusplus
}
#endif

#endif
