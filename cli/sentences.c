#include "sentences.h"

#include "module.h"

#include <dlfcn.h>
#include <stdio.h>

typedef enum attend_status open_fn(struct attend_sentences *, struct attend_error *);

const struct attend_sentences *sentences_load(struct sentences *s, const char *command)
{
    struct attend_error err = {.message = ""};
    open_fn *open = NULL;
    void *module = module_open("attend-sentences.so", RTLD_NOW);
    if (module) {
        module_find(module, "attend_icu_open", &open);
        module_find(module, "attend_icu_close", &s->close);
    }
    if (open && s->close && open(&s->finder, &err) == ATTEND_OK)
        return &s->finder;
    const char *why = open && s->close ? err.message : dlerror();
    s->close = NULL;
    fprintf(stderr,
            "attend %s: each line is translated as one sentence, because attend-sentences.so "
            "cannot be loaded (%s); install libicu-dev and build again with ATTEND_SENTENCES=ON\n",
            command, why ? why : "file not found");
    return NULL;
}

void sentences_close(struct sentences *s)
{
    if (s->close)
        s->close(&s->finder);
}
