/* The words of the fragment, as constant tables. */
#ifndef DEMO_LEXICON_H
#define DEMO_LEXICON_H

#include <stdbool.h>
#include <stdint.h>

enum gender { MASCULINE, FEMININE };
enum number { SINGULAR, PLURAL };
enum noun_case { DIRECT, OBLIQUE };

/* Classes of nouns, by which verbs, adjectives and places select suitable ones. */
typedef uint64_t classes;
#define N_PERSON (UINT64_C(1) << 0) /* common noun for a person */
#define N_KIN (UINT64_C(1) << 1)    /* relative, always with an owner: my brother */
#define N_NAME (UINT64_C(1) << 2)
#define N_ADULT (UINT64_C(1) << 3) /* can be a doctor, a teacher, a farmer */
#define N_YOUNG (UINT64_C(1) << 4)
#define N_TALL (UINT64_C(1) << 5)
#define N_HONORED (UINT64_C(1) << 6) /* one person, but plural agreement in Hindi */
#define N_JOB (UINT64_C(1) << 7)
#define N_PLACE (UINT64_C(1) << 8)
#define N_GOAL (UINT64_C(1) << 9) /* place that takes no postposition as a goal */
#define N_HOME (UINT64_C(1) << 10)
#define N_OWNED (UINT64_C(1) << 11) /* place that can have an owner */
#define N_SURFACE (UINT64_C(1) << 12)
#define N_ON_TABLE (UINT64_C(1) << 13)
#define N_READABLE (UINT64_C(1) << 14)
#define N_WRITABLE (UINT64_C(1) << 15)
#define N_LETTER (UINT64_C(1) << 16)
#define N_EDIBLE (UINT64_C(1) << 17)
#define N_FRUIT (UINT64_C(1) << 18)
#define N_DRINK (UINT64_C(1) << 19)
#define N_FILM (UINT64_C(1) << 20)
#define N_GIFT (UINT64_C(1) << 21)
#define N_BUYABLE (UINT64_C(1) << 22)
#define N_DAILY (UINT64_C(1) << 23) /* bought again and again */
#define N_HAD (UINT64_C(1) << 24)   /* thing that people have with them */
#define N_LIKED (UINT64_C(1) << 25)
#define N_VEHICLE (UINT64_C(1) << 26)
#define N_TOOL (UINT64_C(1) << 27)
#define N_MASS (UINT64_C(1) << 28)
#define N_GOOD (UINT64_C(1) << 29)
#define N_SIZED (UINT64_C(1) << 30)
#define N_AGED (UINT64_C(1) << 31)
#define N_PRETTY (UINT64_C(1) << 32)
#define N_RED (UINT64_C(1) << 33)
#define N_DYED (UINT64_C(1) << 34)
#define N_WHITE (UINT64_C(1) << 35)
#define N_HOT (UINT64_C(1) << 36)
#define N_COLD (UINT64_C(1) << 37)
#define N_SHOP (UINT64_C(1) << 38)       /* place one buys from */
#define N_BED (UINT64_C(1) << 40)        /* place one may sleep in */
#define N_ANY_GENDER (UINT64_C(1) << 39) /* job name used of men and women alike */
#define N_HUMAN (N_PERSON | N_KIN | N_NAME)

struct noun {
    const char *form[2][2]; /* [case][number]; a plural that is never used is NULL */
    const char *english[2]; /* [number] */
    enum gender gender;
    classes classes;
    const char *locative; /* places: the postposition of "in it", and its English */
    const char *english_locative;
};

/* Agreement of the finite verb. The endings are those of mai, tum, vah, and hum/aap/ve. */
enum ending { ENDING_MAI, ENDING_TUM, ENDING_VAH, ENDING_PLURAL };

/* Who is meant. Two pronouns of one group in one clause would need a reflexive. */
enum group { GROUP_NONE, GROUP_SPEAKER, GROUP_HEARER, GROUP_OTHERS };

enum english_person { ENGLISH_I, ENGLISH_THIRD, ENGLISH_PLURAL };

struct pronoun {
    const char *direct;
    const char *ergative; /* NULL if it does not show the gender that English needs */
    const char *dative;
    const char *possessive_stem; /* + a / e / i */
    const char *subject[2];      /* English, [gender] */
    const char *object;
    const char *possessive[2];  /* English, [gender] */
    enum number number;         /* of Hindi participles and adjectives */
    enum number english_number; /* of a predicate noun: you are a doctor */
    enum ending ending;
    enum english_person person;
    enum group group;
};

struct adjective {
    const char *stem; /* + a / e / i where it inflects */
    bool inflects;
    bool attributive;
    const char *english;
    classes classes;
};

struct numeral {
    const char *hindi;
    const char *english;
};

enum tense { PRESENT_CONTINUOUS, PAST_CONTINUOUS, HABITUAL, PAST, FUTURE, ABILITY, TENSES };
#define TENSE(name) (1u << (name))
#define ALL_TENSES ((1u << TENSES) - 1)

struct time_phrase {
    const char *hindi;
    const char *postposition; /* or NULL */
    const char *english[3];   /* "~word" has no Hindi counterpart of its own */
    unsigned tenses;
    bool before_verb; /* he always drinks tea */
};

struct verb {
    const char *stem;
    const char *future_stem;
    const char *perfective[2]; /* stems, [gender] */
};

struct english_verb {
    const char *base;
    const char *third;
    const char *gerund;
    const char *past;
};

/* The role of a noun phrase, which decides postposition, preposition and article. */
enum role {
    ROLE_SUBJECT,
    ROLE_OBJECT,
    ROLE_ERGATIVE,
    ROLE_DATIVE,
    ROLE_HOLDER,
    ROLE_GOAL,
    ROLE_LOCATION,
    ROLE_SOURCE,
    ROLE_COMPANION,
    ROLE_BENEFICIARY,
    ROLE_RECIPIENT,
    ROLE_VEHICLE,
    ROLE_TOOL,
    ROLES
};
#define ROLE(name) (1u << (name))

enum article { ARTICLE_NONE, ARTICLE_THE, ARTICLE_A };

struct role_rule {
    enum noun_case noun_case;
    bool genitive;           /* the postposition is "ke X" */
    const char *particle;    /* or NULL */
    const char *preposition; /* or NULL */
    enum article article;
};

/* Determiners an object may carry. */
enum {
    D_EK = 1,
    D_NUMERAL = 2,
    D_DEMONSTRATIVE = 4,
    D_REFLEXIVE = 8,
    D_OTHER_OWNER = 16,
    D_ALL = 31
};

/* One use of a verb: its meaning, and the phrases it takes. */
struct frame {
    const struct verb *verb;
    struct english_verb english;
    const char *fixed_noun; /* kaam karna: to do work = to work */
    bool transitive;        /* ergative past */
    enum role object_role;
    classes objects; /* 0 for none */
    unsigned determiners;
    bool adjectives;
    unsigned tenses;
    unsigned first; /* roles of the adjunct next to the English verb */
    bool first_required;
    unsigned second; /* roles of the adjunct after it */
    classes places;  /* 0: any place that the role admits */
    bool asks_where;
    int weight;
};

extern const struct noun nouns[];
extern const int noun_count;
extern const struct pronoun pronouns[];
extern const int pronoun_count;
extern const struct adjective adjectives[];
extern const int adjective_count;
extern const struct numeral numerals[];
extern const int numeral_count;
extern const struct time_phrase times[];
extern const int time_count;
extern const struct frame frames[];
extern const int frame_count;
extern const struct role_rule role_rules[ROLES];

/* The frame and the words of the held-out sentence, from which its neighbors are made. */
extern const struct frame *const frame_of_going;

#endif
