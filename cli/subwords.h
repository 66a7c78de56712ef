/* The module that learns subwords, loaded on demand. */
#ifndef ATTEND_CLI_SUBWORDS_H
#define ATTEND_CLI_SUBWORDS_H

#include <attend/subwords.h>

/* Learn with the module. If it cannot be loaded, the message says what to install. */
attend_subwords_learn_fn subwords_learn;

#endif
