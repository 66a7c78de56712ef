/* Options by name, for programs that read options from a command line or a configuration file. An
 * application that fills the options structs itself does not need this header. */
#ifndef ATTEND_SETTINGS_H
#define ATTEND_SETTINGS_H

#include "attend/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum attend_setting_kind {
    ATTEND_SETTING_FLAG,   /**< bool; takes no value on a command line */
    ATTEND_SETTING_INT,    /**< int */
    ATTEND_SETTING_REAL,   /**< double */
    ATTEND_SETTING_TEXT,   /**< const char *; NULL if not given */
    ATTEND_SETTING_CHOICE, /**< const char *: one of the names in `choices`; NULL if not given */
    ATTEND_SETTING_LIST,   /**< const char *const *, NULL-terminated; NULL if not given. Each
                              assignment appends one text */
    ATTEND_SETTING_BYTES,  /**< size_t; a whole number, or with a suffix: K, M or G, each 1024 of
                              the one before */
};

/** One possible value of a setting. */
struct attend_choice {
    const char *name;
    const char *help;  /**< one line; or NULL */
    const char *alias; /**< other names for it, separated by commas; or NULL */
};

/** One row of a table of settings: name, type, field, default, range and help. Parsing,
 * configuration files, help, completion and the settings in a model file all use the row. A row
 * without a name ends the table. */
struct attend_setting {
    const char *name;     /**< without leading dashes */
    size_t offset;        /**< offset of the field in its struct */
    const char *fallback; /**< the default as text; NULL: 0, false or NULL */
    double min, max;      /**< range of a number, both ends included */
    const char *value;    /**< placeholder for the value in help: N, FILE ...; MODEL is a file or
                             the name of a ready model (attend/shelf.h) */
    const char *help;
    struct attend_choice (*choices)(int i); /**< choice i; its name is NULL after the last */
    enum attend_setting_kind kind;
    bool basic;    /**< shown by the short help */
    bool local;    /**< does not influence the result: a path, a number of threads */
    bool flexible; /**< may have another value when a run is resumed or a server reloads */
    bool writes;   /**< names a file that is written; any other setting with `value` FILE or MODEL
                      is read */
    const char *absent; /**< a file without the setting means this value, and files do not record
                           it; NULL: the default, and every value is recorded */
    void *reserved[1];
};

/* Write rows with these macros. S is the struct, F the field, N the name, V the placeholder for the
 * value, D the default, H the help. The last arguments are the properties below that apply, or
 * ATTEND_PLAIN if none does. */
#define ATTEND_PLAIN .basic = false
#define ATTEND_BASIC .basic = true
#define ATTEND_LOCAL .local = true
#define ATTEND_FLEXIBLE .flexible = true
#define ATTEND_WRITES .writes = true
#define ATTEND_ROW_(S, F, N, K, ...)                                                               \
    {                                                                                              \
        .name = N, .kind = ATTEND_SETTING_##K, .offset = offsetof(struct S, F), __VA_ARGS__        \
    }
#define ATTEND_ROW_FLAG(S, F, N, H, ...) ATTEND_ROW_(S, F, N, FLAG, .help = H, __VA_ARGS__)
#define ATTEND_ROW_INT(S, F, N, V, D, LOW, HIGH, H, ...)                                           \
    ATTEND_ROW_(S, F, N, INT, .value = V, .fallback = D, .min = LOW, .max = HIGH, .help = H,       \
                __VA_ARGS__)
#define ATTEND_ROW_REAL(S, F, N, V, D, LOW, HIGH, H, ...)                                          \
    ATTEND_ROW_(S, F, N, REAL, .value = V, .fallback = D, .min = LOW, .max = HIGH, .help = H,      \
                __VA_ARGS__)
#define ATTEND_ROW_TEXT(S, F, N, V, H, ...)                                                        \
    ATTEND_ROW_(S, F, N, TEXT, .value = V, .help = H, __VA_ARGS__)
#define ATTEND_ROW_CHOICE(S, F, N, D, NAMES, H, ...)                                               \
    ATTEND_ROW_(S, F, N, CHOICE, .value = "NAME", .fallback = D, .choices = NAMES, .help = H,      \
                __VA_ARGS__)
#define ATTEND_ROW_BYTES(S, F, N, D, H, ...)                                                       \
    ATTEND_ROW_(S, F, N, BYTES, .value = "BYTES", .fallback = D, .help = H, __VA_ARGS__)
#define ATTEND_ROW_LIST(S, F, N, V, H, ...)                                                        \
    ATTEND_ROW_(S, F, N, LIST, .value = V, .help = H, __VA_ARGS__)

/** The library's tables, each with the struct that its rows fill. */
enum attend_table {
    ATTEND_TABLE_DATA,         /**< attend_data_options: where training text is */
    ATTEND_TABLE_TOKENS,       /**< attend_data_options: how it becomes tokens */
    ATTEND_TABLE_NETWORK,      /**< attend_network_options */
    ATTEND_TABLE_TRAIN,        /**< attend_train_options: files of a run */
    ATTEND_TABLE_LEARNING,     /**< attend_train_options: how it learns */
    ATTEND_TABLE_SEARCH,       /**< attend_translator_options: the search */
    ATTEND_TABLE_SPEED,        /**< attend_translator_options: batches and threads */
    ATTEND_TABLE_ALIGN,        /**< attend_align_options: pairs */
    ATTEND_TABLE_ALIGN_BOTH,   /**< attend_align_options: the other direction */
    ATTEND_TABLE_ALIGN_GOLD,   /**< attend_align_options: reference links */
    ATTEND_TABLE_ALIGN_SPEED,  /**< attend_align_options: batches and threads */
    ATTEND_TABLE_EVAL,         /**< attend_eval_options: files */
    ATTEND_TABLE_METRICS,      /**< attend_eval_options: what is measured */
    ATTEND_TABLE_SERVE_MODELS, /**< attend_serve_options: models */
    ATTEND_TABLE_SERVE,        /**< attend_serve_options: the server */
    ATTEND_TABLE_SERVE_LIMITS, /**< attend_serve_options: limits */
    ATTEND_TABLE_BENCH,        /**< attend_bench_options */
    ATTEND_TABLE_DIRECTION,    /**< attend_translator_options: languages */
    ATTEND_TABLE_FRAMES,       /**< attend_frame_options */
    ATTEND_TABLE_WRITER,       /**< attend_writer_options */
    ATTEND_TABLE_DISTILL,      /**< attend_distill_options */
    ATTEND_TABLES,
};

/** A set of tables, each bound to an options struct. */
struct attend_settings;

ATTEND_API enum attend_status attend_settings_new(struct attend_settings **out,
                                                  struct attend_error *err);
/** Also frees the texts in the structs that the settings allocated. */
ATTEND_API void attend_settings_free(struct attend_settings *settings);

/** Add a table and set every field that it describes to its default. The struct must outlive the
 * settings. `title` is the heading in help. */
ATTEND_API enum attend_status attend_settings_add(struct attend_settings *settings,
                                                  const char *title, enum attend_table table,
                                                  void *options, struct attend_error *err);
/** The same for a table of the caller's. */
ATTEND_API enum attend_status attend_settings_add_rows(struct attend_settings *settings,
                                                       const char *title,
                                                       const struct attend_setting *rows,
                                                       void *options, struct attend_error *err);
/** Change the default of a setting. */
ATTEND_API enum attend_status attend_settings_default(struct attend_settings *settings,
                                                      const char *name, const char *text,
                                                      struct attend_error *err);
/** From here on, texts of settings whose `value` is MODEL become the paths that attend_model_find
 * finds. A text that it does not find stays as it is. The list of folders ends with NULL and must
 * outlive the settings. */
ATTEND_API void attend_settings_models(struct attend_settings *settings,
                                       const char *const *folders);
/** Set a setting from text: numbers in decimal, flags as "true" or "false"; a list is appended to.
 * For an unknown name, the error suggests the nearest one. */
ATTEND_API enum attend_status attend_settings_set(struct attend_settings *settings,
                                                  const char *name, const char *text,
                                                  struct attend_error *err);

/** Receives one setting; `item`: it is one value of a list. A failure ends the reading and is returned
 * with its message. */
typedef enum attend_status attend_setting_fn(void *context, const char *name, const char *value,
                                             bool item, struct attend_error *err);
/** Call `set` for each setting of a file in memory, and for each value of a list, in order. *line is
 * the line of a failure, from 1, or 0 if it has none; messages do not name the file. */
typedef enum attend_status attend_yaml_read_fn(const void *bytes, size_t length,
                                               attend_setting_fn *set, void *context, size_t *line,
                                               struct attend_error *err);
/** Reads a YAML file of `name: value` lines, where a value may be a list; anything else is
 * ATTEND_USAGE. This is in the module attend-yaml.so, not in libattend. Load the module with dlopen,
 * or link it. */
ATTEND_API attend_yaml_read_fn attend_yaml_read;

/** Set everything in a file that `read` understands: attend_yaml_read, or another function with its
 * contract. A later value replaces an earlier one, and a list that is set after the file replaces
 * the file's. Messages name file and line. */
ATTEND_API enum attend_status attend_settings_load(struct attend_settings *settings,
                                                   const char *path, attend_yaml_read_fn *read,
                                                   struct attend_error *err);
/** Preset i: `tiny`, `small`, `base`; its name is NULL after the last. */
ATTEND_API struct attend_choice attend_preset(int i);
/** Apply a preset to all settings that have not been set. */
ATTEND_API enum attend_status attend_settings_preset(struct attend_settings *settings,
                                                     const char *preset, struct attend_error *err);

/** Whether the setting was set, other than by a default or a preset. */
ATTEND_API bool attend_settings_given(const struct attend_settings *settings, const char *name);
/** ATTEND_USAGE when one setting names a file to write that another setting names too, even by
 * another path or a link. attend_train checks this itself; other callers should check before they
 * open files. */
ATTEND_API enum attend_status attend_settings_check_files(const struct attend_settings *settings,
                                                          struct attend_error *err);

/** A setting with its context, for help. */
struct attend_setting_info {
    const char *group; /**< the title of its table */
    const struct attend_setting *row;
    const void *options;  /**< the struct of its table */
    const char *fallback; /**< its default as text; NULL: none */
};
/** Describe setting i of all tables; false after the last. */
ATTEND_API bool attend_settings_describe(const struct attend_settings *settings, int i,
                                         struct attend_setting_info *out);

/** The name most similar to `name` among those that next() returns until it returns NULL; NULL when
 * none is similar. */
ATTEND_API const char *attend_nearest(const char *name, const char *(*next)(void *context),
                                      void *context);

#ifdef __cplusplus
}
#endif

#endif
