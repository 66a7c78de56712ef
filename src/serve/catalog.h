/* The models that are served. A catalog does not change: loading anew makes another one, and a
 * request keeps the one that it began with. Both count their holders. */
#ifndef ATTEND_SERVE_CATALOG_H
#define ATTEND_SERVE_CATALOG_H

#include "attend/model.h"
#include "attend/option.h"
#include "attend/translate.h"

#include <stdatomic.h>

struct served {
    atomic_int holders;
    char *name, *path;
    char *source, *target; /* codes of its languages; NULL: not known */
    struct attend_model *model;
    struct attend_model_info info;
    struct attend_translator *translator; /* made and used by the translating thread alone */
    struct attend_translator *explainer;  /* the same of the thread that explains */
};

struct catalog {
    atomic_int holders;
    int count;
    struct served **item;               /* (count), at least one */
    const struct attend_model **models; /* (count) the same, for attend_detect */
};

/* What is told on the way. */
struct catalog_notes {
    void (*note)(void *context, const char *text);
    void *context;
};

/* The models of the settings `model`, under the names of `name` or of their files without folder
 * and ending. A model that does not know its languages takes them from a name such as en-de. */
enum attend_status catalog_load(struct catalog **out, const struct attend_options *,
                                const struct catalog_notes *, struct attend_error *err);
/* The same again; a model that cannot be loaded is taken over from the old catalog, with a note. */
enum attend_status catalog_reload(struct catalog **out, const struct catalog *old,
                                  const struct attend_options *, const struct catalog_notes *,
                                  struct attend_error *err);
struct catalog *catalog_hold(struct catalog *);
/* NULL is fine. */
void catalog_release(struct catalog *);

struct served *served_hold(struct served *);
void served_release(struct served *);

/* NULL when there is none. */
struct served *catalog_find(const struct catalog *, const char *name);
/* The first from one language to another; target NULL: to any. */
struct served *catalog_find_pair(const struct catalog *, const char *source, const char *target);
/* Whether a language is some model's source or target. */
bool catalog_speaks(const struct catalog *, const char *language);
/* The languages, each once, in the order of the models: the i-th, NULL past the last. */
const char *catalog_language(const struct catalog *, int i);

#endif
