/* What pictures show of a source is what its file holds, through the public functions. */
#include "attend/frames.h"
#include "attend/matrix.h"
#include "attend/train.h"
#include "file_fixture.h"

enum { FILES = 4, WIDTH = 20, HEIGHT = 12 };

/* The pixel of file i. */
static int pixel(int i, int y, int x) { return (7 * y + 11 * x + 40 * i) % 200; }

static void write_image(const char *path, int i)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "P5 %d %d 255\n", WIDTH, HEIGHT);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            fputc(pixel(i, y, x), file);
    fclose(file);
}

/* Two strokes: three points to the right, then one point below. */
static void write_ink(const char *path, int i)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, ".PEN_DOWN\n0 0\n%d 0\n.PEN_UP\n.PEN_DOWN\n0 -100\n.PEN_UP\n", 20 + i % 2);
    fclose(file);
}

struct sight {
    struct folder folder;
    struct attend_model *model;
    struct attend_translator *translator;
};

static void train(const char *reader, const struct attend_frame_options *frames, int pyramid)
{
    struct attend_error err = {.message = ""};
    struct attend_data_options data = attend_data_defaults();
    struct attend_network_options network = attend_network_defaults();
    struct attend_train_options options = attend_train_defaults();
    data.train = "train.tsv";
    data.src_tokenizer = reader;
    data.tgt_tokenizer = "spaces";
    data.split = "none";
    data.frames = frames;
    network.emb = network.hidden = 8;
    network.encoder_layers = pyramid + 1;
    network.pyramid = pyramid;
    options.model = "model";
    options.max_updates = 1;
    options.threads = 1;
    if (attend_train(&data, &network, &options, NULL, &err))
        fail_msg("%s", err.message);
}

static struct sight sight_begin(const char *reader, const struct attend_frame_options *frames,
                                int pyramid)
{
    struct sight s = {.folder = folder_enter()};
    struct attend_error err = {.message = ""};
    struct attend_translator_options options = attend_translator_defaults();
    FILE *table = fopen("train.tsv", "w");
    for (int i = 0; i < FILES; i++) {
        char path[32];
        snprintf(path, sizeof path, "%d", i);
        (strcmp(reader, "ink") == 0 ? write_ink : write_image)(path, i);
        fprintf(table, "%s\tword%d\n", path, i % 2);
    }
    fclose(table);
    train(reader, frames, pyramid);
    options.threads = 1;
    if (attend_model_load(&s.model, "model", &err))
        fail_msg("%s", err.message);
    const struct attend_model *const model = s.model;
    assert_int_equal(attend_translator_new(&s.translator, &model, 1, &options, &err), ATTEND_OK);
    assert_int_equal(attend_translator_files(s.translator, NULL, NULL, &err), ATTEND_OK);
    return s;
}

static struct attend_frames_view *view_of_file(struct sight *s, const char *path)
{
    struct attend_frames_view *view;
    struct attend_error err = {.message = ""};
    if (attend_frames_view_file(&view, s->translator, path, &err))
        fail_msg("%s", err.message);
    return view;
}

static void sight_end(struct sight *s, struct attend_frames_view *view)
{
    attend_frames_view_free(view);
    attend_translator_free(s->translator);
    attend_model_free(s->model);
    folder_leave(&s->folder);
}

static float shown(const struct attend_frames_view *view, int y, int x)
{
    return view->value[y * view->width + x];
}

TEST(frames_view_of_columns_is_the_image)
{
    struct attend_frame_options options = attend_frame_defaults();
    options.image_layout = "columns";
    options.image_height = HEIGHT;
    options.image_context = 2;
    struct sight s = sight_begin("image", &options, 1);
    struct attend_frames_view *view = view_of_file(&s, "3");
    assert_int_equal(view->kind, ATTEND_FRAMES_COLUMNS);
    assert_int_equal(view->rows, HEIGHT);
    assert_int_equal(view->width, WIDTH);
    assert_int_equal(view->stride, 2);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            assert_near((double)shown(view, y, x), pixel(3, y, x) / 255.0, 1e-3);
    sight_end(&s, view);
}

/* The image has 3 x 2 patches of 8 pixels; what is beyond its edge repeats it. */
TEST(frames_view_of_patches_is_the_image)
{
    struct attend_frame_options options = attend_frame_defaults();
    options.image_layout = "patches";
    options.image_patch = 8;
    struct sight s = sight_begin("image", &options, 0);
    struct attend_frames_view *view = view_of_file(&s, "1");
    assert_int_equal(view->kind, ATTEND_FRAMES_PATCHES);
    assert_int_equal(view->rows, 16);
    assert_int_equal(view->width, 24);
    assert_int_equal(view->across, 3);
    assert_int_equal(view->stride, 8);
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 24; x++)
            assert_near((double)shown(view, y, x),
                        pixel(1, y < HEIGHT ? y : HEIGHT - 1, x < WIDTH ? x : WIDTH - 1) / 255.0,
                        1e-3);
    sight_end(&s, view);
}

TEST(frames_view_of_ink_has_its_steps)
{
    struct attend_frame_options options = attend_frame_defaults();
    struct sight s = sight_begin("ink", &options, 0);
    struct attend_frames_view *view = view_of_file(&s, "0");
    double x = 0, y = 0;
    assert_int_equal(view->kind, ATTEND_FRAMES_INK);
    assert_int_equal(view->width, 3);
    for (int i = 0; i < view->rows; i++) {
        x += (double)shown(view, i, 0);
        y += (double)shown(view, i, 1);
    }
    /* The last point is below the first; the height is the unit. */
    assert_near(x, 0, 1e-3);
    assert_near(y, 1, 1e-3);
    assert_near((double)shown(view, view->rows - 1, 2), 1, 1e-3);
    sight_end(&s, view);
}

TEST(frames_view_of_a_callers_frames_is_a_copy)
{
    struct attend_frame_options options = attend_frame_defaults();
    struct sight s = sight_begin("ink", &options, 0);
    float value[] = {0, 0, 0, 0.5f, 0.25f, 1};
    const struct attend_frames frames = {2, 3, value};
    struct attend_error err = {.message = ""};
    struct attend_frames_view *view;
    assert_int_equal(attend_frames_view_of(&view, s.model, &frames, &err), ATTEND_OK);
    for (int i = 0; i < 6; i++)
        assert_near((double)view->value[i], (double)value[i], 1e-5);
    attend_frames_view_free(view);
    /* One column too few. */
    const struct attend_frames narrow = {3, 2, value};
    assert_int_equal(attend_frames_view_of(&view, s.model, &narrow, &err), ATTEND_FORMAT);
    assert_null(view);
    assert_int_equal(attend_frames_view_file(&view, s.translator, "none", &err), ATTEND_IO);
    assert_null(view);
    sight_end(&s, view);
}
