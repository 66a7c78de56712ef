/* Translate each argument and print where the model looked: embed MODEL SENTENCE... */
#include <attend/translate.h>

#include <stdio.h>

/* Print each target word with the source word that got the most attention. */
static void print(const struct attend_translation *t)
{
    printf("%s\n", t->text);
    for (int i = 0; t->attention && i < t->target_count; i++) {
        const float *weight = t->attention + (size_t)i * (size_t)t->source_count;
        int most = 0;
        for (int j = 1; j < t->source_count; j++)
            most = weight[j] > weight[most] ? j : most;
        printf("  %s <- %s (%.2f)\n", t->target[i], t->source[most], (double)weight[most]);
    }
}

int main(int argc, char **argv)
{
    struct attend_model *model = NULL;
    struct attend_translator *translator = NULL;
    struct attend_error err = {.message = "usage: embed MODEL SENTENCE..."};
    struct attend_translator_options options = attend_translator_defaults();
    options.beam = 4;
    int status = argc > 1 ? attend_model_load(&model, argv[1], &err) : ATTEND_USAGE;
    if (!status)
        status = attend_translator_new(&translator, (const struct attend_model *const *)&model, 1,
                                       &options, &err);
    for (int i = 2; i < argc && !status; i++) {
        struct attend_translation translation;
        status = attend_translate(translator, (const char *const *)&argv[i], 1, &translation, &err);
        if (!status)
            print(&translation);
        attend_translation_release(&translation);
    }
    if (status)
        fprintf(stderr, "embed: %s\n", err.message);
    attend_translator_free(translator);
    attend_model_free(model);
    return status != ATTEND_OK;
}
