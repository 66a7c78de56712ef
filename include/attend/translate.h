/* Translating lines, and looking at given pairs, with the attention of every word. */
#ifndef ATTEND_TRANSLATE_H
#define ATTEND_TRANSLATE_H

#include "attend/model.h"
#include "attend/option.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A line's translation. An empty line (or one of white space) has an empty text and no tokens. */
struct attend_translation {
    char *text;
    double score;           /**< log_probability / tokens^length-penalty, </s> counted */
    double log_probability; /**< natural logarithm */
    bool complete; /**< false: the length limit cut it off, and no </s> is among its tokens */
    int unseen; /**< source words that location attention cannot look at: training had none so far
                   out */
    int source_count, target_count;
    char **source;      /**< (source_count) the words as the model saw them, </s> last */
    char **target;      /**< (target_count) */
    float *token_score; /**< (target_count) natural logarithm of each token's probability */
    struct attend_translation *other; /**< (others) the next best hypotheses of --nbest, without
                                         `source`, best first */
    int others;
    float *attention; /**< (target_count, source_count); every row sums to 1; several heads are
                       averaged; NULL when the model has no attention */
};
/** Free what a translation holds and clear it; the struct itself is the caller's. */
ATTEND_API void attend_translation_release(struct attend_translation *translation);

/** The working memory of translating: one for each thread of the application. It runs threads of
 * its own. */
struct attend_translator;

/** With the settings of attend_options_new("translate", ...); they are copied. Several models (1 to
 * ATTEND_ENSEMBLE) with the same vocabularies translate together: the mean of their probabilities
 * counts. They must outlive the translator. */
enum { ATTEND_ENSEMBLE = 16 };
ATTEND_API enum attend_status attend_translator_new(struct attend_translator **out,
                                                    const struct attend_model *const *models,
                                                    int count, const struct attend_options *options,
                                                    struct attend_error *err);
ATTEND_API void attend_translator_free(struct attend_translator *translator);

/** Translate `count` lines of UTF-8 into out[0 .. count-1]. On failure out holds nothing. */
ATTEND_API enum attend_status attend_translate(struct attend_translator *translator,
                                               const char *const *lines, int count,
                                               struct attend_translation *out,
                                               struct attend_error *err);
/** What a line's translation is to say. */
struct attend_wish {
    const char *prefix;         /**< it begins with this text; NULL: with anything */
    const char *const *require; /**< (requires) phrases that it contains */
    int requires;               /**< at most ATTEND_WISHES */
};
enum { ATTEND_WISHES = 32 };
/** attend_translate with a wish for each line. ATTEND_DATA when a wish has tokens that the model
 * does not know. A translation that the length limit cuts off may lack phrases. */
ATTEND_API enum attend_status attend_translate_wishes(struct attend_translator *translator,
                                                      const char *const *lines,
                                                      const struct attend_wish *wishes, int count,
                                                      struct attend_translation *out,
                                                      struct attend_error *err);
/** Phrases that no translation from now on contains, as sequences of the model's tokens. Replaces
 * those of an earlier call. */
ATTEND_API enum attend_status attend_translator_ban(struct attend_translator *translator,
                                                    const char *const *phrases, int count,
                                                    struct attend_error *err);

/** The same for given targets: how probable each is, and where the model looked. text is the target
 * as given. */
ATTEND_API enum attend_status attend_force(struct attend_translator *translator,
                                           const char *const *sources, const char *const *targets,
                                           int count, struct attend_translation *out,
                                           struct attend_error *err);

/** Hard alignment in Pharaoh form, "0-0 2-1 ...": each target word with the source word it looked
 * at most, from 0, `</s>` left out on both sides. Free it with attend_text_free. NULL when memory
 * runs out. */
ATTEND_API char *attend_translation_links(const struct attend_translation *translation);

#ifdef __cplusplus
}
#endif

#endif
