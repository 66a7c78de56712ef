#include "hindi.h"

struct agreement {
    enum gender gender;
    enum number number;
    enum ending ending;
};

/* Adjectives, participles, possessives:  -a masculine singular direct, -e other masculine,
 * -i feminine. */
static const char *agreeing_vowel(enum gender gender, enum number number, enum noun_case noun_case)
{
    if (gender == FEMININE)
        return "i";
    return number == SINGULAR && noun_case == DIRECT ? "a" : "e";
}

/* One honored person takes plural agreement: mere pitaji ja rahe hain. */
static enum number hindi_number(const struct phrase *phrase)
{
    if (phrase->pronoun)
        return phrase->pronoun->number;
    return phrase->noun->classes & N_HONORED ? PLURAL : phrase->number;
}

static struct agreement agreement_with(const struct phrase *phrase)
{
    struct agreement agreement = {phrase->gender, hindi_number(phrase), ENDING_VAH};
    if (phrase->pronoun)
        agreement.ending = phrase->pronoun->ending;
    else if (agreement.number == PLURAL)
        agreement.ending = ENDING_PLURAL;
    return agreement;
}

/* Pronouns merge with ne and ko (maine, mujhe) and are in the genitive before ke-postpositions
 * (mere saath). */
static struct phrase_marks pronoun_source(struct sentence *s, const struct phrase *phrase)
{
    const struct role_rule *rule = &role_rules[phrase->role];
    const struct pronoun *pronoun = phrase->pronoun;
    struct phrase_marks at = {0};
    if (rule->genitive) {
        at.noun = put_source(s, pronoun->possessive_stem, "e");
        at.particle = put_source(s, rule->particle, "");
        return at;
    }
    const char *form = phrase->role == ROLE_SUBJECT    ? pronoun->direct
                       : phrase->role == ROLE_ERGATIVE ? pronoun->ergative
                                                       : pronoun->dative;
    at.noun = put_source(s, form, "");
    if (rule->preposition)
        at.particle = at.noun;
    return at;
}

/* this: yah ye / is in;  that: vah ve / us un  [determiner][case][number] */
static const char *demonstrative(const struct phrase *phrase, enum noun_case noun_case)
{
    static const char *const forms[2][2][2] = {{{"yah", "ye"}, {"is", "in"}},
                                               {{"vah", "ve"}, {"us", "un"}}};
    return forms[phrase->determiner == DETERMINER_THAT][noun_case][phrase->number];
}

static void determiner_source(struct sentence *s, const struct phrase *phrase,
                              enum noun_case noun_case, struct phrase_marks *at)
{
    const char *vowel = agreeing_vowel(phrase->gender, hindi_number(phrase), noun_case);
    switch (phrase->determiner) {
    case DETERMINER_NONE: break;
    case DETERMINER_EK: at->determiner = put_source(s, "ek", ""); break;
    case DETERMINER_NUMERAL: at->determiner = put_source(s, phrase->numeral->hindi, ""); break;
    case DETERMINER_THIS:
    case DETERMINER_THAT:
        at->determiner = put_source(s, demonstrative(phrase, noun_case), "");
        break;
    case DETERMINER_PRONOUN:
        at->determiner = put_source(s, phrase->owner_pronoun->possessive_stem, vowel);
        break;
    case DETERMINER_REFLEXIVE: at->determiner = put_source(s, "apn", vowel); break;
    case DETERMINER_NOUN:
        at->determiner = put_source(s, phrase->owner_noun->form[OBLIQUE][SINGULAR], "");
        at->genitive = put_source(s, "k", vowel);
        break;
    }
}

static marks adjective_source(struct sentence *s, const struct adjective *adjective,
                              const struct phrase *noun, enum noun_case noun_case)
{
    const char *vowel = agreeing_vowel(noun->gender, hindi_number(noun), noun_case);
    return put_source(s, adjective->stem, adjective->inflects ? vowel : "");
}

/* "ghar par" is at home; every other place has the postposition of its noun. */
static const char *postposition(const struct phrase *phrase)
{
    if (phrase->role != ROLE_LOCATION)
        return role_rules[phrase->role].particle;
    return phrase_is_home(phrase) ? "par" : phrase->noun->locative;
}

static struct phrase_marks phrase_source(struct sentence *s, const struct phrase *phrase)
{
    if (phrase->pronoun)
        return pronoun_source(s, phrase);
    const struct role_rule *rule = &role_rules[phrase->role];
    struct phrase_marks at = {0};
    determiner_source(s, phrase, rule->noun_case, &at);
    if (phrase->adjective)
        at.adjective = adjective_source(s, phrase->adjective, phrase, rule->noun_case);
    at.noun = put_source(s, phrase->noun->form[rule->noun_case][phrase->number], "");
    if (rule->genitive)
        at.joint = put_source(s, "ke", "");
    if (postposition(phrase))
        at.particle = put_source(s, postposition(phrase), "");
    return at;
}

/* What the verb agrees with: the subject, unless it has a postposition (ne, ko, ke paas); then the
 * object, unless it has ko or is the kaam of kaam karna; then masculine singular. */
static struct agreement verb_agreement(const struct clause *clause)
{
    static const struct agreement neutral = {MASCULINE, SINGULAR, ENDING_VAH};
    if (clause->has_subject && clause->subject.role == ROLE_SUBJECT)
        return agreement_with(&clause->subject);
    if (clause->has_object && clause->object.role == ROLE_OBJECT)
        return agreement_with(&clause->object);
    return neutral;
}

/* hoon, ho, hai, hain */
static marks present_auxiliary(struct sentence *s, struct agreement with)
{
    static const char *const forms[] = {"hoon", "ho", "hai", "hain"};
    return put_source(s, forms[with.ending], "");
}

/* Perfectives, like tha, also mark the feminine plural:  -a -e / -i -in */
static const char *perfective_ending(struct agreement with)
{
    static const char *const endings[2][2] = {{"a", "e"}, {"i", "in"}};
    return endings[with.gender][with.number];
}

/* stem + unga, oge, ega, enge; feminine ungi, ogi, egi, engi */
static marks future_source(struct sentence *s, const struct verb *verb, struct agreement with)
{
    static const char *const endings[2][4] = {{"unga", "oge", "ega", "enge"},
                                              {"ungi", "ogi", "egi", "engi"}};
    return put_source(s, verb->future_stem, endings[with.gender][with.ending]);
}

/* continuous: stem rah+a hai/tha   habitual: stem+t+a hai   ability: stem sak+t+a hai
 * past: perfective stem+a          future: stem+ega */
static void verb_source(struct sentence *s, const struct clause *clause, struct clause_marks *at)
{
    const struct verb *verb = clause->frame->verb;
    struct agreement with = verb_agreement(clause);
    bool plain_vowel_a = with.gender == MASCULINE && with.number == SINGULAR;
    const char *participle = with.gender == FEMININE ? "ti" : plain_vowel_a ? "ta" : "te";
    if (clause->tense == FUTURE) {
        at->verb = future_source(s, verb, with);
        return;
    }
    if (clause->tense == PAST) {
        at->verb = put_source(s, verb->perfective[with.gender], perfective_ending(with));
        return;
    }
    at->verb = put_source(s, verb->stem, clause->tense == HABITUAL ? participle : "");
    if (clause->tense == ABILITY)
        at->aspect = put_source(s, "sak", participle);
    else if (clause->tense != HABITUAL)
        at->aspect = put_source(s, "rah", agreeing_vowel(with.gender, with.number, DIRECT));
    if (clause->tense == PAST_CONTINUOUS)
        at->auxiliary = put_source(s, "th", perfective_ending(with));
    else
        at->auxiliary = present_auxiliary(s, with);
}

static void copula_source(struct sentence *s, const struct clause *clause, struct clause_marks *at)
{
    struct agreement with = verb_agreement(clause);
    if (clause->tense == PAST)
        at->auxiliary = put_source(s, "th", perfective_ending(with));
    else
        at->auxiliary = present_auxiliary(s, with);
}

static void time_source(struct sentence *s, const struct clause *clause, struct clause_marks *at)
{
    if (!clause->time)
        return;
    at->time = put_source(s, clause->time->hindi, "");
    if (clause->time->postposition)
        at->time_postposition = put_source(s, clause->time->postposition, "");
}

static void predicate_source(struct sentence *s, const struct clause *clause,
                             struct clause_marks *at)
{
    if (clause->construction == ADJECTIVAL)
        at->predicate = adjective_source(s, clause->predicate, &clause->subject, DIRECT);
    else if (clause->construction == LIKING)
        at->predicate = put_source(s, "pasand", "");
    else if (clause->construction == VERBAL && clause->frame->fixed_noun)
        at->predicate = put_source(s, clause->frame->fixed_noun, "");
    if (clause->negative)
        at->negation = put_source(s, "nahi", "");
}

void build_hindi(struct sentence *s, const struct clause *clause, struct clause_marks *at)
{
    if (clause->question && !clause->where)
        at->kya = put_source(s, "kya", "");
    if (clause->time_first)
        time_source(s, clause, at);
    if (clause->has_subject)
        at->subject = phrase_source(s, &clause->subject);
    if (!clause->time_first)
        time_source(s, clause, at);
    for (int i = clause->adjunct_count - 1; i >= 0; i--)
        at->adjuncts[i] = phrase_source(s, &clause->adjuncts[i]);
    if (clause->has_object)
        at->object = phrase_source(s, &clause->object);
    if (clause->where)
        at->where = put_source(s, "kahan", "");
    predicate_source(s, clause, at);
    if (clause->construction == VERBAL)
        verb_source(s, clause, at);
    else
        copula_source(s, clause, at);
    if (clause->question)
        at->question = put_source(s, "?", "");
}
