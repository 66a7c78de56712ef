/* The door of the module: looked up by name after it was loaded. */
#ifndef ATTEND_MPI_COMMUNICATOR_H
#define ATTEND_MPI_COMMUNICATOR_H

#include "attend/train.h"

/* Join the other processes of the job. False, with a message, when that is not possible. */
ATTEND_API bool attend_mpi_open(struct attend_comm *out, struct attend_error *err);
/* Leave. When this process failed the others are ended too: they would wait for it for ever. */
ATTEND_API void attend_mpi_close(bool failed);

#endif
