/* API keys. The file has one key per line, optionally followed by its limit of requests a minute.
 * `#` starts a comment. */
#ifndef ATTEND_SERVE_KEYS_H
#define ATTEND_SERVE_KEYS_H

#include "attend/status.h"

struct keys;

enum attend_status keys_load(struct keys **out, const char *path, struct attend_error *err);
/* The key's limit of requests a minute; 0: the server's limit, -1: unknown key. A wrong key takes
 * as long as a right one. */
int keys_rate(const struct keys *, const char *key);
void keys_free(struct keys *);

#endif
