#include "sentence.h"

#include <stdarg.h>
#include <stdio.h>

marks put_source(struct sentence *sentence, const char *stem, const char *suffix)
{
    int position = sentence->source_count;
    if (position == MAX_TOKENS) {
        sentence->failed = true;
        return 0;
    }
    int length = snprintf(sentence->source[position], TOKEN_BYTES, "%s%s", stem, suffix);
    if (length <= 0 || length >= TOKEN_BYTES)
        sentence->failed = true;
    sentence->source_count++;
    return (marks)1 << position;
}

void put_target(struct sentence *sentence, const char *word, marks sure, marks possible)
{
    int position = sentence->target_count;
    if (position == MAX_TOKENS) {
        sentence->failed = true;
        return;
    }
    int length = snprintf(sentence->target[position], TOKEN_BYTES, "%s", word);
    if (length <= 0 || length >= TOKEN_BYTES)
        sentence->failed = true;
    sentence->sure[position] = sure;
    sentence->possible[position] = possible & ~sure;
    sentence->target_count++;
}

bool sentence_is_sound(const struct sentence *sentence)
{
    for (int j = 0; j < sentence->target_count; j++)
        if (!(sentence->sure[j] | sentence->possible[j]))
            return false;
    return !sentence->failed && sentence->source_count > 0 && sentence->target_count > 0;
}

/* Appends formatted text at *used; false when it does not fit. */
static bool append(char *buffer, size_t size, size_t *used, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(buffer + *used, size - *used, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= size - *used)
        return false;
    *used += (size_t)length;
    return true;
}

static bool join(const char words[][TOKEN_BYTES], int count, char *buffer, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < count; i++)
        if (!append(buffer, size, &used, "%s%s", i ? " " : "", words[i]))
            return false;
    return used > 0;
}

bool source_text(const struct sentence *sentence, char *buffer, size_t size)
{
    return join(sentence->source, sentence->source_count, buffer, size);
}

bool target_text(const struct sentence *sentence, char *buffer, size_t size)
{
    return join(sentence->target, sentence->target_count, buffer, size);
}

bool gold_text(const struct sentence *sentence, char *buffer, size_t size)
{
    size_t used = 0;
    for (int j = 0; j < sentence->target_count; j++) {
        for (int i = 0; i < sentence->source_count; i++) {
            marks bit = (marks)1 << i;
            if (!((sentence->sure[j] | sentence->possible[j]) & bit))
                continue;
            char kind = sentence->sure[j] & bit ? '-' : 'p';
            if (!append(buffer, size, &used, "%s%d%c%d", used ? " " : "", i, kind, j))
                return false;
        }
    }
    return used > 0;
}
