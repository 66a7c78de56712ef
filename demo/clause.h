/* Clauses as data, independent of the word order of both languages.
 *
 *   Hindi:    [kya] [time] subject [time] adjunct* object [kahan] [nahi] verb auxiliary [?]
 *   English:  [where] [aux] subject [aux] [not] [adverb] verb object adjunct* [time] [?]
 *
 * The Hindi side is built first, and the positions of its words are kept as marks. Each English
 * word is then added with the marks of the Hindi words that it translates. */
#ifndef DEMO_CLAUSE_H
#define DEMO_CLAUSE_H

#include "lexicon.h"
#include "sentence.h"

enum determiner {
    DETERMINER_NONE,
    DETERMINER_EK,
    DETERMINER_NUMERAL,
    DETERMINER_THIS,
    DETERMINER_THAT,
    DETERMINER_PRONOUN,   /* mera, tumhara, ... */
    DETERMINER_NOUN,      /* ladke ka, raam ka, ... */
    DETERMINER_REFLEXIVE, /* apna */
};

/* Either a pronoun or a noun; exactly one of the two pointers is set. */
struct phrase {
    enum role role;
    const struct pronoun *pronoun;
    const struct noun *noun;
    enum gender gender; /* of the person, or of the noun */
    enum number number; /* as in English: an honored father is singular */
    enum determiner determiner;
    const struct numeral *numeral;
    const struct pronoun *owner_pronoun;
    const struct noun *owner_noun;
    const struct adjective *adjective;
};

enum construction {
    VERBAL,      /* ladka kitaab padh raha hai    the boy is reading a book */
    ADJECTIVAL,  /* mera ghar bada hai            my house is big */
    NOMINAL,     /* mera bhai doctor hai          my brother is a doctor */
    LOCATED,     /* kitaab mez par hai            the book is on the table */
    HAVING,      /* mere paas kitaab hai          I have a book */
    LIKING,      /* mujhe chaay pasand hai        I like tea */
    EXISTENTIAL, /* mez par ek kitaab hai         there is a book on the table */
};

enum { MAX_ADJUNCTS = 2 };

struct clause {
    enum construction construction;
    const struct frame *frame; /* VERBAL only */
    enum tense tense;          /* the others use HABITUAL for is and PAST for was */
    bool negative;
    bool question;
    bool where; /* asks kahan instead of kya */
    bool has_subject;
    bool has_object;
    struct phrase subject;
    struct phrase object;                 /* also the predicate noun */
    struct phrase adjuncts[MAX_ADJUNCTS]; /* in English order, the reverse of the Hindi one */
    int adjunct_count;
    const struct adjective *predicate;
    const struct time_phrase *time;
    bool time_first;
};

/* The positions of the words of a noun phrase in the Hindi sentence. */
struct phrase_marks {
    marks determiner; /* also the possessor */
    marks genitive;   /* ka of "ladke ka" */
    marks adjective;
    marks noun;     /* the head: noun or pronoun */
    marks joint;    /* ke of "ke saath" */
    marks particle; /* the postposition */
};

struct clause_marks {
    struct phrase_marks subject;
    struct phrase_marks object;
    struct phrase_marks adjuncts[MAX_ADJUNCTS];
    marks kya;
    marks where;
    marks question;
    marks time;
    marks time_postposition;
    marks predicate; /* adjective, pasand, or the noun of kaam karna */
    marks negation;
    marks verb;
    marks aspect; /* raha, sakta */
    marks auxiliary;
};

/* The past of a transitive verb takes ne and agrees with its object. */
bool clause_is_ergative(const struct clause *clause);

/* A bare ghar that is not the subject is "home": go home, at home, from home. */
bool phrase_is_home(const struct phrase *phrase);

#endif
