#include "corpus/split.h"

#include "base/checksum.h"
#include "base/error.h"
#include "base/rng.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Parse "a,b" or "a,b,c" into share. Returns the number of shares; 0 for any other text. */
static int parse_shares(double share[SPLIT_MAX_SETS], const char *text)
{
    for (int count = 0; count < SPLIT_MAX_SETS; text++) {
        char *end;
        share[count] = strtod(text, &end);
        if (end == text || !(share[count] > 0 && share[count] < 1))
            return 0;
        count++;
        if (*end == '\0')
            return count;
        if (*end != ',')
            return 0;
        text = end;
    }
    return 0;
}

enum attend_status split_parse(struct split *split, const char *text, struct attend_error *err)
{
    double share[SPLIT_MAX_SETS] = {0};
    const int sets = parse_shares(share, text);
    double sum = 0;
    for (int i = 0; i < sets; i++)
        sum += share[i];
    if (sets < 2 || fabs(sum - 1) > 1e-6)
        return error_set(err, ATTEND_USAGE,
                         "`split` takes two or three positive shares that sum to 1, such as "
                         "0.98,0.01,0.01, or none, not '%s'",
                         text);
    split->sets = sets;
    for (int i = 0; i < SPLIT_MAX_SETS; i++)
        split->share[i] = share[i];
    return ATTEND_OK;
}

int split_choose(const struct split *split, const char *source, size_t length)
{
    struct checksum sum;
    checksum_init(&sum);
    checksum_add(&sum, source, length);
    const double u = rng_uniform(rng_seed(split->seed), checksum_value(&sum));
    double edge = 0;
    int set = 0;
    for (; set + 1 < split->sets; set++) {
        edge += split->share[set];
        if (u < edge)
            break;
    }
    return set;
}
