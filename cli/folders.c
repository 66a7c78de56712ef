#include "folders.h"

#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add(struct folders *f, const char *path, size_t length)
{
    int count = 0;
    while (f->path[count])
        count++;
    if (count < FOLDERS && length > 0)
        f->path[count] = strndup(path, length);
}

static void add_variable(struct folders *f)
{
    const char *at = getenv("ATTEND_MODELS");
    while (at && *at) {
        const size_t length = strcspn(at, ":");
        add(f, at, length);
        at += length + (at[length] == ':');
    }
}

/* The path `relative` to the folder of the program. The latter has no links, so `..` is its parent. */
static void join(char out[PLACE_SIZE], const char *program, const char *relative)
{
    size_t length = strlen(program);
    for (; strncmp(relative, "../", 3) == 0; relative += 3)
        while (length > 0 && program[--length] != '/')
            ;
    snprintf(out, PLACE_SIZE, "%.*s/%s", (int)length, program, relative);
}

/* The source tree of a build folder, as CMake's cache in that folder has it; "" if it is none. */
static void find_source(const char *program, char out[PLACE_SIZE])
{
    static const char key[] = "CMAKE_HOME_DIRECTORY:INTERNAL=";
    char path[PLACE_SIZE + 32], line[PLACE_SIZE];
    snprintf(path, sizeof path, "%s/CMakeCache.txt", program);
    FILE *cache = fopen(path, "re");
    out[0] = '\0';
    while (cache && !out[0] && fgets(line, sizeof line, cache))
        if (strncmp(line, key, sizeof key - 1) == 0)
            snprintf(out, PLACE_SIZE, "%.*s", (int)strcspn(line + sizeof key - 1, "\n"),
                     line + sizeof key - 1);
    if (cache)
        fclose(cache);
}

void folders_init(struct folders *f)
{
    char program[PLACE_SIZE], source[PLACE_SIZE], path[PLACE_SIZE];
    *f = (struct folders){0};
    add_variable(f);
    if (!place_of_program(program))
        return;
    find_source(program, source);
    if (source[0])
        join(path, source, "models");
    else
        join(path, program, ATTEND_SHARE_PATH "/models");
    add(f, path, strlen(path));
}

void folders_release(struct folders *f)
{
    for (int i = 0; f->path[i]; i++)
        free(f->path[i]);
    *f = (struct folders){0};
}

bool folders_engine(char out[PLACE_SIZE])
{
    static const char name[] = "attend.wasm";
    const char *given = getenv("ATTEND_WASM");
    char program[PLACE_SIZE], source[PLACE_SIZE];
    snprintf(out, PLACE_SIZE, "%s", given ? given : name);
    if (!given && place_of_program(program)) {
        find_source(program, source);
        join(out, program, source[0] ? name : ATTEND_SHARE_PATH "/attend.wasm");
    }
    return access(out, F_OK) == 0;
}
