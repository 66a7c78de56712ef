/* Text as people mark it up: tags and placeholders that travel with the words, and terms whose
 * translation is given.
 *
 * What is not text is taken out of a line, the rest is translated as one sentence, and everything
 * is put back where the attention says. A tag lands on the target words that attended to the words
 * it enclosed. The result is always well nested, each placeholder is there once, byte for byte, and
 * without its tags the result is the translation of the line without tags:
 *
 *     attend_markup_parse(&markup, line, &options, &err);
 *     const char *text = attend_markup_text(markup);
 *     struct attend_constraint constraint = {0};
 *     constraint.require = attend_markup_terms(markup, &constraint.require_count);
 *     attend_translate_constrained(translator, &text, &constraint, 1, &translation, &err);
 *     attend_markup_apply(markup, &translation, &err);
 *
 * The translator must have `spans` set if attend_markup_moves(markup). Without spans, or for a model
 * without attention, a tag lands at the same share of the line's length. */
#ifndef ATTEND_MARKUP_H
#define ATTEND_MARKUP_H

#include "attend/model.h"
#include "attend/status.h"
#include "attend/translate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Terms ---- */

/** Source terms and their required translations. A glossary that is complete never changes, so
 * threads can share it. */
struct attend_glossary;
enum {
    ATTEND_TERM_BYTES = 256, /**< of a source or target term */
};
/** Make an empty glossary. `name` is what messages call it. */
ATTEND_API enum attend_status attend_glossary_new(struct attend_glossary **out, const char *name,
                                                  struct attend_error *err);
/** Read a file of `source<TAB>target` lines. An empty target means: do not translate the term. If a
 * source occurs more than once, its first line counts. An empty file, a line without exactly one
 * tab and a term that is empty or too long are ATTEND_DATA; the message names the line. */
ATTEND_API enum attend_status attend_glossary_load(struct attend_glossary **out, const char *path,
                                                   struct attend_error *err);
/** Add a term in UTF-8; target NULL or "": do not translate it. A term that the glossary already
 * has is ignored. ATTEND_DATA as above. `line` is its place for messages, from 1. */
ATTEND_API enum attend_status attend_glossary_add(struct attend_glossary *glossary,
                                                  const char *source, const char *target, long line,
                                                  struct attend_error *err);
/** ATTEND_DATA if the model cannot spell a target; the message names the term and its line. */
ATTEND_API enum attend_status attend_glossary_check(const struct attend_glossary *glossary,
                                                    const struct attend_model *model,
                                                    struct attend_error *err);
ATTEND_API void attend_glossary_free(struct attend_glossary *glossary);

/* ---- Lines ---- */

/** What counts as markup. */
enum attend_tags {
    ATTEND_TAGS_NONE,         /**< nothing */
    ATTEND_TAGS_PLACEHOLDERS, /**< {name} {0} {{name}} ${name} %s %1$d %(name)s %{name} */
    ATTEND_TAGS_HTML,         /**< the same, and the tags, comments and character references of
                                 HTML and XML */
};
/** Parts of a text that must not change: a sum of these. Addresses are taken out like placeholders;
 * a number is required in the translation, or taken out if the model cannot spell it. */
enum {
    ATTEND_MASK_URLS = 1,
    ATTEND_MASK_EMAILS = 2,
    ATTEND_MASK_NUMBERS = 4,
};
/** Parse a list of names, such as "urls,numbers". Unknown names are ATTEND_USAGE. */
ATTEND_API enum attend_status attend_masks_parse(unsigned *out, const char *names,
                                                 struct attend_error *err);

/** All zero is a line without markup. Pointers must outlive the parsed line. */
struct attend_markup_options {
    enum attend_tags tags;
    bool
        tolerant; /**< keep tags that are not closed or never opened; false: they are ATTEND_DATA */
    unsigned masks;                         /**< ATTEND_MASK_... */
    const struct attend_glossary *glossary; /**< or NULL */
    const struct attend_glossary *general;  /**< terms that `glossary` does not have; or NULL */
    const struct attend_model *model; /**< tells which terms to keep can be spelled; NULL: all are
                                         taken out */
    void *reserved[4];
};

/** A line and its markup. */
struct attend_markup;
/** Parse a line of UTF-8. In HTML, line ends in the text become blanks. */
ATTEND_API enum attend_status attend_markup_parse(struct attend_markup **out, const char *line,
                                                  const struct attend_markup_options *options,
                                                  struct attend_error *err);
/** The text to translate: the line without its tags, with character references decoded, and without
 * its placeholders. A placeholder takes the blank before it along if a blank, punctuation or the end
 * of the line follows; at the start of the line it takes the blank after it. */
ATTEND_API const char *attend_markup_text(const struct attend_markup *markup);
/** Phrases that the translation must contain: the targets of the line's terms. At most
 * ATTEND_MAX_PHRASES; attend_markup_left_out says how many more the line has. */
ATTEND_API const char *const *attend_markup_terms(const struct attend_markup *markup, int *count);
ATTEND_API int attend_markup_left_out(const struct attend_markup *markup);
/** Whether there is something to put back by attention. */
ATTEND_API bool attend_markup_moves(const struct attend_markup *markup);
/** Put the tags back into the text of a translation and of its `other`. In HTML, `&`, `<` and `>` of
 * the text are escaped. The spans are freed, because they refer to the text without tags. */
ATTEND_API enum attend_status attend_markup_apply(const struct attend_markup *markup,
                                                  struct attend_translation *translation,
                                                  struct attend_error *err);
ATTEND_API void attend_markup_free(struct attend_markup *markup);

#ifdef __cplusplus
}
#endif

#endif
