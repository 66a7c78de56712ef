#include "api/cells.h"

#include "base/json.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/label.h"

void cells_add_word(struct strbuf *out, const char *word, int columns)
{
    struct strbuf safe = {0};
    label_add(&safe, word);
    const char *text = safe.text ? safe.text : "";
    label_add_isolated(out, text);
    for (int i = utf8_width(text); i < columns; i++)
        strbuf_addc(out, ' ');
    out->failed = out->failed || safe.failed;
    strbuf_release(&safe);
}

int cells_width(char *const *word, int count)
{
    int widest = 0;
    for (int i = 0; i < count; i++) {
        struct strbuf safe = {0};
        label_add(&safe, word[i]);
        const int width = safe.text ? utf8_width(safe.text) : 0;
        widest = width > widest ? width : widest;
        strbuf_release(&safe);
    }
    return widest;
}

void cells_add_json(struct strbuf *out, char *const *word, int count)
{
    strbuf_addc(out, '[');
    for (int i = 0; i < count; i++) {
        strbuf_adds(out, i ? "," : "");
        json_add_text(out, word[i]);
    }
    strbuf_addc(out, ']');
}

void cells_add_matrix(struct strbuf *out, const float *x, int rows, int cols)
{
    if (!x) {
        strbuf_adds(out, "null");
        return;
    }
    strbuf_addc(out, '[');
    for (int i = 0; i < rows; i++) {
        strbuf_adds(out, i ? ",[" : "[");
        for (int j = 0; j < cols; j++) {
            strbuf_adds(out, j ? "," : "");
            json_add_number(out, (double)x[(size_t)i * (size_t)cols + (size_t)j], 7);
        }
        strbuf_addc(out, ']');
    }
    strbuf_addc(out, ']');
}

void cells_add_numbers(struct strbuf *out, const double *x, int count)
{
    strbuf_addc(out, '[');
    for (int i = 0; i < count; i++) {
        strbuf_adds(out, i ? "," : "");
        json_add_number(out, x[i], 9);
    }
    strbuf_addc(out, ']');
}
