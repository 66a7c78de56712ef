#include "session.h"

#include <stdlib.h>
#include <string.h>

int session_open(struct session *s, const struct command *command,
                 const struct attend_options *options)
{
    struct attend_error err;
    const char *path;
    *s = (struct session){0};
    if (!args_need(command, options, "model", &path))
        return EXIT_USAGE;
    enum attend_status status = attend_model_load(&s->model, path, &err);
    if (!status)
        status = attend_translator_new(
            &s->translator, (const struct attend_model *const *)&s->model, 1, options, &err);
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}

bool session_attends(const struct session *s, const struct command *command)
{
    const bool attends = attend_model_attends(s->model);
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
    attend_model_free(s->model);
}

/* A line with a NUL in it would silently lose its end. */
static bool tidy(char *line, ssize_t length, bool first)
{
    if (strlen(line) != (size_t)length)
        return false;
    if (length && line[length - 1] == '\n')
        line[--length] = '\0';
    if (length && line[length - 1] == '\r')
        line[--length] = '\0';
    if (first && strncmp(line, "\xef\xbb\xbf", 3) == 0)
        memmove(line, line + 3, (size_t)length - 2);
    return true;
}

bool read_lines(FILE *file, char **line, int most, int *count, bool first)
{
    for (*count = 0; *count < most; ++*count) {
        size_t size = 0;
        line[*count] = NULL;
        const ssize_t length = getline(&line[*count], &size, file);
        if (length < 0) {
            free(line[*count]);
            return feof(file);
        }
        if (!tidy(line[*count], length, first && *count == 0)) {
            free(line[*count]);
            return false;
        }
    }
    return true;
}

void free_lines(char **line, int count)
{
    for (int i = 0; i < count; i++)
        free(line[i]);
}
