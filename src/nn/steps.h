/* A batch of sequences of different lengths without padding, time-major. The sequences are sorted
 * by length, longest first, and step t has one row for each sequence that is still running: row (t,
 * b) of a slab is start[t] + b, for b < active[t].
 *
 * A batch is divided into lanes, one per thread. Lanes share the slabs but no rows, so each lane
 * runs its recurrences from end to end without synchronization. */
#ifndef ATTEND_NN_STEPS_H
#define ATTEND_NN_STEPS_H

struct steps {
    int count;         /* steps of the longest sequence of this lane; 0 for an empty lane */
    int first;         /* index of this lane's first sequence among all lanes */
    const int *active; /* (count) sequences still running; never increases */
    const int *start;  /* (count) row of the first sequence */
};

#endif
