/* Ready models: model files in folders, which programs find by name.
 *
 * The model NAME is the file NAME.safetensors in a folder. Its card, NAME.md beside it, says in
 * Markdown what the model does: a title, a paragraph, and a table of two columns, which has a fact
 * in each row, such as its languages, its license or how good it is. What follows is for people. A
 * model without a card is found too. The caller gives the folders in the order of their precedence:
 * of several models of one name, the first counts. */
#ifndef ATTEND_SHELF_H
#define ATTEND_SHELF_H

#include "attend/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A row of the table of a card. */
struct attend_card_fact {
    const char *name, *text;
};

/** A ready model and what its card says. */
struct attend_card {
    const char *name;
    const char *path;    /**< of the model file */
    const char *summary; /**< the first paragraph of the card, as one line; "" without a card */
    const char *text;    /**< the whole card; "" without a card */
    const struct attend_card_fact *fact; /**< (facts) */
    int facts;
    long long bytes; /**< the size of the model file */
    void *reserved[2];
};
/** The text of a fact; "" if the card does not have it. */
ATTEND_API const char *attend_card_fact(const struct attend_card *card, const char *name);

/** The models of several folders. */
struct attend_shelf;

/** Read the folders (a list that ends with NULL) and the cards. Folders that cannot be read are left
 * out, and so is a card that is not UTF-8 text of at most 64 kB. */
ATTEND_API enum attend_status
attend_shelf_open(struct attend_shelf **out, const char *const *folders, struct attend_error *err);
ATTEND_API void attend_shelf_close(struct attend_shelf *shelf);
/** Model i, in the order of the names; NULL after the last. It lives as long as the shelf. */
ATTEND_API const struct attend_card *attend_shelf_card(const struct attend_shelf *shelf, int i);
/** Folder i, in the order given; NULL after the last. */
ATTEND_API const char *attend_shelf_folder(const struct attend_shelf *shelf, int i);
/** The model of this name. ATTEND_IO if there is none: the message has the folders and, if a similar
 * name exists, that name. */
ATTEND_API enum attend_status attend_shelf_find(const struct attend_shelf *shelf, const char *name,
                                                const struct attend_card **out,
                                                struct attend_error *err);

/** Find a model by a path or by its name. A text with a slash or with the ending .safetensors, and
 * the name of an existing file, are paths; they come back as they are. Any other text is the name of
 * a model in one of the folders, or an error as of attend_shelf_find. Free the path with
 * attend_text_free. */
ATTEND_API enum attend_status attend_model_find(char **out, const char *text,
                                                const char *const *folders,
                                                struct attend_error *err);

/** The models as a table for a terminal of this width (0: of any width); where its lines are too
 * wide, as a few lines for each model. Free it with attend_text_free; NULL when out of memory. The
 * same holds for the next two. */
ATTEND_API char *attend_shelf_text(const struct attend_shelf *shelf, int width);
/** The models as a JSON object: `models`, an array of cards without their text, and `folders`. */
ATTEND_API char *attend_shelf_json(const struct attend_shelf *shelf);
/** One model as a JSON object: `name`, `path`, `bytes`, `summary`, `facts` and `card`, its text. */
ATTEND_API char *attend_card_json(const struct attend_card *card);

#ifdef __cplusplus
}
#endif

#endif
