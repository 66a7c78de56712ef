#include "ranks.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What launchers tell their processes. */
static bool is_launched(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (getenv(variables[i]))
            return true;
    return false;
}

/* The module lies beside the program, or where it was installed. */
static void *open_module(void)
{
    static const char *const places[] = {"attend-mpi.so", ATTEND_MODULE_PATH "/attend-mpi.so"};
    char program[4096], path[sizeof program + 256];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (!slash)
        return NULL;
    slash[1] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s%s", program, places[i]);
        /* Open MPI opens parts of itself, which look for its names among everybody's. */
        void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        if (module)
            return module;
    }
    return NULL;
}

/* ISO C does not know that an object's address can be a function's. */
static void find(void *module, const char *name, void *out)
{
    void *symbol = dlsym(module, name);
    memcpy(out, &symbol, sizeof symbol);
}

enum attend_status ranks_join(struct ranks *r, struct attend_error *err)
{
    bool (*join)(struct attend_comm *, struct attend_error *);
    *r = (struct ranks){0};
    if (!is_launched())
        return ATTEND_OK;
    r->module = open_module();
    if (!r->module) {
        const char *why = dlerror();
        snprintf(err->message, sizeof err->message,
                 "started by mpirun, but attend-mpi.so cannot be loaded (%s); install "
                 "libopenmpi-dev and build again",
                 why ? why : "it is not there");
        return ATTEND_IO;
    }
    find(r->module, "attend_mpi_open", &join);
    return join && join(&r->comm, err) ? ATTEND_OK : ATTEND_IO;
}

void ranks_leave(struct ranks *r, bool failed)
{
    void (*leave)(bool);
    if (!r->module)
        return;
    find(r->module, "attend_mpi_close", &leave);
    if (leave)
        leave(failed && r->comm.size > 1);
}
