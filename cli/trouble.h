/* The report of trouble: what attend/trouble.h finds in the sentences of a file, worst first. */
#ifndef ATTEND_CLI_TROUBLE_H
#define ATTEND_CLI_TROUBLE_H

#include "args.h"

/* Of --matrix, or of --src and --tgt with --model, as a table or, with --json, as JSON lines. The
 * exit code. */
int trouble_report(const struct command *, const struct attend_options *);

#endif
