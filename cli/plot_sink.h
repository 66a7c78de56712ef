/* Where pictures go: the terminal, one file, a folder with a file per sentence, an HTML page, or a
 * file of JSON lines. */
#ifndef ATTEND_CLI_PLOT_SINK_H
#define ATTEND_CLI_PLOT_SINK_H

#include "args.h"

#include <attend/matrix.h>

struct plot_sink {
    const struct command *command;
    const struct plot_sink_kind *kind;
    const char *output, *format; /* format: of the files in a folder */
    struct attend_style style;
    bool color;
    bool several;     /* the sentences are lines of a file, and titles have the line number */
    int limit;        /* largest number of sentences; 0: no limit */
    int taken, drawn; /* sentences so far; those without words are not drawn */
    struct attend_matrices kept; /* what is written at the end, if all goes into one file */
};

/* Returns EXIT_DONE, or an exit code after an error message about --output or --format. */
int plot_sink_open(struct plot_sink *, const struct command *, const struct flags *, bool several);
/* How many more sentences to draw, at most `most`; 0: the limit is reached. */
int plot_sink_room(const struct plot_sink *, int most);
/* Draw the panels of sentence `number` of the file. Returns the exit code. */
int plot_sink_put(struct plot_sink *, const struct attend_matrices *panels, long number);
/* Write what was kept. Returns `code`, or another exit code after an error message. */
int plot_sink_close(struct plot_sink *, int code);

#endif
