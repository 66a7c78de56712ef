/* Frames of files and frames by pointer, through the public functions. */
#include "attend/explain.h"
#include "attend/frames.h"
#include "attend/train.h"
#include "attend/translate.h"
#include "file_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 3, FILES = 6 };

static int rows_of(int i) { return 2 + i; }

static void fill(float *value, int i)
{
    for (int k = 0; k < rows_of(i) * WIDTH; k++)
        value[k] = (float)(10 * i + k % 7);
}

/* Write an array as NumPy does. */
static void write_array(const char *path, const float *value, int rows)
{
    char head[128];
    const int length = 118;
    memset(head, ' ', sizeof head);
    memcpy(head, "\x93NUMPY\x01\x00", 8);
    head[8] = (char)length;
    head[9] = 0;
    const int used =
        snprintf(head + 10, 100, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }",
                 rows, WIDTH);
    head[10 + used] = ' ';
    head[127] = '\n';
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(head, 1, sizeof head, file), sizeof head);
    assert_int_equal(fwrite(value, sizeof *value, (size_t)(rows * WIDTH), file), rows * WIDTH);
    fclose(file);
}

struct hearing {
    struct folder folder;
    struct attend_model *model;
    struct attend_translator *translator;
    float value[FILES][16 * WIDTH];
    struct attend_frames frames[FILES];
};

static void write_corpus(struct hearing *f)
{
    FILE *table = fopen("train.tsv", "w");
    assert_non_null(table);
    for (int i = 0; i < FILES; i++) {
        char path[32];
        snprintf(path, sizeof path, "%d.npy", i);
        fill(f->value[i], i);
        f->frames[i] = (struct attend_frames){rows_of(i), WIDTH, f->value[i]};
        write_array(path, f->value[i], rows_of(i));
        fprintf(table, "%s\tword%d end\n", path, i % 2);
    }
    fclose(table);
}

static void train(void)
{
    struct attend_error err = {.message = ""};
    struct attend_data_options data = attend_data_defaults();
    struct attend_network_options network = attend_network_defaults();
    struct attend_train_options options = attend_train_defaults();
    data.train = "train.tsv";
    data.src_tokenizer = "npy";
    data.tgt_tokenizer = "spaces";
    data.split = "none";
    network.emb = network.hidden = 8;
    network.encoder_layers = 2;
    network.pyramid = 1;
    options.model = "model";
    options.max_updates = 3;
    options.threads = 1;
    if (attend_train(&data, &network, &options, NULL, &err))
        fail_msg("%s", err.message);
}

static void hearing_begin(struct hearing *f)
{
    struct attend_error err = {.message = ""};
    struct attend_translator_options options = attend_translator_defaults();
    *f = (struct hearing){.folder = folder_enter()};
    write_corpus(f);
    train();
    options.threads = 1;
    if (attend_model_load(&f->model, "model", &err))
        fail_msg("%s", err.message);
    const struct attend_model *const model = f->model;
    assert_int_equal(attend_translator_new(&f->translator, &model, 1, &options, &err), ATTEND_OK);
}

static void hearing_end(struct hearing *f)
{
    attend_translator_free(f->translator);
    attend_model_free(f->model);
    folder_leave(&f->folder);
}

static void assert_same(const struct attend_translation *a, const struct attend_translation *b)
{
    assert_string_equal(a->text, b->text);
    assert_true(a->log_probability == b->log_probability);
    assert_int_equal(a->source_count, b->source_count);
    assert_memory_equal(a->attention, b->attention,
                        (size_t)(a->target_count * a->source_count) * sizeof(float));
}

TEST(frames_by_pointer_are_those_of_the_file)
{
    struct hearing f;
    struct attend_error err = {.message = ""};
    struct attend_translation by_path[FILES], by_pointer[FILES];
    const char *const path[FILES] = {"0.npy", "1.npy", "2.npy", "3.npy", "4.npy", "5.npy"};
    hearing_begin(&f);
    assert_string_equal(attend_model_info(f.model).frames, "npy");
    assert_int_equal(attend_translator_files(f.translator, NULL, NULL, &err), ATTEND_OK);
    assert_int_equal(attend_translate(f.translator, path, FILES, by_path, &err), ATTEND_OK);
    assert_int_equal(attend_translate_frames(f.translator, f.frames, FILES, by_pointer, &err),
                     ATTEND_OK);
    for (int i = 0; i < FILES; i++) {
        assert_same(&by_path[i], &by_pointer[i]);
        /* A pyramid of one level has a column for two frames, named by the first. */
        assert_true(by_path[i].frames);
        assert_int_equal(by_path[i].source_count, (rows_of(i) + 1) / 2);
        if (by_path[i].source_count > 1)
            assert_string_equal(by_path[i].source[1], "2");
        attend_translation_release(&by_path[i]);
        attend_translation_release(&by_pointer[i]);
    }
    hearing_end(&f);
}

TEST(files_are_read_only_if_the_caller_allows_it)
{
    struct hearing f;
    struct attend_error err = {.message = ""};
    struct attend_translation out;
    const char *const path = "0.npy", *const empty = "";
    hearing_begin(&f);
    assert_int_equal(attend_translate(f.translator, &path, 1, &out, &err), ATTEND_USAGE);
    assert_non_null(strstr(err.message, "attend_translator_files"));
    assert_int_equal(attend_translator_files(f.translator, "no/such/list", NULL, &err), ATTEND_OK);
    assert_int_equal(attend_translate(f.translator, &path, 1, &out, &err), ATTEND_IO);
    assert_non_null(strstr(err.message, "no/such/0.npy"));
    assert_int_equal(attend_force(f.translator, &empty, &empty, 1, &out, &err), ATTEND_DATA);
    assert_non_null(strstr(err.message, "names no file"));
    hearing_end(&f);
}

TEST(frames_that_do_not_fit_are_refused)
{
    struct hearing f;
    struct attend_error err = {.message = ""};
    struct attend_translation out;
    hearing_begin(&f);
    float value[2 * WIDTH] = {1, 2, 3, 4, NAN, 6};
    const struct attend_frames nan = {2, WIDTH, value}, wide = {1, WIDTH + 1, value},
                               none = {0, WIDTH, value};
    assert_int_equal(attend_translate_frames(f.translator, &nan, 1, &out, &err), ATTEND_FORMAT);
    assert_non_null(strstr(err.message, "NaN in row 2"));
    assert_int_equal(attend_translate_frames(f.translator, &wide, 1, &out, &err), ATTEND_FORMAT);
    assert_non_null(strstr(err.message, "4 numbers"));
    assert_true(attend_translate_frames(f.translator, &none, 1, &out, &err) != ATTEND_OK);
    hearing_end(&f);
}

/* ---- Files in memory ---- */

static char *bytes_of(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(4096);
    *length = fread(bytes, 1, 4096, file);
    fclose(file);
    return bytes;
}

/* The bytes of a file, whose name need not exist. */
static enum attend_status read_bytes(const struct hearing *f, const void *bytes, size_t length,
                                     struct attend_frames **out, struct attend_error *err)
{
    const struct attend_frame_file file = {"no/such/folder/up.npy", bytes, length};
    return attend_frames_read(out, f->model, &file, NULL, err);
}

static struct attend_frames *read_well(const struct hearing *f, const char *path)
{
    struct attend_frames *frames = NULL;
    struct attend_error err = {.message = ""};
    size_t length;
    char *bytes = bytes_of(path, &length);
    if (read_bytes(f, bytes, length, &frames, &err))
        fail_msg("%s", err.message);
    free(bytes);
    return frames;
}

TEST(frames_of_bytes_are_those_of_the_file)
{
    struct hearing f;
    hearing_begin(&f);
    struct attend_frames *frames = read_well(&f, "3.npy");
    assert_int_equal(frames->rows, rows_of(3));
    assert_int_equal(frames->width, WIDTH);
    assert_memory_equal(frames->values, f.value[3], (size_t)(rows_of(3) * WIDTH) * sizeof(float));
    attend_frames_free(frames);
    attend_frames_free(NULL);
    hearing_end(&f);
}

TEST(frames_of_bad_bytes_are_refused_in_one_line_with_the_name)
{
    struct hearing f;
    struct attend_frames *frames = NULL;
    struct attend_error err = {.message = ""};
    size_t length;
    hearing_begin(&f);
    char *bytes = bytes_of("0.npy", &length);
    for (size_t cut = 0; cut < length; cut++) {
        char *part = malloc(cut + 1); /* so that a sanitizer sees each byte beyond */
        memcpy(part, bytes, cut);
        assert_int_equal(read_bytes(&f, part, cut, &frames, &err), ATTEND_FORMAT);
        assert_non_null(strstr(err.message, "no/such/folder/up.npy: "));
        assert_null(strchr(err.message, '\n'));
        free(part);
    }
    assert_null(frames);
    free(bytes);
    hearing_end(&f);
}

TEST(frames_take_constraints_and_targets_like_files)
{
    struct hearing f;
    struct attend_error err = {.message = ""};
    struct attend_translation by_path, by_pointer;
    const char *const path = "2.npy", *const target = "word0 end";
    const struct attend_focus focus = {.target = 0, .source = 1, .weight = 1};
    const struct attend_constraint wanted = {.prefix = "word1", .focus = &focus, .focus_count = 1};
    hearing_begin(&f);
    attend_translator_files(f.translator, NULL, NULL, &err);
    assert_int_equal(attend_translate_constrained(f.translator, &path, &wanted, 1, &by_path, &err),
                     ATTEND_OK);
    assert_int_equal(attend_translate_frames_constrained(f.translator, &f.frames[2], &wanted, 1,
                                                         &by_pointer, &err),
                     ATTEND_OK);
    assert_same(&by_path, &by_pointer);
    assert_string_equal(by_pointer.target[0], "word1");
    assert_near((double)by_pointer.attention[1], 1, 1e-6);
    attend_translation_release(&by_path);
    attend_translation_release(&by_pointer);
    assert_int_equal(attend_force(f.translator, &path, &target, 1, &by_path, &err), ATTEND_OK);
    assert_int_equal(attend_force_frames(f.translator, &f.frames[2], &target, 1, &by_pointer, &err),
                     ATTEND_OK);
    assert_same(&by_path, &by_pointer);
    attend_translation_release(&by_path);
    attend_translation_release(&by_pointer);
    hearing_end(&f);
}

TEST(frames_are_explained_like_files_within_a_cost)
{
    struct hearing f;
    struct attend_error err = {.message = ""};
    struct attend_explanation *by_path, *by_pointer;
    hearing_begin(&f);
    attend_translator_files(f.translator, NULL, NULL, &err);
    struct attend_explain_job job = {.source = "4.npy", .target = "word0 end"};
    assert_int_equal(attend_explain(&by_path, f.translator, &job, &err), ATTEND_OK);
    job = (struct attend_explain_job){.frames = &f.frames[4], .target = "word0 end"};
    assert_int_equal(attend_explain(&by_pointer, f.translator, &job, &err), ATTEND_OK);
    assert_int_equal(by_pointer->source_count, 3); /* six frames, two to a column */
    assert_memory_equal(by_path->value[ATTEND_LEAVE_ONE_OUT],
                        by_pointer->value[ATTEND_LEAVE_ONE_OUT], 9 * sizeof(float));
    attend_explanation_free(by_path);
    attend_explanation_free(by_pointer);
    job.max_cost = 35; /* three spans and the whole, each six frames, two words and </s>: 36 */
    assert_int_equal(attend_explain(&by_path, f.translator, &job, &err), ATTEND_USAGE);
    assert_non_null(strstr(err.message, "6 frames and 2 target tokens are too many to explain"));
    job.max_cost = 36;
    assert_int_equal(attend_explain(&by_path, f.translator, &job, &err), ATTEND_OK);
    attend_explanation_free(by_path);
    hearing_end(&f);
}

TEST(frames_for_a_model_of_text_are_refused)
{
    struct attend_error err = {.message = ""};
    struct attend_model *model;
    struct attend_translator *translator;
    struct attend_translation out;
    struct attend_explanation *explanation = NULL;
    struct attend_frames *frames = NULL;
    const char *const target = "a";
    const float value = 1;
    const struct attend_frames one = {1, 1, &value};
    const struct attend_frame_file file = {"a.npy", "x", 1};
    assert_int_equal(
        attend_model_load(&model, ATTEND_SOURCE "/tests/data/model-v1.safetensors", &err),
        ATTEND_OK);
    const struct attend_model *const only = model;
    assert_int_equal(attend_translator_new(&translator, &only, 1, NULL, &err), ATTEND_OK);
    assert_int_equal(attend_frames_read(&frames, model, &file, NULL, &err), ATTEND_USAGE);
    assert_int_equal(attend_translate_frames(translator, &one, 1, &out, &err), ATTEND_USAGE);
    assert_int_equal(attend_force_frames(translator, &one, &target, 1, &out, &err), ATTEND_USAGE);
    const struct attend_explain_job job = {.frames = &one};
    assert_int_equal(attend_explain(&explanation, translator, &job, &err), ATTEND_USAGE);
    assert_string_equal(err.message, "the model reads text, not frames");
    assert_null(explanation);
    attend_translator_free(translator);
    attend_model_free(model);
}
