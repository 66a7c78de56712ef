/* Settings of training: text, tokens, the run, and how it learns. */
#include "attend/frames.h"
#include "attend/train.h"
#include "base/utf8.h"
#include "model/batch.h"
#include "settings/tables.h"
#include "text/examples.h"
#include "text/tokenizer.h"
#include "train/limits.h"
#include "train/optimizer.h"
#include "train/precision.h"
#include "train/schedule.h"
#include "train/validation_metric.h"

#include <string.h>

/* ---- Text ---- */

#define TEXT(field, name, value, help, ...)                                                        \
    ATTEND_ROW_TEXT(attend_data_options, field, name, value, help, ATTEND_LOCAL, __VA_ARGS__)
#define FLAG(field, name, help, ...)                                                               \
    ATTEND_ROW_FLAG(attend_data_options, field, name, help, __VA_ARGS__)
#define INT(field, name, fallback, low, high, help, ...)                                           \
    ATTEND_ROW_INT(attend_data_options, field, name, "N", fallback, low, high, help, __VA_ARGS__)
#define REAL(field, name, value, fallback, low, high, help, ...)                                   \
    ATTEND_ROW_REAL(attend_data_options, field, name, value, fallback, low, high, help, __VA_ARGS__)
#define CHOICE(field, name, fallback, names, help, ...)                                            \
    ATTEND_ROW_CHOICE(attend_data_options, field, name, fallback, names, help, __VA_ARGS__)

const struct attend_setting data_rows[] = {
    TEXT(train_src, "train-src", "FILE",
         "training text, source side, one sentence per line; - reads standard input; .gz and .zst "
         "work too",
         ATTEND_BASIC),
    TEXT(train_tgt, "train-tgt", "FILE", "its translation, line for line", ATTEND_BASIC),
    TEXT(valid_src, "valid-src", "FILE", "validation text, source side", ATTEND_BASIC),
    TEXT(valid_tgt, "valid-tgt", "FILE", "its translation", ATTEND_BASIC),
    TEXT(train, "train", "FILE", "training pairs in one file instead, columns separated by tabs",
         ATTEND_BASIC),
    TEXT(valid, "valid", "FILE", "validation pairs in such a file", ATTEND_PLAIN),
    TEXT(columns, "columns", "NAMES",
         "what the columns are: src, tgt, names of others, _ to skip one; with --header, the names "
         "of the source and the target column (default src,tgt)",
         ATTEND_PLAIN),
    FLAG(header, "header", "the first line names the columns", ATTEND_LOCAL),
    TEXT(features, "features", "NAME",
         "a column of features separated by ; that become source tokens: V;PST;3;SG", ATTEND_PLAIN),
    TEXT(split, "split", "SHARES",
         "hold out part of the training pairs for validation, and for a test: 0.98,0.01,0.01; they "
         "are written beside the model; without validation text 5 % are held out, with `none` no "
         "pair",
         ATTEND_PLAIN),
    FLAG(skip_broken, "skip-broken",
         "skip pairs that are not UTF-8, contain NUL, lack a column or have a line over 1 MiB, "
         "instead of stopping",
         ATTEND_LOCAL),
    TEXT(source_lang, "source-lang", "CODE",
         "language of the source, such as en; attend serve tells it to clients", ATTEND_PLAIN),
    TEXT(target_lang, "target-lang", "CODE", "language of the target", ATTEND_PLAIN),
    TEXT(
        language_columns, "language-columns", "A,B",
        "train one model on several pairs of languages: the columns with the codes of the source's "
        "and the target's language; _ for a side with one language, set by --source-lang or "
        "--target-lang",
        ATTEND_PLAIN),
    TEXT(
        guide, "guide", "FILE",
        "word links of the training pairs, line for line, as attend align --words writes them: the "
        "attention learns to follow them",
        ATTEND_PLAIN),
    {0},
};

/* ---- Tokens ---- */

static struct attend_choice form_choice(int i)
{
    return (struct attend_choice){.name = utf8_form_name(i)};
}
static struct attend_choice tokenizer_choice(int i)
{
    if (i == 0)
        return (struct attend_choice){"auto", "chosen from the text", NULL};
    if (i > TOKENIZER_COUNT)
        return (struct attend_choice){0};
    return (struct attend_choice){tokenizers[i - 1]->name, tokenizers[i - 1]->help, NULL};
}
static struct attend_choice source_choice(int i)
{
    return i <= TOKENIZER_COUNT ? tokenizer_choice(i)
                                : attend_frame_reader(i - TOKENIZER_COUNT - 1);
}
/* Of the readers, only ink can be written too. */
static struct attend_choice target_choice(int i)
{
    if (i <= TOKENIZER_COUNT)
        return tokenizer_choice(i);
    int ink = 0;
    while (strcmp(attend_frame_reader(ink).name, "ink") != 0)
        ink++;
    return i == TOKENIZER_COUNT + 1 ? attend_frame_reader(ink) : (struct attend_choice){0};
}
static struct attend_choice case_choice(int i)
{
    static const struct attend_choice choices[] = {
        {"auto", "chosen from the text", NULL},
        {"keep", "capitals and small letters are different letters", NULL},
        {"lower", "the source is read in small letters", NULL},
        {"marked", "both sides in small letters, with marks from which capitals are written", NULL},
        {0},
    };
    return choices[i];
}
static struct attend_choice subwords_choice(int i)
{
    return (struct attend_choice){.name = tokenizer_methods[i]};
}

const struct attend_setting token_rows[] = {
    CHOICE(normalize, "normalize", "nfc", form_choice,
           "Unicode normal form of both sides, in training and whenever the model is used",
           ATTEND_PLAIN),
    CHOICE(letter_case, "case", "auto", case_choice,
           "capitals, in training and whenever the model is used", .absent = "keep"),
    CHOICE(tokenizer, "tokenizer", "auto", tokenizer_choice,
           "how lines become tokens, on both sides", ATTEND_PLAIN),
    CHOICE(src_tokenizer, "src-tokenizer", NULL, source_choice,
           "the same for the source only; or the kind of file that lines name", ATTEND_PLAIN),
    CHOICE(tgt_tokenizer, "tgt-tokenizer", NULL, target_choice,
           "the same for the target only; or ink: lines name files to learn to write",
           ATTEND_PLAIN),
    INT(vocab_size, "vocab-size", "0", 0, 10000000,
        "tokens of each side: the most frequent ones, or what sentencepiece learns; 0: all of "
        "them, and for sentencepiece a number that suits the amount of text",
        ATTEND_PLAIN),
    CHOICE(subwords, "subwords", "bpe", subwords_choice, "how sentencepiece learns its pieces",
           ATTEND_PLAIN),
    REAL(subword_sampling, "subword-sampling", "ALPHA", "0", 0, 1,
         "cut words differently in every epoch (sentencepiece): bpe skips each merge with this "
         "probability, unigram samples pieces by their probability to this power; 0: always the "
         "best pieces",
         ATTEND_FLEXIBLE),
    FLAG(joint_vocab, "joint-vocab", "one tokenizer and vocabulary for both sides", ATTEND_PLAIN),
    TEXT(tokenizer_model, "tokenizer-model", "FILE",
         "use this SentencePiece model for both sides; it becomes part of the model", ATTEND_PLAIN),
    TEXT(src_tokenizer_model, "src-tokenizer-model", "FILE", "the same for the source only",
         ATTEND_PLAIN),
    TEXT(tgt_tokenizer_model, "tgt-tokenizer-model", "FILE", "the same for the target only",
         ATTEND_PLAIN),
    INT(max_length, "max-length", "200", 1, 100000,
        "skip pairs with more tokens than this on either side", ATTEND_PLAIN),
    INT(max_frames, "max-frames", "4000", 1, 1000000,
        "if one side is files: skip pairs with more frames than this", .absent = "4000"),
    REAL(max_ratio, "max-ratio", "X", "0", 0, 10000,
         "skip pairs with one side X times as long as the other, in tokens; 0: keep them",
         ATTEND_PLAIN),
    {0},
};
#undef TEXT
#undef FLAG
#undef INT
#undef REAL
#undef CHOICE

/* ---- The run ---- */

#define TEXT(field, name, value, help, ...)                                                        \
    ATTEND_ROW_TEXT(attend_train_options, field, name, value, help, ATTEND_LOCAL, __VA_ARGS__)
#define FLAG(field, name, help, ...)                                                               \
    ATTEND_ROW_FLAG(attend_train_options, field, name, help, ATTEND_LOCAL, __VA_ARGS__)
#define INT(field, name, fallback, low, high, help, ...)                                           \
    ATTEND_ROW_INT(attend_train_options, field, name, "N", fallback, low, high, help, __VA_ARGS__)
#define REAL(field, name, value, fallback, low, high, help, ...)                                   \
    ATTEND_ROW_REAL(attend_train_options, field, name, value, fallback, low, high, help,           \
                    __VA_ARGS__)
#define CHOICE(field, name, fallback, names, help, ...)                                            \
    ATTEND_ROW_CHOICE(attend_train_options, field, name, fallback, names, help, __VA_ARGS__)

const struct attend_setting run_rows[] = {
    TEXT(model, "model", "FILE", "where the model goes; its checkpoint is FILE.ckpt", ATTEND_BASIC,
         ATTEND_WRITES),
    FLAG(resume, "resume",
         "continue from the checkpoint beside the model, or start when there is none; limits, "
         "rates and dropout may differ from before",
         ATTEND_BASIC),
    FLAG(overwrite, "overwrite", "replace a model that is already there", ATTEND_PLAIN),
    TEXT(init_from, "init-from", "FILE",
         "start with the weights, sizes and vocabularies of this model", ATTEND_PLAIN),
    TEXT(log, "log", "FILE", "write JSON lines here: every validation, and every few updates",
         ATTEND_WRITES),
    INT(save_every, "save-every", "0", 0, 1000000000,
        "updates between checkpoints, in addition to those at validations; 0: every five minutes",
        ATTEND_LOCAL),
    INT(log_every, "log-every", "10", 1, 1000000000, "updates between lines of --log",
        ATTEND_LOCAL),
    INT(threads, "threads", "0", 0, BATCH_LANES,
        "threads; 0: one for each physical core that the process may use", ATTEND_LOCAL,
        ATTEND_BASIC),
    INT(examples, "examples", "12", 0, EXAMPLES_MOST,
        "source lines of the validation text to keep in the model file as examples; attend serve "
        "shows them to its users; 0: none",
        ATTEND_FLEXIBLE),
    {0},
};

/* ---- Learning ---- */

static struct attend_choice optimizer_choice(int i)
{
    return optimizers[i] ? (struct attend_choice){optimizers[i]->name, optimizers[i]->help, NULL}
                         : (struct attend_choice){0};
}
static struct attend_choice schedule_choice(int i)
{
    if (i == 0)
        return (struct attend_choice){
            "auto", "plateau when there is validation text, otherwise constant", NULL};
    return schedules[i - 1]
               ? (struct attend_choice){schedules[i - 1]->name, schedules[i - 1]->help, NULL}
               : (struct attend_choice){0};
}
static struct attend_choice average_choice(int i)
{
    static const struct attend_choice choices[] = {
        {"best", "the best by validation", NULL}, {"last", "the last ones", NULL}, {0}};
    return choices[i];
}

const struct attend_setting learning_rows[] = {
    INT(batch_tokens, "batch-tokens", "250", 1, 10000000,
        "tokens of either side in a batch, at most; eight frames count as a token; there is no "
        "padding",
        ATTEND_PLAIN),
    INT(batch_sentences, "batch-sentences", "0", 0, 1000000,
        "pairs in a batch, at most; 0: as many as the tokens allow", ATTEND_PLAIN),
    INT(accumulate, "accumulate", "1", 1, TRAIN_MAX_ACCUMULATE,
        "batches whose gradients are added up for one update", ATTEND_PLAIN),
    CHOICE(precision, "precision", "float", precision_choice,
           "what the products of an update multiply; weights and sums are floats in any case",
           ATTEND_FLEXIBLE, .absent = "float"),
    INT(shuffle_window, "shuffle-window", "16000", 1, 2000000,
        "thousands of words, of both sides, that are shuffled together; a larger corpus is "
        "shuffled in parts and never held in memory as a whole",
        ATTEND_PLAIN),
    REAL(dropout, "dropout", "P", "0.2", 0, 0.95, "dropout on embeddings, annotations and readout",
         ATTEND_FLEXIBLE),
    REAL(word_dropout, "word-dropout", "P", "0", 0, 0.95,
         "zero the whole embedding of a word, on both sides, with this probability",
         ATTEND_FLEXIBLE),
    REAL(recurrent_dropout, "recurrent-dropout", "P", "0", 0, 0.95,
         "dropout on the recurrence, one mask per sentence (Gal and Ghahramani 2016)",
         ATTEND_FLEXIBLE),
    INT(time_masks, "time-masks", "0", 0, 100,
        "set N runs of frames of each source to 0 (SpecAugment, Park et al. 2019)", ATTEND_FLEXIBLE,
        .absent = "0"),
    REAL(time_mask_share, "time-mask-share", "P", "0.1", 0, 1,
         "share of the frames in one of --time-masks, at most", ATTEND_FLEXIBLE, .absent = "0.1"),
    INT(band_masks, "band-masks", "0", 0, 100,
        "set N runs of columns, such as bands of a spectrogram, of each source to 0",
        ATTEND_FLEXIBLE, .absent = "0"),
    REAL(band_mask_share, "band-mask-share", "P", "0.2", 0, 1,
         "share of the columns in one of --band-masks, at most", ATTEND_FLEXIBLE, .absent = "0.2"),
    REAL(label_smoothing, "label-smoothing", "EPS", "0.1", 0, 0.95,
         "share of the target probability that is spread over the vocabulary", ATTEND_FLEXIBLE),
    REAL(encoder_layer_drop, "encoder-layer-drop", "P", "0", 0, 0.95,
         "leave out each layer of a transformer encoder with this probability, for a whole update "
         "(Fan et al. 2020)",
         ATTEND_FLEXIBLE, .absent = "0"),
    REAL(guide_weight, "guide-weight", "X", "1", 0, 1000,
         "weight of the loss of the attention against the links of --guide", ATTEND_FLEXIBLE,
         .absent = "1"),
    REAL(guide_decay, "guide-decay", "X", "0.9", 0, 1, "factor on --guide-weight after each epoch",
         ATTEND_FLEXIBLE, .absent = "0.9"),
    REAL(scheduled_sampling, "scheduled-sampling", "P", "0", 0, 1,
         "probability that the decoder reads its own choice instead of the reference word",
         ATTEND_FLEXIBLE),
    INT(sampling_warmup, "sampling-warmup", "0", 0, 1000000000,
        "updates over which --scheduled-sampling rises from 0; 0: it applies from the start",
        ATTEND_FLEXIBLE),
    CHOICE(optimizer, "optimizer", "adam", optimizer_choice, "how the weights are updated",
           ATTEND_PLAIN),
    REAL(lr, "lr", "X", "0", 0, 100, "learning rate; 0: the optimizer's own", ATTEND_FLEXIBLE),
    REAL(weight_decay, "weight-decay", "X", "0", 0, 100,
         "weight decay: added to the gradient (L2), unless the optimizer decouples it",
         ATTEND_FLEXIBLE),
    REAL(momentum, "momentum", "X", "0.9", 0, 0.9999, "momentum of sgd; 0: plain gradient descent",
         ATTEND_FLEXIBLE),
    REAL(ema, "ema", "D", "0.999", 0, 0.999999,
         "validate and keep an exponential moving average of the weights with this decay; 0: the "
         "weights themselves",
         ATTEND_PLAIN),
    CHOICE(schedule, "schedule", "auto", schedule_choice,
           "how the learning rate changes during training", ATTEND_FLEXIBLE),
    INT(warmup, "warmup", "0", 0, 1000000000,
        "updates over which the learning rate rises to --lr; 0: 4000 for warmup-invsqrt, "
        "otherwise none",
        ATTEND_FLEXIBLE),
    REAL(decay, "decay", "X", "0.7", 0.001, 1,
         "factor on the learning rate: exponential applies it every epoch, plateau at every "
         "validation without improvement",
         ATTEND_FLEXIBLE),
    INT(decay_from, "decay-from", "5", 1, 1000000,
        "first epoch in which exponential lowers the learning rate", ATTEND_FLEXIBLE),
    REAL(clip, "clip", "X", "1", 0, 1e9, "clip the gradient to this norm; 0: do not clip",
         ATTEND_FLEXIBLE),
    INT(max_epochs, "max-epochs", "60", 1, 1000000, "passes over the training pairs, at most",
        ATTEND_FLEXIBLE, ATTEND_BASIC),
    INT(max_updates, "max-updates", "0", 0, 2000000000,
        "updates, at most; 0: as many as the epochs take", ATTEND_FLEXIBLE),
    INT(valid_every, "valid-every", "0", 0, 1000000000,
        "updates between validations; 0: validate after each epoch", ATTEND_FLEXIBLE),
    CHOICE(valid_metric, "valid-metric", "auto", validation_choice,
           "what decides which model is the best", ATTEND_PLAIN),
    INT(patience, "patience", "10", 0, 1000000,
        "stop after this many validations without improvement; 0: never", ATTEND_FLEXIBLE),
    INT(average, "average", "0", 0, TRAIN_MAX_AVERAGE,
        "at the end, try the average of this many validated models; 0: do not", ATTEND_FLEXIBLE),
    CHOICE(average_of, "average-of", "best", average_choice, "which models --average takes",
           ATTEND_FLEXIBLE),
    INT(seed, "seed", "1", 0, 2147483647, "seed of everything random", ATTEND_PLAIN),
    {0},
};
