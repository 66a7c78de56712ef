/* How the library reports failure, and the rules that all headers follow.
 *
 * Names are attend_noun_verb. A function that can fail returns a status and takes the error as its
 * last argument, which may be NULL. It sets its results only on success.
 *
 * Ownership: an object from `_new`, `_open` or `_load` is freed by `_free` or `_close` of the same
 * noun. The content of a struct that the caller holds is freed by its `_release`. A returned text
 * is freed by attend_text_free, a returned array by attend_array_free. All of these accept NULL but
 * `_release`, which accepts a struct of zeros. Arguments are borrowed for the call, unless the
 * function says that they must live longer.
 *
 * Growth: an options struct begins with its size, which attend_..._defaults() sets, so that a
 * compiled program keeps working when a later library has more options. Structs that callers
 * hold by value and that may grow have reserved fields at their end, which must be zero. */
#ifndef ATTEND_STATUS_H
#define ATTEND_STATUS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ATTEND_API __attribute__((visibility("default")))

/** The version of this header; attend_version() returns that of the linked library. */
#define ATTEND_VERSION "0.2.0"
ATTEND_API const char *attend_version(void);

/* name, what it means */
#define ATTEND_STATUS_LIST(X)                                                                      \
    X(OK, "ok")                                                                                    \
    X(USAGE, "an option or argument is wrong")                                                     \
    X(NO_MEMORY, "out of memory")                                                                  \
    X(IO, "a file could not be read or written")                                                   \
    X(FORMAT, "a file does not hold what it should")                                               \
    X(DATA, "the text data cannot be used")                                                        \
    X(DIVERGED, "training diverged")                                                               \
    X(STOPPED, "stopped on request")

enum attend_status {
#define ATTEND_STATUS_ENUM(name, text) ATTEND_##name,
    ATTEND_STATUS_LIST(ATTEND_STATUS_ENUM)
#undef ATTEND_STATUS_ENUM
};

/** What went wrong, for people and for programs. */
struct attend_error {
    char message[512]; /**< one line without a full stop: the place, if known, and the reason.
                          Options have the names of their fields, in backquotes: `beam` */
    enum attend_status status;
    int reason;           /**< offset of the reason, without the place: message + reason */
    char file[256];       /**< the file at fault; "": none */
    long line;            /**< the line at fault, from 1; 0: none */
    const char *argument; /**< the array at fault: "input", "source" or "target"; NULL: none */
    int item;             /**< the item of that array, from 0 */
    void *reserved[4];
};

/** Change the place of an error. A caller that read an array argument from a file can so report the
 * file and the line: the message becomes "file:line: reason", or "file: reason" if line is 0. */
ATTEND_API void attend_error_move(struct attend_error *err, const char *file, long line);

/** The general meaning of a status; struct attend_error has the details. */
ATTEND_API const char *attend_status_text(enum attend_status status);

/** A way to cancel long work. `asked` is called between steps; once it returns true, the work ends
 * with ATTEND_STOPPED. Several threads may call it at once, up to thousands of times a second. */
struct attend_stop {
    bool (*asked)(void *context);
    void *context;
};

/** Free a text that this library returned. */
ATTEND_API void attend_text_free(char *text);
/** Free an array that this library returned. */
ATTEND_API void attend_array_free(void *array);

/** Declares attend_NAME_defaults(), which returns the options with every field at its default. The
 * library fills only the fields that the caller was compiled with. */
#define ATTEND_DEFAULTS(name)                                                                      \
    ATTEND_API void attend_##name##_fill(struct attend_##name##_options *options, size_t size);    \
    static inline struct attend_##name##_options attend_##name##_defaults(void)                    \
    {                                                                                              \
        struct attend_##name##_options options;                                                    \
        attend_##name##_fill(&options, sizeof options);                                            \
        return options;                                                                            \
    }

#ifdef __cplusplus
}
#endif

#endif
