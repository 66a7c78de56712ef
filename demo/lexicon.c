#include "lexicon.h"

#include <stddef.h>

/* The rows of the tables stay on one or a few lines, instead of one line per field. */
/* clang-format off */

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

/* Forms of a noun: direct singular, direct plural, oblique singular, oblique plural. */
#define FORMS(ds, dp, os, op) {{ds, dp}, {os, op}}
#define NAME(hindi, english, gender) \
    {FORMS(hindi, NULL, hindi, NULL), {english, NULL}, gender, \
     N_NAME | N_ADULT | N_TALL | N_GOOD, NULL, NULL}
#define PERSON(ds, dp, os, op, es, ep, gender, more) \
    {FORMS(ds, dp, os, op), {es, ep}, gender, N_GOOD | (more), NULL, NULL}
#define THING(singular, plural, es, ep, gender, more) \
    {FORMS(singular, plural, NULL, NULL), {es, ep}, gender, more, NULL, NULL}
#define MASS(hindi, english, gender, more) \
    {FORMS(hindi, NULL, NULL, NULL), {english, NULL}, gender, N_MASS | (more), NULL, NULL}
#define PLACE(direct, oblique, english, gender, more, post, preposition) \
    {FORMS(direct, NULL, oblique, NULL), {english, NULL}, gender, \
     N_PLACE | N_SIZED | (more), post, preposition}
#define GOAL(hindi, english, gender, more) \
    PLACE(hindi, hindi, english, gender, N_GOAL | (more), "me", "in")

const struct noun nouns[] = {
    NAME("raam", "Ram", MASCULINE),
    NAME("mohan", "Mohan", MASCULINE),
    NAME("ravi", "Ravi", MASCULINE),
    NAME("sita", "Sita", FEMININE),
    NAME("geeta", "Gita", FEMININE),
    NAME("raadha", "Radha", FEMININE),

    PERSON("ladka", "ladke", "ladke", "ladkon", "boy", "boys", MASCULINE,
           N_PERSON | N_YOUNG | N_TALL),
    PERSON("ladki", "ladkiyan", "ladki", "ladkiyon", "girl", "girls", FEMININE,
           N_PERSON | N_YOUNG | N_TALL),
    PERSON("bachcha", "bachche", "bachche", "bachchon", "child", "children", MASCULINE,
           N_PERSON | N_YOUNG),
    PERSON("aadmi", "aadmi", "aadmi", "aadmiyon", "man", "men", MASCULINE,
           N_PERSON | N_ADULT | N_TALL),
    PERSON("aurat", "auraten", "aurat", "auraton", "woman", "women", FEMININE,
           N_PERSON | N_ADULT | N_TALL),
    PERSON("shikshak", "shikshak", "shikshak", "shikshakon", "teacher", "teachers", MASCULINE,
           N_PERSON | N_TALL | N_JOB),
    PERSON("doctor", "doctor", "doctor", "doctoron", "doctor", "doctors", MASCULINE,
           N_PERSON | N_TALL | N_JOB | N_ANY_GENDER),
    PERSON("kisan", "kisan", "kisan", "kisanon", "farmer", "farmers", MASCULINE,
           N_PERSON | N_TALL | N_JOB),
    PERSON("dost", "dost", "dost", "doston", "friend", "friends", MASCULINE,
           N_KIN | N_ADULT | N_TALL),
    PERSON("bhai", "bhai", "bhai", "bhaiyon", "brother", "brothers", MASCULINE,
           N_KIN | N_ADULT | N_TALL),
    PERSON("behen", "behenen", "behen", "behenon", "sister", "sisters", FEMININE,
           N_KIN | N_ADULT | N_TALL),
    PERSON("maa", NULL, "maa", NULL, "mother", NULL, FEMININE, N_KIN | N_ADULT | N_TALL),
    {FORMS("pitaji", "pitaji", "pitaji", "pitaji"), {"father", NULL}, MASCULINE,
     N_KIN | N_ADULT | N_TALL | N_HONORED, NULL, NULL},

    THING("kitaab", "kitaaben", "book", "books", FEMININE,
          N_READABLE | N_WRITABLE | N_GIFT | N_BUYABLE | N_HAD | N_LIKED | N_ON_TABLE | N_GOOD |
          N_AGED),
    THING("chitthi", "chitthiyan", "letter", "letters", FEMININE,
          N_READABLE | N_LETTER | N_GIFT | N_ON_TABLE | N_AGED),
    THING("akhbaar", "akhbaar", "newspaper", "newspapers", MASCULINE,
          N_READABLE | N_GIFT | N_DAILY | N_BUYABLE | N_HAD | N_ON_TABLE | N_AGED),
    THING("kahani", "kahaniyan", "story", "stories", FEMININE,
          N_READABLE | N_WRITABLE | N_LIKED | N_GOOD | N_AGED),
    THING("film", "filmen", "film", "films", FEMININE, N_FILM | N_LIKED | N_GOOD | N_AGED),
    THING("seb", "seb", "apple", "apples", MASCULINE,
          N_EDIBLE | N_FRUIT | N_GIFT | N_DAILY | N_BUYABLE | N_HAD | N_LIKED | N_ON_TABLE |
          N_GOOD | N_SIZED | N_RED),
    THING("kela", "kele", "banana", "bananas", MASCULINE,
          N_EDIBLE | N_FRUIT | N_GIFT | N_DAILY | N_BUYABLE | N_HAD | N_LIKED | N_ON_TABLE |
          N_GOOD | N_SIZED),
    THING("aam", "aam", "mango", "mangoes", MASCULINE,
          N_EDIBLE | N_FRUIT | N_GIFT | N_DAILY | N_BUYABLE | N_HAD | N_LIKED | N_ON_TABLE |
          N_GOOD | N_SIZED),
    THING("phool", "phool", "flower", "flowers", MASCULINE,
          N_GIFT | N_DAILY | N_BUYABLE | N_HAD | N_LIKED | N_ON_TABLE | N_SIZED | N_PRETTY | N_RED |
          N_WHITE),
    {FORMS("kalam", "kalamen", "kalam", NULL), {"pen", "pens"}, FEMININE,
     N_GIFT | N_BUYABLE | N_HAD | N_ON_TABLE | N_TOOL | N_GOOD | N_AGED | N_RED | N_DYED, NULL,
     NULL},
    THING("tasveer", "tasveeren", "picture", "pictures", FEMININE,
          N_GIFT | N_BUYABLE | N_HAD | N_LIKED | N_ON_TABLE | N_SIZED | N_AGED | N_PRETTY),
    THING("kameez", "kameezen", "shirt", "shirts", FEMININE,
          N_GIFT | N_BUYABLE | N_HAD | N_LIKED | N_GOOD | N_AGED | N_PRETTY | N_RED | N_DYED |
          N_WHITE),
    {FORMS("gaadi", "gaadiyan", "gaadi", NULL), {"car", "cars"}, FEMININE,
     N_BUYABLE | N_HAD | N_LIKED | N_VEHICLE | N_GOOD | N_SIZED | N_AGED | N_RED | N_DYED | N_WHITE,
     NULL, NULL},
    {FORMS("bas", NULL, "bas", NULL), {"bus", NULL}, FEMININE,
     N_VEHICLE | N_SIZED | N_AGED | N_RED, NULL, NULL},
    {FORMS("train", NULL, "train", NULL), {"train", NULL}, FEMININE,
     N_VEHICLE | N_AGED, NULL, NULL},
    {FORMS("mez", NULL, "mez", NULL), {"table", NULL}, FEMININE,
     N_SURFACE | N_BUYABLE | N_SIZED | N_AGED | N_WHITE, "par", "on"},
    {FORMS("kursi", "kursiyan", "kursi", NULL), {"chair", "chairs"}, FEMININE,
     N_SURFACE | N_BUYABLE | N_HAD | N_SIZED | N_AGED | N_RED | N_WHITE, "par", "on"},

    MASS("roti", "bread", FEMININE, N_EDIBLE | N_DAILY | N_BUYABLE | N_LIKED | N_HOT | N_ON_TABLE),
    MASS("chaval", "rice", MASCULINE, N_EDIBLE | N_DAILY | N_BUYABLE | N_LIKED | N_HOT),
    MASS("khana", "food", MASCULINE,
         N_EDIBLE | N_HAD | N_HOT | N_COLD | N_GOOD | N_GIFT | N_ON_TABLE),
    MASS("paani", "water", MASCULINE, N_DRINK | N_HAD | N_COLD | N_HOT | N_GIFT | N_LIKED),
    MASS("doodh", "milk", MASCULINE,
         N_DRINK | N_HAD | N_DAILY | N_BUYABLE | N_COLD | N_HOT | N_GIFT | N_LIKED | N_ON_TABLE),
    MASS("chaay", "tea", FEMININE,
         N_DRINK | N_HOT | N_COLD | N_GIFT | N_GOOD | N_LIKED | N_ON_TABLE),

    GOAL("ghar", "house", MASCULINE, N_HOME | N_OWNED | N_AGED | N_PRETTY | N_WHITE | N_BED),
    GOAL("bazaar", "market", MASCULINE, N_AGED | N_SHOP),
    GOAL("school", "school", MASCULINE, N_OWNED | N_AGED | N_GOOD),
    GOAL("dukaan", "shop", FEMININE, N_OWNED | N_AGED | N_GOOD | N_SHOP),
    GOAL("gaon", "village", MASCULINE, N_OWNED | N_PRETTY | N_LIKED | N_SHOP | N_BED),
    GOAL("shahar", "city", MASCULINE, N_OWNED | N_PRETTY | N_AGED | N_LIKED | N_SHOP | N_BED),
    GOAL("mandir", "temple", MASCULINE, N_PRETTY | N_AGED | N_WHITE | N_LIKED),
    GOAL("daftar", "office", MASCULINE, N_OWNED | N_AGED),
    GOAL("pustakalaya", "library", MASCULINE, N_AGED | N_LIKED),
    GOAL("baag", "garden", MASCULINE, N_OWNED | N_PRETTY | N_LIKED | N_BED),
    GOAL("aspataal", "hospital", MASCULINE, N_AGED | N_GOOD | N_BED),
    PLACE("station", "station", "station", MASCULINE, N_GOAL | N_AGED | N_BED, "par", "at"),
    PLACE("kamra", "kamre", "room", MASCULINE,
          N_OWNED | N_GOOD | N_AGED | N_PRETTY | N_LIKED | N_BED, "me", "in"),
};
const int noun_count = COUNT(nouns);

/* vah has no ergative, dative or possessive here, because usne, use and uska do not distinguish he
 * and she. */
const struct pronoun pronouns[] = {
    {"mai", "maine", "mujhe", "mer", {"I", "I"}, "me", {"my", "my"}, SINGULAR, SINGULAR, ENDING_MAI,
     ENGLISH_I, GROUP_SPEAKER},
    {"hum", "humne", "hame", "hamar", {"we", "we"}, "us", {"our", "our"}, PLURAL, PLURAL,
     ENDING_PLURAL, ENGLISH_PLURAL, GROUP_SPEAKER},
    {"tum", "tumne", "tumhe", "tumhar", {"you", "you"}, "you", {"your", "your"}, PLURAL, SINGULAR,
     ENDING_TUM, ENGLISH_PLURAL, GROUP_HEARER},
    {"aap", "aapne", "aapko", "aapk", {"you", "you"}, "you", {"your", "your"}, PLURAL, SINGULAR,
     ENDING_PLURAL, ENGLISH_PLURAL, GROUP_HEARER},
    {"vah", NULL, NULL, NULL, {"he", "she"}, NULL, {"his", "her"}, SINGULAR, SINGULAR, ENDING_VAH,
     ENGLISH_THIRD, GROUP_NONE},
    {"ve", "unhone", "unhe", "unk", {"they", "they"}, "them", {"their", "their"}, PLURAL, PLURAL,
     ENDING_PLURAL, ENGLISH_PLURAL, GROUP_OTHERS},
};
const int pronoun_count = COUNT(pronouns);

const struct adjective adjectives[] = {
    {"acch", true, true, "good", N_GOOD},
    {"bad", true, true, "big", N_SIZED},
    {"chhot", true, true, "small", N_SIZED | N_YOUNG},
    {"nay", true, true, "new", N_AGED},
    {"puran", true, true, "old", N_AGED},
    {"neel", true, true, "blue", N_DYED},
    {"lamb", true, true, "tall", N_TALL},
    {"meeth", true, true, "sweet", N_FRUIT},
    {"thand", true, true, "cold", N_COLD},
    {"garam", false, true, "hot", N_HOT},
    {"lal", false, true, "red", N_RED},
    {"safed", false, true, "white", N_WHITE},
    {"sundar", false, true, "beautiful", N_PRETTY},
    {"bimaar", false, true, "sick", N_HUMAN},
    {"khush", false, false, "happy", N_HUMAN},
};
const int adjective_count = COUNT(adjectives);

const struct numeral numerals[] = {{"do", "two"}, {"teen", "three"}, {"chaar", "four"}};
const int numeral_count = COUNT(numerals);

/* kal is yesterday or tomorrow; the tense decides. */
const struct time_phrase times[] = {
    {"aaj", NULL, {"today"}, TENSE(PRESENT_CONTINUOUS) | TENSE(PAST) | TENSE(FUTURE) |
     TENSE(ABILITY), false},
    {"abhi", NULL, {"now"}, TENSE(PRESENT_CONTINUOUS) | TENSE(ABILITY), false},
    {"kal", NULL, {"yesterday"}, TENSE(PAST) | TENSE(PAST_CONTINUOUS), false},
    {"kal", NULL, {"tomorrow"}, TENSE(FUTURE), false},
    {"roz", NULL, {"every", "day"}, TENSE(HABITUAL), false},
    {"subah", NULL, {"~in", "~the", "morning"}, TENSE(HABITUAL) | TENSE(PAST) | TENSE(FUTURE),
     false},
    {"shaam", "ko", {"~in", "~the", "evening"}, TENSE(HABITUAL) | TENSE(PAST) | TENSE(FUTURE),
     false},
    {"raat", "ko", {"~at", "night"}, TENSE(HABITUAL) | TENSE(FUTURE), false},
    {"hamesha", NULL, {"always"}, TENSE(HABITUAL), true},
    {"aksar", NULL, {"often"}, TENSE(HABITUAL), true},
};
const int time_count = COUNT(times);

const struct role_rule role_rules[ROLES] = {
    [ROLE_SUBJECT] = {DIRECT, false, NULL, NULL, ARTICLE_THE},
    [ROLE_OBJECT] = {DIRECT, false, NULL, NULL, ARTICLE_A},
    [ROLE_ERGATIVE] = {OBLIQUE, false, "ne", NULL, ARTICLE_THE},
    [ROLE_DATIVE] = {OBLIQUE, false, "ko", NULL, ARTICLE_THE},
    [ROLE_HOLDER] = {OBLIQUE, true, "paas", NULL, ARTICLE_THE},
    [ROLE_GOAL] = {OBLIQUE, false, NULL, "to", ARTICLE_THE},
    [ROLE_LOCATION] = {OBLIQUE, false, NULL, NULL, ARTICLE_THE}, /* both depend on the noun */
    [ROLE_SOURCE] = {OBLIQUE, false, "se", "from", ARTICLE_THE},
    [ROLE_COMPANION] = {OBLIQUE, true, "saath", "with", ARTICLE_THE},
    [ROLE_BENEFICIARY] = {OBLIQUE, true, "liye", "for", ARTICLE_THE},
    [ROLE_RECIPIENT] = {OBLIQUE, false, "ko", "to", ARTICLE_THE},
    [ROLE_VEHICLE] = {OBLIQUE, false, "se", "by", ARTICLE_NONE},
    [ROLE_TOOL] = {OBLIQUE, false, "se", "with", ARTICLE_A},
};

static const struct verb go = {"ja", "ja", {"gay", "gay"}};
static const struct verb come = {"aa", "aa", {"aay", "aay"}};
static const struct verb sleep = {"so", "so", {"soy", "soy"}};
static const struct verb eat = {"kha", "kha", {"khay", "khay"}};
static const struct verb drink = {"pi", "pi", {"piy", "p"}};
static const struct verb read = {"padh", "padh", {"padh", "padh"}};
static const struct verb write = {"likh", "likh", {"likh", "likh"}};
static const struct verb look = {"dekh", "dekh", {"dekh", "dekh"}};
static const struct verb buy = {"kharid", "kharid", {"kharid", "kharid"}};
static const struct verb give = {"de", "d", {"diy", "d"}};
static const struct verb make = {"kar", "kar", {"kiy", "k"}};

#define SOME_THINGS (D_EK | D_NUMERAL | D_DEMONSTRATIVE)

const struct frame frames[] = {
    {.verb = &go, .english = {"go", "goes", "going", "went"}, .tenses = ALL_TENSES,
     .first = ROLE(ROLE_GOAL), .first_required = true,
     .second = ROLE(ROLE_COMPANION) | ROLE(ROLE_VEHICLE), .asks_where = true, .weight = 14},
    {.verb = &come, .english = {"come", "comes", "coming", "came"}, .tenses = ALL_TENSES,
     .first = ROLE(ROLE_GOAL) | ROLE(ROLE_SOURCE), .first_required = true,
     .second = ROLE(ROLE_COMPANION) | ROLE(ROLE_VEHICLE), .weight = 12},
    {.verb = &sleep, .english = {"sleep", "sleeps", "sleeping", "slept"}, .tenses = ALL_TENSES,
     .first = ROLE(ROLE_LOCATION), .places = N_BED, .asks_where = true, .weight = 16},
    {.verb = &make, .english = {"work", "works", "working", "worked"}, .fixed_noun = "kaam",
     .transitive = true, .tenses = ALL_TENSES, .first = ROLE(ROLE_LOCATION),
     .second = ROLE(ROLE_COMPANION), .asks_where = true, .weight = 15},
    {.verb = &eat, .english = {"eat", "eats", "eating", "ate"}, .transitive = true,
     .object_role = ROLE_OBJECT, .objects = N_EDIBLE, .determiners = D_ALL, .adjectives = true,
     .tenses = ALL_TENSES, .first = ROLE(ROLE_LOCATION), .second = ROLE(ROLE_COMPANION),
     .weight = 13},
    {.verb = &drink, .english = {"drink", "drinks", "drinking", "drank"}, .transitive = true,
     .object_role = ROLE_OBJECT, .objects = N_DRINK, .determiners = D_DEMONSTRATIVE,
     .adjectives = true, .tenses = ALL_TENSES, .first = ROLE(ROLE_LOCATION),
     .second = ROLE(ROLE_COMPANION), .weight = 12},
    {.verb = &read, .english = {"read", "reads", "reading", "read"}, .transitive = true,
     .object_role = ROLE_OBJECT, .objects = N_READABLE, .determiners = D_ALL, .adjectives = true,
     .tenses = ALL_TENSES, .first = ROLE(ROLE_LOCATION), .second = ROLE(ROLE_COMPANION),
     .weight = 13},
    {.verb = &write, .english = {"write", "writes", "writing", "wrote"}, .transitive = true,
     .object_role = ROLE_OBJECT, .objects = N_LETTER, .determiners = SOME_THINGS,
     .tenses = ALL_TENSES, .first = ROLE(ROLE_RECIPIENT), .second = ROLE(ROLE_TOOL), .weight = 7},
    {.verb = &write, .english = {"write", "writes", "writing", "wrote"}, .transitive = true,
     .object_role = ROLE_OBJECT, .objects = N_WRITABLE, .determiners = SOME_THINGS | D_REFLEXIVE,
     .tenses = ALL_TENSES, .first = ROLE(ROLE_LOCATION), .second = ROLE(ROLE_TOOL), .weight = 7},
    {.verb = &look, .english = {"watch", "watches", "watching", "watched"}, .transitive = true,
     .object_role = ROLE_OBJECT, .objects = N_FILM, .determiners = SOME_THINGS, .adjectives = true,
     .tenses = ALL_TENSES, .first = ROLE(ROLE_COMPANION), .weight = 9},
    {.verb = &look, .english = {"see", "sees", "seeing", "saw"}, .transitive = true,
     .object_role = ROLE_DATIVE, .objects = N_HUMAN,
     .tenses = TENSE(PAST) | TENSE(FUTURE) | TENSE(ABILITY), .first = ROLE(ROLE_LOCATION),
     .weight = 8},
    {.verb = &buy, .english = {"buy", "buys", "buying", "bought"}, .transitive = true,
     .object_role = ROLE_OBJECT, .objects = N_BUYABLE, .determiners = SOME_THINGS,
     .adjectives = true, .tenses = ALL_TENSES & ~TENSE(HABITUAL),
     .first = ROLE(ROLE_BENEFICIARY), .second = ROLE(ROLE_SOURCE), .places = N_SHOP, .weight = 10},
    {.verb = &buy, .english = {"buy", "buys", "buying", "bought"}, .transitive = true,
     .object_role = ROLE_OBJECT, .objects = N_DAILY, .determiners = D_EK | D_NUMERAL,
     .adjectives = true, .tenses = TENSE(HABITUAL), .first = ROLE(ROLE_BENEFICIARY),
     .second = ROLE(ROLE_SOURCE), .places = N_SHOP, .weight = 4},
    {.verb = &give, .english = {"give", "gives", "giving", "gave"}, .transitive = true,
     .object_role = ROLE_OBJECT, .objects = N_GIFT, .determiners = D_ALL, .adjectives = true,
     .tenses = ALL_TENSES, .first = ROLE(ROLE_RECIPIENT), .first_required = true, .weight = 14},
};
const int frame_count = COUNT(frames);
const struct frame *const frame_of_going = &frames[0];
