/* Small models for the target of HTTP: one reads ink, one writes by hand. */
#ifndef ATTEND_TESTS_FUZZ_HTTP_MODELS_H
#define ATTEND_TESTS_FUZZ_HTTP_MODELS_H

struct http_models {
    char folder[64], reads[96], writes[96]; /* paths */
};

/* Train both, in a folder of their own. */
void http_models_make(struct http_models *);
/* Remove the folder; a server has read the models. */
void http_models_remove(const struct http_models *);

#endif
