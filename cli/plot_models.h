/* Sentences, or pairs, as one model or several see them, side by side. */
#ifndef ATTEND_CLI_PLOT_MODELS_H
#define ATTEND_CLI_PLOT_MODELS_H

#include "pairs.h"
#include "plot_sink.h"

/* Draw all pairs: a panel for each model, hypothesis and head. The exit code. */
int plot_models(const struct command *, const struct attend_options *, struct pairs *,
                struct plot_sink *);

#endif
