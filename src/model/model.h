/* A usable model: the network and, for each side, how text becomes ids and back.
 *
 * Its file (model/file.h is the container) has the parameters under their paths, the tensors
 * vocab.source and vocab.target (U8, the text of vocab_write), tokenizer.source and
 * tokenizer.target (U8, for tokenizers that have a state), and the texts config, source_tokenizer
 * and target_tokenizer, and calibration if the model has one (model/scaling.h). config is JSON: every setting of network_rows, both vocabulary sizes, and
 * for each side its normal form and whether its lines have features. A model with int8 matrices
 * also has the text weights (model/weights.h). If the languages are known, there are the texts
 * source_language and target_language and the tensors language.source and language.target (U8,
 * struct detect). A model of several pairs of languages has the text languages (text/languages.h)
 * and the tensor language.letters (U8, one struct detect per language) instead. The text examples
 * holds a few source lines of the validation text, each ended by LF, unless training was told not
 * to keep any. A model whose source is frames has the text source_frames (frames/source.h) instead
 * of a source tokenizer, vocabulary and language; one that writes strokes has target_frames. The text longest_source, if it is there, is the
 * number of tokens or frames of the longest training source. The tensor training.shortlist, if it is there, is U8,
 * text/shortlist.h; programs that do not know it ignore it, as all of training.*. The file holds nothing else: no path,
 * time or history. */
#ifndef ATTEND_MODEL_MODEL_H
#define ATTEND_MODEL_MODEL_H

#include "base/io.h"
#include "model/file.h"
#include "model/scaling.h"
#include "model/seq2seq.h"
#include "text/examples.h"
#include "text/side.h"

#include <stdbool.h>

struct shortlist;

struct model {
    struct seq2seq net;              /* the model owns the strings of its config */
    struct text_side source, target; /* the model owns tokenizers and vocabularies */
    struct io_map map;               /* the file of a loaded model, which holds the parameters */
    real *values;                    /* the parameters of a model that was not loaded; owned */
    int *copies;                     /* text_side_copies, if the model copies words */
    /* settings of its training, as JSON; NULL if the file has none */
    char *settings;
    struct examples examples;
    struct attend_scaling scaling; /* of its confidence; 1, 0, 0 if the file has none */
    bool calibrated;               /* it has one */
    bool outline;                  /* it has no weights */
    struct shortlist *shortlist;   /* NULL: the file has none */
};

/* Load a model. It is ready to run and immutable; the parameters stay in the mapped file. An
 * incomplete or damaged file is ATTEND_FORMAT. */
enum attend_status model_load(struct model **out, const char *path, struct attend_error *err);
/* The same from a copy in memory, so later changes of the file do not matter. */
enum attend_status model_load_copy(struct model **out, const char *path, struct attend_error *err);
/* The same, but the weights are checked and freed. The sizes of `map` and `net.packed` stay. */
enum attend_status model_load_outline(struct model **out, const char *path,
                                      struct attend_error *err);
/* The same as model_load for callers that need float weights, to train or convert: an int8 model is refused. */
enum attend_status model_load_floats(struct model **out, const char *path,
                                     struct attend_error *err);
/* Additional content of a model file: texts, and tensors whose names start with MODEL_EXTRA_PREFIX,
 * ordered by element size, largest first. Loading a model ignores them. */
#define MODEL_EXTRA_PREFIX "training."
enum { MODEL_EXTRA_TEXTS = 6, MODEL_EXTRA_TENSORS = 8 };
struct model_extra {
    struct file_text text[MODEL_EXTRA_TEXTS];
    struct file_tensor tensor[MODEL_EXTRA_TENSORS];
    int texts, tensors;
    const struct shortlist *shortlist; /* or NULL */
};
#define MODEL_EXAMPLES "examples"
/* Save a model. The same model always gives the same bytes. The vocabularies must have the sizes of
 * net->config; `extra` may be NULL. */
enum attend_status model_save(const char *path, const struct seq2seq *net,
                              const struct text_side *source, const struct text_side *target,
                              const struct model_extra *extra, struct attend_error *err);
/* What a copy of a loaded model keeps: its settings, its examples, its shortlist and its calibration.
 * The last is written to `calibration`, a buffer that must outlive the result. */
struct model_extra model_kept(const struct model *, struct strbuf *calibration);
void model_free(struct model *);

#endif
