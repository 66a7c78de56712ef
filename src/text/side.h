/* One side of a model: text (its tokenizer, its vocabulary and its language) or frames. */
#ifndef ATTEND_TEXT_SIDE_H
#define ATTEND_TEXT_SIDE_H

#include "attend/status.h"

#include <stdbool.h>

struct detect;
struct frame_source;
struct languages;
struct strbuf;
struct tokenizer;
struct vocab;

struct text_side {
    struct tokenizer *tokenizer;
    struct vocab *vocab;
    /* Of a source side that reads files of frames; then it has neither tokenizer nor vocabulary, and
     * no language. Otherwise NULL. */
    struct frame_source *frames;
    char *language;        /* language code such as `en`; NULL: unknown */
    struct detect *detect; /* for language identification; NULL: unknown */
    /* Of a source side, if the model translates several pairs of languages; then both sides have
     * neither `language` nor `detect`. Otherwise NULL. */
    struct languages *languages;
    int longest; /* tokens, without </s>, or frames of the longest source in training; 0: unknown */
};

/* As languages_code_valid. */
bool text_language_valid(const char *code);
/* Set the language of a side; NULL changes nothing. */
enum attend_status text_side_name(struct text_side *, const char *language,
                                  struct attend_error *err);
/* Set a copy of a struct detect, which may be at any address. */
enum attend_status text_side_detect(struct text_side *, const void *bytes,
                                    struct attend_error *err);
/* Set a copy of the languages. */
enum attend_status text_side_languages(struct text_side *, const struct languages *,
                                       struct attend_error *err);
enum attend_status text_side_copy(struct text_side *, const struct text_side *from,
                                  struct attend_error *err);
void text_side_release(struct text_side *);
/* For each source id, the target id with the same spelling, or <unk> (nn/copy.h). The caller frees
 * it. */
enum attend_status text_side_copies(int **out, const struct text_side *source,
                                    const struct text_side *target, struct attend_error *err);
/* Append the text of a sequence of ids. */
void text_side_join(const struct text_side *, const int *ids, int count, struct strbuf *out);

#endif
