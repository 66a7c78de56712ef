/* What the room shares: exported calls, and their answers.
 *
 * An exported call takes handles, numbers and texts in UTF-8 that end with NUL, and answers with a
 * text of JSON that JavaScript frees. The answer is {"error": message, "status": name} if the call
 * failed. Objects in requests have the names of options as their members, as in a YAML file of
 * settings. web/engine.js is the other side. */
#ifndef ATTEND_WASM_CALLS_H
#define ATTEND_WASM_CALLS_H

#include "attend/settings.h"
#include "attend/status.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/strbuf.h"

/* Marks a definition that JavaScript calls by its own name. */
#define WASM_CALL(name) __attribute__((export_name(#name))) name

/* An answer of a failed call. */
char *answer_failure(enum attend_status, const struct attend_error *);
/* `json` if the call succeeded and memory sufficed for it. */
char *answer_text(enum attend_status, char *json, const struct attend_error *);
/* {name: handle} */
char *answer_handle(enum attend_status, const char *name, const void *handle,
                    const struct attend_error *);

/* Set a setting for each member of an object. */
enum attend_status settings_take_object(struct attend_settings *, const struct json *object,
                                        struct attend_error *err);
/* Parse a request. */
enum attend_status request_parse(struct json **out, const char *text, struct attend_error *err);

#endif
