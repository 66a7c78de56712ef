/* Names of the measures, for people and in JSON. */
#ifndef ATTEND_REPORT_MEASURES_H
#define ATTEND_REPORT_MEASURES_H

/* The JSON name of a measure, or of the random order. */
const char *measure_key(int measure);

#endif
