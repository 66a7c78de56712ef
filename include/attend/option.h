/* Settings by name: the same names as the program's flags, without the dashes. */
#ifndef ATTEND_OPTION_H
#define ATTEND_OPTION_H

#include "attend/status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The settings of one command, each at its default until set. */
struct attend_options;

/** command: "train", "translate", "score", "align", "eval", "plot", "explain", "trouble", "serve",
 * "info", "convert" or "bench". */
ATTEND_API enum attend_status attend_options_new(struct attend_options **out, const char *command,
                                                 struct attend_error *err);
/** Set one from text: numbers in decimal, flags as "true" or "false"; a list gets one text more. An
 * unknown name is answered with the nearest one. */
ATTEND_API enum attend_status attend_options_set(struct attend_options *options, const char *name,
                                                 const char *text, struct attend_error *err);
/** Set everything that a YAML file of `name: value` lines says. What is set later wins. */
ATTEND_API enum attend_status attend_options_load(struct attend_options *options, const char *path,
                                                  struct attend_error *err);
/** A text setting, of one that was given several times the first; NULL when it was not given. */
ATTEND_API const char *attend_options_text(const struct attend_options *options, const char *name);
/** The texts of a setting that may be given again and again, with NULL after the last; NULL when it
 * was not given. */
ATTEND_API const char *const *attend_options_list(const struct attend_options *options,
                                                  const char *name);
/** A number, or a flag as 0 or 1. */
ATTEND_API double attend_options_number(const struct attend_options *options, const char *name);
/** ATTEND_USAGE when a file that is to be written is also named by another setting, by whatever
 * path or link: what is read would be lost. attend_train asks this itself; whoever opens files that
 * settings name asks before. */
ATTEND_API enum attend_status attend_options_check_files(const struct attend_options *options,
                                                         struct attend_error *err);
ATTEND_API void attend_options_free(struct attend_options *options);

/** One setting, for help texts. */
struct attend_option_info {
    const char *group; /**< heading it belongs under */
    const char *name;
    const char *value;    /**< what its value is called; NULL for a flag, which takes none */
    const char *fallback; /**< default as text; NULL: none */
    const char *help;
    const char *(*choices)(
        int i); /**< the i-th allowed name, NULL past the last; NULL when any text will do */
};
/** The i-th setting; false past the last. */
ATTEND_API bool attend_options_describe(const struct attend_options *options, int i,
                                        struct attend_option_info *out);

#ifdef __cplusplus
}
#endif

#endif
