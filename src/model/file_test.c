/* Model files: a model survives saving and loading, and damaged files are refused. */
#include "file_fixture.h"

/* ---- Save and load ---- */

static void assert_vocab(const struct vocab *v, const char *want)
{
    struct strbuf text = {0};
    vocab_write(v, &text);
    assert_string_equal(text.text, want);
    strbuf_release(&text);
}

static void assert_same_config(const struct attend_network_options *got,
                               const struct attend_network_options *want)
{
    assert_int_equal(got->source_vocab, want->source_vocab);
    assert_int_equal(got->target_vocab, want->target_vocab);
    for (const struct attend_setting *row = network_rows; row->name; row++) {
        char a[64], b[64];
        option_print(row, got, a, sizeof a);
        option_print(row, want, b, sizeof b);
        assert_string_equal(a, b);
    }
}

TEST(model_saved_and_loaded_is_the_same)
{
    struct fixture f;
    fixture_init(&f);
    f.values[0] = (real)-0.0;
    f.values[1] = (real)-3e38;
    f.values[2] = (real)1e-40; /* a subnormal float */
    save(&f, "m.safetensors");
    struct model *m = load("m.safetensors");
    assert_same_config(&m->net.config, &f.net.config);
    assert_same_params(&m->net.params, &f.net.params);
    assert_ptr_equal(m->source.tokenizer->ops, &tokenizer_spaces);
    assert_ptr_equal(m->target.tokenizer->ops, &tokenizer_char);
    assert_vocab(m->source.vocab, SOURCE_TEXT);
    assert_vocab(m->target.vocab, TARGET_TEXT);
    model_free(m);
    model_free(NULL);
    fixture_release(&f);
}

TEST(model_loaded_reads_its_parameters_in_the_mapped_file)
{
    struct fixture f;
    fixture_init(&f);
    save(&f, "m.safetensors");
    struct model *m = load("m.safetensors");
    for (int i = 0; i < m->net.params.count; i++) {
        const unsigned char *at = (const unsigned char *)m->net.params.item[i]->value;
        assert_true(at >= m->map.bytes && at < m->map.bytes + m->map.size);
        assert_null(m->net.params.item[i]->grad);
    }
    assert_int_equal(((uintptr_t)m->net.params.item[0]->value) % 64, 0);
    assert_null(m->values);
    model_free(m);
    fixture_release(&f);
}

/* The summed loss of one pair. It depends on every parameter, through the packed weights. */
static double loss_of(struct seq2seq *net)
{
    /* lengths for which all models use the same form */
    int source_ids[] = {3, 4, 5}, target_ids[] = {3, 4, 3, 4};
    size_t source_start[] = {0, 3}, target_start[] = {0, 4};
    const int item = 0;
    const struct sequences source = {.count = 1, .start = source_start, .ids = source_ids},
                           target = {.count = 1, .start = target_start, .ids = target_ids};
    const struct batch_text text = {&source, &target, &item, 1, NULL};
    struct seq2seq_tape tape = {0};
    struct worker worker = worker_alone();
    struct compute compute = {.worker = &worker};
    struct arena count = {0}, arena = {0};
    seq2seq_tape_bind(&tape, &count, net, &text, 1);
    gemm_scratch_bind(&compute.gemm, &count);
    assert_int_equal(arena_reserve(&arena, count.used, NULL), ATTEND_OK);
    seq2seq_tape_bind(&tape, &arena, net, &text, 1);
    gemm_scratch_bind(&compute.gemm, &arena);
    batch_fill(&tape.batch, &text);
    const struct seq2seq_job job = {.loss = {.scale = 1}};
    const double loss = seq2seq_run(net, &tape, &compute, &job);
    arena_release(&arena);
    return loss;
}

TEST(model_loaded_computes_what_the_saved_one_did)
{
    struct fixture f;
    fixture_init(&f);
    save(&f, "m.safetensors");
    struct model *m = load("m.safetensors");
    struct worker worker = worker_alone();
    seq2seq_pack(&f.net, &(struct compute){.worker = &worker});
    const double want = loss_of(&f.net);
    assert_true(isfinite(want) && want > 0);
    assert_true(loss_of(&m->net) == want);
    model_free(m);
    fixture_release(&f);
}

TEST(model_saved_twice_gives_the_same_bytes)
{
    struct fixture f;
    fixture_init(&f);
    save(&f, "a");
    save(&f, "b");
    assert_same_bytes("a", "b");
    fixture_release(&f);
}

TEST(model_loaded_and_saved_gives_the_same_bytes)
{
    struct fixture f;
    fixture_init(&f);
    save(&f, "a");
    struct model *m = load("a");
    assert_int_equal(model_save("b", &m->net, &m->source, &m->target, NULL, NULL), ATTEND_OK);
    assert_same_bytes("a", "b");
    /* Overwrites the mapped file: the mapping keeps the old content. */
    assert_int_equal(model_save("a", &m->net, &m->source, &m->target, NULL, NULL), ATTEND_OK);
    assert_same_bytes("a", "b");
    assert_same_params(&m->net.params, &f.net.params);
    model_free(m);
    fixture_release(&f);
}

TEST(model_file_begins_with_a_padded_header)
{
    struct fixture f;
    fixture_init(&f);
    save(&f, "m");
    struct strbuf bytes = read_all("m");
    size_t length = 0;
    for (int i = 7; i >= 0; i--)
        length = length * 256 + (unsigned char)bytes.text[i];
    assert_int_equal((8 + length) % 64, 0);
    assert_memory_equal(bytes.text + 8, "{\"__metadata__\":{\"checksum\":\"", 29);
    bytes.text[8 + length] = '\0';
    assert_non_null(strstr(bytes.text + 8, "\"format\":\"attend\",\"format_version\":\"1\","
                                           "\"config\":\"{\\\"source_vocab\\\":6,"));
    const size_t first = (size_t)f.config.source_vocab * (size_t)f.config.emb;
    char entry[200];
    snprintf(entry, sizeof entry,
             "},\"%s\":{\"dtype\":\"F%zu\",\"shape\":[6,2],\"data_offsets\":[0,%zu]}",
             f.net.params.item[0]->path, 8 * sizeof(real), first * sizeof(real));
    if (!strstr(bytes.text + 8, entry))
        fail_msg("'%s' is not in '%s'", entry, bytes.text + 8);
    strbuf_release(&bytes);
    fixture_release(&f);
}

TEST(model_save_into_a_missing_or_unwritable_folder_is_an_io_error)
{
    struct fixture f;
    fixture_init(&f);
    struct attend_error err = {.message = ""};
    assert_int_equal(model_save("none/m", &f.net, &f.source, &f.target, NULL, &err), ATTEND_IO);
    assert_non_null(strstr(err.message, "none/m: cannot be written"));
    assert_int_equal(mkdir("closed", 0500), 0);
    if (geteuid() != 0) /* root may write anywhere */
        assert_int_equal(model_save("closed/m", &f.net, &f.source, &f.target, NULL, &err),
                         ATTEND_IO);
    fixture_release(&f);
}

/* ---- Damage ---- */

TEST(model_load_of_no_file_is_an_io_error)
{
    struct folder f = folder_enter();
    struct model *m = NULL;
    struct attend_error err = {.message = ""};
    assert_int_equal(model_load(&m, "absent", &err), ATTEND_IO);
    assert_string_equal(err.message, "absent: cannot be opened: No such file or directory");
    assert_int_equal(model_load(&m, "absent", NULL), ATTEND_IO);
    folder_leave(&f);
}

TEST(model_truncated_at_any_byte_is_refused)
{
    struct fixture f;
    fixture_init(&f);
    save(&f, "m");
    struct strbuf bytes = read_all("m");
    for (size_t length = bytes.length; length-- > 0;) {
        char where[64];
        assert_int_equal(truncate("m", (off_t)length), 0);
        snprintf(where, sizeof where, "m: is truncated at byte %zu of ", length);
        assert_refused("m", length < 8 ? "is not an attend model" : where);
    }
    strbuf_release(&bytes);
    fixture_release(&f);
}

static void flip(int fd, const char *bytes, size_t at, int bit)
{
    const char changed = (char)(bytes[at] ^ 1 << bit);
    assert_int_equal(pwrite(fd, &changed, 1, (off_t)at), 1);
}

TEST(model_with_a_flipped_bit_in_any_byte_is_refused)
{
    struct fixture f;
    fixture_init(&f);
    save(&f, "m");
    struct strbuf bytes = read_all("m");
    const int fd = open("m", O_WRONLY);
    assert_true(fd >= 0);
    for (size_t at = 0; at < bytes.length; at++) {
        flip(fd, bytes.text, at, (int)(at * 5 % 8));
        assert_refused("m", "m: ");
        assert_int_equal(pwrite(fd, bytes.text + at, 1, (off_t)at), 1);
    }
    model_free(load("m"));
    close(fd);
    strbuf_release(&bytes);
    fixture_release(&f);
}

TEST(model_with_a_changed_weight_or_digit_is_called_damaged)
{
    struct fixture f;
    fixture_init(&f);
    save(&f, "m");
    struct strbuf bytes = read_all("m");
    bytes.text[bytes.length - 40] ^= 1;
    assert_int_equal(io_write("w", bytes.text, bytes.length, NULL), ATTEND_OK);
    assert_refused("w", "w: is damaged: its checksum does not match");
    bytes.text[bytes.length - 40] ^= 1;
    bytes.text[8 + 29] = 'g';
    assert_int_equal(io_write("d", bytes.text, bytes.length, NULL), ATTEND_OK);
    assert_refused("d", "d: is damaged: its checksum does not match");
    strbuf_release(&bytes);
    fixture_release(&f);
}

TEST(model_with_bytes_after_its_end_is_refused)
{
    struct fixture f;
    fixture_init(&f);
    save(&f, "m");
    FILE *file = fopen("m", "ab");
    assert_non_null(file);
    fputc('x', file);
    fclose(file);
    assert_refused("m", "m: is damaged: 1 bytes follow its last tensor");
    fixture_release(&f);
}
