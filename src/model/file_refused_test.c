/* Well-formed files that do not contain a valid model are refused, with the reason. */
#include "file_fixture.h"

/* ---- Handwritten headers ---- */

static void write_file(const char *path, const char *header, size_t data)
{
    struct strbuf s = {0};
    const size_t length = strlen(header);
    for (int i = 0; i < 8; i++)
        strbuf_addc(&s, (char)(length >> (8 * i) & 0xff));
    strbuf_adds(&s, header);
    for (size_t i = 0; i < data; i++)
        strbuf_addc(&s, 'd');
    assert_int_equal(io_write(path, s.text, s.length, NULL), ATTEND_OK);
    strbuf_release(&s);
}

#define META                                                                                       \
    "{\"__metadata__\":{\"checksum\":\"0123456789abcdef\",\"format\":\"attend\","                  \
    "\"format_version\":\"1\"}"
#define U8(name, n, begin, end)                                                                    \
    ",\"" name "\":{\"dtype\":\"U8\",\"shape\":[" n "],\"data_offsets\":[" begin "," end "]}"
#define MALFORMED "is damaged: type, shape and offsets of its tensor a do not match"

static const struct by_hand {
    const char *header, *message;
} by_hand[] = {
    {"{}", "m: is not an attend model (a safetensors file of another program)"},
    {"{\"__metadata__\":7}", "is not an attend model (a safetensors file"},
    {"{\"__metadata__\":{\"format\":\"pt\"}}", "is not an attend model (a safetensors file"},
    {"{\"__metadata__\":{\"format\":\"attend\"}}", "is damaged: it has no format version"},
    {"{\"__metadata__\":{\"format\":\"attend\",\"format_version\":\"1x\"}}", "no format version"},
    {"{\"__metadata__\":{\"format\":\"attend\",\"format_version\":\"4\"}}",
     "m: format version 4 is newer than this program knows (3); use a newer attend"},
    {"{\"__metadata__\":", "m: its header is not JSON: "},
    {META "}", "16 bytes follow its last tensor"},
    {META U8("a", "16", "0", "16") "}", "its checksum does not match"},
    {META U8("a", "16", "0", "16") ",\"a\":1}", "duplicate object key"},
    {META U8("a", "8", "0", "8") U8("b", "9", "7", "16") "}",
     "its tensor b begins at byte 7 of the data, the one before it ends at 8"},
    {META U8("a", "7", "0", "7") U8("b", "8", "8", "16") "}",
     "its tensor b begins at byte 8 of the data, the one before it ends at 7"},
    {META U8("a", "8", "8", "16") U8("b", "8", "0", "8") "}", "its checksum does not match"},
    {META U8("a", "17", "0", "17") "}", "m: is truncated at byte "},
    {META U8("a", "9223372036854775807", "0", "9223372036854775807") "}", "is truncated at byte "},
    {META U8("a", "16", "0", "15") "}", MALFORMED},
    {META U8("a", "16", "16", "0") "}", MALFORMED},
    {META U8("a", "-16", "0", "16") "}", MALFORMED},
    {META U8("a", "16", "-16", "0") "}", MALFORMED},
    {META U8("a", "", "0", "16") "}", MALFORMED},
    {META U8("a", "2,2,4", "0", "16") "}", MALFORMED},
    {META U8("a", "4294967296,4294967296", "0", "0") "}", MALFORMED},
    {META U8("a", "16", "0,0", "16") "}", MALFORMED},
    {META ",\"a\":7}", MALFORMED},
    {META ",\"a\":{\"dtype\":\"Q4\",\"shape\":[16],\"data_offsets\":[0,16]}}", MALFORMED},
    {META ",\"a\":{\"dtype\":\"F32\",\"shape\":[16],\"data_offsets\":[0,16]}}", MALFORMED},
    {META ",\"a\":{\"shape\":[16],\"data_offsets\":[0,16]}}", MALFORMED},
    {"{\"__metadata__\":{\"format\":\"attend\",\"format_version\":\"1\"}" U8("a", "16", "0",
                                                                             "16") "}",
     "its header does not begin with a checksum"},
};

TEST(file_with_a_wrong_header_is_refused_with_the_reason)
{
    struct folder f = folder_enter();
    for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++) {
        write_file("m", by_hand[i].header, 16);
        assert_refused("m", by_hand[i].message);
    }
    folder_leave(&f);
}

/* The header has an odd length, so the float after it cannot be read in place. */
TEST(file_with_a_misaligned_tensor_is_refused)
{
    struct folder f = folder_enter();
    char header[300];
    for (int pad = 0; pad < 4; pad++) {
        const int length = snprintf(
            header, sizeof header,
            META ",\"a\":{\"dtype\":\"F32\",\"shape\":[1,4],\"data_offsets\":[0,16]}}%*s", pad, "");
        write_file("m", header, 16);
        assert_refused("m", length % 4 ? MALFORMED : "its checksum does not match");
    }
    folder_leave(&f);
}

TEST(file_that_is_something_else_is_no_model)
{
    struct folder f = folder_enter();
    assert_int_equal(io_write("text", "A text that somebody wrote\n", 27, NULL), ATTEND_OK);
    assert_refused("text",
                   "text: is not an attend model (it does not begin as a safetensors file)");
    assert_int_equal(io_write("empty", "", 0, NULL), ATTEND_OK);
    assert_refused("empty", "empty: is not an attend model (it has only 0 bytes)");
    assert_int_equal(io_write("zeros", "\0\0\0\0\0\0\0\0\0\0", 10, NULL), ATTEND_OK);
    assert_refused("zeros", "zeros: is not an attend model");
    write_file("other", "{\"x\":{\"dtype\":\"BF16\",\"shape\":[1],\"data_offsets\":[0,2]}}", 2);
    assert_refused("other", "other: is not an attend model (a safetensors file of another");
    folder_leave(&f);
}

/* ---- Well-formed files without a valid model ---- */

enum { MOST = 64 };
struct draft {
    struct file_text text[MOST];
    struct file_tensor tensor[MOST];
    int texts, tensors;
};

#define CONFIG(more)                                                                               \
    "{\"source_vocab\":6,\"target_vocab\":5,\"attention\":\"additive\",\"heads\":1,"               \
    "\"coverage\":false,\"copy\":false,\"span\":5,\"gaussians\":3,\"positions\":1,\"placement\":"  \
    "\"bahdanau\","                                                                                \
    "\"input-feeding\":false,\"cell\":\"gru\",\"encoder-layers\":1,\"decoder-layers\":1,"          \
    "\"unidirectional\":false,\"residual\":false,\"layer-norm\":false,\"emb\":2,\"hidden\":3,"     \
    "\"attention-size\":4,\"start\":\"last\",\"readout\":\"tanh\",\"readout-size\":1,"             \
    "\"tie\":\"none\",\"source-normalize\":\"none\",\"target-normalize\":"                         \
    "\"none\","                                                                                    \
    "\"source-features\":false,\"target-features\":false" more "}"

static struct draft draft_of(const struct fixture *f)
{
    struct draft d = {.text = {{"config", CONFIG("")},
                               {"source_tokenizer", "spaces"},
                               {"target_tokenizer", "char"}},
                      .texts = 3};
    for (int i = 0; i < f->net.params.count; i++) {
        const struct param *p = f->net.params.item[i];
        d.tensor[d.tensors++] =
            (struct file_tensor){p->path, FILE_REAL, (size_t)p->rows, (size_t)p->cols, p->value};
    }
    d.tensor[d.tensors++] =
        (struct file_tensor){"vocab.source", FILE_U8, 1, sizeof SOURCE_TEXT - 1, SOURCE_TEXT};
    d.tensor[d.tensors++] =
        (struct file_tensor){"vocab.target", FILE_U8, 1, sizeof TARGET_TEXT - 1, TARGET_TEXT};
    return d;
}

static void draft_save(const struct draft *d)
{
    const struct file_content content = {
        .text = d->text, .texts = d->texts, .tensor = d->tensor, .tensors = d->tensors};
    assert_int_equal(file_save("m", &content, NULL), ATTEND_OK);
}

static void assert_draft_refused(const struct draft *d, const char *message)
{
    draft_save(d);
    assert_refused("m", message);
}

TEST(model_of_a_draft_is_what_save_writes)
{
    struct fixture f;
    fixture_init(&f);
    const struct draft d = draft_of(&f);
    draft_save(&d);
    save(&f, "saved");
    assert_same_bytes("m", "saved");
    fixture_release(&f);
}

TEST(model_with_a_wrong_config_is_refused_with_the_reason)
{
    static const char *const cases[][2] = {
        {CONFIG(",\"color\":1"), "m: its config has the setting color, which this program does"},
        {CONFIG(",\"a\\nb\\u001b\":1"), "has the setting a?b?, which"},
        {CONFIG(",\"emb\":1"), "m: its config is not JSON: duplicate"},
        {"{\"emb\":0}", "m: its config is wrong: `emb` takes a whole number from 1 to 8192"},
        {"{\"emb\":\"many\"}", "its config is wrong: `emb` takes"},
        {"{\"emb\":\"\"}", "its config is wrong: `emb` takes"},
        {"{\"emb\":[2]}", "its config is wrong: emb is neither text nor number"},
        {"{\"emb\":8193}", "its config is wrong: `emb` takes"},
        {"{\"source_vocab\":2}", "its config is wrong: `source_vocab` takes"},
        {"{\"source_vocab\":2000000000}", "its config is wrong: `source_vocab` takes"},
        {"{}", "m: vocab.source has 6 pieces, but the config says 0"},
        {"{\"source_vocab\":7,\"target_vocab\":5}",
         "vocab.source has 6 pieces, but the config says 7"},
        {"{\"source_vocab\":6,\"target_vocab\":4}",
         "vocab.target has 5 pieces, but the config says 4"},
        {"{\"source_vocab\":6,\"target_vocab\":5}", "(6, 2), not F"},
        {"emb=2", "m: its config is not JSON: "},
        {"", "m: its config is not JSON: "},
    };
    struct fixture f;
    fixture_init(&f);
    struct draft d = draft_of(&f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        d.text[0].text = cases[i][0];
        assert_draft_refused(&d, cases[i][1]);
    }
    fixture_release(&f);
}

TEST(model_without_one_of_its_texts_is_refused)
{
    struct fixture f;
    fixture_init(&f);
    for (int i = 0; i < 3; i++) {
        struct draft d = draft_of(&f);
        char message[64];
        snprintf(message, sizeof message, "m: is damaged: its metadata has no %s", d.text[i].name);
        d.text[i].name = "other";
        assert_draft_refused(&d, message);
    }
    fixture_release(&f);
}

TEST(model_with_an_unknown_tokenizer_is_refused)
{
    struct fixture f;
    fixture_init(&f);
    struct draft d = draft_of(&f);
    d.text[2].text = "letters";
    assert_draft_refused(&d,
                         "m: its target_tokenizer is letters, which this program does not have");
    fixture_release(&f);
}

TEST(model_without_one_of_its_tensors_is_refused)
{
    struct fixture f;
    fixture_init(&f);
    const int count = draft_of(&f).tensors;
    for (int i = 0; i < count; i++) {
        struct draft d = draft_of(&f);
        char message[128];
        snprintf(message, sizeof message, "m: is damaged: it has no tensor %s", d.tensor[i].name);
        d.tensors--;
        memmove(&d.tensor[i], &d.tensor[i + 1], (size_t)(d.tensors - i) * sizeof *d.tensor);
        assert_draft_refused(&d, message);
    }
    fixture_release(&f);
}

TEST(model_with_a_tensor_too_many_is_refused)
{
    struct fixture f;
    fixture_init(&f);
    struct draft d = draft_of(&f);
    d.tensor[d.tensors++] = (struct file_tensor){"more", FILE_U8, 1, 3, "abc"};
    assert_draft_refused(&d, "m: has a tensor more that its config does not need");
    fixture_release(&f);
}

TEST(model_with_a_tensor_of_another_shape_is_refused)
{
    static const double zero[7] = {0};
    struct fixture f;
    fixture_init(&f);
    const int count = draft_of(&f).tensors;
    for (int i = 0; i < count; i++) {
        struct draft d = draft_of(&f);
        char start[128];
        d.tensor[i].rows = 7;
        d.tensor[i].cols = 1;
        d.tensor[i].bytes = zero;
        snprintf(start, sizeof start, "m: its tensor %s is ", d.tensor[i].name);
        assert_draft_refused(&d, start);
        assert_draft_refused(&d, " (7, 1), not ");
    }
    fixture_release(&f);
}

TEST(model_with_a_tensor_of_another_type_is_refused)
{
    static const double zero[12] = {0};
    struct fixture f;
    fixture_init(&f);
    struct draft d = draft_of(&f);
    const bool is_double = sizeof(real) == sizeof(double);
    d.tensor[0].dtype = is_double ? FILE_F32 : FILE_F64;
    d.tensor[0].bytes = zero;
    assert_draft_refused(&d, is_double ? "is F32 (6, 2), not F64 (6, 2)"
                                       : "is F64 (6, 2), not F32 (6, 2)");
    d = draft_of(&f);
    d.tensor[d.tensors - 1] = (struct file_tensor){"vocab.source", FILE_U8, 2, 3, zero};
    d.tensor[d.tensors - 2] = (struct file_tensor){"vocab.target", FILE_U8, 1, 3, zero};
    assert_draft_refused(&d, "m: its tensor vocab.source is U8 (2, 3), not a vector of U8");
    fixture_release(&f);
}

/* Tries the first and the last number of every matrix and vector. */
TEST(model_with_a_number_that_is_not_finite_is_refused)
{
    const real wrong[] = {(real)NAN, -(real)INFINITY};
    struct fixture f;
    fixture_init(&f);
    for (int i = 0; i < f.net.params.count; i++)
        for (int last = 0; last < 2; last++) {
            const struct param *p = f.net.params.item[i];
            char message[128];
            real *at = p->value + (last ? (size_t)p->rows * (size_t)p->cols - 1 : 0);
            const real kept = *at;
            *at = wrong[last];
            snprintf(message, sizeof message, "its %s contains NaN or infinity", p->path);
            const struct draft d = draft_of(&f);
            assert_draft_refused(&d, message);
            *at = kept;
        }
    fixture_release(&f);
}

TEST(model_with_a_wrong_vocabulary_is_refused)
{
    static const char *const cases[][2] = {
        {"", "m: vocab.source: is no vocabulary"},
        {SPECIALS "a\na\nb\n", "m: vocab.source:5: repeats the piece of line 4"},
        {SPECIALS "a\n\nb\n", "m: vocab.source:5: is empty"},
        {"<s>\n<unk>\n</s>\na\nb\nc\n", "m: vocab.source:1: is not a special piece"},
        {SPECIALS "\xff\nb\nc\n", "m: vocab.source:4: is not UTF-8 text"},
    };
    struct fixture f;
    fixture_init(&f);
    struct draft d = draft_of(&f);
    struct file_tensor *vocab = &d.tensor[d.tensors - 2];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vocab->bytes = cases[i][0];
        vocab->cols = strlen(cases[i][0]);
        assert_draft_refused(&d, cases[i][1]);
    }
    fixture_release(&f);
}

TEST(model_with_wrong_examples_is_refused)
{
    static const char *const wrong[] = {"a b", "a\n\n", "a \x1b[2J\n", " \n"};
    struct fixture f;
    fixture_init(&f);
    struct draft d = draft_of(&f);
    d.text[d.texts++] = (struct file_text){"examples", NULL};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        d.text[d.texts - 1].text = wrong[i];
        assert_draft_refused(&d, "m: is damaged: its examples: line ");
    }
    fixture_release(&f);
}

/* Five source words and the frequent words, of a vocabulary of 5. */
#define LISTS "\0\0\0\2\4\3\1\3\0\1\4"

TEST(model_with_a_wrong_shortlist_is_refused)
{
    static const struct {
        const char *bytes;
        size_t length;
    } wrong[] = {{"", 0},
                 {LISTS "\0", sizeof LISTS},
                 {LISTS, sizeof LISTS - 2},
                 {"\0\0\0\2\4\5\1\3\0\1\4", sizeof LISTS - 1},
                 {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 10}};
    struct fixture f;
    fixture_init(&f);
    struct draft d = draft_of(&f);
    struct file_tensor *lists = &d.tensor[d.tensors++];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        *lists =
            (struct file_tensor){"training.shortlist", FILE_U8, 1, wrong[i].length, wrong[i].bytes};
        assert_draft_refused(&d, "m: its training.shortlist: is damaged");
    }
    fixture_release(&f);
}

TEST(model_keeps_its_shortlist)
{
    struct fixture f;
    fixture_init(&f);
    struct draft d = draft_of(&f);
    d.tensor[d.tensors++] =
        (struct file_tensor){"training.shortlist", FILE_U8, 1, sizeof LISTS - 1, LISTS};
    draft_save(&d);
    struct model *m = load("m");
    struct strbuf calibration = {0};
    const struct model_extra extra = model_kept(m, &calibration);
    assert_non_null(m->shortlist);
    assert_int_equal(model_save("again", &m->net, &m->source, &m->target, &extra, NULL), ATTEND_OK);
    assert_same_bytes("m", "again");
    model_free(m);
    fixture_release(&f);
}

TEST(model_keeps_its_examples)
{
    static const char *const lines[] = {"", "a b\n", "a b\n\xe0\xa4\x98\nc\tV;PST\n"};
    struct fixture f;
    fixture_init(&f);
    struct draft d = draft_of(&f);
    d.text[d.texts++] = (struct file_text){"examples", NULL};
    for (int i = 0; i < 3; i++) {
        struct model *m = NULL;
        d.text[d.texts - 1].text = lines[i];
        draft_save(&d);
        assert_int_equal(model_load(&m, "m", NULL), ATTEND_OK);
        assert_int_equal(m->examples.count, i == 2 ? 3 : i);
        struct strbuf calibration = {0};
        const struct model_extra extra = model_kept(m, &calibration);
        assert_int_equal(extra.texts, i ? 1 : 0);
        if (i)
            assert_string_equal(extra.text[0].text, lines[i]);
        model_free(m);
    }
    fixture_release(&f);
}

/* The address space in use by this process, which is large under sanitizers. */
static size_t address_space(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu", &pages) != 1)
        pages = ULONG_MAX / (unsigned long)sysconf(_SC_PAGESIZE);
    if (file)
        fclose(file);
    return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* A config that needs more than the file holds must not make the loader allocate for it: here
 * several GB, with one GB available. */
TEST(model_with_a_giant_config_is_refused_before_memory_is_taken)
{
    struct rlimit old;
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    if (address_space() > (size_t)1 << 30)
        skip();
    struct fixture f;
    fixture_init(&f);
    struct draft d = draft_of(&f);
    d.text[0].text = "{\"source_vocab\":6,\"target_vocab\":5,\"emb\":8192,\"hidden\":8192,"
                     "\"attention-size\":8192,\"readout-size\":8192}";
    draft_save(&d);
    const struct rlimit tight = {.rlim_cur = (rlim_t)2 << 30, .rlim_max = old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &tight), 0);
    assert_refused("m", "(6, 2), not F");
    assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
    fixture_release(&f);
}

/* Settings that the file lacks take their default. For some sizes that is 0, which stands for
 * another size. */
TEST(model_config_without_a_setting_takes_its_default)
{
    struct fixture f;
    fixture_init(&f);
    struct draft d = draft_of(&f);
    d.text[0].text = "{\"source_vocab\":6,\"target_vocab\":5,\"emb\":2,\"hidden\":3,"
                     "\"readout-size\":1}";
    assert_draft_refused(&d, "not F"); /* attention-size 3 for the file's 4 */
    fixture_release(&f);
}

/* The order of tensors in the file need not be the order of declaration. */
TEST(model_with_its_tensors_in_another_order_loads)
{
    struct fixture f;
    fixture_init(&f);
    struct draft d = draft_of(&f);
    const struct file_tensor first = d.tensor[0];
    d.tensor[0] = d.tensor[3];
    d.tensor[3] = first;
    draft_save(&d);
    struct model *m = load("m");
    assert_same_params(&m->net.params, &f.net.params);
    model_free(m);
    fixture_release(&f);
}
