#include "serve/form.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static enum attend_status no_memory(struct attend_error *err)
{
    return error_set(err, ATTEND_NO_MEMORY, "out of memory for a form");
}

static enum attend_status check_text(const struct strbuf *text, const char *what,
                                     struct attend_error *err)
{
    if (text->failed)
        return no_memory(err);
    if (text->length && memchr(text->text, '\0', text->length))
        return error_set(err, ATTEND_FORMAT, "the %s of a form field contains a NUL byte", what);
    if (text->length && !utf8_valid(text->text, text->length, NULL))
        return error_set(err, ATTEND_FORMAT, "the %s of a form field is not UTF-8", what);
    return ATTEND_OK;
}

/* Takes ownership of both texts, even on failure. */
static enum attend_status add_field(struct form *form, struct strbuf *name, struct strbuf *value,
                                    struct attend_error *err)
{
    enum attend_status status = check_text(name, "name", err);
    if (!status)
        status = check_text(value, "value", err);
    if (!status && form->count == FORM_FIELDS)
        status = error_set(err, ATTEND_FORMAT, "a form has more than %d fields", FORM_FIELDS);
    if (!status && !form->field) {
        form->field = calloc(FORM_FIELDS, sizeof *form->field);
        status = form->field ? ATTEND_OK : no_memory(err);
    }
    if (!status) {
        struct form_field *field = &form->field[form->count++];
        *field = (struct form_field){.name = strbuf_detach(name), .value = strbuf_detach(value)};
        status = field->name && field->value ? ATTEND_OK : no_memory(err);
    }
    strbuf_release(name);
    strbuf_release(value);
    return status;
}

/* ---- Urlencoded ---- */

static int digit_of(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* False if a % escape is broken. */
static bool decode(struct strbuf *out, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] != '%') {
            strbuf_addc(out, bytes[i] == '+' ? ' ' : bytes[i]);
            continue;
        }
        const int high = i + 2 < length ? digit_of(bytes[i + 1]) : -1;
        const int low = i + 2 < length ? digit_of(bytes[i + 2]) : -1;
        if (high < 0 || low < 0)
            return false;
        strbuf_addc(out, (char)(16 * high + low));
        i += 2;
    }
    return true;
}

static enum attend_status add_pair(struct form *form, const char *bytes, size_t length,
                                   struct attend_error *err)
{
    const char *equals = memchr(bytes, '=', length);
    const size_t name_length = equals ? (size_t)(equals - bytes) : length;
    const size_t at = equals ? name_length + 1 : length;
    struct strbuf name = {0}, value = {0};
    if (decode(&name, bytes, name_length) && decode(&value, bytes + at, length - at))
        return add_field(form, &name, &value, err);
    strbuf_release(&name);
    strbuf_release(&value);
    return error_set(err, ATTEND_FORMAT, "a form field has a broken %% escape");
}

enum attend_status form_add_urlencoded(struct form *form, const char *bytes, size_t length,
                                       struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (size_t at = 0; at < length && !status;) {
        const char *end = memchr(bytes + at, '&', length - at);
        const size_t part = end ? (size_t)(end - bytes) - at : length - at;
        if (part)
            status = add_pair(form, bytes + at, part, err);
        at += part + 1;
    }
    return status;
}

/* ---- Parts ---- */

/* Find a parameter of a header field, such as name="q"; false if it is absent. */
static bool find_parameter(struct strbuf *out, const char *field, size_t length, const char *name)
{
    const size_t name_length = strlen(name);
    for (size_t i = 0; i + name_length + 1 < length; i++) {
        if (field[i] != ';' && field[i] != ' ')
            continue;
        if (strncasecmp(field + i + 1, name, name_length) != 0 || field[i + 1 + name_length] != '=')
            continue;
        const char *value = field + i + 2 + name_length, *end = field + length;
        const bool quoted = value < end && *value == '"';
        value += quoted;
        while (value < end && (quoted ? *value != '"' : *value != ';' && *value != ' '))
            strbuf_addc(out, *value++);
        return true;
    }
    return false;
}

static const char *find(const char *in, size_t length, const char *what, size_t what_length)
{
    return memmem(in, length, what, what_length);
}

/* Keep the bytes of an upload beside the field's value, which may be no text. */
static enum attend_status add_file(struct form_field *field, struct strbuf *file, const char *bytes,
                                   size_t length, struct attend_error *err)
{
    if (check_text(file, "file name", err)) {
        strbuf_release(file);
        return ATTEND_FORMAT;
    }
    strbuf_adds(file, "");
    field->file = strbuf_detach(file);
    field->bytes = malloc(length + 1);
    field->length = length;
    if (!field->file || !field->bytes)
        return no_memory(err);
    memcpy(field->bytes, bytes, length);
    return ATTEND_OK;
}

static bool is_text(const char *bytes, size_t length)
{
    return !memchr(bytes, '\0', length) && utf8_valid(bytes, length, NULL);
}

/* One part: its header up to an empty line, then its value. */
static enum attend_status add_part(struct form *form, const char *bytes, size_t length,
                                   struct attend_error *err)
{
    struct strbuf name = {0}, value = {0}, file = {0};
    const char *end = find(bytes, length, "\r\n\r\n", 4);
    if (!end || !find_parameter(&name, bytes, (size_t)(end - bytes), "name")) {
        strbuf_release(&name);
        return error_set(err, ATTEND_FORMAT, "a part of a form has no name");
    }
    const size_t size = length - (size_t)(end + 4 - bytes);
    const bool upload = find_parameter(&file, bytes, (size_t)(end - bytes), "filename");
    if (!upload || is_text(end + 4, size))
        strbuf_add(&value, end + 4, size);
    enum attend_status status = add_field(form, &name, &value, err);
    if (!status && upload)
        status = add_file(&form->field[form->count - 1], &file, end + 4, size, err);
    else
        strbuf_release(&file);
    return status;
}

enum attend_status form_add_parts(struct form *form, const char *bytes, size_t length,
                                  const char *type, struct attend_error *err)
{
    struct strbuf boundary = {0};
    enum attend_status status = ATTEND_OK;
    strbuf_adds(&boundary, "--");
    if (!find_parameter(&boundary, type, strlen(type), "boundary") || boundary.length < 3)
        status =
            error_set(err, ATTEND_FORMAT, "the Content-Type of a multipart form has no boundary");
    const char *end = bytes + length;
    const char *at = status ? NULL : find(bytes, length, boundary.text, boundary.length);
    if (!status && !at)
        status = error_set(err, ATTEND_FORMAT, "a multipart form does not contain its boundary");
    while (!status && at) {
        at += boundary.length;
        if (end - at >= 2 && memcmp(at, "--", 2) == 0)
            break;
        const char *next = find(at, (size_t)(end - at), boundary.text, boundary.length);
        if (!next || next - at < 4)
            status = error_set(err, ATTEND_FORMAT, "a multipart form is cut short");
        else
            status = add_part(form, at + 2, (size_t)(next - at) - 4,
                              err); /* without the CR LF on either side */
        at = next;
    }
    strbuf_release(&boundary);
    return status;
}

/* ---- The fields ---- */

const char *form_find(const struct form *form, const char *name)
{
    for (int i = 0; i < form->count; i++)
        if (strcmp(form->field[i].name, name) == 0)
            return form->field[i].value;
    return NULL;
}

const struct form_field *form_file(const struct form *form, const char *name)
{
    for (int i = 0; i < form->count; i++)
        if (form->field[i].file && strcmp(form->field[i].name, name) == 0)
            return &form->field[i];
    return NULL;
}

void form_unify_line_ends(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != '\r')
            *to++ = *from;
        else if (from[1] != '\n')
            *to++ = '\n';
    if (to > text && to[-1] == '\n')
        to--;
    *to = '\0';
}

void form_release(struct form *form)
{
    for (int i = 0; i < form->count; i++) {
        free(form->field[i].name);
        free(form->field[i].value);
        free(form->field[i].file);
        free(form->field[i].bytes);
    }
    free(form->field);
    *form = (struct form){0};
}
