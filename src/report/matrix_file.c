#include "report/matrices.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static const struct matrix_form forms[] = {
    {'{', matrix_json_read},
    {0, matrix_nematus_read},
};

enum attend_status attend_matrix_file_open(struct attend_matrix_file **out, const char *path,
                                           struct attend_error *err)
{
    struct attend_matrix_file *file = calloc(1, sizeof *file);
    const enum attend_status status =
        file ? attend_lines_open(&file->lines, path, err)
             : error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    if (status)
        free(file);
    else
        *out = file;
    return status;
}

enum attend_status matrix_file_hold(struct attend_matrix_file *file, struct attend_error *err)
{
    const char *line;
    enum attend_status status;
    free(file->held);
    file->held = NULL;
    do
        status = attend_lines_next(file->lines, &line, err);
    while (!status && line && !line[strspn(line, " \t")]);
    if (status || !line)
        return status;
    file->held = strdup(line);
    return file->held ? ATTEND_OK
                      : error_at(err, ATTEND_NO_MEMORY, attend_lines_name(file->lines),
                                 (size_t)attend_lines_number(file->lines), "out of memory");
}

enum attend_status attend_matrix_file_next(struct attend_matrix_file *file,
                                           struct attend_matrices *list, struct attend_error *err)
{
    enum attend_status status = file->form ? ATTEND_OK : matrix_file_hold(file, err);
    if (status || !file->held)
        return status;
    const char first = file->held[strspn(file->held, " \t")];
    const struct matrix_form *form = forms;
    while (form->first && form->first != first)
        form++;
    file->form = file->form ? file->form : form;
    file->number++;
    return file->form->read(file, list, err);
}

void attend_matrix_file_close(struct attend_matrix_file *file)
{
    if (!file)
        return;
    attend_lines_close(file->lines);
    free(file->held);
    free(file);
}
