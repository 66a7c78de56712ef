/* Form fields: the first byte selects the kind; for multipart, the first line is the Content-Type.
 *
 * Aimed at: src/serve/form.c */
#include "fuzz.h"

#include "serve/form.h"

#include <stdlib.h>
#include <string.h>

static void check_fields(const struct form *form)
{
    FUZZ_CHECK(form->count <= FORM_FIELDS);
    for (int i = 0; i < form->count; i++) {
        const char *name = form->field[i].name;
        fuzz_check_text(name, true);
        fuzz_check_text(form->field[i].value, true);
        FUZZ_CHECK(form_find(form, name));
    }
}

/* A second pass changes at most the last line end. */
static void check_line_ends(struct form *form)
{
    for (int i = 0; i < form->count; i++) {
        form_unify_line_ends(form->field[i].value);
        FUZZ_CHECK(!strchr(form->field[i].value, '\r'));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    struct form form = {0};
    struct attend_error err = {.message = ""};
    const bool parts = fuzz_byte(&in) & 1;
    size_t length;
    char *type = parts ? fuzz_until(&in, '\n', NULL) : NULL;
    char *body = fuzz_rest(&in, &length);
    const enum attend_status status = parts ? form_add_parts(&form, body, length, type, &err)
                                            : form_add_urlencoded(&form, body, length, &err);
    fuzz_check_error(status, &err);
    check_fields(&form);
    check_line_ends(&form);
    form_release(&form);
    free(type);
    free(body);
    return 0;
}
