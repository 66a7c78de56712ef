/* The pieces of texts, their positions and the joined text equal SentencePiece's, for models of all
 * kinds. ATTEND_FILES in the environment names files whose lines are compared besides hostile texts;
 * ATTEND_TEXTS says how many of these each model gets. tests/long/subwords.sh uses both. */
#include "test.h"

#include "base/strbuf.h"
#include "corpus/lines.h"
#include "hostile_texts.h"
#include "lines_walk.h"
#include "sentencepiece_reference.h"
#include "text/protobuf.h"
#include "text/tokenizer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANK "\xE2\x96\x81" /* U+2581 */

/* ---- Models ---- */

enum { SETTINGS = 14 };

static const struct kind {
    const char *name;
    const char *settings[SETTINGS];
    enum { AS_LEARNED, UNUSED, BLANKS, REWRITTEN } edit; /* afterwards; see edit_model */
} kinds[] = {
    {"unigram", {"model_type", "unigram"}, AS_LEARNED},
    {"bpe", {"model_type", "bpe"}, AS_LEARNED},
    {"word", {"model_type", "word"}, AS_LEARNED},
    {"char", {"model_type", "char"}, AS_LEARNED},
    {"unigram, unused", {"model_type", "unigram"}, UNUSED},
    {"bpe, unused", {"model_type", "bpe", "split_by_whitespace", "false"}, UNUSED},
    {"unigram, bytes",
     {"model_type", "unigram", "byte_fallback", "true", "normalization_rule_name", "identity"},
     AS_LEARNED},
    {"bpe, bytes, rare characters",
     {"model_type", "bpe", "byte_fallback", "true", "character_coverage", "0.98",
      "normalization_rule_name", "nfkc"},
     AS_LEARNED},
    {"unigram, symbols",
     {"model_type", "unigram", "user_defined_symbols", "the,fox,<unk>x,e\u0301, b,\u2581a,;",
      "control_symbols", "<b>", "normalization_rule_name", "nmt_nfkc_cf"},
     AS_LEARNED},
    {"bpe, symbols",
     {"model_type", "bpe", "user_defined_symbols", "the,th,fo,\ufb01,\u2581a,d", "control_symbols",
      "<b>", "normalization_rule_name", "nfkc_cf"},
     AS_LEARNED},
    {"unigram, blanks kept",
     {"model_type", "unigram", "remove_extra_whitespaces", "false", "normalization_rule_name",
      "identity", "unk_surface", "(?)"},
     AS_LEARNED},
    {"bpe, no blank in front",
     {"model_type", "bpe", "add_dummy_prefix", "false", "remove_extra_whitespaces", "false"},
     AS_LEARNED},
    {"bpe, blank after words",
     {"model_type", "bpe", "treat_whitespace_as_suffix", "true", "split_digits", "true"},
     AS_LEARNED},
    {"unigram, blank after words",
     {"model_type", "unigram", "treat_whitespace_as_suffix", "true", "character_coverage", "0.98"},
     AS_LEARNED},
    {"unigram, joined text rewritten",
     {"model_type", "unigram", "normalization_rule_name", "nmt_nfkc_cf"},
     REWRITTEN},
    {"unigram, blanks as they are", {"model_type", "unigram"}, BLANKS},
    {"bpe, no blank in front, bytes",
     {"model_type", "bpe", "add_dummy_prefix", "false", "byte_fallback", "true"},
     AS_LEARNED},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- Edits: every fifth piece is unused, blanks stay as they are, or the rules also rewrite what is
 * joined ---- */

struct edit {
    const struct kind *kind;
    struct strbuf out;
    int pieces;
};

/* Copy a field, with `bytes` more at its end. */
static void put_field(struct edit *e, const struct protobuf_field *f, const char *more,
                      size_t bytes)
{
    size_t rest = f->content.length + bytes;
    strbuf_addc(&e->out, (char)(f->number << 3 | PROTOBUF_BYTES));
    for (; rest >= 0x80; rest >>= 7)
        strbuf_addc(&e->out, (char)(rest | 0x80));
    strbuf_addc(&e->out, (char)rest);
    strbuf_add(&e->out, f->content.at, f->content.length);
    strbuf_add(&e->out, more, bytes);
}

/* A piece without a type is normal. */
static const char *copy_piece(void *target, const struct protobuf_field *f)
{
    struct edit *e = target;
    const bool typed = f->content.length > 2 && f->content.at[f->content.length - 2] == 0x18;
    const bool unused = e->kind->edit == UNUSED && !typed && ++e->pieces % 5 == 0;
    put_field(e, f, "\x18\x05", unused ? 2 : 0);
    return NULL;
}

static const char *copy_trainer(void *target, const struct protobuf_field *f)
{
    put_field(target, f, "", 0);
    return NULL;
}

static const char *copy_rules(void *target, const struct protobuf_field *f)
{
    struct edit *e = target;
    put_field(e, f, "\x28\x00", e->kind->edit == BLANKS ? 2 : 0);
    struct protobuf_field again = *f;
    again.number = 5;
    if (e->kind->edit == REWRITTEN)
        put_field(e, &again, "", 0);
    return NULL;
}

static void edit_model(struct strbuf *model, const struct kind *kind)
{
    static const struct protobuf_row rows[] = {
        {1, PROTOBUF_BYTES, true, copy_piece, 0},
        {2, PROTOBUF_BYTES, false, copy_trainer, 0},
        {3, PROTOBUF_BYTES, false, copy_rules, 0},
        {0},
    };
    struct edit e = {.kind = kind};
    assert_null(protobuf_read(&e, rows, (struct protobuf_span){model->text, model->length}));
    strbuf_release(model);
    *model = e.out;
}

static void learn(struct strbuf *model, const struct kind *kind)
{
    const char *settings[SETTINGS + 6] = {"vocab_size", "600", "hard_vocab_limit", "false"};
    struct lines lines;
    for (int i = 0; i < SETTINGS; i++)
        settings[4 + i] = kind->settings[i];
    assert_int_equal(lines_read(&lines, ATTEND_SOURCE "/demo/valid.en", NULL), ATTEND_OK);
    struct lines_walk walk = {.lines = &lines};
    const struct tokenizer_walk next = {lines_walk_next, &walk};
    if (!reference_learn(model, &next, settings))
        fail_msg("%s: cannot be learned", kind->name);
    lines_release(&lines);
    edit_model(model, kind);
}

/* ---- Comparing ---- */

struct pair {
    const char *name;
    bool rewrites;
    struct strbuf model;
    struct tokenizer *ours;
    struct reference *theirs;
    int own; /* pieces that text can have */
    struct strbuf got, want;
    char **piece; /* (count) of the last text */
    int count, size;
};

static int own_pieces(const struct pair *p)
{
    int own = 0;
    while (p->ours->ops->piece(p->ours->state, own))
        own++;
    return own;
}

static void load(struct pair *p, const struct kind *kind)
{
    struct attend_error err = {.message = ""};
    *p = (struct pair){.name = kind->name, .rewrites = kind->edit == REWRITTEN};
    learn(&p->model, kind);
    if (tokenizer_load(&p->ours, "sentencepiece", NULL, p->model.text, p->model.length, &err))
        fail_msg("%s: %s", kind->name, err.message);
    p->theirs = reference_load(p->model.text, p->model.length);
    assert_non_null(p->theirs);
    p->own = own_pieces(p);
}

static void forget_pieces(struct pair *p)
{
    while (p->count)
        free(p->piece[--p->count]);
}

static void release(struct pair *p)
{
    forget_pieces(p);
    free(p->piece);
    tokenizer_free(p->ours);
    reference_free(p->theirs);
    strbuf_release(&p->model);
    strbuf_release(&p->got);
    strbuf_release(&p->want);
}

static void write_piece(void *context, const struct tokenizer_piece *piece)
{
    struct strbuf *out = context;
    strbuf_add(out, piece->text, piece->length);
    strbuf_addf(out, "[%zu,%zu) ", piece->from, piece->to);
}

static void keep_piece(void *context, const struct tokenizer_piece *piece)
{
    struct pair *p = context;
    if (p->count == p->size) {
        p->size = 2 * p->size + 64;
        p->piece = realloc(p->piece, (size_t)p->size * sizeof *p->piece);
        assert_non_null(p->piece);
    }
    p->piece[p->count++] = strndup(piece->text, piece->length);
    write_piece(&p->got, piece);
}

static void assert_equal(struct pair *p, const char *text, const char *what)
{
    if (p->got.length != p->want.length ||
        (p->got.length && memcmp(p->got.text, p->want.text, p->got.length) != 0))
        fail_msg("%s: %s of '%s':\ngot  %s\nwant %s", p->name, what, text, p->got.text,
                 p->want.text);
}

/* Returns false if the library refuses the text. */
static bool compare_split(struct pair *p, const char *text, size_t length)
{
    strbuf_clear(&p->got);
    strbuf_clear(&p->want);
    strbuf_adds(&p->got, "");
    strbuf_adds(&p->want, "");
    forget_pieces(p);
    assert_true(p->ours->ops->split(p->ours->state, text, length, keep_piece, p));
    if (!reference_split(p->theirs, text, length, write_piece, &p->want))
        return false;
    assert_equal(p, text, "pieces");
    return true;
}

static void compare_join(struct pair *p, const char *const *pieces, int count)
{
    size_t *got = calloc((size_t)count + 1, sizeof *got),
           *want = calloc((size_t)count + 1, sizeof *want);
    char first[64];
    snprintf(first, sizeof first, "%s", count ? pieces[0] : "");
    strbuf_clear(&p->got);
    strbuf_clear(&p->want);
    strbuf_adds(&p->got, "before");
    strbuf_adds(&p->want, "before");
    p->ours->ops->join(p->ours->state, &p->got, pieces, count, got);
    assert_true(reference_join(p->theirs, &p->want, pieces, count, want));
    assert_equal(p, first, "text");
    /* The library's ends are those of the text before it was rewritten. */
    for (int i = 0; i < count && !p->rewrites; i++)
        if (got[i] != want[i])
            fail_msg("%s: piece %d, '%s', ends at %zu, not %zu, of '%s'", p->name, i, pieces[i],
                     got[i], want[i], p->got.text);
    free(got);
    free(want);
}

static bool compare(struct pair *p, const char *text, size_t length)
{
    const bool known = compare_split(p, text, length);
    compare_join(p, (const char *const *)p->piece, p->count);
    return known;
}

static const char *any_piece(const struct pair *p, struct hostile_texts *h)
{
    return p->ours->ops->piece(p->ours->state, (int)hostile_next(h, (uint64_t)p->own));
}

/* A text of the model's own pieces, some of them several times, so that scores are equal. */
static bool compare_own_text(struct pair *p, struct hostile_texts *h)
{
    struct strbuf text = {0};
    strbuf_adds(&text, "");
    for (uint64_t parts = hostile_next(h, 8); parts > 0; parts--) {
        const char *piece = any_piece(p, h);
        for (uint64_t times = hostile_next(h, 4); times > 0 && !strchr(piece, '\n'); times--)
            strbuf_adds(&text, piece);
    }
    const bool known = compare(p, text.text, text.length);
    strbuf_release(&text);
    return known;
}

/* Pieces in an order that no text has. */
static void compare_any_pieces(struct pair *p, struct hostile_texts *h)
{
    static const char *const others[] = {
        "<s>",       "</s>",        "<unk>",  "<b>",         BLANK,        BLANK BLANK,
        BLANK "NEW", BLANK "<unk>", "<0xE2>", "<0x96>",      "<0x81>",     "<0x0A>",
        "<0x00>",    "<0xFF>",      "",       "a" BLANK "b", BLANK "</s>", BLANK "<0x41>",
        "<0xf0>",    "\u4f60",      "fox",
    };
    enum { OTHERS = sizeof others / sizeof *others, MOST = 12 };
    const char *pieces[MOST];
    const int count = (int)hostile_next(h, MOST);
    for (int i = 0; i < count; i++)
        pieces[i] = hostile_next(h, 2) ? others[hostile_next(h, OTHERS)] : any_piece(p, h);
    compare_join(p, pieces, count);
}

static long compare_file(struct pair *p, const char *path, long *refused)
{
    struct lines lines;
    struct attend_error err = {.message = ""};
    if (lines_read(&lines, path, &err))
        fail_msg("%s", err.message);
    for (int i = 0; i < lines.count; i++) {
        size_t length;
        const char *text = lines_at(&lines, i, &length);
        *refused += !compare(p, text, length);
    }
    const long count = lines.count;
    lines_release(&lines);
    return count;
}

static long compare_files(struct pair *p, long *refused)
{
    const char *files = getenv("ATTEND_FILES");
    char *all = strdup(files ? files : ATTEND_SOURCE "/demo/valid.hi");
    long count = 0;
    char *rest = NULL;
    for (char *path = strtok_r(all, " ", &rest); path; path = strtok_r(NULL, " ", &rest))
        count += compare_file(p, path, refused);
    free(all);
    return count;
}

static long compare_hostile(struct pair *p, long *refused, uint64_t seed)
{
    struct hostile_texts h;
    struct strbuf text = {0};
    const int count = hostile_texts_wanted(400);
    hostile_texts_init(&h, seed);
    for (int i = 0; i < count; i++) {
        hostile_text(&h, &text);
        *refused += !compare(p, text.text, text.length);
        *refused += !compare_own_text(p, &h);
        compare_any_pieces(p, &h);
    }
    strbuf_release(&text);
    hostile_texts_release(&h);
    return 2L * count;
}

TEST(sentencepiece_pieces_and_texts_equal_those_of_the_library)
{
    long lines = 0, refused = 0;
    for (int i = 0; i < KINDS; i++) {
        struct pair p;
        load(&p, &kinds[i]);
        lines += compare_files(&p, &refused) + compare_hostile(&p, &refused, (uint64_t)i);
        release(&p);
    }
    print_message("%ld texts compared, of which the library refuses %ld\n", lines, refused);
}
