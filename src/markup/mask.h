/* Parts of a text that must not change: addresses and numbers. */
#ifndef ATTEND_MARKUP_MASK_H
#define ATTEND_MARKUP_MASK_H

#include <stdbool.h>
#include <stddef.h>

struct mask {
    const char *name;
    /* The length of what starts at text + at, or 0; `length` is the whole text's. */
    size_t (*find)(const char *text, size_t length, size_t at);
    unsigned bit;  /* ATTEND_MASK_... */
    bool required; /* the model is asked to say it; false: it is taken out */
};

/* To add one: a function, a row, and a constant in attend/markup.h. A NULL name ends the table. */
extern const struct mask masks[];

#endif
