#include "load_cases.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 8 };
enum { ROUTE, WEIGHT, METHOD, PATH, CODE, FIELD, BODY, ANSWER };

static _Noreturn void give_up(const char *what, const char *which)
{
    fprintf(stderr, "load: %s: %s\n", what, which);
    exit(2);
}

static void *checked(void *memory)
{
    if (!memory)
        give_up("memory", "out of it");
    return memory;
}

/* ---- Reading ---- */

static char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rbe");
    char *text = NULL;
    size_t length = 0, room = 0, got = 1;
    if (!file)
        give_up("cannot be opened", path);
    while (got > 0) {
        if (room - length < 2)
            text = checked(realloc(text, room = room ? 2 * room : 4096));
        got = fread(text + length, 1, room - length - 1, file);
        length += got;
    }
    fclose(file);
    text[length] = '\0';
    *size = length;
    return text;
}

static char *make_request(char *const *column, int port, const char *connection)
{
    const size_t length = strlen(column[BODY]);
    const size_t room = length + strlen(column[PATH]) + strlen(column[FIELD]) + 256;
    char *text = checked(malloc(room));
    const bool field = *column[FIELD], body = strcmp(column[METHOD], "POST") == 0;
    int at = snprintf(text, room, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s%s%s", column[METHOD],
                      column[PATH], port, column[FIELD], field ? "\r\n" : "", connection);
    if (body)
        at += snprintf(text + at, room - (size_t)at, "Content-Length: %zu\r\n", length);
    snprintf(text + at, room - (size_t)at, "\r\n%s", body ? column[BODY] : "");
    return text;
}

static int find_route(struct load_cases *c, const char *name, int weight)
{
    int i = 0;
    while (i < c->routes && strcmp(c->route[i].name, name) != 0)
        i++;
    if (i < c->routes)
        return i;
    if (i == LOAD_ROUTES || strlen(name) >= LOAD_NAME || weight < 1)
        give_up("not a route that can be had", name);
    memcpy(c->route[i].name, name, strlen(name) + 1);
    c->route[i].weight = weight;
    c->weight += weight;
    return c->routes++;
}

static void append(struct load_cases *c, char *const *column, int port)
{
    c->item = checked(realloc(c->item, ((size_t)c->count + 1) * sizeof *c->item));
    struct load_case *x = &c->item[c->count];
    const int route = find_route(c, column[ROUTE], (int)strtol(column[WEIGHT], NULL, 10));
    struct load_route *r = &c->route[route];
    *x = (struct load_case){.route = route,
                            .head = strcmp(column[METHOD], "HEAD") == 0,
                            .code = (int)strtol(column[CODE], NULL, 10),
                            .keep = make_request(column, port, ""),
                            .close = make_request(column, port, "Connection: close\r\n")};
    if (*column[ANSWER] == '@') {
        x->answer = read_all(column[ANSWER] + 1, &x->size);
    } else {
        x->answer = checked(strdup(column[ANSWER]));
        x->size = strlen(x->answer);
    }
    r->item = checked(realloc(r->item, ((size_t)r->count + 1) * sizeof *r->item));
    r->item[r->count++] = c->count++;
}

static void read_line(struct load_cases *c, char *line, int port)
{
    char *column[COLUMNS] = {line};
    for (int i = 1; i < COLUMNS; i++) {
        char *tab = strchr(column[i - 1], '\t');
        if (!tab)
            give_up("a case with too few columns", line);
        *tab = '\0';
        column[i] = tab + 1;
    }
    append(c, column, port);
}

void load_cases_read(struct load_cases *out, const char *path, int port)
{
    size_t size;
    char *text = read_all(path, &size), *next;
    *out = (struct load_cases){0};
    for (char *line = text; *line; line = next) {
        char *end = strchr(line, '\n');
        next = end ? end + 1 : line + strlen(line);
        if (end)
            *end = '\0';
        read_line(out, line, port);
    }
    free(text);
    if (out->count == 0)
        give_up("no cases", path);
}

void load_cases_free(struct load_cases *c)
{
    for (int i = 0; i < c->count; i++) {
        free(c->item[i].keep);
        free(c->item[i].close);
        free(c->item[i].answer);
    }
    for (int i = 0; i < c->routes; i++)
        free(c->route[i].item);
    free(c->item);
}

const struct load_case *load_cases_sample(const struct load_cases *c, uint64_t random)
{
    int left = (int)(random % (uint64_t)c->weight), i = 0;
    while (left >= c->route[i].weight)
        left -= c->route[i++].weight;
    const struct load_route *r = &c->route[i];
    return &c->item[r->item[(random >> 32) % (uint64_t)r->count]];
}

/* ---- Comparing ---- */

static bool begins_number(const char *text)
{
    return isdigit((unsigned char)*text) || (*text == '-' && isdigit((unsigned char)text[1]));
}

/* Afterwards both pointers are past their numbers. */
static bool near(const char **got, const char **wanted)
{
    char *got_end, *wanted_end;
    const double a = strtod(*got, &got_end), b = strtod(*wanted, &wanted_end);
    *got = got_end;
    *wanted = wanted_end;
    return fabs(a - b) <= 1e-4 * fmax(1, fabs(b));
}

static long difference_of_json(const char *got, const char *wanted)
{
    static const char time[] = "\"milliseconds\":";
    const char *begin = got;
    bool quoted = false, any = false;
    while (*got || *wanted) {
        const char *here = got;
        if (!quoted && begins_number(got) && begins_number(wanted)) {
            if (!near(&got, &wanted) && !any)
                return here - begin;
            any = false;
            continue;
        }
        if (*got != *wanted)
            return here - begin;
        if (!quoted && strncmp(got, time, sizeof time - 1) == 0)
            any = true;
        if (quoted && *got == '\\' && got[1] && got[1] == wanted[1])
            got++, wanted++;
        else if (*got == '"')
            quoted = !quoted;
        got++, wanted++;
    }
    return -1;
}

long load_difference(const char *got, const char *wanted)
{
    if (*wanted == '{' || *wanted == '[')
        return difference_of_json(got, wanted);
    long i = 0;
    while (got[i] && got[i] == wanted[i])
        i++;
    return got[i] == wanted[i] ? -1 : i;
}
