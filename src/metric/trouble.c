#include "metric/trouble.h"

#include <math.h>
#include <string.h>

static const double *row_of(const struct trouble_matrix *m, int t)
{
    return m->weight + (size_t)t * (size_t)m->columns;
}

/* ---- Coverage and concentration ---- */

void trouble_coverage(const struct trouble_matrix *m, double *out)
{
    for (int j = 0; j < m->S; j++)
        out[j] = 0;
    for (int t = 0; t < m->T; t++)
        for (int j = 0; j < m->S; j++)
            out[j] += row_of(m, t)[j];
}

double trouble_shortage(const double *coverage, int S)
{
    double sum = 0;
    for (int j = 0; j < S; j++)
        sum += coverage[j] < 1 ? 1 - coverage[j] : 0;
    return S ? sum / S : 0;
}

double trouble_entropy(const struct trouble_matrix *m)
{
    double sum = 0;
    for (int t = 0; t < m->T; t++)
        for (int j = 0; j < m->columns; j++) {
            const double a = row_of(m, t)[j];
            sum -= a > 0 ? a * log(a) : 0;
        }
    return m->T ? sum / m->T : 0;
}

double trouble_dispersion(const struct trouble_matrix *m)
{
    double sum = 0;
    for (int t = 0; t < m->T; t++) {
        const double *a = row_of(m, t);
        double center = 0;
        for (int j = 0; j < m->columns; j++)
            center += j * a[j];
        for (int j = 0; j < m->columns; j++)
            sum += a[j] * fabs(j - center);
    }
    return m->T ? sum / m->T : 0;
}

/* ---- Repetition ---- */

static double overlap(const struct trouble_matrix *m, int t, int u)
{
    double sum = 0;
    for (int j = 0; j < m->columns; j++)
        sum += fmin(row_of(m, t)[j], row_of(m, u)[j]);
    return sum;
}

/* The `length` words from u repeat those `distance` words before. A run that is at least as long as
 * the distance follows its original directly and is always a repetition. A single word may well
 * occur twice, so it counts only as far as both look at the same place. */
static void mark_run(const struct trouble_matrix *m, int u, int length, int distance,
                     struct trouble_word *out)
{
    double weight = 0;
    if (length < 2 && distance > 1)
        return;
    for (int k = 0; k < length; k++)
        weight += overlap(m, u + k - distance, u + k) / length;
    if (length >= 2 && length >= distance)
        weight = 1;
    for (int k = 0; k < length; k++)
        if (weight > out[u + k].weight)
            out[u + k] = (struct trouble_word){weight, distance};
}

void trouble_repetition(const struct trouble_matrix *m, struct trouble_word *out)
{
    memset(out, 0, (size_t)m->T * sizeof *out);
    for (int distance = 1; distance < m->T; distance++)
        for (int u = distance, length; u < m->T; u += length + 1) {
            length = 0;
            while (u + length < m->T && m->word[u + length] == m->word[u + length - distance])
                length++;
            if (length)
                mark_run(m, u, length, distance, out);
        }
}

int trouble_repeats(const struct trouble_word *word, int T, double least, struct attend_repeat *out)
{
    int count = 0;
    for (int u = 0, length; u < T; u += length) {
        double sum = word[u].weight;
        length = 1;
        while (word[u].distance && u + length < T && word[u + length].distance == word[u].distance)
            sum += word[u + length++].weight;
        if (word[u].distance && sum / length >= least)
            out[count++] = (struct attend_repeat){.first = u - word[u].distance,
                                                  .again = u,
                                                  .length = length,
                                                  .weight = sum / length};
    }
    return count;
}
