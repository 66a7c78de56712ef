/* Recurrent cells: s' = cell(x, s). A cell works on a frame: a row of slots of H numbers each.
 *
 * A frame holds the pre-activations. The input's part W x + b is added to the first `input_slots`
 * slots, the state's part U s to `state_slots` slots from `state_from`, so each part is one product
 * into adjacent columns. Forward turns a frame into activations; backward turns these into the
 * gradient of the pre-activations, in place.
 *
 * A state row has `states` parts of H numbers. The first is s, which other layers see and U
 * multiplies; the others (the LSTM's memory cell) are private to the cell.
 *
 * To add a cell: write nn/<name>.c with its formula and a `const struct cell_ops cell_<name>`, and
 * add X(<name>) to CELL_LIST. Help, configuration, files and the tests of every row follow the list;
 * one of them asks for its name in docs/mechanisms.md. */
#ifndef ATTEND_NN_CELL_H
#define ATTEND_NN_CELL_H

#include "tensor/view.h"

#define CELL_LIST(X) X(gru) X(lstm) X(tanh)

enum { CELL_SLOTS = 4 };

struct cell_ops {
    const char *name;
    const char *help;
    int slots; /* slots of a frame */
    /* what the first slots hold after forward, for people; NULL: nothing worth a name */
    const char *slot_name[CELL_SLOTS];
    int input_slots;             /* slots 0 .. input_slots-1 take W x */
    int state_from, state_slots; /* slots that take U s */
    int states;                  /* parts of a state row */
    int forget_slot;             /* its bias starts at 1; -1: the cell has none */
    /* M rows. frame: (M, slots * H) view; previous and state: (M, states * H). Overwrites state. */
    void (*forward)(struct view frame, struct view previous, struct view state);
    /* d_state: dL/ds' of all parts; state is forward's result. Replaces the frame by the gradient
     * of the pre-activations. Adds to d_previous what reaches the previous state directly, not
     * through U. */
    void (*backward)(struct view frame, struct view previous, struct view state,
                     struct view d_state, struct view d_previous);
};

#define CELL_DECLARE(name) extern const struct cell_ops cell_##name;
CELL_LIST(CELL_DECLARE)
#undef CELL_DECLARE

/* The table; NULL ends it. */
extern const struct cell_ops *const cells[];
/* NULL when there is no such cell. */
const struct cell_ops *cell_find(const char *name);

#endif
