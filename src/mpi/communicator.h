/* The entry points of the module, which the program looks up by name after loading it. */
#ifndef ATTEND_MPI_COMMUNICATOR_H
#define ATTEND_MPI_COMMUNICATOR_H

#include "attend/train.h"

/* Join the other processes of the job. Returns false, with a message, when that is not possible. */
ATTEND_API bool attend_mpi_open(struct attend_comm *out, struct attend_error *err);
/* Leave the job. If this process failed, the others are aborted too, because they would wait for it
 * forever. */
ATTEND_API void attend_mpi_close(bool failed);

#endif
