#include "painter.h"

#include "module.h"

#include <attend/paint.h>

#include <dlfcn.h>
#include <string.h>

typedef enum attend_status paint_fn(const struct attend_picture *, enum attend_paint_format,
                                    double scale, unsigned char **bytes, size_t *size,
                                    struct attend_error *);
typedef void paint_free_fn(unsigned char *);

static const struct {
    const char *ending;
    enum attend_paint_format format;
} endings[] = {{".png", ATTEND_PAINT_PNG}, {".pdf", ATTEND_PAINT_PDF}};
enum { ENDINGS = sizeof endings / sizeof *endings };

/* The row of `endings`, or ENDINGS. */
static int find_ending(const char *path)
{
    const size_t length = strlen(path);
    int i = 0;
    while (i < ENDINGS && (length < 4 || strcmp(path + length - 4, endings[i].ending) != 0))
        i++;
    return i;
}

bool painter_takes(const char *path) { return find_ending(path) < ENDINGS; }

static enum attend_status load(paint_fn **paint, paint_free_fn **paint_free,
                               struct attend_error *err)
{
    void *module = module_open("attend-paint.so", RTLD_NOW);
    *paint = NULL;
    *paint_free = NULL;
    if (module) {
        module_find(module, "attend_paint", paint);
        module_find(module, "attend_paint_free", paint_free);
    }
    if (*paint && *paint_free)
        return ATTEND_OK;
    const char *why = dlerror();
    snprintf(err->message, sizeof err->message,
             "PNG and PDF need attend-paint.so, which cannot be loaded (%s); install "
             "libpango1.0-dev and build again with ATTEND_PAINT=ON, or write .svg",
             why ? why : "file not found");
    return ATTEND_IO;
}

int painter_save(const struct command *command, const struct attend_picture *picture,
                 const char *path)
{
    paint_fn *paint;
    paint_free_fn *paint_free;
    struct attend_error err;
    const int row = find_ending(path);
    if (row == ENDINGS)
        return args_usage(command, "a picture to paint ends in .png or .pdf");
    enum attend_status status = load(&paint, &paint_free, &err);
    unsigned char *bytes = NULL;
    size_t size;
    if (!status)
        status = paint(picture, endings[row].format, 0, &bytes, &size, &err);
    if (!status)
        status = attend_plot_save_bytes(path, bytes, size, &err);
    if (bytes)
        paint_free(bytes);
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}
