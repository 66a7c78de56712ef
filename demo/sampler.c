#include "sampler.h"

#include "draw_phrase.h"

#include <stddef.h>

static void add_adjunct(struct rng *rng, struct clause *clause, unsigned roles)
{
    enum role role = (enum role)draw_bit(rng, roles);
    classes places = clause->frame->places;
    classes usual = role == ROLE_LOCATION ? N_PLACE : N_GOAL;
    struct phrase *phrase = &clause->adjuncts[clause->adjunct_count++];
    switch (role) {
    case ROLE_GOAL:
    case ROLE_LOCATION:
    case ROLE_SOURCE:
        *phrase = draw_place(rng, role, places ? places : usual, &clause->subject);
        break;
    case ROLE_VEHICLE: *phrase = noun_phrase(role, draw_noun(rng, N_VEHICLE)); break;
    case ROLE_TOOL: *phrase = noun_phrase(role, draw_noun(rng, N_TOOL)); break;
    default: *phrase = draw_partner(rng, role, &clause->subject); break;
    }
}

static void draw_time(struct rng *rng, struct clause *clause)
{
    if (chance(rng, 55))
        return;
    do
        clause->time = &times[rng_below(rng, time_count)];
    while (!(clause->time->tenses >> clause->tense & 1u));
    clause->time_first = !clause->question && !clause->time->before_verb && chance(rng, 25);
}

/* "am I ...?" and "did we ...?" are odd questions; "will we" and "can we" are natural ones. */
static bool is_about_me(const struct clause *clause)
{
    const struct pronoun *pronoun = clause->subject.pronoun;
    if (!pronoun || pronoun->group != GROUP_SPEAKER)
        return false;
    return pronoun->number == SINGULAR || (clause->tense != FUTURE && clause->tense != ABILITY);
}

/* Negative, question or plain. */
static void draw_mood(struct rng *rng, struct clause *clause)
{
    int roll = rng_below(rng, 100);
    clause->negative = roll < 20 && clause->construction != EXISTENTIAL;
    clause->question = roll >= 80 && !is_about_me(clause);
}

static const struct frame *draw_frame(struct rng *rng)
{
    int total = 0;
    for (int i = 0; i < frame_count; i++)
        total += frames[i].weight;
    int left = rng_below(rng, total);
    const struct frame *frame = frames;
    while (left >= frame->weight)
        left -= frame++->weight;
    return frame;
}

/* The future has the most forms and is sampled most often. */
static enum tense draw_tense(struct rng *rng, unsigned allowed)
{
    static const int weights[TENSES] = {17, 10, 17, 17, 30, 9};
    int tense;
    do
        tense = draw_weighted(rng, weights, TENSES);
    while (!(allowed >> tense & 1u));
    return (enum tense)tense;
}

static void draw_adjuncts(struct rng *rng, struct clause *clause)
{
    const struct frame *frame = clause->frame;
    clause->where = clause->question && frame->asks_where && chance(rng, 30);
    if (clause->where)
        return;
    if (frame->first && (frame->first_required || chance(rng, 50)))
        add_adjunct(rng, clause, frame->first);
    if (frame->second && chance(rng, 35))
        add_adjunct(rng, clause, frame->second);
}

static void draw_verbal(struct rng *rng, struct clause *clause)
{
    clause->frame = draw_frame(rng);
    clause->tense = draw_tense(rng, clause->frame->tenses);
    bool ergative = clause_is_ergative(clause);
    clause->has_subject = true;
    clause->subject = draw_subject(rng, ergative ? ROLE_ERGATIVE : ROLE_SUBJECT);
    draw_mood(rng, clause);
    draw_adjuncts(rng, clause);
    draw_time(rng, clause);
    clause->has_object = clause->frame->objects != 0;
    if (clause->frame->object_role == ROLE_DATIVE)
        clause->object = draw_partner(rng, ROLE_DATIVE, &clause->subject);
    else if (clause->has_object)
        clause->object =
            draw_thing(rng, clause->frame, clause->frame->objects, &clause->subject, ergative);
}

/* A thing or a place as a subject: the, this, my, the boy's. */
static struct phrase draw_inanimate_subject(struct rng *rng, classes wanted)
{
    const struct noun *noun;
    do
        noun = draw_noun(rng, wanted);
    while (noun->classes & N_HUMAN);
    struct phrase phrase = noun_phrase(ROLE_SUBJECT, noun);
    bool place = (phrase.noun->classes & N_PLACE) != 0;
    if (phrase.noun->english[PLURAL] && chance(rng, 40))
        phrase.number = PLURAL;
    int roll = rng_below(rng, 100);
    if (roll < 25)
        add_demonstrative(rng, &phrase);
    else if (roll < 65 && (!place || phrase.noun->classes & N_OWNED))
        add_owner(rng, &phrase, NULL);
    return phrase;
}

static bool phrase_is(const struct phrase *phrase, classes wanted)
{
    return phrase->noun && phrase->noun->classes & wanted;
}

static void draw_adjectival(struct rng *rng, struct clause *clause)
{
    const struct adjective *adjective = &adjectives[rng_below(rng, adjective_count)];
    classes human = N_HUMAN | N_TALL | N_YOUNG;
    bool about_people = (adjective->classes & human) != 0;
    bool about_things = (adjective->classes & ~human) != 0;
    clause->predicate = adjective;
    if (adjective->classes == N_GOOD ? chance(rng, 50) : about_people && !about_things)
        clause->subject = draw_subject(rng, ROLE_SUBJECT);
    else
        clause->subject = draw_inanimate_subject(rng, adjective->classes & ~human);
}

static void draw_nominal(struct rng *rng, struct clause *clause)
{
    clause->subject = draw_subject(rng, ROLE_SUBJECT);
    clause->has_object = true;
    clause->object = noun_phrase(ROLE_OBJECT, draw_noun(rng, N_JOB));
    clause->object.number = clause->subject.number;
}

static void draw_located(struct rng *rng, struct clause *clause)
{
    clause->adjunct_count = 1;
    if (chance(rng, 60)) {
        clause->subject = draw_subject(rng, ROLE_SUBJECT);
        clause->adjuncts[0] = draw_place(rng, ROLE_LOCATION, N_PLACE, &clause->subject);
    } else {
        clause->subject = draw_inanimate_subject(rng, N_ON_TABLE);
        clause->adjuncts[0] = noun_phrase(ROLE_LOCATION, draw_noun(rng, N_SURFACE));
    }
}

/* Objects of hai: indefinite ones. */
static const struct frame indefinite = {.determiners = D_EK | D_NUMERAL, .adjectives = true};
/* Objects of pasand: kinds of things, or definite ones. */
static const struct frame favorite = {.determiners = D_DEMONSTRATIVE | D_OTHER_OWNER,
                                      .adjectives = true};

static void draw_having(struct rng *rng, struct clause *clause)
{
    clause->subject = draw_subject(rng, ROLE_HOLDER);
    clause->has_object = true;
    clause->object = draw_thing(rng, &indefinite, N_HAD, &clause->subject, true);
}

static void draw_liking(struct rng *rng, struct clause *clause)
{
    clause->subject = draw_subject(rng, ROLE_DATIVE);
    clause->has_object = true;
    clause->object = draw_thing(rng, &favorite, N_LIKED, &clause->subject, true);
}

static void draw_existential(struct rng *rng, struct clause *clause)
{
    clause->has_subject = false;
    clause->has_object = true;
    clause->adjunct_count = 1;
    if (chance(rng, 50)) {
        clause->object = draw_thing(rng, &indefinite, N_ON_TABLE, NULL, true);
        clause->adjuncts[0] = noun_phrase(ROLE_LOCATION, draw_noun(rng, N_SURFACE));
    } else {
        clause->object = draw_thing(rng, &indefinite, N_PERSON, NULL, true);
        clause->adjuncts[0] = draw_place(rng, ROLE_LOCATION, N_PLACE, NULL);
    }
}

/* ---- Restrictions ---- */

static int add_nouns(const struct phrase *phrase, const struct noun **found, int count)
{
    if (phrase->noun)
        found[count++] = phrase->noun;
    if (phrase->owner_noun)
        found[count++] = phrase->owner_noun;
    return count;
}

/* No noun occurs twice, as in "the boy is going with the boy". */
static bool nouns_are_distinct(const struct clause *clause)
{
    const struct noun *found[2 * (MAX_ADJUNCTS + 2)];
    int count = add_nouns(&clause->subject, found, 0);
    count = add_nouns(&clause->object, found, count);
    for (int i = 0; i < clause->adjunct_count; i++)
        count = add_nouns(&clause->adjuncts[i], found, count);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (found[i] == found[j])
                return false;
    return true;
}

/* English distinguishes he and she, so another word must show the gender of vah: every verb and
 * every inflecting adjective does, the present copula does not. */
static bool gender_is_visible(const struct clause *clause)
{
    if (!clause->subject.pronoun || clause->subject.pronoun->ergative)
        return true;
    bool adjective_shows = clause->predicate && clause->predicate->inflects;
    return clause->construction == VERBAL || clause->tense == PAST || adjective_shows;
}

/* "vah vah kitaab padh raha hai" and "ve ve kitaaben ..." are correct but sound odd. */
static bool pronoun_is_echoed(const struct clause *clause)
{
    const struct pronoun *pronoun = clause->subject.pronoun;
    if (!pronoun || pronoun->group == GROUP_SPEAKER || pronoun->group == GROUP_HEARER)
        return false;
    return pronoun->number == clause->object.number && clause->object.determiner == DETERMINER_THAT;
}

/* Predicates must suit their subjects: no beautiful teachers, no sick markets. */
static bool predicate_suits(const struct clause *clause)
{
    const struct phrase *subject = &clause->subject;
    if (clause->construction == ADJECTIVAL) {
        bool repeats = subject->adjective != NULL;
        return !repeats && (subject->pronoun || phrase_is(subject, clause->predicate->classes));
    }
    if (clause->construction == NOMINAL) {
        bool masculine_job = !phrase_is(&clause->object, N_ANY_GENDER);
        return (subject->pronoun || phrase_is(subject, N_ADULT)) &&
               (subject->gender == MASCULINE || !masculine_job);
    }
    return true;
}

/* People like kinds (tea, red flowers) or definite things, never "a book". In existential clauses,
 * persons have a numeral: ek ladka, do ladke. A negated clause has no ek. Habits are about kinds of
 * things: nobody eats this apple every day. */
static bool object_suits(const struct clause *clause)
{
    const struct phrase *object = &clause->object;
    bool bare = object->determiner == DETERMINER_NONE;
    if (clause->negative && object->determiner == DETERMINER_EK)
        return false;
    bool pointed = object->determiner == DETERMINER_THIS || object->determiner == DETERMINER_THAT;
    if (clause->construction == VERBAL && clause->tense == HABITUAL && pointed)
        return false;
    if (clause->construction == LIKING)
        return !bare || object->number == PLURAL || phrase_is(object, N_MASS);
    if (clause->construction == EXISTENTIAL)
        return !bare || !phrase_is(object, N_PERSON);
    return true;
}

bool draw_clause(struct rng *rng, struct clause *clause)
{
    static void (*const draws[])(struct rng *, struct clause *) = {
        [VERBAL] = draw_verbal,          [ADJECTIVAL] = draw_adjectival, [NOMINAL] = draw_nominal,
        [LOCATED] = draw_located,        [HAVING] = draw_having,         [LIKING] = draw_liking,
        [EXISTENTIAL] = draw_existential};
    static const int weights[] = {[VERBAL] = 66, [ADJECTIVAL] = 12, [NOMINAL] = 4,    [LOCATED] = 6,
                                  [HAVING] = 5,  [LIKING] = 5,      [EXISTENTIAL] = 4};
    *clause = (struct clause){.has_subject = true};
    clause->construction = (enum construction)draw_weighted(rng, weights, EXISTENTIAL + 1);
    clause->tense = chance(rng, 35) ? PAST : HABITUAL;
    draws[clause->construction](rng, clause);
    if (clause->construction != VERBAL)
        draw_mood(rng, clause);
    return nouns_are_distinct(clause) && gender_is_visible(clause) && !pronoun_is_echoed(clause) &&
           predicate_suits(clause) && object_suits(clause);
}

/* ---- Neighbors ---- */

/* index = ((pronoun * 2 + gender) * 2 + negative) * nouns + noun */
int neighbor_count(void) { return pronoun_count * 2 * 2 * noun_count; }

bool neighbor_clause(int index, struct clause *clause)
{
    const struct noun *noun = &nouns[index % noun_count];
    index /= noun_count;
    bool negative = index % 2;
    enum gender gender = index / 2 % 2 ? FEMININE : MASCULINE;
    *clause = (struct clause){.construction = VERBAL,
                              .frame = frame_of_going,
                              .tense = PRESENT_CONTINUOUS,
                              .negative = negative,
                              .has_subject = true,
                              .adjunct_count = 1};
    clause->subject = pronoun_phrase(ROLE_SUBJECT, &pronouns[index / 4], gender);
    clause->adjuncts[0] = noun_phrase(ROLE_GOAL, noun);
    return noun->classes & N_GOAL;
}
