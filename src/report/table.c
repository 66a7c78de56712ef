#include "report/table.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/fit.h"
#include "viz/label.h"

void table_add_word(struct strbuf *out, const char *word, int columns)
{
    struct strbuf safe = {0};
    label_add(&safe, word);
    const char *text = safe.text ? safe.text : "";
    label_add_isolated(out, text);
    for (int i = utf8_columns(text); i < columns; i++)
        strbuf_addc(out, ' ');
    out->failed = out->failed || safe.failed;
    strbuf_release(&safe);
}

void table_add_cut(struct strbuf *out, const char *word, int columns)
{
    struct strbuf safe = {0}, cut = {0};
    label_add(&safe, word);
    fit_add(&cut, safe.text ? safe.text : "", columns);
    table_add_word(out, cut.text ? cut.text : "", columns);
    out->failed = out->failed || safe.failed || cut.failed;
    strbuf_release(&safe);
    strbuf_release(&cut);
}

int table_cut(int columns, int width)
{
    enum { LEAST = 6 };
    const int most = width / 3 > LEAST ? width / 3 : LEAST;
    return width > 0 && columns > most ? most : columns;
}

char *table_detach(struct strbuf *out, int width)
{
    struct strbuf wrapped = {0};
    if (width <= 0)
        return strbuf_detach(out);
    fit_wrap(&wrapped, out->text ? out->text : "", width);
    wrapped.failed = wrapped.failed || out->failed;
    strbuf_release(out);
    return strbuf_detach(&wrapped);
}

int table_width(char *const *word, int count)
{
    int widest = 0;
    for (int i = 0; i < count; i++) {
        struct strbuf safe = {0};
        label_add(&safe, word[i]);
        const int width = safe.text ? utf8_columns(safe.text) : 0;
        widest = width > widest ? width : widest;
        strbuf_release(&safe);
    }
    return widest;
}
