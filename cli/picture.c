#include "picture.h"

#include "painter.h"

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
    struct attend_error err = {"out of memory for the picture"};
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

/* The place of a setting's value among its choices. */
static int choice(const struct attend_options *options, const char *name)
{
    const char *value = attend_options_text(options, name);
    struct attend_option_info info;
    for (int i = 0; attend_options_describe(options, i, &info); i++)
        for (int c = 0; strcmp(info.name, name) == 0 && info.choices(c); c++)
            if (strcmp(info.choices(c), value) == 0)
                return c;
    return 0;
}

struct attend_look picture_look(const struct attend_options *options)
{
    /* The choices stand in the order of the enumerations. */
    return (struct attend_look){.title = attend_options_text(options, "title"),
                                .view = (enum attend_view)choice(options, "view"),
                                .values = (enum attend_values)choice(options, "values"),
                                .dark = attend_options_number(options, "dark") > 0,
                                .scale = attend_options_text(options, "scale")};
}

bool picture_colours(const struct attend_options *options)
{
    const char *color = attend_options_text(options, "color"), *term = getenv("COLORTERM");
    if (strcmp(color, "auto") != 0)
        return strcmp(color, "always") == 0;
    const bool able = term && (strcmp(term, "truecolor") == 0 || strcmp(term, "24bit") == 0);
    return isatty(STDOUT_FILENO) && able && !getenv("NO_COLOR");
}
