/* A model that can be used: the network and, for each side, how text becomes its ids and back.
 *
 * As a file (model/file.h holds the container), a model is its parameters under their paths, the
 * tensors vocab.source and vocab.target (U8, the text of vocab_write), tokenizer.source and
 * tokenizer.target (U8, the state of tokenizers that have one), and the texts config (JSON: every
 * setting of model_config_rows, the two vocabulary sizes, and each side's normal form and whether
 * its lines have features), source_tokenizer and target_tokenizer; `weights` when its matrices are
 * int8 (model/weights.h). Where they are known, the texts source_language and target_language, and
 * the tensors language.source and language.target (U8, struct detect). It holds nothing else: no
 * path, no time, no history. */
#ifndef ATTEND_MODEL_MODEL_H
#define ATTEND_MODEL_MODEL_H

#include "base/io.h"
#include "model/file.h"
#include "model/seq2seq.h"

#include <stdbool.h>

struct detect;
struct strbuf;
struct tokenizer;
struct vocab;

struct model_side {
    struct tokenizer *tokenizer;
    struct vocab *vocab;
    char *language;        /* its code, as `en`; NULL: not known */
    struct detect *detect; /* how its text looks; NULL: not known */
};

/* A code is up to 35 letters, digits and dashes, as BCP 47 has them. */
bool model_language_valid(const char *code);
/* Give a side a language; NULL leaves it as it is. */
enum attend_status model_side_name(struct model_side *, const char *language,
                                   struct attend_error *err);
/* Give it a copy of a struct detect, which may stand at any address. */
enum attend_status model_side_detect(struct model_side *, const void *bytes,
                                     struct attend_error *err);
enum attend_status model_side_copy(struct model_side *, const struct model_side *from,
                                   struct attend_error *err);
void model_side_release(struct model_side *);
/* Of each source word the target word that is spelt like it, <unk> without one (nn/copy.h); for the
 * caller to free. */
enum attend_status model_side_copies(int **out, const struct model_side *source,
                                     const struct model_side *target, struct attend_error *err);
/* Append the text that ids of a side stand for. */
void model_side_join(const struct model_side *, const int *ids, int count, struct strbuf *out);

struct model {
    struct seq2seq net;               /* the texts of its config are the model's */
    struct model_side source, target; /* the tokenizers and vocabularies are the model's */
    struct io_map map;                /* the file, when loaded: the parameters lie in it */
    real *values;                     /* the parameters, when not loaded; the model's */
    int *copies;                      /* model_side_copies, when words can be copied */
    char *settings;                   /* of its training, as JSON; NULL when the file has none */
};

/* Ready to run and immutable; the parameters stay in the mapped file and are only read. A file that
 * is not a whole and sound model is refused with ATTEND_FORMAT. */
enum attend_status model_load(struct model **out, const char *path, struct attend_error *err);
/* The same from a copy in memory: whatever happens to the file later does not matter. */
enum attend_status model_load_copy(struct model **out, const char *path, struct attend_error *err);
/* The same for those who go on from the weights: a model in int8 is refused. */
enum attend_status model_load_floats(struct model **out, const char *path,
                                     struct attend_error *err);
/* The same model gives the same bytes. The vocabularies must have the sizes of net->config. */
enum attend_status model_save(const char *path, const struct seq2seq *net,
                              const struct model_side *source, const struct model_side *target,
                              struct attend_error *err);
/* What a file may hold beside the model: texts, and tensors whose names begin with
 * MODEL_EXTRA_PREFIX and which stand in the order of their element size, largest first. Those who
 * load the model do not see them. */
#define MODEL_EXTRA_PREFIX "training."
enum { MODEL_EXTRA_TEXTS = 4, MODEL_EXTRA_TENSORS = 8 };
struct model_extra {
    struct file_text text[MODEL_EXTRA_TEXTS];
    struct file_tensor tensor[MODEL_EXTRA_TENSORS];
    int texts, tensors;
};
enum attend_status model_save_with(const char *path, const struct seq2seq *net,
                                   const struct model_side *source, const struct model_side *target,
                                   const struct model_extra *extra, struct attend_error *err);
void model_free(struct model *);

#endif
