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
    float *attention;      /**< (target_count, source_count); every row sums to 1; several heads are
                            averaged; NULL when the model has no attention */
    float *head_attention; /**< (heads, target_count, source_count) the weights of each head, when
                              the setting `each-head` asks for them; NULL without it, with one head
                              and with several models */
    int heads;             /**< of head_attention */
    float *copied;         /**< (target_count) of each token's probability, the share that copying
                              it from the source has, 0 to 1; NULL unless it is one model that was
                              trained with --copy */
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

/** How to search from now on; 0 and false: as the settings of attend_translator_new have it. */
struct attend_search {
    int beam, nbest;
    bool each_head;
    int batch_sentences;
};
/** ATTEND_USAGE, and nothing changes, when nbest is more than beam. */
ATTEND_API enum attend_status attend_translator_search(struct attend_translator *translator,
                                                       const struct attend_search *search,
                                                       struct attend_error *err);

/** From now on ask `stop` before each step of a search, each pair of attend_force and each batch of
 * an explanation. NULL: never ask. It is not copied and must outlive its use. */
ATTEND_API void attend_translator_stop(struct attend_translator *translator,
                                       const struct attend_stop *stop);

/** Translate `count` lines of UTF-8 into out[0 .. count-1]. A byte order mark in front of a line
 * and carriage returns behind it do not belong to it. A line that is not UTF-8 or holds a line end
 * is ATTEND_DATA. On failure out holds nothing. */
ATTEND_API enum attend_status attend_translate(struct attend_translator *translator,
                                               const char *const *lines, int count,
                                               struct attend_translation *out,
                                               struct attend_error *err);
/** Where a step of the decoder is to look, whatever the model says: the source word gets this
 * weight in every head, the words that are not named share what is left in proportion to their own
 * weights (alike, if they had none). */
struct attend_focus {
    int target; /**< step, from 0 */
    int source; /**< token, from 0; `</s>` is the last */
    double weight;
};
/** Read "T:J=W,T:J=W ...". Free *out with free(). */
ATTEND_API enum attend_status attend_focus_parse(struct attend_focus **out, int *count,
                                                 const char *text, struct attend_error *err);

/** What a line's translation is to say, and where it is to look. */
struct attend_wish {
    const char *prefix;               /**< it begins with this text; NULL: with anything */
    const char *const *require;       /**< (requires) phrases that it contains */
    int requires;                     /**< at most ATTEND_WISHES */
    const struct attend_focus *focus; /**< (focuses) in any order */
    int focuses;
};
enum { ATTEND_WISHES = 32 };
/** attend_translate with a wish for each line. ATTEND_DATA when a wish has tokens that the model
 * does not know. A translation that the length limit cuts off may lack phrases. ATTEND_USAGE when a
 * focus cannot be: no such source word, weights of a step beyond 1, a model without attention. */
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
/** The same for targets that are pieces with spaces between, as attend_translation_pieces writes
 * them; `<unk>` is the piece that stands for all unknown ones. text is what the pieces spell. */
ATTEND_API enum attend_status attend_force_pieces(struct attend_translator *translator,
                                                  const char *const *sources,
                                                  const char *const *targets, int count,
                                                  struct attend_translation *out,
                                                  struct attend_error *err);

/* ---- Changing a translation ---- */

/** The same translation in words instead of pieces on both sides, a word being what stands between
 * blanks: a word's row of attention is the mean of its pieces' rows, its column the sum of their
 * columns, its token_score their sum, its copied their mean; each head's the same. Where blanks are
 * pieces (spelling), they have no row, and their columns and scores go to the word before. Release
 * out with attend_translation_release. */
ATTEND_API enum attend_status attend_translation_fold(struct attend_translation *out,
                                                      const struct attend_translation *translation,
                                                      const struct attend_model *model,
                                                      struct attend_error *err);

/** What texts become, from a file of `source<TAB>target` lines; the first of one source counts. */
struct attend_lexicon;
ATTEND_API enum attend_status attend_lexicon_load(struct attend_lexicon **out, const char *path,
                                                  struct attend_error *err);
/** A whole line, blanks around it aside, answered without a model: out gets its text and no tokens;
 * out->text is NULL when the lexicon has not got it. */
ATTEND_API enum attend_status attend_lexicon_answer(const struct attend_lexicon *lexicon,
                                                    const char *line,
                                                    struct attend_translation *out,
                                                    struct attend_error *err);
ATTEND_API void attend_lexicon_free(struct attend_lexicon *lexicon);

/** Put for every `<unk>` of the target what the lexicon (may be NULL) says of the source word that
 * it looked at most, or that word itself; also in `other`. ATTEND_USAGE without attention. */
ATTEND_API enum attend_status
attend_translation_replace_unknown(struct attend_translation *translation,
                                   const struct attend_model *model,
                                   const struct attend_lexicon *lexicon, struct attend_error *err);

/* ---- A translation as text. Free each with attend_text_free; NULL when memory runs out. ---- */

/** Hard alignment in Pharaoh form, "0-0 2-1 ...": each target word with the source word it looked
 * at most, from 0, `</s>` left out on both sides. */
ATTEND_API char *attend_translation_links(const struct attend_translation *translation);
/** The target's pieces with spaces between, `</s>` left out; a blank in a piece is U+2581. */
ATTEND_API char *attend_translation_pieces(const struct attend_translation *translation);

/** What a line holds. */
enum {
    ATTEND_LINE_PIECES = 1, /**< the pieces instead of the text */
    ATTEND_LINE_SCORES = 2, /**< a tab, the score, a tab and the log-probability */
    ATTEND_LINE_LINKS = 4,  /**< " ||| " and the hard alignment */
};
/** One line without its end. */
ATTEND_API char *attend_translation_line(const struct attend_translation *translation, int parts);
/** Moses n-best: `id ||| text ||| logprob= X length= N ||| score`, a line with its end for the
 * translation and for each of `other`. Of parts, scores are always there; links come last. */
ATTEND_API char *attend_translation_nbest(const struct attend_translation *translation, long id,
                                          int parts);
/** One JSON object without a line end: source, target (both with `</s>`), text, attention (null
 * without one), score, log_probability, token_scores, copied if the model copies, and alternatives
 * if there are any. */
ATTEND_API char *attend_translation_json(const struct attend_translation *translation);
/** Nematus: `id ||| target ||| score ||| source ||| source-length target-length`, where the lengths
 * count `</s>` and the texts leave it out, a row of weights for each target word, and an empty
 * line; then the same for each of `other`. */
ATTEND_API char *attend_translation_matrix(const struct attend_translation *translation, long id);

/** A line that asks for a translation, `{"source":"...","prefix":"..."}`; prefix, with which the
 * target has to begin, may be absent (NULL). Other members are not looked at. `name` is what
 * messages call the line. Release it with attend_request_release. */
struct attend_request {
    char *source, *prefix; /**< prefix: NULL when not asked for */
    char **require;        /**< (requires) phrases that must come; NULL when not asked for */
    int requires;
};
ATTEND_API enum attend_status attend_request_parse(struct attend_request *out, const char *json,
                                                   const char *name, struct attend_error *err);
ATTEND_API void attend_request_release(struct attend_request *request);

#ifdef __cplusplus
}
#endif

#endif
