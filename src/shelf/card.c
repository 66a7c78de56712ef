#include "shelf/card.h"

#include "base/error.h"
#include "base/io.h"
#include "base/strbuf.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_BYTES = 64 * 1024, MOST_FACTS = 256 };

const char *attend_card_fact(const struct attend_card *card, const char *name)
{
    for (int i = 0; i < card->facts; i++)
        if (strcmp(card->fact[i].name, name) == 0)
            return card->fact[i].text;
    return "";
}

/* ---- Parsing ---- */

/* End the line at `line` with a NUL. Returns the next line; NULL after the last. */
static char *cut_line(char *line)
{
    char *end = line + strcspn(line, "\n");
    if (!*end)
        return NULL;
    *end = '\0';
    return end + 1;
}

/* Cut blanks off both ends, in place. */
static char *trim(char *text)
{
    text += strspn(text, " \t\r");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}

/* Cut the next cell of a row off; *rest moves past the bar that ends it. */
static char *cut_cell(char **rest)
{
    char *cell = *rest;
    *rest += strcspn(cell, "|");
    if (**rest)
        *(*rest)++ = '\0';
    return trim(cell);
}

static bool has_fact(const struct card *card, const char *name)
{
    for (int i = 0; i < card->view.facts; i++)
        if (strcmp(card->fact[i].name, name) == 0)
            return true;
    return false;
}

/* `| name | text |` becomes a fact, unless it is the head of the table or the line under it, or the
 * name is taken: names are the keys of an object in JSON. */
static void take_row(struct card *card, char *line)
{
    char *rest = line + 1;
    char *name = cut_cell(&rest);
    char *text = cut_cell(&rest);
    if (*name && strspn(name, "-:") < strlen(name) && card->view.facts < MOST_FACTS &&
        !has_fact(card, name))
        card->fact[card->view.facts++] = (struct attend_card_fact){.name = name, .text = text};
}

/* Add a line to a paragraph that stands before it in the same buffer. */
static void join(char *paragraph, const char *line)
{
    char *end = paragraph + strlen(paragraph);
    *end = ' ';
    memmove(end + 1, line, strlen(line) + 1);
}

static void parse(struct card *card)
{
    enum { TITLE, SUMMARY, BETWEEN, FACTS, REST } part = TITLE;
    char *summary = NULL;
    for (char *line = card->parsed, *next; line && part != REST; line = next) {
        next = cut_line(line);
        char *text = trim(line);
        if (*text == '|') {
            take_row(card, text);
            part = FACTS;
        } else if (part == FACTS) {
            part = REST;
        } else if (!*text || *text == '#') {
            part = summary ? BETWEEN : TITLE;
        } else if (part == TITLE) {
            summary = text;
            part = SUMMARY;
        } else if (part == SUMMARY) {
            join(summary, text);
        }
    }
    card->view.summary = summary ? summary : "";
}

/* ---- Reading ---- */

static bool is_plain(const struct strbuf *text)
{
    size_t bad;
    if (!text->text || !utf8_valid(text->text, text->length, &bad))
        return false;
    for (size_t i = 0; i < text->length; i++) {
        const unsigned char c = (unsigned char)text->text[i];
        if ((c < ' ' && c != '\n' && c != '\t' && c != '\r') || c == 0x7f)
            return false;
    }
    return true;
}

/* The text of a card; "" if there is none that can be shown. NULL only when out of memory. */
static char *read_text(const char *path)
{
    struct strbuf text = {0};
    struct stat info;
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= MOST_BYTES &&
        (io_read(path, &text, NULL) || !is_plain(&text)))
        strbuf_clear(&text);
    strbuf_adds(&text, "");
    return strbuf_detach(&text);
}

static char *path_of_card(const char *path, size_t folder, const char *name)
{
    struct strbuf out = {0};
    strbuf_addf(&out, "%.*s%s" CARD_ENDING, (int)folder, path, name);
    return strbuf_detach(&out);
}

static bool read_all(struct card *card, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    card->path = strdup(path);
    card->name = strndup(file, strlen(file) - (sizeof CARD_MODEL - 1));
    char *beside = card->name ? path_of_card(path, (size_t)(file - path), card->name) : NULL;
    card->text = beside ? read_text(beside) : NULL;
    card->parsed = card->text ? strdup(card->text) : NULL;
    card->fact = card->text ? calloc(MOST_FACTS, sizeof *card->fact) : NULL;
    free(beside);
    return card->path && card->parsed && card->fact;
}

enum attend_status card_read(struct card *card, const char *path, struct attend_error *err)
{
    struct stat info;
    *card = (struct card){0};
    if (!read_all(card, path)) {
        card_release(card);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for the card of a model");
    }
    card->view = (struct attend_card){.name = card->name,
                                      .path = card->path,
                                      .text = card->text,
                                      .fact = card->fact,
                                      .bytes = stat(path, &info) ? 0 : (long long)info.st_size};
    parse(card);
    return ATTEND_OK;
}

void card_release(struct card *card)
{
    free(card->path);
    free(card->name);
    free(card->text);
    free(card->parsed);
    free(card->fact);
    *card = (struct card){0};
}
