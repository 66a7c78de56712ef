/* API keys: a file with a key on each line, behind it perhaps the requests a minute that it is good
 * for; `#` begins a comment. */
#ifndef ATTEND_SERVE_KEYS_H
#define ATTEND_SERVE_KEYS_H

#include "attend/status.h"

struct keys;

enum attend_status keys_load(struct keys **out, const char *path, struct attend_error *err);
/* Requests a minute; 0: as for everybody, -1: there is no such key. Takes as long for a wrong key
 * as for a right one. */
int keys_rate(const struct keys *, const char *key);
void keys_free(struct keys *);

#endif
