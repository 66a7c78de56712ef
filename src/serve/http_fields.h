/* Header fields of a request, and a check that every reader interprets them alike. If a proxy and
 * this server disagree about where a request ends, a client can smuggle a second request past the
 * proxy (RFC 9112, section 11.2). Linked into both the library and the HTTP module. */
#ifndef ATTEND_SERVE_HTTP_FIELDS_H
#define ATTEND_SERVE_HTTP_FIELDS_H

/* Initialize to zero. The values live as long as the header; NULL: absent. */
struct http_fields {
    const char *type, *authorization, *if_none_match, *length, *coding, *host, *origin, *site;
    /* X-Forwarded-For; the last one counts, which the nearest proxy has extended */
    const char *forwarded;
    const char *scheme; /* X-Forwarded-Proto; also the last one */
    const char *fault;  /* the first fault found so far; or NULL */
};

/* Add the fields in the order of the header. */
void http_fields_add(struct http_fields *, const char *name, const char *value);
/* The fault of the complete header, as a sentence without its period; NULL if there is none.
 * `version` is that of the request, such as HTTP/1.1. */
const char *http_fields_fault(const struct http_fields *, const char *version);

#endif
