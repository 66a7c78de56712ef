/* How the library reports failure: a status, and a message ready to print. */
#ifndef ATTEND_STATUS_H
#define ATTEND_STATUS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ATTEND_API __attribute__((visibility("default")))

/* name, what it means */
#define ATTEND_STATUS_LIST(X)                                                                      \
    X(OK, "ok")                                                                                    \
    X(USAGE, "a setting or argument is wrong")                                                     \
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

/** One line without a full stop, naming the file and the line where there is one. */
struct attend_error {
    char message[512];
};

/** Asked between the steps of long work; as soon as it returns true, the work ends with
 * ATTEND_STOPPED. Several threads may call it at once, up to thousands of times a second. */
struct attend_stop {
    bool (*asked)(void *context);
    void *context;
};

/** What a status means in general; the particular case is in struct attend_error. */
ATTEND_API const char *attend_status_text(enum attend_status status);

#ifdef __cplusplus
}
#endif

#endif
