/* Draws the attention of one or more models on the same sentences or pairs, side by side. */
#ifndef ATTEND_CLI_PLOT_MODELS_H
#define ATTEND_CLI_PLOT_MODELS_H

#include "pairs.h"
#include "plot_sink.h"

/* Draw all pairs, with a panel for each model, hypothesis and head. Returns the exit code. */
int plot_models(const struct command *, const struct flags *, struct pairs *, struct plot_sink *);

#endif
