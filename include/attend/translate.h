/* Translating lines, and running a model on given pairs, with the attention of every word. */
#ifndef ATTEND_TRANSLATE_H
#define ATTEND_TRANSLATE_H

#include "attend/model.h"
#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes [from, to) of a text. */
struct attend_span {
    size_t from, to;
};

/** A part of a source that the model does not know: a word, or characters within one. */
struct attend_unknown {
    char *text;
    int start,
        end; /**< code points of the text as given, from 0; `end` is the first one after it */
};

/** The translation of a line. An empty or blank line has an empty text and no tokens. */
struct attend_translation {
    char *text;
    double score;           /**< by which hypotheses are ranked: log_probability divided by
                               length^length_penalty, where length counts </s>; with a coverage
                               penalty, that is added */
    double log_probability; /**< natural logarithm */
    bool complete; /**< false: the length limit cut it off, and its tokens do not end in </s> */
    int unseen;    /**< source words beyond the positions that location attention was trained on; it
                   cannot attend to them */
    int source_count, target_count;
    char **source;      /**< (source_count) the tokens as the model read them, </s> last */
    char **target;      /**< (target_count) the tokens of the translation */
    float *token_score; /**< (target_count) natural logarithm of each token's probability */
    struct attend_translation *other; /**< (others) the next hypotheses of `nbest`, best first;
                                         their `source` is NULL */
    int others;
    float *attention;      /**< (target_count, source_count) every row sums to 1; the mean over
                              heads; NULL when the model has no attention */
    float *head_attention; /**< (heads, target_count, source_count) the weights of each head; NULL
                              without `each_head`, with one head, or with several models */
    int heads;             /**< heads in head_attention */
    float *copied;         /**< (target_count) the share of each token's probability that comes from
                              copying it from the source, 0 to 1; NULL unless there is one model
                              and it was trained with `copy` */
    float confidence;      /**< how probable it is that the translation is right, 0 to 1: of a
                              calibrated model (attend/calibration.h) as often as it says; otherwise
                              the probability, exp(log_probability). Complete or not, 1 if it has
                              no tokens */
    float share;           /**< its probability, divided by the sum over all hypotheses found */
    int tags; /**< source tokens at the start that are tags of languages, not words of the line */
    struct attend_span *source_span; /**< (source_count) the bytes of the line that each source
                                        token stands for; NULL without `spans` */
    struct attend_span *target_span; /**< (target_count) the bytes of `text` that each token
                                        wrote, without the blanks around them; a token that wrote
                                        nothing, such as </s>, has an empty span. NULL without
                                        `spans` */
    struct attend_unknown *unknown;  /**< (unknowns) what the model does not know of the source, in
                                       its order. A word that it knows in another case, without
                                       punctuation or in another normal form was read so */
    int unknowns;
    bool frames; /**< the source is frames: `source` has one label for each column of attention, the
                    time or the number of its first frame, and there is no </s> */
    void *reserved[4];
};
/** Free the content of a translation and clear it; the struct itself is the caller's. */
ATTEND_API void attend_translation_release(struct attend_translation *translation);

/** Models with working memory and worker threads. A translator must be used by one thread of the
 * application at a time; several threads need one each. */
struct attend_translator;

/** The search, and how much of it is done at once. */
struct attend_translator_options {
    size_t size;
    int beam;                /**< hypotheses kept for each sentence; 1: greedy search */
    int nbest;               /**< hypotheses returned per sentence, at most `beam`; or samples */
    double length_penalty;   /**< alpha: a hypothesis scores log P / length^alpha */
    double coverage_penalty; /**< beta (Wu et al. 2016): punishes source words without attention */
    double max_length;       /**< longest output: this times the source's tokens, plus 10 */
    int no_repeat;           /**< no n-gram of this many tokens occurs twice; 0: no such rule */
    bool finish_all;         /**< search until the whole beam is finished, whatever the scores */
    bool sample;             /**< sample words instead of searching */
    double temperature;      /**< of sampling: below 1 favors likely words */
    int top_k;               /**< sample from this many of the likeliest words; 0: from all */
    double top_p;        /**< sample from the likeliest words that have this probability together */
    int seed;            /**< seed of sampling */
    int batch_sentences; /**< sentences searched together */
    int threads;         /**< 0: one for each physical core that the process may use */
    bool allow_unk;      /**< allow `<unk>` in the output; see attend_translation_replace_unknown */
    bool each_head;      /**< also return the weights of each head (head_attention) */
    bool spans;          /**< also return source_span and target_span */
    const char *from, *to; /**< languages to translate, for a model of several pairs; NULL: any */
    int shortlist;         /**< compute only the likeliest N target words of each source word, and
                              the frequent ones; 0: all. Needs a model with lists
                              (attend/convert.h); does not change attend_force */
};
ATTEND_DEFAULTS(translator)

enum { ATTEND_ENSEMBLE = 16 };
/** Make a translator of one model, or of an ensemble of up to ATTEND_ENSEMBLE models with the same
 * vocabularies, whose probabilities are averaged. The models must outlive the translator. `options`
 * NULL: the defaults. */
ATTEND_API enum attend_status attend_translator_new(struct attend_translator **out,
                                                    const struct attend_model *const *models,
                                                    int count,
                                                    const struct attend_translator_options *options,
                                                    struct attend_error *err);
ATTEND_API void attend_translator_free(struct attend_translator *translator);
/** The bytes of its working memory, which grows with the batches and the words that it has met. Not
 * while it works. */
ATTEND_API size_t attend_translator_memory(const struct attend_translator *translator);

/** The short form for one model: load it and make a translator that owns it. The options may be
 * NULL, for the defaults. */
ATTEND_API enum attend_status
attend_translator_open(struct attend_translator **out, const char *path,
                       const struct attend_translator_options *options, struct attend_error *err);
/** The text of the translation of one line, as attend_translate makes it. Free it with
 * attend_text_free; NULL on failure. */
ATTEND_API char *attend_translate_line(struct attend_translator *translator, const char *line,
                                       struct attend_error *err);

/** Changes of the search. 0 and false: as in the options of attend_translator_new. */
struct attend_search {
    int beam, nbest;
    bool each_head, spans;
    int batch_sentences;
    const char *from, *to; /**< both NULL: as before */
    double max_length;
    /** Tokens of a line or of a target, at most; more is ATTEND_DATA. Normalizing can turn a
     * character into many, and the memory of a search grows with the square of their number. */
    int max_tokens;
};
/** Use these settings from now on. If nbest is larger than beam, it is ATTEND_USAGE and nothing
 * changes. */
ATTEND_API enum attend_status attend_translator_search(struct attend_translator *translator,
                                                       const struct attend_search *search,
                                                       struct attend_error *err);

/** The languages that a translator uses for lines without their own. `seen` is false if the model
 * has both languages but was not trained on the pair. ATTEND_USAGE if the model has several pairs,
 * and the options leave a choice. */
ATTEND_API enum attend_status
attend_translator_direction(const struct attend_translator *translator,
                            struct attend_direction *out, struct attend_error *err);

/** Let `stop` cancel the work of a translator. It is asked before each step of a search, each pair
 * of attend_force and each batch of an explanation. It is not copied and must outlive its use.
 * NULL: no cancellation. */
ATTEND_API void attend_translator_stop(struct attend_translator *translator,
                                       const struct attend_stop *stop);

/** Translate `count` lines of UTF-8 into out[0 .. count-1]. A byte order mark at the start of a
 * line and carriage returns at its end are ignored. A line that is not UTF-8 or contains a line end
 * is ATTEND_DATA. On failure, out has nothing to release. */
ATTEND_API enum attend_status attend_translate(struct attend_translator *translator,
                                               const char *const *lines, int count,
                                               struct attend_translation *out,
                                               struct attend_error *err);
struct attend_frame_modules;
struct attend_frames;
/** Let the lines of a translator whose model reads frames be paths of files. Before this call, such
 * a translator reads no file. Paths are relative to the folder of the file `beside`, or to the
 * current folder if that is NULL or "-". The modules must outlive the translator; NULL: none. Does
 * nothing if the model reads text. */
ATTEND_API enum attend_status attend_translator_files(struct attend_translator *translator,
                                                      const char *beside,
                                                      const struct attend_frame_modules *modules,
                                                      struct attend_error *err);
/** attend_translate for frames of the caller (attend/frames.h), as the reader of the model makes
 * them; they are normalized here. ATTEND_USAGE if the model reads text. */
ATTEND_API enum attend_status attend_translate_frames(struct attend_translator *translator,
                                                      const struct attend_frames *frames, int count,
                                                      struct attend_translation *out,
                                                      struct attend_error *err);
/** A weight that replaces the model's own at one step of the decoder. The source token gets this
 * weight in every head. The tokens without a given weight share the rest in proportion to their own
 * weights, or equally if those are all 0. */
struct attend_focus {
    int target;    /**< decoder step, from 0 */
    int source;    /**< source token, from 0; `</s>` is the last */
    double weight; /**< 0 to 1 */
};
/** Parse "T:J=W,T:J=W ..." as people write it: step T and source token J count from 1, so 3:2=1 is
 * {2, 1, 1}; a 0 is ATTEND_USAGE. Free *out with attend_array_free. */
ATTEND_API enum attend_status attend_focus_parse(struct attend_focus **out, int *count,
                                                 const char *text, struct attend_error *err);

/** What a translation must contain, and where the model must look. */
struct attend_constraint {
    const char *prefix;               /**< the translation begins with this text; NULL: any */
    const char *const *require;       /**< (require_count) phrases that it contains */
    int require_count;                /**< at most ATTEND_MAX_PHRASES */
    const struct attend_focus *focus; /**< (focus_count) in any order */
    int focus_count;
    const char *from, *to; /**< languages of this line; NULL: those of the translator */
    void *reserved[2];
};
enum { ATTEND_MAX_PHRASES = 32 };
/** attend_translate with a constraint for each line. A constraint with tokens unknown to the model
 * is ATTEND_DATA. A focus is ATTEND_USAGE if the source token does not exist, if the weights of a
 * step sum to more than 1, or if the model has no attention. A translation that the length limit
 * cuts off may lack required phrases. */
ATTEND_API enum attend_status
attend_translate_constrained(struct attend_translator *translator, const char *const *lines,
                             const struct attend_constraint *constraints, int count,
                             struct attend_translation *out, struct attend_error *err);
/** The same for frames of the caller, as for attend_translate_frames. `constraints` NULL: none. */
ATTEND_API enum attend_status
attend_translate_frames_constrained(struct attend_translator *translator,
                                    const struct attend_frames *frames,
                                    const struct attend_constraint *constraints, int count,
                                    struct attend_translation *out, struct attend_error *err);
/** Forbid phrases in all later translations. A phrase is compared as a sequence of the model's
 * tokens. The phrases replace those of an earlier call. */
ATTEND_API enum attend_status attend_translator_ban(struct attend_translator *translator,
                                                    const char *const *phrases, int count,
                                                    struct attend_error *err);

/** Score given targets: like attend_translate, but the translation is the given one, with the
 * probability and the attention that the model gives it. out[i].text is targets[i]. */
ATTEND_API enum attend_status attend_force(struct attend_translator *translator,
                                           const char *const *sources, const char *const *targets,
                                           int count, struct attend_translation *out,
                                           struct attend_error *err);
/** The same for frames of the caller, as for attend_translate_frames. */
ATTEND_API enum attend_status attend_force_frames(struct attend_translator *translator,
                                                  const struct attend_frames *frames,
                                                  const char *const *targets, int count,
                                                  struct attend_translation *out,
                                                  struct attend_error *err);
/** The same as attend_force for targets that are pieces separated by spaces, as attend_translation_pieces writes
 * them. `<unk>` stands for an unknown piece. out[i].text is the text that the pieces spell. */
ATTEND_API enum attend_status attend_force_pieces(struct attend_translator *translator,
                                                  const char *const *sources,
                                                  const char *const *targets, int count,
                                                  struct attend_translation *out,
                                                  struct attend_error *err);

/* ---- Changing a translation ---- */

/** Merge pieces into words, on both sides. Words are separated by blanks. The attention row of a
 * word is the mean of the rows of its pieces, and its column is the sum of their columns; the same
 * holds for each head. Its token_score is the sum over its pieces, and its `copied` is their mean.
 * If blanks are pieces themselves (tokenizer `char`), they have no row; their columns and scores
 * are added to the word before. Release out with attend_translation_release. */
ATTEND_API enum attend_status attend_translation_fold(struct attend_translation *out,
                                                      const struct attend_translation *translation,
                                                      const struct attend_model *model,
                                                      struct attend_error *err);

/** A table of translations, read from a file of `source<TAB>target` lines. If a source occurs more
 * than once, its first line counts. */
struct attend_lexicon;
ATTEND_API enum attend_status attend_lexicon_load(struct attend_lexicon **out, const char *path,
                                                  struct attend_error *err);
/** Look up a whole line, without the blanks around it. out gets the text and no tokens; out->text
 * is NULL if the lexicon does not have the line. */
ATTEND_API enum attend_status attend_lexicon_answer(const struct attend_lexicon *lexicon,
                                                    const char *line,
                                                    struct attend_translation *out,
                                                    struct attend_error *err);
ATTEND_API void attend_lexicon_free(struct attend_lexicon *lexicon);

/** Replace every `<unk>` of the target, also in `other`. Its replacement is made from the source
 * word with the largest weight: the entry of that word in the lexicon (which may be NULL), or the
 * word itself if there is none. ATTEND_USAGE for a model without attention. */
ATTEND_API enum attend_status
attend_translation_replace_unknown(struct attend_translation *translation,
                                   const struct attend_model *model,
                                   const struct attend_lexicon *lexicon, struct attend_error *err);

/** Keep the best hypotheses whose shares sum to at least `mass` (0 to 1), one at least, and drop
 * the others. Returns how many are left. */
ATTEND_API int attend_translation_cut(struct attend_translation *translation, double mass);

/* ---- A translation as text. Free each with attend_text_free; NULL when out of memory. ---- */

/** The target's pieces separated by spaces, without `</s>`. A blank in a piece is U+2581. */
ATTEND_API char *attend_translation_pieces(const struct attend_translation *translation);

/** The parts of a line. The hard alignment, "0-0 2-1", links each target word to the source word
 * with the largest weight, as source-target from 0, without `</s>` on both sides. */
enum {
    ATTEND_LINE_PIECES = 1,        /**< the pieces instead of the text */
    ATTEND_LINE_SCORES = 2,        /**< a tab, the score, a tab and the log-probability */
    ATTEND_LINE_LINKS = 4,         /**< " ||| " and the hard alignment */
    ATTEND_LINE_PROBABILITIES = 8, /**< a tab, the probability, a tab, the confidence, a tab, and
                                      `token=probability` for each token; in n-best lists, features
                                      `probability=`, `confidence=` and `share=`, and " ||| " and
                                      the tokens. In JSON, the members `token_probabilities` and,
                                      in lists, `share` */
};
/** One line without its end. `parts` is a sum of the above. */
ATTEND_API char *attend_translation_line(const struct attend_translation *translation, int parts);
/** The n-best list of Moses: `id ||| text ||| logprob= X length= N ||| score`, one line with its
 * end for the translation and for each of `other`. Scores are always there, whatever `parts` says;
 * the alignment comes last. */
ATTEND_API char *attend_translation_nbest(const struct attend_translation *translation, long id,
                                          int parts);
/** One JSON object without a line end. Its members are source, target (both with `</s>`), text,
 * attention (null if the model has none), score, log_probability, token_scores, probability,
 * confidence, copied (if the model copies), unknown (if there is any: a list of objects with text,
 * start and end) and alternatives (if there are any). */
ATTEND_API char *attend_translation_json(const struct attend_translation *translation);
/** The same with ATTEND_LINE_PROBABILITIES in `parts`; other parts have no effect. */
ATTEND_API char *attend_translation_json_parts(const struct attend_translation *translation,
                                               int parts);
/** The members of that object without its braces, to be put into a larger object. */
ATTEND_API char *attend_translation_members(const struct attend_translation *translation);
/** The format of Nematus: a line `id ||| target ||| score ||| source ||| source-length
 * target-length`, one row of weights per target word, and an empty line; then the same for each of
 * `other`. The lengths count `</s>`, the texts leave it out. */
ATTEND_API char *attend_translation_matrix(const struct attend_translation *translation, long id);

/** A translation request in JSON: `{"source":"...","prefix":"...","require":["..."],"to":"de"}`. All
 * but source are optional, among them "from"; other members are ignored. */
struct attend_request {
    char *source;
    char *prefix;   /**< the translation must begin with it; NULL: not given */
    char **require; /**< (require_count) phrases that it must contain; NULL: not given */
    int require_count;
    char *from, *to; /**< languages; NULL: not given */
};
/** Parse a request; messages call it `name`. Release out with attend_request_release. */
ATTEND_API enum attend_status attend_request_parse(struct attend_request *out, const char *json,
                                                   const char *name, struct attend_error *err);
ATTEND_API void attend_request_release(struct attend_request *request);

#ifdef __cplusplus
}
#endif

#endif
