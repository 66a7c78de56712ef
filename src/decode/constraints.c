#include "decode/constraints.h"

static const int *phrase_of(const struct search_constraint *w, int i, int *length)
{
    *length = sequences_length(w->phrases, w->from + i);
    return w->phrases->ids + w->phrases->start[w->from + i];
}

/* An empty phrase counts as said. */
static bool is_said(const struct search_constraint *w, struct constraint_state s, int i)
{
    return (s.said >> i & 1) || sequences_length(w->phrases, w->from + i) == 0;
}

/* A word that does not continue a phrase may begin one. */
static struct constraint_state begin(const struct search_constraint *w, struct constraint_state s,
                                     int token)
{
    for (int i = 0; i < constraint_count(w); i++) {
        int length;
        const int *phrase = phrase_of(w, i, &length);
        if (is_said(w, s, i) || phrase[0] != token)
            continue;
        if (length == 1)
            return (struct constraint_state){.said = s.said | UINT32_C(1) << i};
        return (struct constraint_state){.said = s.said, .active = i + 1, .at = 1};
    }
    return (struct constraint_state){.said = s.said};
}

struct constraint_state constraint_advance(const struct search_constraint *w,
                                           struct constraint_state s, int token)
{
    if (!constraint_count(w))
        return s;
    if (s.active) {
        int length;
        const int *phrase = phrase_of(w, s.active - 1, &length);
        if (phrase[s.at] == token && s.at + 1 == length)
            return (struct constraint_state){.said = s.said | UINT32_C(1) << (s.active - 1)};
        if (phrase[s.at] == token)
            return (struct constraint_state){s.said, s.active, s.at + 1};
    }
    return begin(w, s, token);
}

bool constraint_met(const struct search_constraint *w, struct constraint_state s)
{
    for (int i = 0; i < constraint_count(w); i++)
        if (!is_said(w, s, i))
            return false;
    return true;
}

int constraint_words(const struct search_constraint *w, struct constraint_state s)
{
    int words = s.at;
    for (int i = 0; i < constraint_count(w); i++) {
        int length;
        phrase_of(w, i, &length);
        words += is_said(w, s, i) ? length : 0;
    }
    return words;
}

int constraint_next(const struct search_constraint *w, struct constraint_state s, int *out)
{
    int count = 0, length;
    if (s.active)
        out[count++] = phrase_of(w, s.active - 1, &length)[s.at];
    for (int i = 0; i < constraint_count(w); i++)
        if (!is_said(w, s, i))
            out[count++] = phrase_of(w, i, &length)[0];
    return count;
}

bool constraints_end_in(const int *words, int count, const int *phrase, int length)
{
    if (count < length - 1)
        return false;
    for (int i = 0; i < length - 1; i++)
        if (words[count - (length - 1) + i] != phrase[i])
            return false;
    return true;
}
