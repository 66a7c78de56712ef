#include "session.h"

static enum attend_status load(struct session *s, const char *path, struct attend_error *err)
{
    if (s->models == ATTEND_ENSEMBLE) {
        snprintf(err->message, sizeof err->message, "at most %d models translate together",
                 ATTEND_ENSEMBLE);
        return ATTEND_USAGE;
    }
    const enum attend_status status = attend_model_load(&s->model[s->models], path, err);
    s->models += !status;
    return status;
}

int session_open(struct session *s, const struct command *command,
                 const struct attend_options *options)
{
    struct attend_error err;
    const char *first;
    *s = (struct session){0};
    if (!args_need(command, options, "model", &first))
        return EXIT_USAGE;
    const char *const one[] = {first, NULL};
    const char *const *path = attend_options_list(options, "model");
    enum attend_status status = ATTEND_OK;
    for (path = path ? path : one; *path && !status; path++)
        status = load(s, *path, &err);
    if (!status)
        status = attend_translator_new(&s->translator, (const struct attend_model *const *)s->model,
                                       s->models, options, &err);
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}

bool session_attends(const struct session *s, const struct command *command)
{
    bool attends = true;
    for (int i = 0; i < s->models; i++)
        attends = attends && attend_model_attends(s->model[i]);
    if (!attends)
        fprintf(
            stderr,
            "attend %s: the model was trained with --attention none: it has no attention to show\n",
            command->name);
    return attends;
}

void session_close(struct session *s)
{
    attend_translator_free(s->translator);
    for (int i = 0; i < s->models; i++)
        attend_model_free(s->model[i]);
}
