#include "plot_sink.h"

#include "picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* To add a kind: two functions, an object below, and its file names in find_kind. */
struct plot_sink_kind {
    int (*put)(struct plot_sink *, const struct attend_matrices *panels, long number);
    int (*close)(struct plot_sink *); /* NULL: nothing to do */
};

enum { TITLE = 512 };

/* The style of one sentence's picture: its title has the line number if there are several. */
static struct attend_style look_at(const struct plot_sink *s, long number, char *title)
{
    struct attend_style style = s->style;
    if (!s->several)
        return style;
    snprintf(title, TITLE, "%.400s%sline %ld", style.title ? style.title : "",
             style.title ? ", " : "", number);
    style.title = title;
    return style;
}

static int no_memory(const struct plot_sink *s)
{
    const struct attend_error err = {.message = "out of memory for the picture"};
    return args_fail(s->command, ATTEND_NO_MEMORY, &err);
}

/* ---- The terminal ---- */

static int put_terminal(struct plot_sink *s, const struct attend_matrices *panels, long number)
{
    char title[TITLE];
    const struct attend_style style = look_at(s, number, title);
    char *text = attend_terminal_matrices(panels->item, panels->count, &style, s->color);
    if (!text)
        return no_memory(s);
    errno = 0;
    if (s->drawn)
        putchar('\n');
    fputs(text, stdout);
    attend_text_free(text);
    return args_flush(s->command, stdout);
}

/* A line for each matrix; NULL when out of memory. */
static char *json_lines(const struct attend_matrices *list)
{
    char *all = NULL;
    size_t length;
    FILE *out = open_memstream(&all, &length);
    bool good = out;
    for (int i = 0; i < list->count && good; i++) {
        char *line = attend_matrix_json(&list->item[i]);
        good = line && fprintf(out, "%s\n", line) >= 0;
        attend_text_free(line);
    }
    good = (!out || fclose(out) == 0) && good;
    if (!good) {
        free(all);
        all = NULL;
    }
    return all;
}

/* ---- A folder ---- */

static int make_folder(const struct plot_sink *s)
{
    if (s->drawn || mkdir(s->output, 0777) == 0 || errno == EEXIST)
        return EXIT_DONE;
    fprintf(stderr, "attend %s: %s: cannot create the folder: %s\n", s->command->name, s->output,
            strerror(errno));
    return EXIT_FAILED;
}

static int put_folder(struct plot_sink *s, const struct attend_matrices *panels, long number)
{
    char path[4096], title[TITLE];
    const struct attend_style style = look_at(s, number, title);
    const bool slash = picture_ends_in(s->output, "/");
    const int length =
        snprintf(path, sizeof path, "%s%s%06ld.%s", s->output, slash ? "" : "/", number, s->format);
    if (length >= (int)sizeof path)
        return args_usage(s->command, "the name of the folder is too long");
    const int code = make_folder(s);
    if (code != EXIT_DONE)
        return code;
    return strcmp(s->format, "json") == 0
               ? picture_save_text(s->command, json_lines(panels), path)
               : picture_save(s->command,
                              attend_picture_matrices(panels->item, panels->count, &style), path);
}

/* ---- One file ---- */

static int keep(struct plot_sink *s, const struct attend_matrix *panel, long number)
{
    struct attend_error err;
    const enum attend_status status = attend_matrices_add(&s->kept, panel, number, &err);
    return status ? args_fail(s->command, status, &err) : EXIT_DONE;
}

/* The file is written at the end, when it is certain that there is only one sentence. */
static int put_file(struct plot_sink *s, const struct attend_matrices *panels, long number)
{
    int code = EXIT_DONE;
    if (s->drawn)
        return args_usage(s->command, "there are several sentences, with a picture each; give "
                                      "--output FOLDER/ or an .html file, or --limit 1");
    for (int i = 0; i < panels->count && code == EXIT_DONE; i++)
        code = keep(s, &panels->item[i], number);
    return code;
}

static int close_file(struct plot_sink *s)
{
    return picture_save(s->command, attend_picture_matrices(s->kept.item, s->kept.count, &s->style),
                        s->output);
}

/* ---- A page ---- */

static int put_page(struct plot_sink *s, const struct attend_matrices *panels, long number)
{
    int code = EXIT_DONE;
    for (int i = 0; i < panels->count && code == EXIT_DONE; i++) {
        char title[TITLE];
        struct attend_matrix panel = panels->item[i];
        if (s->several) {
            snprintf(title, sizeof title, "line %ld%s%.400s", number, panel.title ? ", " : "",
                     panel.title ? panel.title : "");
            panel.title = title;
        }
        code = keep(s, &panel, number);
    }
    return code;
}

static int close_page(struct plot_sink *s)
{
    return picture_save_text(s->command, attend_page(s->kept.item, s->kept.count, &s->style),
                             s->output);
}

/* ---- Lines of JSON: what --matrix reads ---- */

static int close_json(struct plot_sink *s)
{
    return picture_save_text(s->command, json_lines(&s->kept), s->output);
}

/* ---- All of them ---- */

static const struct plot_sink_kind terminal = {put_terminal, NULL}, folder = {put_folder, NULL},
                                   file = {put_file, close_file}, page = {put_page, close_page},
                                   json = {put_page, close_json};

/* NULL when nothing can be drawn under this name. */
static const struct plot_sink_kind *find_kind(const char *output)
{
    struct stat info;
    if (!output)
        return &terminal;
    if (picture_ends_in(output, "/") || (stat(output, &info) == 0 && S_ISDIR(info.st_mode)))
        return &folder;
    if (picture_ends_in(output, ".html"))
        return &page;
    if (picture_ends_in(output, ".json"))
        return &json;
    return picture_takes(output) ? &file : NULL;
}

int plot_sink_open(struct plot_sink *s, const struct command *command, const struct flags *flags,
                   bool several)
{
    const char *format = flags->format;
    *s = (struct plot_sink){.command = command,
                            .output = flags->output,
                            .format = format ? format : "svg",
                            .style = picture_style(flags),
                            .color = picture_colors(flags),
                            .several = several,
                            .limit = flags->limit};
    s->kind = find_kind(s->output);
    if (!s->kind)
        return args_usage(command, "--output takes a file that ends in .svg, .png, .pdf, .html or "
                                   ".json, or a folder, FOLDER/");
    if (format && s->kind != &folder)
        return args_usage(command, "--format needs --output FOLDER/; a file has the format of its "
                                   "extension");
    return EXIT_DONE;
}

int plot_sink_room(const struct plot_sink *s, int most)
{
    const int left = s->limit - s->taken;
    return s->limit && left < most ? left : most;
}

int plot_sink_put(struct plot_sink *s, const struct attend_matrices *panels, long number)
{
    int words = 0;
    for (int i = 0; i < panels->count; i++)
        words += panels->item[i].target_count && panels->item[i].source_count;
    s->taken++;
    if (!words)
        return EXIT_DONE;
    const int code = s->kind->put(s, panels, number);
    s->drawn++;
    return code;
}

int plot_sink_close(struct plot_sink *s, int code)
{
    if (code == EXIT_DONE && s->drawn < s->taken)
        fprintf(stderr, "attend %s: %d sentences without words were skipped\n", s->command->name,
                s->taken - s->drawn);
    if (code == EXIT_DONE && !s->drawn) {
        const struct attend_error err = {.message =
                                             "there is nothing to draw: the input has no sentence"};
        code = args_fail(s->command, ATTEND_DATA, &err);
    } else if (code == EXIT_DONE && s->kind->close) {
        code = s->kind->close(s);
    }
    attend_matrices_release(&s->kept);
    return code;
}
