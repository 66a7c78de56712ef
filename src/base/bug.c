#include "base/bug.h"

#include <stdio.h>
#include <stdlib.h>

/* The only place where the library writes to stderr: the process is about to abort and the reason
 * must not be lost. */
void bug_report(const char *file, int line, const char *condition)
{
    fprintf(stderr, "attend: internal error at %s:%d: %s\n", file, line, condition);
    abort();
}
