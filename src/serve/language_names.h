/* English names of languages. */
#ifndef ATTEND_SERVE_LANGUAGE_NAMES_H
#define ATTEND_SERVE_LANGUAGE_NAMES_H

/* The name for a code such as `en` or `pt-BR`; the code itself if it is unknown. */
const char *language_name(const char *code);

#endif
