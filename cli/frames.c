#include "frames.h"

#include "module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Open a module, or say why that fails. */
static void *open_module(const char *file, const char *install, char *why, size_t size)
{
    void *module = module_open(file, RTLD_NOW);
    const char *reason = module ? NULL : dlerror();
    if (!module)
        snprintf(why, size, "cannot be loaded (%.200s); install %s",
                 reason ? reason : "file not found", install);
    return module;
}

static void load_sound(struct frame_modules *m)
{
    struct attend_frame_modules *f = &m->functions;
    if (f->sound_decode)
        return;
    void *module = open_module("attend-sound.so",
                               "libsndfile1-dev and libfftw3-dev and build again with "
                               "ATTEND_SOUND=ON",
                               m->no_sound, sizeof m->no_sound);
    f->no_sound = m->no_sound;
    if (!module)
        return;
    module_find(module, "attend_sound_decode", &f->sound_decode);
    module_find(module, "attend_sound_power", &f->sound_power);
}

static void load_image(struct frame_modules *m)
{
    struct attend_frame_modules *f = &m->functions;
    if (f->image_decode)
        return;
    void *module = open_module("attend-image.so",
                               "libpng-dev and libturbojpeg0-dev and build again with "
                               "ATTEND_IMAGE=ON",
                               m->no_image, sizeof m->no_image);
    f->no_image = m->no_image;
    if (module)
        module_find(module, "attend_image_decode", &f->image_decode);
}

const struct attend_frame_modules *frame_modules_load(struct frame_modules *modules,
                                                      const char *reader)
{
    static const struct {
        const char *reader;
        void (*load)(struct frame_modules *);
    } rows[] = {{"wav", load_sound}, {"image", load_image}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].reader, reader) == 0)
            rows[i].load(modules);
    return &modules->functions;
}
