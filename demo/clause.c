#include "clause.h"

bool phrase_is_home(const struct phrase *phrase)
{
    return phrase->noun && phrase->noun->classes & N_HOME && phrase->role != ROLE_SUBJECT &&
           phrase->determiner == DETERMINER_NONE && !phrase->adjective;
}

bool clause_is_ergative(const struct clause *clause)
{
    return clause->construction == VERBAL && clause->tense == PAST && clause->frame->transitive;
}
