#include "ranks.h"

#include "module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* Launchers of MPI set one of these variables. */
static bool is_launched(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (getenv(variables[i]))
            return true;
    return false;
}

enum attend_status ranks_join(struct ranks *r, struct attend_error *err)
{
    bool (*join)(struct attend_comm *, struct attend_error *);
    *r = (struct ranks){0};
    if (!is_launched())
        return ATTEND_OK;
    /* Open MPI loads plugins that expect its symbols to be global. */
    r->module = module_open("attend-mpi.so", RTLD_NOW | RTLD_GLOBAL);
    if (!r->module) {
        const char *why = dlerror();
        snprintf(err->message, sizeof err->message,
                 "started by mpirun, but attend-mpi.so cannot be loaded (%s); install "
                 "libopenmpi-dev and build again",
                 why ? why : "file not found");
        return ATTEND_IO;
    }
    module_find(r->module, "attend_mpi_open", &join);
    return join && join(&r->comm, err) ? ATTEND_OK : ATTEND_IO;
}

void ranks_leave(struct ranks *r, bool failed)
{
    void (*leave)(bool);
    if (!r->module)
        return;
    module_find(r->module, "attend_mpi_close", &leave);
    if (leave)
        leave(failed && r->comm.size > 1);
}
