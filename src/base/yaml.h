/* Configuration files: a flat YAML mapping with one `name: value` per line, parsed by libyaml. */
#ifndef ATTEND_BASE_YAML_H
#define ATTEND_BASE_YAML_H

#include "attend/status.h"

/* Receives one setting. A failure stops the reading and is returned with its message. */
typedef enum attend_status yaml_setting_fn(void *context, const char *name, const char *value,
                                           struct attend_error *err);

/* Call `set` for each setting of the file, in order. Anything but a mapping of scalars is
 * ATTEND_USAGE; messages name the file and the line. */
enum attend_status yaml_read(const char *path, yaml_setting_fn *set, void *context,
                             struct attend_error *err);

#endif
