#include "draw_phrase.h"

#include <string.h>

const struct noun *draw_noun(struct rng *rng, classes wanted)
{
    const struct noun *noun;
    do
        noun = &nouns[rng_below(rng, noun_count)];
    while (!(noun->classes & wanted));
    return noun;
}

struct phrase pronoun_phrase(enum role role, const struct pronoun *pronoun, enum gender gender)
{
    return (struct phrase){
        .role = role, .pronoun = pronoun, .gender = gender, .number = pronoun->english_number};
}

struct phrase noun_phrase(enum role role, const struct noun *noun)
{
    return (struct phrase){.role = role, .noun = noun, .gender = noun->gender};
}

static struct phrase draw_pronoun(struct rng *rng, enum role role)
{
    /* mai, hum, tum, aap, vah, ve: those with future forms of their own are sampled more often */
    static const int weights[] = {24, 12, 24, 12, 17, 11};
    const struct pronoun *pronoun = &pronouns[draw_weighted(rng, weights, pronoun_count)];
    return pronoun_phrase(role, pronoun, chance(rng, 50) ? FEMININE : MASCULINE);
}

/* Within a clause, "I ... my" and "they ... them" would need a reflexive. */
static bool same_group(const struct pronoun *pronoun, const struct phrase *subject)
{
    return subject && subject->pronoun && pronoun->group != GROUP_NONE &&
           pronoun->group == subject->pronoun->group;
}

/* Any pronoun except vah that does not refer to the subject. */
static const struct pronoun *draw_other(struct rng *rng, const struct phrase *subject)
{
    const struct pronoun *pronoun;
    do
        pronoun = &pronouns[rng_below(rng, pronoun_count)];
    while (!pronoun->dative || same_group(pronoun, subject));
    return pronoun;
}

static void add_other_owner(struct rng *rng, struct phrase *phrase, const struct phrase *subject)
{
    if (phrase->noun->classes & N_MASS || chance(rng, 65)) {
        phrase->determiner = DETERMINER_PRONOUN;
        phrase->owner_pronoun = draw_other(rng, subject);
    } else {
        phrase->determiner = DETERMINER_NOUN;
        phrase->owner_noun = draw_noun(rng, N_PERSON | N_NAME);
    }
}

/* Add an owner; if there is a subject, it is mostly the subject itself. */
void add_owner(struct rng *rng, struct phrase *phrase, const struct phrase *subject)
{
    if (subject && chance(rng, 60))
        phrase->determiner = DETERMINER_REFLEXIVE;
    else
        add_other_owner(rng, phrase, subject);
}

void add_demonstrative(struct rng *rng, struct phrase *phrase)
{
    phrase->determiner = chance(rng, 50) ? DETERMINER_THIS : DETERMINER_THAT;
}

static void add_adjective(struct rng *rng, struct phrase *phrase)
{
    const struct adjective *adjective = &adjectives[rng_below(rng, adjective_count)];
    if (adjective->attributive && adjective->classes & phrase->noun->classes)
        phrase->adjective = adjective;
}

/* A person: a name, a relative (always with an owner), or a common noun, perhaps with a determiner
 * or an adjective. */
static struct phrase draw_person(struct rng *rng, enum role role, const struct phrase *subject)
{
    static const int weights[] = {25, 35, 40};
    static const classes kinds[] = {N_NAME, N_KIN, N_PERSON};
    classes kind = kinds[draw_weighted(rng, weights, 3)];
    struct phrase phrase = noun_phrase(role, draw_noun(rng, kind));
    if (phrase.noun->english[PLURAL] && chance(rng, kind == N_KIN ? 25 : 45))
        phrase.number = PLURAL;
    if (kind == N_KIN)
        add_owner(rng, &phrase, subject);
    if (kind == N_PERSON && chance(rng, 25))
        add_demonstrative(rng, &phrase);
    if (kind == N_PERSON && chance(rng, 30))
        add_adjective(rng, &phrase);
    return phrase;
}

/* A subject. If it is not in the direct case, its form must still distinguish he and she. */
struct phrase draw_subject(struct rng *rng, enum role role)
{
    if (chance(rng, 35))
        return draw_person(rng, role, NULL);
    struct phrase phrase = draw_pronoun(rng, role);
    while (role != ROLE_SUBJECT && !phrase.pronoun->ergative)
        phrase = draw_pronoun(rng, role);
    return phrase;
}

/* A person other than the subject, sometimes a pronoun. */
struct phrase draw_partner(struct rng *rng, enum role role, const struct phrase *subject)
{
    if (chance(rng, 30))
        return pronoun_phrase(role, draw_other(rng, subject), MASCULINE);
    return draw_person(rng, role, subject);
}

struct phrase draw_place(struct rng *rng, enum role role, classes wanted,
                         const struct phrase *subject)
{
    struct phrase phrase = noun_phrase(role, draw_noun(rng, wanted));
    int roll = rng_below(rng, 100);
    if (roll < 15 && phrase.noun->classes & N_OWNED)
        add_owner(rng, &phrase, subject);
    else if (roll >= 15 && roll < 25 && role != ROLE_GOAL)
        add_demonstrative(rng, &phrase);
    if (chance(rng, 25))
        add_adjective(rng, &phrase);
    return phrase;
}

/* Adds one of the D_ determiners if the noun takes it; 0 adds none. */
static void add_determiner(struct rng *rng, struct phrase *phrase, unsigned determiner,
                           const struct phrase *subject)
{
    bool countable = phrase->noun->english[PLURAL] != NULL;
    bool ownable = !(phrase->noun->classes & N_PLACE) || phrase->noun->classes & N_OWNED;
    if (determiner == D_EK && countable) {
        phrase->determiner = DETERMINER_EK;
        phrase->number = SINGULAR;
    } else if (determiner == D_NUMERAL && countable) {
        phrase->determiner = DETERMINER_NUMERAL;
        phrase->numeral = &numerals[rng_below(rng, numeral_count)];
        phrase->number = PLURAL;
    } else if (determiner == D_DEMONSTRATIVE) {
        add_demonstrative(rng, phrase);
    } else if (determiner == D_REFLEXIVE) {
        phrase->determiner = DETERMINER_REFLEXIVE;
    } else if (determiner == D_OTHER_OWNER && ownable) {
        add_other_owner(rng, phrase, subject);
    }
}

/* A thing. It is plural only if a Hindi word shows it: the noun, a numeral or, if the caller says
 * so, the agreeing verb. */
struct phrase draw_thing(struct rng *rng, const struct frame *frame, classes wanted,
                         const struct phrase *subject, bool verb_shows_number)
{
    struct phrase phrase = noun_phrase(ROLE_OBJECT, draw_noun(rng, wanted));
    bool countable = phrase.noun->english[PLURAL] != NULL;
    bool visible = countable && strcmp(phrase.noun->form[DIRECT][SINGULAR],
                                       phrase.noun->form[DIRECT][PLURAL]) != 0;
    unsigned choice = 1u << rng_below(rng, 8);
    unsigned determiner = choice & frame->determiners;
    if (countable && (visible || verb_shows_number) && chance(rng, 35))
        phrase.number = PLURAL;
    add_determiner(rng, &phrase, determiner, subject);
    if (frame->adjectives && chance(rng, 60))
        add_adjective(rng, &phrase);
    return phrase;
}
