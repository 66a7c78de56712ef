/* The work of a request to /translate. */
#ifndef ATTEND_SERVE_TRANSLATE_WORK_H
#define ATTEND_SERVE_TRANSLATE_WORK_H

#include "document/segments.h"

#include <stdbool.h>

struct attend_glossary;
struct detection;
struct exchange;
struct served;
struct text_job;

/* One text of the request. */
struct item {
    const char *text; /* borrowed from the params, valid only in translate_begin */
    struct segments segments;
    const char *language;  /* source language, given or detected; owned by the catalog */
    double confidence;     /* 0 to 100 */
    struct served *served; /* NULL: the text is already in the target language */
    struct text_job *job;  /* its lines from `first` on are the segments to translate */
    int first;
};

struct translate_work {
    struct item *item; /* (count) */
    int count;
    bool list, html, split;
    bool confidence; /* asked for */
    int alternatives;
    struct attend_glossary *glossary; /* the request's own; or NULL */
    const char *target;          /* language code, owned by the catalog; NULL: a model was named */
    struct detection *detection; /* of the source languages; NULL: the language was given */
    bool detected;               /* detection is done, and the translation has begun */
    struct text_job **job;       /* (jobs) one per model */
    int jobs;
};

/* translate_answer.c: answer once all jobs are done. */
void translate_answer(struct exchange *);

#endif
