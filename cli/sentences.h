/* The module that finds sentences, loaded on demand. */
#ifndef ATTEND_CLI_SENTENCES_H
#define ATTEND_CLI_SENTENCES_H

#include <attend/document.h>

/* All zero: not loaded. */
struct sentences {
    struct attend_sentences finder;
    void (*close)(struct attend_sentences *);
};

/* Load the module. Returns the finder, or NULL, after a message on stderr, if it is not there: then
 * every line counts as one sentence. */
const struct attend_sentences *sentences_load(struct sentences *, const char *command);
void sentences_close(struct sentences *);

#endif
