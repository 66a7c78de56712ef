/* attend.wasm, which pages have inside. */
#ifndef ATTEND_BROWSER_ENGINE_H
#define ATTEND_BROWSER_ENGINE_H

#include "base/io.h"

/* Map the file. ATTEND_FORMAT if it is something else. */
enum attend_status engine_map(struct io_map *, const char *path, struct attend_error *err);

#endif
