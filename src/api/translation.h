/* Inside translating: what searching (translate.c) and forcing (force.c) share. */
#ifndef ATTEND_API_TRANSLATION_H
#define ATTEND_API_TRANSLATION_H

#include "attend/translate.h"
#include "decode/crew.h"
#include "model/model.h"
#include "text/tokenized.h"

#include <stdatomic.h>

struct attend_translator {
    const struct model *model; /* the first: its vocabularies are all models' */
    struct search_setup setup;
    struct seq2seq_tables tables[SEARCH_NETS]; /* setup.tables points here */
    struct search_options given;               /* those of its settings */
    int given_sentences;
    long lines;              /* translated so far */
    struct tokenized banned; /* setup.banned points into it */
    int batch_sentences;
    bool completes; /* puts copied words in place of <unk>; else the caller does, if at all */
    struct team *team;
    struct crew *crew;
};

/* One run over many lines. */
struct translation_run {
    struct attend_translator *translator;
    const struct tokenized *source, *target; /* target: only when forced */
    const char *const *text;                 /* of forced targets; NULL: what their pieces spell */
    struct attend_translation *out;
    struct sequences *best; /* (lines) or NULL: gets the ids of each line's best hypothesis */
    bool looks;             /* the model has attention to show */
    atomic_bool failed;
};

/* Words of a side. All zero is none. */
struct translation_words {
    char **word;
    int count, size;
    bool failed;
};
void translation_add_word(struct translation_words *, const char *text, size_t length);
void translation_add_end(struct translation_words *, const struct vocab *);
/* The words of text i as the line spells them, and </s>; false when memory ran out. */
bool translation_words(const struct tokenized *, int i, const struct vocab *, char ***word,
                       int *count);

/* Lines of text into the tokens of a side; messages call them `name`. */
enum attend_status translation_tokenize(struct tokenized *out, const struct model_side *,
                                        const char *const *text, int count, const char *name,
                                        struct attend_error *err);
/* attend_translate_wishes and attend_force for lines that are tokens already. `wishes` may be NULL.
 * `best` may be NULL; otherwise it gets the best hypothesis of each line as one sequence of ids,
 * which the caller releases in any case. `text` has the targets as they were given, or is NULL. */
enum attend_status translation_search(struct attend_translator *, const struct tokenized *source,
                                      const struct attend_wish *wishes,
                                      struct attend_translation *out, struct sequences *best,
                                      struct attend_error *err);
enum attend_status translation_force(struct attend_translator *, const struct tokenized *source,
                                     const struct tokenized *target, const char *const *text,
                                     struct attend_translation *out, struct attend_error *err);
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
