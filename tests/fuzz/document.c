/* Documents of every format: the first byte selects the format, how many lines are read at a time,
 * and whether translations are replaced; the second is the translation of everything.
 *
 * Aimed at: src/document/document.c src/document/intake.c src/document/spans.c src/document/srt.c
 *           src/document/po.c src/document/po_string.c src/document/tmx.c src/document/xml.c
 *           src/document/html.c src/document/wrap.c src/document/text.c */
#include "fuzz.h"

#include "attend/document.h"
#include "base/strbuf.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static bool add(void *context, const char *bytes, size_t length)
{
    strbuf_add(context, bytes, length);
    return true;
}

/* Every byte that could end a sentence ends one, if a character ends there. */
static bool find_stops(void *context, const char *language, const char *text, size_t length,
                       attend_sentence_fn *take, void *taker)
{
    (void)context, (void)language;
    for (size_t i = 0; i < length; i++)
        if (text[i] == '.')
            take(taker, i + 1);
    take(taker, length);
    return true;
}
static const struct attend_sentences stops = {.find = find_stops};

/* Translate all lines to `to`, or to themselves if it is NULL. */
static enum attend_status run(const char *bytes, size_t size,
                              const struct attend_document_setup *setup, int most, const char *to,
                              struct strbuf *out)
{
    const struct attend_sink sink = {add, out};
    struct attend_error err = {.message = ""};
    struct attend_document *d;
    const char *const *lines;
    const char *made[16];
    int count = 1;
    enum attend_status status =
        attend_document_open_bytes(&d, "document", bytes, size, setup, &err);
    FUZZ_CHECK(status == ATTEND_OK);
    while (!status && count) {
        status = attend_document_read(d, &sink, most, &lines, &count, &err);
        FUZZ_CHECK(status || count <= most);
        for (int i = 0; i < count && !status; i++) {
            fuzz_check_text(lines[i], attend_document_tags(d) == ATTEND_TAGS_HTML);
            FUZZ_CHECK(*lines[i] && *lines[i] != ' ');
            made[i] = to ? to : lines[i];
        }
        if (!status)
            status = attend_document_write(d, &sink, made, &err);
    }
    fuzz_check_error(status, &err);
    attend_document_close(d);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {"text", "srt", "po", "tmx", "html"};
    static const char *const words[] = {NULL, "", "a b c", "<&>\"\\%s"};
    struct fuzz_input in = {data, size};
    const unsigned first = fuzz_byte(&in), second = fuzz_byte(&in);
    const char *format = formats[first % 5];
    const int most = 1 + (int)(first / 8 % 16);
    struct strbuf out = {0};
    size_t length;
    const struct attend_document_setup setup = {.format = format,
                                                .splitting = {.sentences = &stops},
                                                .source = "en",
                                                .target = "fr",
                                                .overwrite = first & 128};
    char *bytes = fuzz_rest(&in, &length);
    const char *to = words[second % 4];
    const enum attend_status status = run(bytes, length, &setup, most, to, &out);
    FUZZ_CHECK(!out.failed && utf8_valid(out.text ? out.text : "", out.length, NULL));
    /* Text and subtitles that stay as they are keep all their bytes. */
    if (!status && !to && first % 5 < 2)
        FUZZ_CHECK(out.length == length && (!length || memcmp(out.text, bytes, length) == 0));
    strbuf_release(&out);
    free(bytes);
    return 0;
}
