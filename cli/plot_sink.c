#include "plot_sink.h"

#include "picture.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* To add one: two functions, a row below, and what names it in find_kind. */
struct plot_sink_kind {
    int (*put)(struct plot_sink *, const struct attend_matrices *panels, long number);
    int (*close)(struct plot_sink *); /* NULL: nothing to do */
};

enum { TITLE = 512 };

/* The heading of a picture: which line it is, where there are several. */
static struct attend_look look_at(const struct plot_sink *s, long number, char *title)
{
    struct attend_look look = s->look;
    if (!s->several)
        return look;
    snprintf(title, TITLE, "%.400s%sline %ld", look.title ? look.title : "", look.title ? ", " : "",
             number);
    look.title = title;
    return look;
}

static int no_memory(const struct plot_sink *s)
{
    const struct attend_error err = {"out of memory for the picture"};
    return args_fail(s->command, ATTEND_NO_MEMORY, &err);
}

/* ---- The terminal ---- */

static int put_terminal(struct plot_sink *s, const struct attend_matrices *panels, long number)
{
    char title[TITLE];
    const struct attend_look look = look_at(s, number, title);
    char *text = attend_terminal_matrices(panels->item, panels->count, &look, s->colour);
    if (!text)
        return no_memory(s);
    errno = 0;
    if (s->drawn)
        putchar('\n');
    fputs(text, stdout);
    attend_text_free(text);
    return args_flush(s->command, stdout);
}

/* ---- A folder ---- */

static int make_folder(const struct plot_sink *s)
{
    if (s->drawn || mkdir(s->output, 0777) == 0 || errno == EEXIST)
        return EXIT_DONE;
    fprintf(stderr, "attend %s: %s: the folder cannot be made: %s\n", s->command->name, s->output,
            strerror(errno));
    return EXIT_FAILED;
}

static int put_folder(struct plot_sink *s, const struct attend_matrices *panels, long number)
{
    char path[4096], title[TITLE];
    const struct attend_look look = look_at(s, number, title);
    const bool slash = picture_ends_in(s->output, "/");
    const int length =
        snprintf(path, sizeof path, "%s%s%06ld.%s", s->output, slash ? "" : "/", number, s->format);
    if (length >= (int)sizeof path)
        return args_usage(s->command, "the name of the folder is too long");
    const int code = make_folder(s);
    return code == EXIT_DONE
               ? picture_save(s->command,
                              attend_picture_matrices(panels->item, panels->count, &look), path)
               : code;
}

/* ---- One file ---- */

static int keep(struct plot_sink *s, const struct attend_matrix *panel, long number)
{
    struct attend_error err;
    const enum attend_status status = attend_matrices_add(&s->kept, panel, number, &err);
    return status ? args_fail(s->command, status, &err) : EXIT_DONE;
}

/* Nothing is written before it is clear that there is one sentence only. */
static int put_file(struct plot_sink *s, const struct attend_matrices *panels, long number)
{
    int code = EXIT_DONE;
    if (s->drawn)
        return args_usage(s->command, "there are several sentences, a picture each: --output takes "
                                      "a folder, FOLDER/, or an .html file; or give --limit 1");
    for (int i = 0; i < panels->count && code == EXIT_DONE; i++)
        code = keep(s, &panels->item[i], number);
    return code;
}

static int close_file(struct plot_sink *s)
{
    return picture_save(s->command, attend_picture_matrices(s->kept.item, s->kept.count, &s->look),
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
    return picture_save_text(s->command, attend_page(s->kept.item, s->kept.count, &s->look),
                             s->output);
}

/* ---- All of them ---- */

static const struct plot_sink_kind terminal = {put_terminal, NULL}, folder = {put_folder, NULL},
                                   file = {put_file, close_file}, page = {put_page, close_page};

/* NULL when the name fits none. */
static const struct plot_sink_kind *find_kind(const char *output)
{
    struct stat info;
    if (!output)
        return &terminal;
    if (picture_ends_in(output, "/") || (stat(output, &info) == 0 && S_ISDIR(info.st_mode)))
        return &folder;
    if (picture_ends_in(output, ".html"))
        return &page;
    return picture_takes(output) ? &file : NULL;
}

int plot_sink_open(struct plot_sink *s, const struct command *command,
                   const struct attend_options *options, bool several)
{
    const char *format = attend_options_text(options, "format");
    *s = (struct plot_sink){.command = command,
                            .output = attend_options_text(options, "output"),
                            .format = format ? format : "svg",
                            .look = picture_look(options),
                            .colour = picture_colours(options),
                            .several = several,
                            .limit = (int)attend_options_number(options, "limit")};
    s->kind = find_kind(s->output);
    if (!s->kind)
        return args_usage(command, "--output takes a file that ends in .svg, .png, .pdf or .html, "
                                   "or a folder, FOLDER/");
    if (format && s->kind != &folder)
        return args_usage(command, "--format goes with --output FOLDER/; a file's ending says it");
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
        fprintf(stderr, "attend %s: %d sentences without words were passed over\n",
                s->command->name, s->taken - s->drawn);
    if (code == EXIT_DONE && !s->drawn) {
        const struct attend_error err = {"there is nothing to draw: the input has no sentence"};
        code = args_fail(s->command, ATTEND_DATA, &err);
    } else if (code == EXIT_DONE && s->kind->close) {
        code = s->kind->close(s);
    }
    attend_matrices_release(&s->kept);
    return code;
}
