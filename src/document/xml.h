/* Cuts XML into tokens and checks that its elements are nested. */
#ifndef ATTEND_DOCUMENT_XML_H
#define ATTEND_DOCUMENT_XML_H

#include "document/intake.h"

enum xml_kind {
    XML_END,   /* of the document */
    XML_TEXT,  /* between tags */
    XML_CDATA, /* <![CDATA[...]]> */
    XML_OPEN,  /* <x ...> */
    XML_CLOSE, /* </x> */
    XML_EMPTY, /* <x .../> */
    XML_OTHER, /* comment, instruction, declaration */
};

struct xml_token {
    enum xml_kind kind;
    size_t from, to; /* its bytes in the unit */
};

enum { XML_DEPTH = 64, XML_NAME = 48 };

/* All zero at first. */
struct xml {
    bool tag; /* the `<` of the next tag was read */
    int depth;
    char open[XML_DEPTH][XML_NAME]; /* names of the open elements */
};

/* Append the next token to `unit`. ATTEND_DATA if the document ends inside of it, or if it closes
 * an element that is not open. */
enum attend_status xml_next(struct xml *, struct intake *, struct strbuf *unit, struct xml_token *,
                            struct attend_error *err);
/* Whether a tag has this name. */
bool xml_is(const char *tag, const char *name);
/* Append the value of an attribute of a tag of `length` bytes; false if it has none. */
bool xml_attribute(struct strbuf *out, const char *tag, size_t length, const char *name);
/* Append text with its references decoded, and line ends as blanks; false if a reference is not
 * known. */
bool xml_decode(struct strbuf *out, const char *text, size_t length);

#endif
