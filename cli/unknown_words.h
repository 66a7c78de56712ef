/* Counts what a model does not know of its input, and says so once. */
#ifndef ATTEND_CLI_UNKNOWN_WORDS_H
#define ATTEND_CLI_UNKNOWN_WORDS_H

#include "attend/translate.h"

enum { UNKNOWN_EXAMPLES = 5 };

/* All zero at first. */
struct unknown_words {
    long words, parts, lines; /* whole words, parts of words, lines with any */
    struct {
        char text[48]; /* shortened if it is longer */
        long line;
    } example[UNKNOWN_EXAMPLES];
    int examples;
};

/* `text` is the line as it was given, and its number counts from 1. */
void unknown_words_add(struct unknown_words *, const struct attend_unknown *, int count,
                       const char *text, long line);
/* One line on stderr if anything was unknown. */
void unknown_words_say(const struct unknown_words *, const char *command);
/* The message of --strict: the first unknown word of a line; `name` is the input. */
void unknown_words_refuse(const struct attend_unknown *, const char *name, long line,
                          struct attend_error *err);

#endif
