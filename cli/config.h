/* The module that reads YAML, loaded on demand. */
#ifndef ATTEND_CLI_CONFIG_H
#define ATTEND_CLI_CONFIG_H

#include <attend/settings.h>

/* Read with the module. If it cannot be loaded, the message says what to install. */
attend_yaml_read_fn config_read;

#endif
