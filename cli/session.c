#include "session.h"

static enum attend_status load(struct session *s, const char *path, struct attend_error *err)
{
    if (s->models == ATTEND_ENSEMBLE) {
        snprintf(err->message, sizeof err->message, "an ensemble has at most %d models",
                 ATTEND_ENSEMBLE);
        return ATTEND_USAGE;
    }
    const enum attend_status status = attend_model_load(&s->model[s->models], path, err);
    s->models += !status;
    return status;
}

int session_models(struct session *s, const struct command *command, const struct flags *flags)
{
    struct attend_error err;
    const char *const one[] = {flags->model, NULL};
    const char *const *path = flags->models ? flags->models : one;
    *s = (struct session){0};
    const int code = args_models(command, flags, path, true);
    if (code != EXIT_DONE)
        return code;
    enum attend_status status = ATTEND_OK;
    for (; *path && !status; path++)
        status = load(s, *path, &err);
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}

int session_load(struct session *s, const struct command *command, const struct flags *flags)
{
    const int code = session_models(s, command, flags);
    return code == EXIT_DONE ? session_start(s, command, flags) : code;
}

int session_start(struct session *s, const struct command *command, const struct flags *flags)
{
    struct attend_error err;
    enum attend_status status =
        attend_translator_new(&s->translator, (const struct attend_model *const *)s->model,
                              s->models, &flags->search, &err);
    if (!status) {
        s->reader = attend_model_info(s->model[0]).frames;
        status = frame_lines_open(&s->frames, s->translator, s->model[0], flags, &err);
    }
    return status ? args_fail(command, status, &err) : session_takes(s, command, flags);
}

int session_takes(const struct session *s, const struct command *command, const struct flags *flags)
{
    static const char *const text_only[] = {
        "mask", "unk-replace",     "lexicon", "lexicon-first", "tags",   "glossary", "format",
        "from", "split-sentences", "strict",  "steps",         "attend", "curves",   "to",
        NULL};
    /* --mask keeps parts of lines in attend translate, and has another meaning in attend explain. */
    const char *const *refused = text_only + !flags->masks;
    char why[128];
    if (!s->reader)
        return EXIT_DONE;
    snprintf(why, sizeof why, "needs a model that reads text, and this one reads frames (%s)",
             s->reader);
    return args_none(command, flags, refused, why) ? EXIT_DONE : EXIT_USAGE;
}

int session_open(struct session *s, const struct command *command, const struct flags *flags)
{
    const int code = session_load(s, command, flags);
    return code == EXIT_DONE ? session_point(s, command) : code;
}

int session_point(const struct session *s, const struct command *command)
{
    struct attend_error err;
    const enum attend_status status = session_direction(s->translator, command, &err);
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}

enum attend_status session_direction(const struct attend_translator *translator,
                                     const struct command *command, struct attend_error *err)
{
    struct attend_direction direction;
    const enum attend_status status = attend_translator_direction(translator, &direction, err);
    if (!status && !direction.seen)
        fprintf(stderr, "attend %s: the model has not seen %s with %s together, only each alone\n",
                command->name, direction.from, direction.to);
    return status;
}

bool session_attends(const struct session *s, const struct command *command)
{
    bool attends = true;
    for (int i = 0; i < s->models; i++)
        attends = attends && attend_model_attends(s->model[i]);
    if (!attends)
        fprintf(
            stderr,
            "attend %s: the model was trained with --attention none and has no attention to show\n",
            command->name);
    return attends;
}

void session_close(struct session *s)
{
    attend_translator_free(s->translator);
    for (int i = 0; i < s->models; i++)
        attend_model_free(s->model[i]);
}
