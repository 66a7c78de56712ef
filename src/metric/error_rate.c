#include "metric/error_rate.h"

#include <stdbool.h>
#include <string.h>

static const char BLANKS[] = " \t\n\v\f\r";

static bool is_blank(char c) { return c && strchr(BLANKS, c); }

static const char *skip_blanks(const char *text) { return text + strspn(text, BLANKS); }

static bool same_line(const char *a, const char *b)
{
    a = skip_blanks(a);
    b = skip_blanks(b);
    while (*a && *b) {
        if (is_blank(*a) && is_blank(*b)) {
            a = skip_blanks(a);
            b = skip_blanks(b);
        } else if (*a++ != *b++)
            return false;
    }
    return !*skip_blanks(a) && !*skip_blanks(b);
}

int error_rate_correct(const char *const *hypothesis, const char *const *reference, int count)
{
    int correct = 0;
    for (int i = 0; i < count; i++)
        correct += same_line(hypothesis[i], reference[i]);
    return correct;
}

double error_rate_accuracy(const char *const *hypothesis, const char *const *reference, int count)
{
    return count > 0 ? (double)error_rate_correct(hypothesis, reference, count) / count : 0;
}
