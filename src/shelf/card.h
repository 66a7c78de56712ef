/* The card of a model: a Markdown file. Its first paragraph says what the model does, its first
 * table has facts:
 *
 *     # english-pronunciation
 *
 *     English words to phones.
 *
 *     | languages | en |
 *     | license   | free, see below |
 *
 * The rows of dashes and those without a name, which Markdown needs, are no facts. If a name comes
 * twice, its first row counts. More than 256 facts are not read. */
#ifndef ATTEND_SHELF_CARD_H
#define ATTEND_SHELF_CARD_H

#include "attend/shelf.h"

#define CARD_MODEL ".safetensors"
#define CARD_ENDING ".md"

/* A card with its memory. */
struct card {
    struct attend_card view;
    char *path, *name;
    char *text, *parsed; /* the file; and a copy whose parts the view points into */
    struct attend_card_fact *fact;
};

/* Make the card of the model file at a path, which ends in CARD_MODEL. If the file of the card is not
 * there, or is not UTF-8 text of at most 64 kB, the card has only the name, the path and the size. */
enum attend_status card_read(struct card *, const char *path, struct attend_error *err);
void card_release(struct card *);

#endif
