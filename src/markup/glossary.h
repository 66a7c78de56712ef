/* Terms, found in a line as whole words in any case. */
#ifndef ATTEND_MARKUP_GLOSSARY_H
#define ATTEND_MARKUP_GLOSSARY_H

#include "attend/markup.h"
#include "text/piece_table.h"

struct glossary_term {
    char *source;
    char *target; /* NULL: do not translate */
    long line;
};

struct attend_glossary {
    char *name;
    struct piece_table key;     /* the terms' words in lower case */
    struct piece_table first;   /* their first words */
    int *longest;               /* (first.count) words of the longest term that starts so */
    int room;                   /* of `longest` */
    struct glossary_term *term; /* (key.count) */
    int size;
};

/* The words of a text in lower case. All zero is none. */
struct glossary_words {
    struct glossary_word {
        size_t from, to; /* bytes of the text */
        size_t key, end; /* bytes of `lower`: the word, and a separator after it */
    } * word;
    int count, size;
    struct strbuf lower;
    bool failed;
};
void glossary_cut(struct glossary_words *, const char *text);
void glossary_words_release(struct glossary_words *);
/* The longest term that starts at a word, and its length in words; NULL: none. */
const struct glossary_term *glossary_find(const struct attend_glossary *,
                                          const struct glossary_words *, int word, int *length);

#endif
