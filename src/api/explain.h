/* Inside explaining: what its forms of output share. */
#ifndef ATTEND_API_EXPLAIN_H
#define ATTEND_API_EXPLAIN_H

#include "attend/explain.h"

/* The name of a measure, or of a random order, as a member of JSON objects. */
const char *explain_key(int measure);

#endif
