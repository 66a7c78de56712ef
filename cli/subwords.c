#include "subwords.h"

#include "module.h"

#include <dlfcn.h>
#include <stdio.h>

enum attend_status subwords_learn(const struct attend_subwords_lesson *lesson, void **model,
                                  size_t *length, struct attend_error *err)
{
    attend_subwords_learn_fn *learn = NULL;
    void *module = module_open("attend-subwords.so", RTLD_NOW);
    if (module)
        module_find(module, "attend_subwords_learn", &learn);
    if (learn)
        return learn(lesson, model, length, err);
    const char *why = dlerror();
    snprintf(err->message, sizeof err->message,
             "learning subwords needs attend-subwords.so, which cannot be loaded (%.200s); install "
             "libsentencepiece-dev and build again with ATTEND_SUBWORDS=ON, or give --tokenizer "
             "word or char, or --tokenizer-model",
             why ? why : "file not found");
    return ATTEND_IO;
}
