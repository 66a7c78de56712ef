/* Models that write by hand, in attend score and attend plot: what they make of given ink. */
#ifndef ATTEND_CLI_GIVEN_INK_H
#define ATTEND_CLI_GIVEN_INK_H

#include "pairs.h"
#include "plot_sink.h"

#include <attend/write.h>

/* attend score: print the log-probability of each pair, and the loss of all. Returns an exit code,
 * after an error message if it failed. */
int given_ink_score(const struct command *, const struct flags *, const struct attend_model *,
                    struct pairs *);
/* attend plot: draw where the model looks while it writes the texts of the block, or the given ink. */
int given_ink_plot(const struct command *, const struct flags *, const struct attend_model *,
                   const struct pairs *, struct plot_sink *);

#endif
