/* Recurrent cells: s' = cell(x, s), seen as a row of slots of H numbers each, the frame.
 *
 * A frame holds the pre-activations: the input's share W x + b is added to `input_slots` slots from
 * the first, the state's share U s to `state_slots` slots from `state_from`, so each share is one
 * product into adjoining columns. Forward turns a frame into activations, backward turns these into
 * the gradient of the pre-activations, in place.
 *
 * A state row is `states` parts of H numbers; the first is s, which other layers see and U
 * multiplies, the others (the LSTM's memory cell) are the cell's own.
 *
 * To add a cell: write nn/<name>.c with its formula and a `const struct cell_ops cell_<name>`, add
 * a line to CELL_LIST. Help, configuration, files and tests follow the list. */
#ifndef ATTEND_NN_CELL_H
#define ATTEND_NN_CELL_H

#include "tensor/view.h"

#define CELL_LIST(X) X(gru) X(lstm) X(tanh)

struct cell_ops {
    const char *name;
    const char *help;
    int slots;                   /* slots of a frame */
    int input_slots;             /* slots 0 .. input_slots-1 take W x */
    int state_from, state_slots; /* slots that take U s */
    int states;                  /* parts of a state row */
    int forget_slot;             /* its bias starts at 1; -1: none */
    /* M rows. frame: (M, slots * H) view; previous and state: (M, states * H). Overwrites state. */
    void (*forward)(struct view frame, struct view previous, struct view state);
    /* d_state: dL/ds' of all parts; state is what forward left. The frame becomes the gradient of
     * the pre-activations; what reaches the previous state directly, not through U, is added to
     * d_previous. */
    void (*backward)(struct view frame, struct view previous, struct view state,
                     struct view d_state, struct view d_previous);
};

#define CELL_DECLARE(name) extern const struct cell_ops cell_##name;
CELL_LIST(CELL_DECLARE)
#undef CELL_DECLARE

/* The table, ended by NULL. */
extern const struct cell_ops *const cells[];
/* NULL when there is no such cell. */
const struct cell_ops *cell_find(const char *name);

#endif
