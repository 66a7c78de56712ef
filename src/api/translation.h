/* What searching (translate.c) and scoring given targets (force.c) share. */
#ifndef ATTEND_API_TRANSLATION_H
#define ATTEND_API_TRANSLATION_H

#include "attend/translate.h"
#include "decode/crew.h"
#include "model/model.h"
#include "text/languages.h"
#include "text/tokenized.h"

#include <stdatomic.h>

struct attend_translator {
    const struct model *model; /* the first model; all models have its vocabularies */
    struct search_setup setup;
    struct seq2seq_tables tables[SEARCH_NETS]; /* setup.tables points here */
    struct attend_translator_options given;    /* the options of attend_translator_new */
    long lines;                                /* translated so far */
    struct tokenized banned;                   /* setup.banned points into it */
    int batch_sentences;
    int max_tokens;                                /* of a line or a target; 0: any number */
    char from[LANGUAGES_CODE], to[LANGUAGES_CODE]; /* of lines without their own; empty: any */
    struct frame_source *frames; /* reads the files that lines name, if the model reads frames and
                                  * attend_translator_files was called; otherwise NULL */
    char *beside;                /* the file that has the lines; or NULL */
    bool completes; /* replaces copied <unk> by the source word itself, not the caller */
    struct team *team;
    struct crew *crew;
    struct attend_model *own; /* the model of attend_translator_open; or NULL */
};

/* One call for many lines. */
struct translation_run {
    struct attend_translator *translator;
    const struct tokenized *source, *target; /* target: only when forced */
    const char *const *text;                 /* of given targets; NULL: what their pieces spell */
    struct attend_translation *out;
    struct sequences *best; /* (lines) or NULL: gets the ids of each line's best hypothesis */
    bool looks;             /* the model has attention */
    atomic_bool failed;
};

/* The words of a side. All zero is an empty list. */
struct translation_words {
    char **word;
    int count, size;
    bool failed;
};
/* `words` may be NULL. */
void translation_free_words(char **words, int count);
void translation_add_word(struct translation_words *, const char *text, size_t length);
void translation_add_end(struct translation_words *, const struct vocab *);
/* The words of text i as the line spells them, and </s>; false when out of memory. */
bool translation_words(const struct tokenized *, int i, const struct vocab *, char ***word,
                       int *count);
/* The same for source i of a model, or the labels of its frames (api/frame_lines.h). */
bool translation_source(const struct tokenized *, int i, const struct model *, char ***word,
                        int *count);
/* The columns of attention of source i. */
int translation_columns(const struct tokenized *, int i, const struct model *);

/* Make t->text of the first `count` tokens of t->target, and t->target_span if `spans`. False when
 * out of memory. */
bool translation_join(struct attend_translation *t, const struct tokenizer *, int count,
                      bool spans);
/* The positions of the tokens of text i, and of </s>, which is empty and last; false when out of
 * memory. */
bool translation_spans(const struct tokenized *, int i, struct attend_span **out);

/* Tokenize lines of text; errors have `name` as their argument. */
enum attend_status translation_tokenize(struct tokenized *out, const struct text_side *,
                                        enum tokenized_as, const char *const *text, int count,
                                        const char *name, struct attend_error *err);
/* attend_translate_constrained and attend_force for tokenized lines. `constraints` may be NULL.
 * `best` may be NULL; otherwise it gets the best hypothesis of each line as a sequence of ids,
 * which the caller releases even on failure. `text` has the targets as they were given, or is
 * NULL. */
enum attend_status translation_search(struct attend_translator *, const struct tokenized *source,
                                      const struct attend_constraint *constraints,
                                      struct attend_translation *out, struct sequences *best,
                                      struct attend_error *err);
enum attend_status translation_force(struct attend_translator *, const struct tokenized *source,
                                     const struct tokenized *target, const char *const *text,
                                     struct attend_translation *out, struct attend_error *err);
/* Whether the model has attention. */
bool translation_looks(const struct model *);
/* What the model does not know of the source, text i. The list and its count are empty before;
 * afterwards the caller frees the list, also when this is false: out of memory. */
bool translation_list_unknown(struct attend_unknown **list, int *count, const struct tokenized *,
                              int i);
void translation_free_unknown(struct attend_unknown *, int count);
/* The same, filled in. */
bool translation_unknown(struct attend_translation *, const struct tokenized *, int i);
/* Make the same list in another translation. */
bool translation_copy_unknown(struct attend_translation *, const struct attend_translation *from);
/* The number of source words beyond the positions of location attention. */
int translation_unseen(const struct model *, int source_count);
/* attend_translation_replace_unknown. */
enum attend_status unknown_replace(struct attend_translation *, const struct model *,
                                   const struct attend_lexicon *, struct attend_error *err);
/* Return the status of a run. On any failure, release all of out. */
enum attend_status translation_finish(const struct translation_run *, int count, enum attend_status,
                                      struct attend_error *err);

#endif
