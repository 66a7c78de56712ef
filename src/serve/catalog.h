/* The models that are served. A catalog never changes: a reload makes a new one, and each request
 * keeps the catalog that it started with. Catalogs and models are reference-counted. */
#ifndef ATTEND_SERVE_CATALOG_H
#define ATTEND_SERVE_CATALOG_H

#include "attend/markup.h"
#include "attend/model.h"
#include "attend/serve.h"
#include "attend/translate.h"
#include "serve/loader.h"

#include <stdatomic.h>
#include <stdbool.h>

/* A model, or one pair of languages of a model that has several (a view). The views of a model have
 * names such as MODEL:en-de; they share its weights and its translators. */
struct served {
    atomic_int holders;
    struct served *core; /* the model of a view, which holds it; otherwise the struct itself */
    char *name, *path;
    char *source, *target;      /* language codes; NULL: unknown */
    struct attend_model *model; /* for all but translating; without weights if load.home is set */
    struct attend_model_info info;
    bool writes;                          /* its target is strokes: it writes by hand */
    bool speaks;                          /* both sides are text: it has languages and glossaries */
    struct loadable load;                 /* of a core: its weights */
    struct attend_glossary *glossary;     /* or NULL */
    struct attend_translator *translator; /* created and used by the translating thread only */
    struct attend_translator *explainer;  /* the same for the explaining thread */
};

struct catalog {
    atomic_int holders;
    int count;
    struct served **item;               /* (count), at least one: models of one pair, and views */
    int cores;                          /* models that were given */
    struct served **core;               /* (cores) */
    const struct attend_model **models; /* (cores) the same, for attend_detect */
    int languages;
    const char **language; /* (languages) each once, in the order of the models; borrowed */
    unsigned masks;        /* ATTEND_MASK_... of all models */
    int kept;              /* models that a reload could not load and took from the old catalog */
};

/* Receives notes for the operator, and loads the weights. */
struct catalog_host {
    void (*note)(void *context, const char *text);
    void *context;
    struct loader *loader; /* NULL: they are loaded at once */
};

/* Load the models of `model`, under the names of `name` or else of their files without folder and
 * extension. A model without language codes takes them from a name such as en-de. */
enum attend_status catalog_load(struct catalog **out, const struct attend_serve_options *,
                                const struct catalog_host *, struct attend_error *err);
/* Load all models again. A model that fails to load is kept from the old catalog, with a note, if
 * that has it. */
enum attend_status catalog_reload(struct catalog **out, const struct catalog *old,
                                  const struct attend_serve_options *, const struct catalog_host *,
                                  struct attend_error *err);
struct catalog *catalog_hold(struct catalog *);
/* NULL is fine. */
void catalog_release(struct catalog *);

struct served *served_hold(struct served *);
void served_release(struct served *);

/* Whether it is a view: the languages must be told to the translator. */
static inline bool served_is_view(const struct served *s) { return s->core != s; }

/* A model of one pair, or a view; NULL when there is none. */
struct served *catalog_find(const struct catalog *, const char *name);
/* The only view of the model `name` with these languages (NULL: any). NULL when there is none; then
 * *several is true if the model has several such views. */
struct served *catalog_find_view(const struct catalog *, const char *name, const char *source,
                                 const char *target, bool *several);
/* The first model for a language pair; target NULL: any target language. */
struct served *catalog_find_pair(const struct catalog *, const char *source, const char *target);
/* Whether a language is the source or target of any model. */
bool catalog_speaks(const struct catalog *, const char *language);
/* The i-th distinct language, in the order of the models; NULL past the last. */
const char *catalog_language(const struct catalog *, int i);

#endif
