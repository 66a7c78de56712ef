/* Settings as a JSON object, the way files record them. */
#ifndef ATTEND_BASE_OPTION_JSON_H
#define ATTEND_BASE_OPTION_JSON_H

#include "base/option.h"

struct json;
struct json_writer;

/* The settings of one struct as members of the open object. Left out are texts that were not given,
 * local rows, and values that a file means by leaving them out (`absent`). */
void option_json_put(struct json_writer *, const struct attend_setting *rows, const void *base);
/* Set what an object says. Names that no row has, and values that no row takes, are ATTEND_FORMAT;
 * `name` is what messages call the text. */
enum attend_status option_json_read(struct attend_settings *, const char *text, const char *name,
                                    struct attend_error *err);
/* The same for an object that is parsed already. A missing object is ATTEND_FORMAT. */
enum attend_status option_json_take(struct attend_settings *, const struct json *object,
                                    const char *name, struct attend_error *err);

#endif
