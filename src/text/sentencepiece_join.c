/* Each piece says its spelling with blanks for U+2581, except:
 *
 *     control pieces          nothing
 *     the unknown piece       what the model has for it
 *     another unknown piece   its spelling; but a mark before it is a blank, as words in capitals
 *                             that text/letter_case.h has restored are unknown
 *     pieces of bytes         the characters of each run of them, U+FFFD for what is not one
 *
 * If splitting adds a blank before the first word or removes superfluous ones, the mark of the first
 * piece that says anything is left out. Finally, the rules of the model rewrite the text. */
#include "text/sentencepiece_join.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "text/sentencepiece_model.h"

#include <stdlib.h>
#include <string.h>

static const char MARK[] = NORMALIZER_MARK;
enum { MARK_BYTES = NORMALIZER_MARK_BYTES };

struct joining {
    const struct sentencepiece_model *model;
    struct strbuf text;
    struct strbuf bytes; /* the last pieces, if they are bytes */
    int byte_from;       /* the first of these pieces */
    bool begun;          /* a mark is not the first any more */
    size_t *end;         /* of each piece; or NULL */
};

static void set_end(struct joining *j, int i)
{
    if (j->end)
        j->end[i] = j->text.length;
}

/* Write the run of bytes. All of a character is said by the last of its bytes. */
static void write_bytes(struct joining *j)
{
    for (size_t at = 0, bytes; at < j->bytes.length; at += bytes) {
        bytes = utf8_first(j->bytes.text + at, j->bytes.length - at);
        const bool valid = bytes > 0;
        bytes = valid ? bytes : 1;
        for (size_t i = 0; i + 1 < bytes; i++)
            set_end(j, j->byte_from + (int)(at + i));
        strbuf_add(&j->text, valid ? j->bytes.text + at : "\xEF\xBF\xBD", valid ? bytes : 3);
        set_end(j, j->byte_from + (int)(at + bytes - 1));
    }
    strbuf_clear(&j->bytes);
}

static bool has_mark(const char *text) { return strncmp(text, MARK, MARK_BYTES) == 0; }

static void write_spelling(struct joining *j, const char *text)
{
    for (const char *mark; (mark = strstr(text, MARK)); text = mark + MARK_BYTES) {
        strbuf_add(&j->text, text, (size_t)(mark - text));
        strbuf_addc(&j->text, ' ');
    }
    strbuf_adds(&j->text, text);
}

/* Write the spelling of a piece without the mark of the first word. */
static void write_known(struct joining *j, const char *text)
{
    const struct normalizer *before = &j->model->before;
    const bool adds = before->blank_before || before->blank_after;
    if (!j->begun && (adds || before->single_blanks) && has_mark(text)) {
        text += MARK_BYTES;
        j->begun = !before->single_blanks; /* then all marks in front are left out */
    }
    write_spelling(j, text);
}

static void write_unknown(struct joining *j, const char *text)
{
    const struct sentencepiece_model *m = j->model;
    const struct protobuf_span *unknown = &m->piece[m->unknown].text;
    const size_t length = strlen(text);
    if (length == unknown->length && memcmp(text, unknown->at, length) == 0)
        strbuf_add(&j->text, m->unknown_text.at, m->unknown_text.length);
    else
        strbuf_add(&j->text, text, length);
}

static void write_piece(struct joining *j, const char *text, int i)
{
    const struct sentencepiece_model *m = j->model;
    const int piece = sentencepiece_model_find(m, text, strlen(text));
    const uint32_t type = m->piece[piece].type;
    if (type == PIECE_BYTE) {
        j->byte_from = j->bytes.length ? j->byte_from : i;
        strbuf_addc(&j->bytes, (char)sentencepiece_model_byte(m, piece));
        return;
    }
    write_bytes(j);
    j->begun = j->begun || j->text.length > 0;
    if (type == PIECE_UNKNOWN)
        write_unknown(j, text);
    else if (type != PIECE_CONTROL)
        write_known(j, text);
    set_end(j, i);
}

/* Whether a piece starts a word but is not one of the model's. */
static bool is_foreign_word(const struct sentencepiece_model *m, const char *piece)
{
    return has_mark(piece) && piece[MARK_BYTES] &&
           sentencepiece_model_find(m, piece, strlen(piece)) == m->unknown &&
           sentencepiece_model_find(m, MARK, MARK_BYTES) != m->unknown;
}

/* Replace the text by what the model's rules make of it, and move the ends along. */
static void rewrite(struct joining *j, int count)
{
    struct normalized n = {0};
    if (j->text.length && normalizer_run(&j->model->after, j->text.text, j->text.length, &n)) {
        size_t at = 0;
        for (int i = 0; j->end && i < count; i++) {
            while (at < n.length && n.origin[at] < j->end[i])
                at++;
            j->end[i] = at;
        }
        strbuf_clear(&j->text);
        strbuf_add(&j->text, n.text, n.length);
    } else {
        j->text.failed = j->text.failed || j->text.length > 0;
    }
    normalized_release(&n);
}

/* Bytes can spell characters that a line must not contain. */
static void make_line(struct strbuf *text)
{
    for (size_t i = 0; i < text->length; i++)
        if (text->text[i] == '\n' || text->text[i] == '\0')
            text->text[i] = ' ';
}

void sentencepiece_join(const struct sentencepiece_model *m, struct strbuf *out,
                        const char *const *pieces, int count, size_t *end)
{
    struct joining j = {.model = m, .end = end};
    for (int i = 0; i < count; i++) {
        const bool foreign = is_foreign_word(m, pieces[i]);
        if (foreign)
            write_piece(&j, MARK, i);
        write_piece(&j, pieces[i] + (foreign ? MARK_BYTES : 0), i);
    }
    write_bytes(&j);
    if (m->after.map.units && !j.text.failed)
        rewrite(&j, count);
    for (int i = 0; end && i < count; i++)
        end[i] += out->length;
    make_line(&j.text);
    strbuf_add(out, j.text.text, j.text.length);
    out->failed = out->failed || j.text.failed || j.bytes.failed;
    strbuf_release(&j.text);
    strbuf_release(&j.bytes);
}
