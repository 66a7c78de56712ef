#include "picture.h"

#include "painter.h"
#include "screen.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool picture_ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), end = strlen(ending);
    return length >= end && strcmp(path + length - end, ending) == 0;
}

bool picture_takes(const char *path)
{
    return picture_ends_in(path, ".svg") || painter_takes(path);
}

int picture_save_text(const struct command *command, char *text, const char *path)
{
    struct attend_error err = {.message = "out of memory for the picture"};
    const enum attend_status status = text ? attend_plot_save(path, text, &err) : ATTEND_NO_MEMORY;
    attend_text_free(text);
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}

int picture_save(const struct command *command, struct attend_picture *picture, const char *path)
{
    int code;
    if (picture && painter_takes(path))
        code = painter_save(command, picture, path);
    else
        code = picture_save_text(command, picture ? attend_picture_svg(picture) : NULL, path);
    attend_picture_free(picture);
    return code;
}

/* The index of a value among the choices of its setting. */
static int index_of(struct attend_choice (*choices)(int), const char *value)
{
    int i = 0;
    while (strcmp(choices(i).name, value) != 0)
        i++;
    return i;
}

struct attend_style picture_style(const struct flags *flags)
{
    /* The choices are in the order of the enumerations. */
    return (struct attend_style){.title = flags->title,
                                 .view = (enum attend_view)index_of(view_choice, flags->view),
                                 .values =
                                     (enum attend_values)index_of(values_choice, flags->values),
                                 .dark = flags->dark,
                                 .scale = flags->scale,
                                 .width = screen_width(stdout)};
}

bool picture_colors(const struct flags *flags)
{
    const char *color = flags->color, *term = getenv("COLORTERM");
    if (strcmp(color, "auto") != 0)
        return strcmp(color, "always") == 0;
    const bool able = term && (strcmp(term, "truecolor") == 0 || strcmp(term, "24bit") == 0);
    return isatty(STDOUT_FILENO) && able && !getenv("NO_COLOR");
}
