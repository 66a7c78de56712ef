/* Where drawn sentences go: the terminal, one file, a file each in a folder, or one page. */
#ifndef ATTEND_CLI_PLOT_SINK_H
#define ATTEND_CLI_PLOT_SINK_H

#include "args.h"

#include <attend/matrix.h>

struct plot_sink {
    const struct command *command;
    const struct plot_sink_kind *kind;
    const char *output, *format; /* format: of the files in a folder */
    struct attend_look look;
    bool colour;
    bool several;                /* they are lines of a file: headings say which */
    int limit;                   /* sentences; 0: no limit */
    int taken, drawn;            /* sentences so far; those without words are not drawn */
    struct attend_matrices kept; /* until the end, where everything goes into one file */
};

/* EXIT_DONE, or the exit code after saying what is wrong with --output. */
int plot_sink_open(struct plot_sink *, const struct command *, const struct attend_options *,
                   bool several);
/* How many sentences more to bring, at most `most`; 0: enough. */
int plot_sink_room(const struct plot_sink *, int most);
/* Draw the panels of one sentence, which is number `number` of its file. The exit code. */
int plot_sink_put(struct plot_sink *, const struct attend_matrices *panels, long number);
/* Write what was kept. The exit code: `code`, or that of what went wrong here. */
int plot_sink_close(struct plot_sink *, int code);

#endif
