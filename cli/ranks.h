/* The other processes of a job that mpirun started, through a module that is loaded only then. */
#ifndef ATTEND_CLI_RANKS_H
#define ATTEND_CLI_RANKS_H

#include <attend/train.h>

struct ranks {
    struct attend_comm comm; /* size 0: this process is alone */
    void *module;
};

enum attend_status ranks_join(struct ranks *, struct attend_error *err);
/* failed: this process ended with an error that the others may not have met. */
void ranks_leave(struct ranks *, bool failed);

#endif
