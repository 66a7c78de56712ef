/* Ready models as a table and as JSON. */
#include "attend/shelf.h"
#include "base/json_writer.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "report/table.h"

#include <stdio.h>

/* ---- The table ---- */

enum column { NAME, SIZE, LANGUAGES, FIGURE, SUMMARY, COLUMNS };

/* The text of a cell. `space` has room for what is not in the card. */
static const char *cell_of(const struct attend_card *card, enum column column, char space[32])
{
    switch (column) {
    case NAME: return card->name;
    case LANGUAGES: return attend_card_fact(card, "languages");
    case FIGURE: return attend_card_fact(card, "figure");
    case SUMMARY: return *card->text ? card->summary : "(no card)";
    default: snprintf(space, 32, "%.2f MB", (double)card->bytes / 1e6); return space;
    }
}

/* The width of a column: that of its widest cell. */
static int width_of(const struct attend_shelf *shelf, enum column column)
{
    int widest = 0;
    const struct attend_card *card;
    for (int i = 0; (card = attend_shelf_card(shelf, i)); i++) {
        char space[32];
        const int width = utf8_columns(cell_of(card, column, space));
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Append a model as one line. */
static void add_row(struct strbuf *out, const struct attend_card *card, const int *columns)
{
    char space[32];
    for (int c = 0; c < COLUMNS; c++) {
        table_add_word(out, cell_of(card, c, space), columns[c]);
        strbuf_adds(out, c == SUMMARY ? "\n" : "  ");
    }
}

/* Append a model as a line of name, size and languages, with its summary and its figure below. */
static void add_lines(struct strbuf *out, const struct attend_card *card, const int *columns)
{
    static const struct {
        enum column column;
        const char *before;
    } part[] = {{SIZE, "  "}, {LANGUAGES, "  "}, {SUMMARY, "\n  "}, {FIGURE, "\n  "}};
    char space[32];
    table_add_word(out, card->name, columns[NAME]);
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        const char *text = cell_of(card, part[i].column, space);
        strbuf_adds(out, *text ? part[i].before : "");
        table_add_word(out, text, 0);
    }
    strbuf_adds(out, "\n");
}

char *attend_shelf_text(const struct attend_shelf *shelf, int width)
{
    struct strbuf out = {0};
    const struct attend_card *card;
    int columns[COLUMNS] = {0}, line = width_of(shelf, SUMMARY);
    for (int c = 0; c < SUMMARY; c++) {
        columns[c] = width_of(shelf, c);
        line += columns[c] + 2;
    }
    strbuf_adds(&out, "");
    for (int i = 0; (card = attend_shelf_card(shelf, i)); i++)
        (width && line > width ? add_lines : add_row)(&out, card, columns);
    return table_detach(&out, width);
}

/* ---- JSON ---- */

static void put_card(struct json_writer *w, const struct attend_card *card, bool whole)
{
    json_begin_object(w, NULL);
    json_put_text(w, "name", card->name);
    json_put_text(w, "path", card->path);
    json_put_whole(w, "bytes", card->bytes);
    json_put_text(w, "summary", card->summary);
    json_begin_object(w, "facts");
    for (int i = 0; i < card->facts; i++)
        json_put_text(w, card->fact[i].name, card->fact[i].text);
    json_end(w);
    if (whole)
        json_put_text(w, "card", card->text);
    json_end(w);
}

char *attend_shelf_json(const struct attend_shelf *shelf)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    const struct attend_card *card;
    json_begin_object(&w, NULL);
    json_begin_array(&w, "models");
    for (int i = 0; (card = attend_shelf_card(shelf, i)); i++)
        put_card(&w, card, false);
    json_end(&w);
    json_begin_array(&w, "folders");
    const char *folder;
    for (int i = 0; (folder = attend_shelf_folder(shelf, i)); i++)
        json_put_text(&w, NULL, folder);
    json_end(&w);
    json_end(&w);
    return strbuf_detach(&out);
}

char *attend_card_json(const struct attend_card *card)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    put_card(&w, card, true);
    return strbuf_detach(&out);
}
