/* The fields of a request's header, and whether every reader understands them alike: where a proxy
 * and this server see different ends of one request, a client can smuggle a second one past the
 * proxy (RFC 9112, section 11.2). Part of the library and of the module that speaks HTTP. */
#ifndef ATTEND_SERVE_HTTP_FIELDS_H
#define ATTEND_SERVE_HTTP_FIELDS_H

/* Values live as long as the header; NULL: there is no such field. All zero at first. */
struct http_fields {
    const char *type, *authorization, *if_none_match, *length, *coding, *host, *origin, *site;
    const char *forwarded; /* of several the last, to which the proxy in front has added */
    const char *fault;     /* what is wrong with them; NULL: nothing yet */
};

/* Fields are added in the order of the header. */
void http_fields_add(struct http_fields *, const char *name, const char *value);
/* What is wrong with all of them together, a sentence without its end; NULL: nothing. `version` is
 * that of the request, as HTTP/1.1. */
const char *http_fields_fault(const struct http_fields *, const char *version);

#endif
