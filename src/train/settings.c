#include "train/settings.h"

#include "model/batch.h"
#include "train/optimizer.h"
#include "train/schedule.h"
#include "train/validate.h"

static const char *optimizer_name(int i) { return optimizers[i] ? optimizers[i]->name : NULL; }
static const char *schedule_name(int i)
{
    return i == 0 ? "auto" : schedules[i - 1] ? schedules[i - 1]->name : NULL;
}
static const char *average_name(int i) { return (const char *const[]){"best", "last", NULL}[i]; }

#define FIELD(field) offsetof(struct train_options, field)
#define WHOLE(field, flag, text, low, high, what, change)                                          \
    {                                                                                              \
        .name = flag, .kind = OPTION_INT, .offset = FIELD(field), .fallback = text, .min = low,    \
        .max = high, .value = "N", .help = what, change                                            \
    }
#define REAL(field, flag, text, low, high, called, what, change)                                   \
    {                                                                                              \
        .name = flag, .kind = OPTION_REAL, .offset = FIELD(field), .fallback = text, .min = low,   \
        .max = high, .value = called, .help = what, change                                         \
    }
#define CHOICE(field, flag, text, names, what, change)                                             \
    {                                                                                              \
        .name = flag, .kind = OPTION_CHOICE, .offset = FIELD(field), .fallback = text,             \
        .value = "NAME", .choices = names, .help = what, change                                    \
    }
#define FIXED .flexible = false
#define FLEXIBLE .flexible = true
#define LOCAL .local = true

const struct option_row train_rows[] = {
    WHOLE(batch_tokens, "batch-tokens", "250", 1, 10000000,
          "words of either side in a batch, at most; padding does not exist", FIXED),
    WHOLE(batch_sentences, "batch-sentences", "0", 0, 1000000,
          "pairs in a batch, at most; 0: as many as the words allow", FIXED),
    WHOLE(accumulate, "accumulate", "1", 1, TRAIN_MAX_ACCUMULATE,
          "batches whose gradients make one update together", FIXED),
    WHOLE(window, "shuffle-window", "16000", 1, 2000000,
          "thousands of words, of both sides, shuffled together; a larger corpus is shuffled in "
          "parts and never in memory as a whole",
          FIXED),
    REAL(dropout, "dropout", "0.2", 0, 0.95, "P", "on embeddings, annotations and readout",
         FLEXIBLE),
    REAL(word_dropout, "word-dropout", "0", 0, 0.95, "P",
         "on words of both sides: the whole embedding is 0 with this probability", FLEXIBLE),
    REAL(recurrent_dropout, "recurrent-dropout", "0", 0, 0.95, "P",
         "on the recurrence, one mask a sentence (Gal and Ghahramani 2016)", FLEXIBLE),
    REAL(label_smoothing, "label-smoothing", "0.1", 0, 0.95, "EPS",
         "share of the target spread over the vocabulary", FLEXIBLE),
    REAL(sampling, "scheduled-sampling", "0", 0, 1, "P",
         "probability that the decoder reads its own choice instead of the given word", FLEXIBLE),
    WHOLE(sampling_warmup, "sampling-warmup", "0", 0, 1000000000,
          "updates in which --scheduled-sampling rises from 0; 0: there from the first", FLEXIBLE),
    CHOICE(optimizer, "optimizer", "adam", optimizer_name, "how weights follow gradients", FIXED),
    REAL(lr, "lr", "0", 0, 100, "X",
         "learning rate; 0: the optimizer's own (sgd 0.3, adadelta 1, adam and adamw 0.002)",
         FLEXIBLE),
    REAL(weight_decay, "weight-decay", "0", 0, 100, "X",
         "pull of weights to 0: decoupled in adamw, added to the gradient (L2) in others",
         FLEXIBLE),
    REAL(momentum, "momentum", "0.9", 0, 0.9999, "X", "of sgd; 0: plain gradient descent",
         FLEXIBLE),
    REAL(ema, "ema", "0.999", 0, 0.999999, "D",
         "validate and keep an exponential average of the weights with this decay; 0: the "
         "weights themselves",
         FIXED),
    CHOICE(schedule, "schedule", "auto", schedule_name,
           "how the learning rate moves as training goes on; auto: plateau when there is "
           "validation text, else constant",
           FLEXIBLE),
    WHOLE(warmup, "warmup", "0", 0, 1000000000,
          "updates in which the rate rises to --lr; 0: 4000 for warmup-invsqrt, else none",
          FLEXIBLE),
    REAL(decay, "decay", "0.7", 0.001, 1, "X",
         "factor on the rate: exponential each epoch, plateau each validation not better",
         FLEXIBLE),
    WHOLE(decay_from, "decay-from", "5", 1, 1000000, "first epoch that exponential makes slower",
          FLEXIBLE),
    REAL(clip, "clip", "1", 0, 1e9, "X", "largest norm of the gradient; 0: any", FLEXIBLE),
    WHOLE(max_epochs, "max-epochs", "60", 1, 1000000, "passes over the training pairs, at most",
          FLEXIBLE),
    WHOLE(max_updates, "max-updates", "0", 0, 2000000000,
          "updates, at most; 0: as many as the epochs take", FLEXIBLE),
    WHOLE(valid_every, "valid-every", "0", 0, 1000000000,
          "updates between validations, the last of which is at the end; 0: one after each epoch",
          FLEXIBLE),
    CHOICE(valid_metric, "valid-metric", "auto", validation_name,
           "what makes a model the best; auto: bleu when the target is sentencepiece or word, else "
           "accuracy",
           FIXED),
    WHOLE(patience, "patience", "10", 0, 1000000,
          "validations without improvement before training ends; 0: never", FLEXIBLE),
    WHOLE(average, "average", "0", 0, TRAIN_MAX_AVERAGE,
          "at the end try the average of this many validated models; 0: no", FLEXIBLE),
    CHOICE(average_of, "average-of", "best", average_name, "which models --average takes",
           FLEXIBLE),
    WHOLE(seed, "seed", "1", 0, 2147483647, "of every random choice", FIXED),
    WHOLE(save_every, "save-every", "0", 0, 1000000000,
          "updates between checkpoints beside those of validations; 0: every five minutes", LOCAL),
    WHOLE(log_every, "log-every", "10", 1, 1000000000, "updates between lines of --log", LOCAL),
    WHOLE(threads, "threads", "0", 0, BATCH_LANES,
          "threads; 0: one for each physical core that the process may use", LOCAL),
    {0},
};
