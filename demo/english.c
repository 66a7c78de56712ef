#include "english.h"

#include <string.h>

static enum english_person english_person(const struct phrase *phrase)
{
    if (phrase->pronoun)
        return phrase->pronoun->person;
    return phrase->number == PLURAL ? ENGLISH_PLURAL : ENGLISH_THIRD;
}

/* apna refers to the subject: my, your, his, her, our, their. */
static const char *own_possessive(const struct phrase *subject)
{
    if (subject->pronoun)
        return subject->pronoun->possessive[subject->gender];
    if (subject->number == PLURAL)
        return "their";
    return subject->gender == FEMININE ? "her" : "his";
}

static const char *a_or_an(const struct phrase *phrase)
{
    const char *next =
        phrase->adjective ? phrase->adjective->english : phrase->noun->english[SINGULAR];
    return strchr("aeiou", next[0]) ? "an" : "a";
}

/* Articles have no Hindi word. Names: none. Objects: a/an if singular and countable, else none.
 * Vehicles: none (by bus). Everything else: the. */
static void article_target(struct sentence *s, const struct phrase *phrase, marks noun)
{
    enum article article = role_rules[phrase->role].article;
    bool countable_one = phrase->number == SINGULAR && !(phrase->noun->classes & N_MASS);
    if (phrase->noun->classes & N_NAME || phrase_is_home(phrase))
        return;
    if (article == ARTICLE_THE)
        put_target(s, "the", 0, noun);
    else if (article == ARTICLE_A && countable_one)
        put_target(s, a_or_an(phrase), 0, noun);
}

static void possessor_target(struct sentence *s, const struct noun *owner,
                             const struct phrase_marks *at)
{
    if (!(owner->classes & N_NAME))
        put_target(s, "the", 0, at->determiner);
    put_target(s, owner->english[SINGULAR], at->determiner, 0);
    put_target(s, "'s", at->genitive, 0);
}

static void determiner_target(struct sentence *s, const struct phrase *phrase,
                              const struct phrase_marks *at, const struct phrase *subject)
{
    static const char *const demonstratives[2][2] = {{"this", "these"}, {"that", "those"}};
    bool that = phrase->determiner == DETERMINER_THAT;
    switch (phrase->determiner) {
    case DETERMINER_NONE: article_target(s, phrase, at->noun); break;
    case DETERMINER_EK: put_target(s, a_or_an(phrase), at->determiner, 0); break;
    case DETERMINER_NUMERAL: put_target(s, phrase->numeral->english, at->determiner, 0); break;
    case DETERMINER_THIS:
    case DETERMINER_THAT:
        put_target(s, demonstratives[that][phrase->number], at->determiner, 0);
        break;
    case DETERMINER_PRONOUN:
        put_target(s, phrase->owner_pronoun->possessive[MASCULINE], at->determiner, 0);
        break;
    case DETERMINER_REFLEXIVE: put_target(s, own_possessive(subject), at->determiner, 0); break;
    case DETERMINER_NOUN: possessor_target(s, phrase->owner_noun, at); break;
    }
}

/* Only English has a preposition for the goal, so "to" is linked to the noun; home has none. */
static void preposition_target(struct sentence *s, const struct phrase *phrase,
                               const struct phrase_marks *at)
{
    const char *word = role_rules[phrase->role].preposition;
    if (phrase->role == ROLE_LOCATION)
        word = phrase_is_home(phrase) ? "at" : phrase->noun->english_locative;
    if (!word || (phrase->role == ROLE_GOAL && phrase_is_home(phrase)))
        return;
    if (at->particle)
        put_target(s, word, at->particle, at->joint);
    else
        put_target(s, word, 0, at->noun);
}

static void phrase_target(struct sentence *s, const struct phrase *phrase,
                          const struct phrase_marks *at, const struct phrase *subject)
{
    const struct pronoun *pronoun = phrase->pronoun;
    bool is_subject = phrase == subject;
    preposition_target(s, phrase, at);
    if (pronoun) {
        put_target(s, is_subject ? pronoun->subject[phrase->gender] : pronoun->object, at->noun, 0);
        return;
    }
    determiner_target(s, phrase, at, subject);
    if (phrase->adjective)
        put_target(s, phrase->adjective->english, at->adjective, 0);
    /* ne and ko on subject or object mark case and have no English word */
    bool bare_case = phrase->role == ROLE_ERGATIVE || phrase->role == ROLE_DATIVE;
    const char *word = phrase_is_home(phrase) ? "home" : phrase->noun->english[phrase->number];
    put_target(s, word, at->noun, bare_case ? at->particle : 0);
}

/* The English verb: an auxiliary, which moves before the subject in questions, and a main verb.
 * Either may be absent. */
struct verb_plan {
    const char *auxiliary;
    marks auxiliary_sure;
    marks auxiliary_possible;
    const char *main;
    marks main_sure;
    marks main_possible;
};

static const char *be(enum english_person person, bool past)
{
    static const char *const forms[2][3] = {{"am", "is", "are"}, {"was", "was", "were"}};
    return forms[past][person];
}

/* Simple tenses:  goes, went; with not or a question  does/did ... go */
static void plan_simple(struct verb_plan *plan, const struct clause *clause,
                        const struct english_verb *verb, enum english_person person)
{
    bool past = clause->tense == PAST;
    bool third = person == ENGLISH_THIRD;
    if (clause->negative || clause->question) {
        plan->auxiliary = past ? "did" : third ? "does" : "do";
        plan->main = verb->base;
    } else {
        plan->main = past ? verb->past : third ? verb->third : verb->base;
    }
}

static void plan_verb(struct verb_plan *plan, const struct clause *clause,
                      const struct clause_marks *at, enum english_person person)
{
    const struct english_verb *verb = &clause->frame->english;
    plan->main_sure = at->verb | at->predicate;
    plan->main = verb->base;
    switch (clause->tense) {
    case PRESENT_CONTINUOUS:
    case PAST_CONTINUOUS:
        plan->auxiliary = be(person, clause->tense == PAST_CONTINUOUS);
        plan->auxiliary_sure = at->auxiliary;
        plan->main = verb->gerund;
        plan->main_sure |= at->aspect;
        break;
    case FUTURE:
        plan->auxiliary = "will";
        plan->auxiliary_possible = at->verb;
        break;
    case ABILITY:
        plan->auxiliary = clause->negative ? "cannot" : "can";
        plan->auxiliary_sure = at->aspect | at->negation;
        plan->auxiliary_possible = at->auxiliary;
        break;
    default:
        plan_simple(plan, clause, verb, person);
        plan->auxiliary_possible = at->auxiliary ? at->auxiliary : at->verb;
        plan->main_possible = plan->auxiliary ? 0 : at->auxiliary;
        break;
    }
}

/* is/was for copulas;  paas hai = have;  pasand hai = like */
static void plan_copula(struct verb_plan *plan, const struct clause *clause,
                        const struct clause_marks *at, enum english_person person)
{
    static const struct english_verb have = {"have", "has", "having", "had"};
    static const struct english_verb like = {"like", "likes", "liking", "liked"};
    if (clause->construction == HAVING) {
        plan_simple(plan, clause, &have, person);
        plan->auxiliary_possible = at->auxiliary;
        plan->main_sure = at->subject.particle | at->auxiliary;
        plan->main_possible = at->subject.joint;
    } else if (clause->construction == LIKING) {
        plan_simple(plan, clause, &like, person);
        plan->auxiliary_possible = at->auxiliary;
        plan->main_sure = at->predicate;
        plan->main_possible = at->auxiliary;
    } else {
        plan->auxiliary = be(person, clause->tense == PAST);
        plan->auxiliary_sure = at->auxiliary;
    }
}

static void time_target(struct sentence *s, const struct clause *clause,
                        const struct clause_marks *at, bool before_verb)
{
    if (!clause->time || clause->time->before_verb != before_verb)
        return;
    for (int i = 0; i < 3 && clause->time->english[i]; i++) {
        const char *word = clause->time->english[i];
        if (word[0] == '~')
            put_target(s, word + 1, 0, at->time | at->time_postposition);
        else
            put_target(s, word, at->time, 0);
    }
}

static void subject_target(struct sentence *s, const struct clause *clause,
                           const struct clause_marks *at)
{
    if (clause->has_subject)
        phrase_target(s, &clause->subject, &at->subject, &clause->subject);
    else
        put_target(s, "there", 0, at->auxiliary);
}

/* aux subject  in questions,  subject aux  in statements */
static void subject_and_auxiliary(struct sentence *s, const struct clause *clause,
                                  const struct clause_marks *at, const struct verb_plan *plan)
{
    if (!clause->question)
        subject_target(s, clause, at);
    if (plan->auxiliary)
        put_target(s, plan->auxiliary, plan->auxiliary_sure, plan->auxiliary_possible | at->kya);
    if (clause->question)
        subject_target(s, clause, at);
    if (clause->negative && clause->tense != ABILITY)
        put_target(s, "not", at->negation, 0);
}

void build_english(struct sentence *s, const struct clause *clause, const struct clause_marks *at)
{
    struct verb_plan plan = {0};
    const struct phrase *leader = clause->has_subject ? &clause->subject : &clause->object;
    if (clause->construction == VERBAL)
        plan_verb(&plan, clause, at, english_person(leader));
    else
        plan_copula(&plan, clause, at, english_person(leader));
    if (clause->where)
        put_target(s, "where", at->where, 0);
    subject_and_auxiliary(s, clause, at, &plan);
    time_target(s, clause, at, true);
    if (plan.main)
        put_target(s, plan.main, plan.main_sure, plan.main_possible);
    if (clause->construction == ADJECTIVAL)
        put_target(s, clause->predicate->english, at->predicate, 0);
    if (clause->has_object)
        phrase_target(s, &clause->object, &at->object, leader);
    for (int i = 0; i < clause->adjunct_count; i++)
        phrase_target(s, &clause->adjuncts[i], &at->adjuncts[i], leader);
    time_target(s, clause, at, false);
    if (clause->question)
        put_target(s, "?", at->question, 0);
}
