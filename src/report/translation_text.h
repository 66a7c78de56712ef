/* A translation as text: lines, n-best lists, JSON, matrices (attend/translate.h). */
#ifndef ATTEND_REPORT_TRANSLATION_TEXT_H
#define ATTEND_REPORT_TRANSLATION_TEXT_H

struct attend_translation;
struct json_writer;

/* Write all of a translation as members of the open object. */
void translation_put_members(struct json_writer *, const struct attend_translation *);

#endif
