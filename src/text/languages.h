/* The languages of a model that translates several pairs of them, and the tags that tell it which.
 *
 * Every source begins with a tag for each side on which the model has several languages: first the
 * language that it is in, then the one to translate it into. A tag is a token of the source
 * vocabulary. It is added to the ids of a text after the tokenizer has cut it, so neither
 * normalization nor case nor the kind of tokenizer matters. Its piece starts with a tab and goes
 * on, as no piece of any text does, so no text can spell a tag. People see it as U+27E8, an arrow
 * and the code, U+27E9.
 *
 * As text, for model files: the pairs in their order, "en>de en>fr fr>de". */
#ifndef ATTEND_TEXT_LANGUAGES_H
#define ATTEND_TEXT_LANGUAGES_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

struct detect;
struct strbuf;
struct vocab;

enum { LANGUAGES_MOST = 256, LANGUAGES_CODE = 36, LANGUAGES_TAGS = 2 };

struct language {
    char code[LANGUAGES_CODE];
    bool on[2];            /* it is a source, a target */
    int tag[2];            /* the id of its tag as a source and as a target */
    struct detect *detect; /* owned; NULL: unknown */
};

struct language_pair {
    int from, to; /* indices of languages */
};

/* All zero has no languages. */
struct languages {
    struct language *item; /* (count) in the order of the pairs */
    int count;
    struct language_pair *pair; /* (pairs) */
    int pairs;
};

/* A language code has up to 35 letters, digits and dashes, as in BCP 47. */
bool languages_code_valid(const char *code, size_t length);

/* The index of a language; -1 when it is not there. */
int languages_find(const struct languages *, const char *code, size_t length);
/* Add a language to a side (0: source, 1: target) unless it is there. Returns its index; -1 if
 * there are LANGUAGES_MOST of them, -2 when out of memory. The code must be valid. */
int languages_add(struct languages *, int side, const char *code, size_t length);
/* Add a pair unless it is there; false when out of memory. */
bool languages_add_pair(struct languages *, struct language_pair);
bool languages_has(const struct languages *, struct language_pair);
enum attend_status languages_copy(struct languages *out, const struct languages *,
                                  struct attend_error *err);
bool languages_same(const struct languages *, const struct languages *);
void languages_release(struct languages *);

/* Whether a side has several languages, and how many sides have. */
bool languages_tagged(const struct languages *, int side);
int languages_tags(const struct languages *);
/* Write the ids of the tags of a pair to `out`; returns languages_tags. */
int languages_ids(const struct languages *, struct language_pair, int out[LANGUAGES_TAGS]);
/* Append tag k of a pair as people see it. */
void languages_spell(const struct languages *, struct language_pair, int k, struct strbuf *out);
/* A vocabulary that also has the tags. */
enum attend_status languages_vocab(struct vocab **out, const struct languages *,
                                   const struct vocab *from, struct attend_error *err);
/* Look up the ids of all tags; ATTEND_FORMAT if the vocabulary lacks one. */
enum attend_status languages_bind(struct languages *, const struct vocab *,
                                  struct attend_error *err);

void languages_write(const struct languages *, struct strbuf *out);
/* The text is not trusted: ATTEND_FORMAT if it is invalid. `name` is for messages. */
enum attend_status languages_parse(struct languages *out, const char *text, const char *name,
                                   struct attend_error *err);

/* Choose a pair by the codes of its source and target; NULL: any. ATTEND_USAGE if a side does not
 * have a language, or if several pairs are left: the message lists them. With both given, a pair
 * that the model was not trained on is fine; *seen says so. */
enum attend_status languages_choose(const struct languages *, const char *from, const char *to,
                                    struct language_pair *out, bool *seen,
                                    struct attend_error *err);
/* ATTEND_USAGE if the code (NULL: any) is not among the languages of a side. */
enum attend_status languages_check(const struct languages *, int side, const char *code,
                                   struct attend_error *err);

#endif
