/* Evaluation line by line: outputs beside their references in memory, which lines are wrong and
 * how, and the score of each line. The outputs come from a file, or from a model one by one:
 *
 *     attend_eval_set_ask(&set, &options, &err);
 *     for each line i: attend_eval_set_answer(set, i, translation of attend_eval_set_source(set, i))
 *     attend_eval_set_scores(&scores, set, &err); attend_eval_set_errors(&errors, set, 20, &err); */
#ifndef ATTEND_EVAL_SET_H
#define ATTEND_EVAL_SET_H

#include "attend/eval.h"
#include "attend/plot.h"

#ifdef __cplusplus
extern "C" {
#endif

struct attend_eval_set;

/** Read `hyp` and its references, as attend_evaluate does, and `src` if it is given. The texts of
 * the options must outlive the set. */
ATTEND_API enum attend_status attend_eval_set_load(struct attend_eval_set **out,
                                                   const struct attend_eval_options *options,
                                                   struct attend_error *err);
/** Read sources and references: the table `test`, or `src` with `ref` or `answers`. Adjacent rows
 * of a table with the same source are one line with several accepted answers. The outputs are given
 * by attend_eval_set_answer; until then they are empty. */
ATTEND_API enum attend_status attend_eval_set_ask(struct attend_eval_set **out,
                                                  const struct attend_eval_options *options,
                                                  struct attend_error *err);
ATTEND_API void attend_eval_set_free(struct attend_eval_set *set);

ATTEND_API int attend_eval_set_count(const struct attend_eval_set *set);
/** The source of line i, from 0; NULL if it is not known. */
ATTEND_API const char *attend_eval_set_source(const struct attend_eval_set *set, int i);
/** The number of line i in its file, from 1. */
ATTEND_API long attend_eval_set_number(const struct attend_eval_set *set, int i);
/** Set the output of line i of a set made by attend_eval_set_ask; the text is copied. */
ATTEND_API enum attend_status attend_eval_set_answer(struct attend_eval_set *set, int i,
                                                     const char *text, struct attend_error *err);
/** Whether the output of line i is right as a whole (metric `accuracy`): 1 or 0; -1 when out of
 * memory. */
ATTEND_API int attend_eval_set_right(const struct attend_eval_set *set, int i);

/** attend_evaluate and attend_eval_by_length for a set. */
ATTEND_API enum attend_status attend_eval_set_scores(struct attend_evaluation **out,
                                                     const struct attend_eval_set *set,
                                                     struct attend_error *err);
ATTEND_API enum attend_status attend_eval_set_by_length(struct attend_length_table **out,
                                                        const struct attend_eval_set *set,
                                                        struct attend_error *err);

/* ---- What is wrong ---- */

/** What happened to a symbol of the reference, or to one that the output adds. */
enum attend_edit_kind {
    ATTEND_EDIT_SAME,
    ATTEND_EDIT_SUBSTITUTED, /**< another symbol is there */
    ATTEND_EDIT_DELETED,     /**< it is missing in the output */
    ATTEND_EDIT_INSERTED,    /**< the reference does not have it */
};
struct attend_edit {
    enum attend_edit_kind kind;
    char *output, *reference; /**< the symbols; NULL: none */
};
/** A line that is wrong. */
struct attend_wrong_line {
    long line;                         /**< its number in its file, from 1 */
    char *source, *output, *reference; /**< source: NULL if not known; reference: the nearest one */
    int edits, symbols;                /**< symbols: of the reference */
    struct attend_edit *edit;          /**< (edit_count) the reference becoming the output */
    int edit_count;
};
struct attend_wrong_lines {
    struct attend_wrong_line *item; /**< (count) worst first: by edits per symbol, then by edits */
    int count;
    long lines, wrong; /**< evaluated lines; those that are wrong */
    bool characters;   /**< symbols are characters, not tokens */
};
/** List the worst `limit` lines (0: all) with their edits. `symbols` of the options says what is
 * compared; case matters unless `lowercase` is set. */
ATTEND_API enum attend_status attend_eval_set_errors(struct attend_wrong_lines **out,
                                                     const struct attend_eval_set *set, int limit,
                                                     struct attend_error *err);
ATTEND_API void attend_wrong_lines_free(struct attend_wrong_lines *lines);

/** A symbol of the reference that became another one. */
struct attend_confusion {
    const char *reference, *output; /**< NULL: inserted, or deleted */
    long count;
};
/** A symbol, and how often it was right and wrong. */
struct attend_symbol {
    char *text;
    long references;  /**< its occurrences in references */
    long same;        /**< those that the output has */
    long substituted; /**< those that became another symbol */
    long deleted;     /**< those that are missing */
    long instead;     /**< times that it stands for another symbol */
    long inserted;    /**< times that the output adds it */
};
struct attend_confusions {
    struct attend_confusion *item; /**< (count) most frequent first */
    int count;
    struct attend_symbol *symbol; /**< (symbols) most edits first */
    int symbols;
    long lines, references; /**< evaluated lines, and the symbols of their references */
    long substitutions, deletions, insertions;
    bool characters;
};
/** Count the edits of all lines by symbols. */
ATTEND_API enum attend_status attend_eval_set_confusions(struct attend_confusions **out,
                                                         const struct attend_eval_set *set,
                                                         struct attend_error *err);
ATTEND_API void attend_confusions_free(struct attend_confusions *confusions);

/** The score of each line in each metric. BLEU leaves out n-gram orders that are longer than the
 * line (sacreBLEU's effective order) and smooths as the option `smooth` says. */
struct attend_line_scores {
    const char **metric; /**< (metrics) names, as in the option `metric` */
    char **signature;    /**< (metrics) */
    int metrics;
    long *line;    /**< (count) its number in its file, from 1 */
    double *score; /**< (count, metrics) */
    int count;
};
ATTEND_API enum attend_status attend_eval_set_lines(struct attend_line_scores **out,
                                                    const struct attend_eval_set *set,
                                                    struct attend_error *err);
ATTEND_API void attend_line_scores_free(struct attend_line_scores *scores);

/* ---- As text. Free each with attend_text_free; NULL when out of memory. ---- */

/** The wrong lines beside the right answers. Differing symbols are in brackets or, if `color` is
 * set, in color. */
ATTEND_API char *attend_wrong_lines_text(const struct attend_wrong_lines *lines, bool color);
/** A table of the `limit` most frequent confusions; 0: all. */
ATTEND_API char *attend_confusions_text(const struct attend_confusions *confusions, int limit);
/** A line of names, then one line for each line of the text, separated by tabs. */
ATTEND_API char *attend_line_scores_text(const struct attend_line_scores *scores);

/** A picture of confusions: a row for each symbol of the reference, a column for each symbol of the
 * output. It shows up to 60 symbols, those with the most edits. Only the style's `title`, `dark`
 * and `scale` are used. NULL when out of memory. */
ATTEND_API struct attend_picture *
attend_picture_confusions(const struct attend_confusions *confusions,
                          const struct attend_style *style);

struct attend_calibration;

/** Everything that was found, for attend_eval_report_json; each may be NULL. */
struct attend_eval_report {
    const struct attend_evaluation *scores;
    const struct attend_wrong_lines *errors;
    const struct attend_confusions *confusions;
    int confusions_limit; /**< 0: all */
    const struct attend_line_scores *lines;
    const struct attend_calibration *calibration;
    void *reserved[3];
};
/** One JSON object: `metrics` as in attend_evaluation_json, `errors`, `confusions`, `lines` and
 * `calibration`. */
ATTEND_API char *attend_eval_report_json(const struct attend_eval_report *report);

#ifdef __cplusplus
}
#endif

#endif
