#include "mpi/communicator.h"

#include <mpi.h>
#include <stdio.h>

/* The largest number of outstanding sums: the trainer starts two per update, each in parts whose
 * size fits MPI's int. */
enum { REQUESTS = 256 };
static const size_t PART = (size_t)1 << 28;

static struct {
    MPI_Request request[REQUESTS];
    int requests;
} state;

static void finish(void *context)
{
    (void)context;
    /* begin_sum starts the requests. NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker) */
    MPI_Waitall(state.requests, state.request, MPI_STATUSES_IGNORE);
    state.requests = 0;
}

static void begin_sum(void *context, float *values, size_t count)
{
    for (size_t at = 0; at < count; at += PART) {
        const size_t part = count - at < PART ? count - at : PART;
        if (state.requests == REQUESTS)
            finish(context);
        MPI_Iallreduce(MPI_IN_PLACE, values + at, (int)part, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD,
                       &state.request[state.requests++]);
    }
}

static void sum(void *context, double *values, int count)
{
    (void)context;
    MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

bool attend_mpi_open(struct attend_comm *out, struct attend_error *err)
{
    int level = 0;
    /* Only the thread that calls the trainer calls MPI. */
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS ||
        level < MPI_THREAD_FUNNELED) {
        snprintf(err->message, sizeof err->message, "this MPI does not support threads");
        return false;
    }
    *out = (struct attend_comm){.begin_sum = begin_sum, .finish = finish, .sum = sum};
    MPI_Comm_rank(MPI_COMM_WORLD, &out->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &out->size);
    return true;
}

void attend_mpi_close(bool failed)
{
    if (failed)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
}
