/* Getting a model ready that is in a file: every byte of the file is checked and the weights are
 * rearranged, both on two threads if the file is large and the process may use two processors. */
#ifndef ATTEND_MODEL_READY_H
#define ATTEND_MODEL_READY_H

#include "model/file.h"
#include "model/seq2seq.h"

struct ready {
    const char *path;         /* for messages */
    const struct file *file;  /* not yet verified */
    const struct io_map *map; /* of the file; pages that are not needed any more are given back */
    struct seq2seq *net;      /* initialized; its parameters point into the file */
    /* The rest of loading, which runs meanwhile: it must not touch the weights. */
    enum attend_status (*rest)(void *context, struct attend_error *err);
    void *context;
};

/* ATTEND_OK only if the checksum is right, no weight is NaN, infinite or out of range, and the rest
 * succeeded. A wrong checksum explains all other errors, so it is the one that is reported. */
enum attend_status ready_make(const struct ready *, struct attend_error *err);

#endif
