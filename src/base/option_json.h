/* Settings as a JSON object, the way files record them. */
#ifndef ATTEND_BASE_OPTION_JSON_H
#define ATTEND_BASE_OPTION_JSON_H

#include "base/option.h"

struct strbuf;

/* Append the members of one struct, `"name":value,...`, with a comma in front unless a brace stands
 * there; texts that were not given and local rows are left out. */
void option_json_add(struct strbuf *, const struct option_row *rows, const void *base);
/* Set what an object says. Names that no row has, and values that no row takes, are ATTEND_FORMAT;
 * `name` is what messages call the text. */
enum attend_status option_json_read(struct option_set *, const char *text, const char *name,
                                    struct attend_error *err);

#endif
