/* Joins the other processes of a job started by mpirun. The MPI module is loaded only then. */
#ifndef ATTEND_CLI_RANKS_H
#define ATTEND_CLI_RANKS_H

#include <attend/train.h>

struct ranks {
    struct attend_comm comm; /* size 0: not started by mpirun */
    void *module;
};

enum attend_status ranks_join(struct ranks *, struct attend_error *err);
/* failed: this process ends with an error that the others may not have; the job is aborted. */
void ranks_leave(struct ranks *, bool failed);

#endif
