/* The report of attend trouble: the sentences of a file in which attend/trouble.h finds signs of
 * errors, worst first. */
#ifndef ATTEND_CLI_TROUBLE_H
#define ATTEND_CLI_TROUBLE_H

#include "args.h"

/* Report on --matrix, or on --src and --tgt with --model, as a table or, with --json, as JSON
 * lines. Returns the exit code. */
int trouble_report(const struct command *, const struct flags *);

#endif
