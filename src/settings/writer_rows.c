/* Settings of writing by hand. Seed and length are those of the search (translator_rows.c). */
#include "attend/write.h"
#include "settings/tables.h"

#define TEXT(field, name, value, help, ...)                                                        \
    ATTEND_ROW_TEXT(attend_writer_options, field, name, value, help, __VA_ARGS__)

const struct attend_setting writer_rows[] = {
    ATTEND_ROW_REAL(attend_writer_options, bias, "bias", "B", "0", 0, 10,
                    "0 writes as variedly as the hands in training; larger is neater",
                    ATTEND_PLAIN),
    TEXT(prime, "prime", "FILE", "imitate the hand of this ink, UNIPEN or InkML", ATTEND_LOCAL),
    TEXT(prime_text, "prime-text", "TEXT", "what that ink says", ATTEND_LOCAL),
    {0},
};
