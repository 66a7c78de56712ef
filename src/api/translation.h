/* Inside translating: what searching (translate.c) and forcing (force.c) share. */
#ifndef ATTEND_API_TRANSLATION_H
#define ATTEND_API_TRANSLATION_H

#include "attend/translate.h"
#include "decode/crew.h"
#include "model/model.h"

#include <stdatomic.h>

struct attend_translator {
    const struct model *model; /* the first: its vocabularies are all models' */
    struct search_setup setup;
    struct seq2seq_tables tables[SEARCH_NETS]; /* setup.tables points here */
    struct search_options given;               /* those of its settings */
    int given_sentences;
    long lines;              /* translated so far */
    struct sequences banned; /* setup.banned points here */
    int batch_sentences;
    bool completes; /* puts copied words in place of <unk>; else the caller does, if at all */
    struct team *team;
    struct crew *crew;
};

/* One run over many lines. */
struct translation_run {
    struct attend_translator *translator;
    const char *const *source, *const *target; /* target: only when forced */
    struct attend_translation *out;
    bool looks;  /* the model has attention to show */
    bool pieces; /* targets are given as pieces */
    atomic_bool failed;
};

/* Words of a line as the model saw them: the pieces of the line itself, so that unknown ones keep
 * their spelling. All zero is none. */
struct translation_words {
    char **word;
    int count, size;
    bool failed;
};
void translation_add_word(void *words, const char *piece, size_t length);
void translation_add_end(struct translation_words *, const struct vocab *);
/* The words of a line with </s>; false when memory ran out. */
bool translation_split(const struct model_side *, const char *line, char ***word, int *count);

/* The same for a line of pieces with spaces between. */
bool translation_split_pieces(const struct model_side *, const char *line, char ***word,
                              int *count);

/* Lines of pieces to ids, as translation_encode does it for text. */
enum attend_status translation_encode_pieces(struct sequences *out, const struct model_side *,
                                             const char *const *text, int count, const char *name,
                                             struct attend_error *err);
/* Lines to ids; a line that is not UTF-8 is an error that names it. */
enum attend_status translation_encode(struct sequences *out, const struct model_side *,
                                      const char *const *text, int count, const char *name,
                                      struct attend_error *err);
bool translation_looks(const struct model *);
/* Source words past the positions that location attention knows. */
int translation_unseen(const struct model *, int source_count);
/* attend_translation_replace_unknown. */
enum attend_status unknown_replace(struct attend_translation *, const struct model *,
                                   const struct attend_lexicon *, struct attend_error *err);
/* Turn a failure inside the run into a status, and release all of out on any. */
enum attend_status translation_finish(const struct translation_run *, int count, enum attend_status,
                                      struct attend_error *err);

#endif
