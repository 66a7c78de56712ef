/* A batch of sequences of different lengths without padding, time-major: the sequences stand
 * longest first, and step t holds one row for each that is still running. Row (t, b) of a slab is
 * start[t] + b, for b < active[t].
 *
 * A batch is dealt into lanes, one for each thread. Lanes share the slabs but no row, so each runs
 * its recurrences from end to end without meeting the others. */
#ifndef ATTEND_NN_STEPS_H
#define ATTEND_NN_STEPS_H

struct steps {
    int count;         /* steps of the longest sequence of this lane; 0 for an empty lane */
    int first;         /* number of this lane's first sequence among those of all lanes */
    const int *active; /* (count) sequences still running; falls or stays */
    const int *start;  /* (count) row of the first sequence */
};

#endif
