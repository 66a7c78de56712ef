/* What languages are called in English. */
#ifndef ATTEND_SERVE_LANGUAGE_NAMES_H
#define ATTEND_SERVE_LANGUAGE_NAMES_H

/* Of a code such as `en` or `pt-BR`; of one that nobody knows, the code itself. */
const char *language_name(const char *code);

#endif
