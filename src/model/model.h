/* A model that can be used: the network and, for each side, how text becomes its ids and back.
 *
 * As a file (model/file.h holds the container), a model is its parameters under their paths, the
 * tensors vocab.source and vocab.target (U8, the text of vocab_write), and the texts config (JSON:
 * every setting of model_config_rows and the two vocabulary sizes), source_tokenizer and
 * target_tokenizer. It holds nothing else: no path, no time, no history. */
#ifndef ATTEND_MODEL_MODEL_H
#define ATTEND_MODEL_MODEL_H

#include "base/io.h"
#include "model/seq2seq.h"

struct tokenizer_ops;
struct vocab;

struct model_side {
    const struct tokenizer_ops *tokenizer;
    struct vocab *vocab;
};

struct model {
    struct seq2seq net;               /* the texts of its config are the model's */
    struct model_side source, target; /* the vocabularies are the model's */
    struct io_map map;                /* the file, when loaded: the parameters lie in it */
    real *values;                     /* the parameters, when not loaded; the model's */
};

/* Ready to run and immutable; the parameters stay in the mapped file and are only read. A file that
 * is not a whole and sound model is refused with ATTEND_FORMAT. */
enum attend_status model_load(struct model **out, const char *path, struct attend_error *err);
/* The same model gives the same bytes. The vocabularies must have the sizes of net->config. */
enum attend_status model_save(const char *path, const struct seq2seq *net,
                              const struct model_side *source, const struct model_side *target,
                              struct attend_error *err);
void model_free(struct model *);

#endif
