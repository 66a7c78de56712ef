/* The module, and the reader `wav` with it. */
#include "attend/frames.h"
#include "base/strbuf.h"
#include "frames_fixture.h"
#include "test.h"

#include <fcntl.h>
#include <math.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const struct attend_frame_modules modules = {.sound_decode = attend_sound_decode,
                                                    .sound_power = attend_sound_power};

static struct attend_frame_options options_with(int bands)
{
    struct attend_frame_options options = attend_frame_defaults();
    options.modules = &modules;
    options.sound_bands = bands;
    return options;
}

/* ---- WAV files ---- */

static void add_number(struct strbuf *out, unsigned long value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        strbuf_addc(out, (char)(value >> 8 * i & 255));
}

/* The header of a WAV file; `kind` is 1 for whole numbers, 3 for floats. */
static struct strbuf make_header(int kind, int channels, int rate, int bits, size_t data)
{
    struct strbuf out = {0};
    strbuf_adds(&out, "RIFF");
    add_number(&out, data + 36, 4);
    strbuf_adds(&out, "WAVEfmt ");
    add_number(&out, 16, 4);
    add_number(&out, (unsigned long)kind, 2);
    add_number(&out, (unsigned long)channels, 2);
    add_number(&out, (unsigned long)rate, 4);
    add_number(&out, (unsigned long)rate * (unsigned long)(channels * bits / 8), 4);
    add_number(&out, (unsigned long)(channels * bits / 8), 2);
    add_number(&out, (unsigned long)bits, 2);
    strbuf_adds(&out, "data");
    add_number(&out, data, 4);
    return out;
}

static struct strbuf make_floats(int channels, int rate, const float *x, int count)
{
    const size_t size = (size_t)count * sizeof *x;
    struct strbuf out = make_header(3, channels, rate, 32, size);
    strbuf_add(&out, (const char *)x, size);
    return out;
}

/* A sound with several tones that change, and some noise. */
static float *make_sound(int count, int rate)
{
    float *x = malloc((size_t)count * sizeof *x);
    unsigned noise = 1;
    for (int i = 0; i < count; i++) {
        const double t = (double)i / rate;
        noise = noise * 1664525U + 1013904223U;
        x[i] = (float)(0.3 * sin(2 * M_PI * (300 + 400 * t) * t) + 0.1 * sin(2 * M_PI * 2100 * t) +
                       1e-3 * ((double)(noise >> 8) / (1 << 24) - 0.5));
    }
    return x;
}

static void assert_wav_refused(struct strbuf file, const char *message)
{
    const struct attend_frame_options options = options_with(40);
    assert_frames_refused_with("wav", &options, file.text, file.length, "a.wav", message);
    strbuf_release(&file);
}

/* ---- Against plain loops ---- */

TEST(sound_power_equals_the_sums)
{
    enum { SIZE = 20, ROWS = 3 };
    double x[ROWS][SIZE], power[ROWS][SIZE / 2 + 1];
    for (int i = 0; i < ROWS * SIZE; i++)
        x[i / SIZE][i % SIZE] = sin(i * i * 0.7);
    assert_int_equal(attend_sound_power(x[0], ROWS, SIZE, power[0], NULL), ATTEND_OK);
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k <= SIZE / 2; k++) {
            double re = 0, im = 0;
            for (int i = 0; i < SIZE; i++) {
                re += x[r][i] * cos(2 * M_PI * k * i / SIZE);
                im -= x[r][i] * sin(2 * M_PI * k * i / SIZE);
            }
            assert_near(power[r][k], re * re + im * im, 1e-12);
        }
}

/* The formulas of mel.h, as someone else would write them: every band and bin, no chunks. */
static double plain_mel(const float *x, int rate, int bands, int size, int t, int band)
{
    const int window = (rate + 20) / 40, step = (rate + 50) / 100;
    const double low = 2595 * log10(1 + 20 / 700.0), high = 2595 * log10(1 + rate / 1400.0);
    double corner[3], sum = 0;
    for (int c = 0; c < 3; c++)
        corner[c] = 700 * (pow(10, (low + (high - low) * (band + c) / (bands + 1)) / 2595) - 1);
    for (int k = 0; k <= size / 2; k++) {
        const double hertz = (double)k * rate / size;
        const double up = (hertz - corner[0]) / (corner[1] - corner[0]);
        const double down = (corner[2] - hertz) / (corner[2] - corner[1]);
        const double weight = fmin(up, down);
        double re = 0, im = 0;
        for (int i = 0; weight > 0 && i < window; i++) {
            const double w = 0.5 - 0.5 * cos(2 * M_PI * i / window);
            re += w * (double)x[t * step + i] * cos(2 * M_PI * k * i / size);
            im += w * (double)x[t * step + i] * sin(2 * M_PI * k * i / size);
        }
        sum += fmax(weight, 0) * (re * re + im * im);
    }
    return log(1e-8 + sum);
}

static void compare_mel(int rate, int bands, int size)
{
    const int count = rate * 73 / 100; /* 71 frames: more than a chunk, and a rest */
    float *x = make_sound(count, rate);
    struct strbuf file = make_floats(1, rate, x, count);
    const struct attend_frame_options options = options_with(bands);
    struct frames f = read_frames_with("wav", &options, file.text, file.length, "a.wav");
    assert_int_equal(f.rows, 71);
    assert_int_equal(f.width, bands);
    assert_int_equal(f.rate, rate);
    for (int t = 0; t < f.rows; t += 10)
        for (int b = 0; b < bands; b++)
            assert_near((double)f.value[t * bands + b], plain_mel(x, rate, bands, size, t, b),
                        1e-6);
    frames_release(&f);
    strbuf_release(&file);
    free(x);
}

TEST(wav_mel_frames_equal_plain_loops)
{
    compare_mel(8000, 40, 256);
    compare_mel(16000, 40, 512);
    compare_mel(11025, 23, 512);
    compare_mel(16000, 128, 1024); /* narrow bands: a longer transform */
}

TEST(wav_deltas_and_center)
{
    float *x = make_sound(4000, 8000);
    struct strbuf file = make_floats(1, 8000, x, 4000);
    struct attend_frame_options options = options_with(20);
    struct frames plain = read_frames_with("wav", &options, file.text, file.length, "a");
    options.sound_deltas = options.sound_center = true;
    struct frames f = read_frames_with("wav", &options, file.text, file.length, "a");
    assert_int_equal(f.width, 40);
    assert_int_equal(f.rows, plain.rows);
    for (int b = 0; b < 20; b++) {
        double sum = 0;
        for (int t = 0; t < f.rows; t++) {
            double want = 0;
            for (int n = 1; n <= 2; n++) {
                const int next = t + n < f.rows ? t + n : f.rows - 1, last = t > n ? t - n : 0;
                want += n * (double)(plain.value[next * 20 + b] - plain.value[last * 20 + b]) / 10;
            }
            assert_near((double)f.value[t * 40 + 20 + b], want, 1e-5);
            sum += (double)f.value[t * 40 + b];
        }
        assert_near(sum / f.rows, 0, 1e-5);
    }
    frames_release(&f);
    frames_release(&plain);
    strbuf_release(&file);
    free(x);
}

TEST(wav_range_raises_what_is_quiet_before_the_mean_is_taken)
{
    float *x = make_sound(4000, 8000);
    for (int i = 0; i < 2000; i++)
        x[i] *= 1e-3F;
    struct strbuf file = make_floats(1, 8000, x, 4000);
    struct attend_frame_options options = options_with(20);
    struct frames plain = read_frames_with("wav", &options, file.text, file.length, "a");
    double loudest = (double)plain.value[0];
    const int count = plain.rows * 20;
    for (int i = 0; i < count; i++)
        loudest = larger(loudest, (double)plain.value[i]);
    options.sound_range = 30;
    struct frames f = read_frames_with("wav", &options, file.text, file.length, "a");
    int raised = 0;
    for (int i = 0; i < count; i++) {
        const double quietest = loudest - 3 * log(10), y = (double)plain.value[i];
        assert_near((double)f.value[i], fmax(y, quietest), 1e-5);
        raised += y < quietest;
    }
    assert_in_range(raised, count / 2, 19 * count / 20);
    options.sound_center = true;
    struct frames centered = read_frames_with("wav", &options, file.text, file.length, "a");
    for (int b = 0; b < 20; b++) {
        double sum = 0;
        for (int t = 0; t < f.rows; t++)
            sum += (double)f.value[t * 20 + b];
        assert_near((double)centered.value[b], (double)f.value[b] - sum / f.rows, 1e-5);
    }
    frames_release(&centered);
    frames_release(&f);
    frames_release(&plain);
    strbuf_release(&file);
    free(x);
}

/* ---- Rates and channels ---- */

static struct frames read_with(const struct frame_source *s, int rate)
{
    float *x = make_sound(rate, rate);
    struct strbuf file = make_floats(1, rate, x, rate);
    struct frames f = {0};
    struct attend_error err;
    if (frame_source_read(s, file.text, file.length, "a", &f, &err))
        fail_msg("%s", err.message);
    strbuf_release(&file);
    free(x);
    return f;
}

static int learned_rate(int rate)
{
    const struct attend_frame_options options = options_with(40);
    struct frame_source *s = NULL;
    assert_int_equal(frame_source_new(&s, "wav", &options, NULL), ATTEND_OK);
    struct frames f = read_with(s, rate);
    assert_int_equal(frame_source_observe(s, &f, NULL), ATTEND_OK);
    const int learned = frame_source_rate(s);
    frames_release(&f);
    f = read_with(s, 22050);
    assert_int_equal(f.rate, learned);
    assert_in_range(f.rows, 97, 98);
    frames_release(&f);
    char *text = frame_source_text(s);
    struct frame_source *parsed = NULL;
    assert_int_equal(frame_source_parse(&parsed, text, strlen(text), NULL), ATTEND_OK);
    assert_int_equal(frame_source_rate(parsed), learned);
    free(text);
    frame_source_free(parsed);
    frame_source_free(s);
    return learned;
}

TEST(wav_the_first_file_sets_the_rate_up_to_16000)
{
    assert_int_equal(learned_rate(8000), 8000);
    assert_int_equal(learned_rate(16000), 16000);
    assert_int_equal(learned_rate(44100), 16000);
}

/* The same sound at another rate has nearly the same bands, where both have them. */
TEST(wav_frames_hardly_depend_on_the_rate_of_the_file)
{
    struct attend_frame_options options = options_with(20);
    options.sound_rate = 8000;
    struct frame_source *s = NULL;
    assert_int_equal(frame_source_new(&s, "wav", &options, NULL), ATTEND_OK);
    struct frames a = read_with(s, 8000), b = read_with(s, 32000);
    assert_int_equal(a.rows, b.rows);
    for (int t = 2; t < a.rows - 2; t++)
        assert_near((double)a.value[t * 20 + 14], (double)b.value[t * 20 + 14], 0.05);
    frames_release(&a);
    frames_release(&b);
    frame_source_free(s);
}

TEST(wav_stereo_is_averaged)
{
    enum { COUNT = 2000 };
    float *x = make_sound(COUNT, 8000), both[2 * COUNT];
    for (int i = 0; i < COUNT; i++) {
        both[2 * i] = 1.5F * x[i];
        both[2 * i + 1] = 0.5F * x[i];
    }
    struct strbuf mono = make_floats(1, 8000, x, COUNT),
                  stereo = make_floats(2, 8000, both, 2 * COUNT);
    const struct attend_frame_options options = options_with(40);
    struct frames a = read_frames_with("wav", &options, mono.text, mono.length, "a");
    struct frames b = read_frames_with("wav", &options, stereo.text, stereo.length, "b");
    assert_int_equal(a.rows, b.rows);
    for (int i = 0; i < a.rows * a.width; i++)
        assert_near((double)a.value[i], (double)b.value[i], 1e-4);
    frames_release(&a);
    frames_release(&b);
    strbuf_release(&mono);
    strbuf_release(&stereo);
    free(x);
}

TEST(wav_shorter_than_a_window_is_one_frame)
{
    const float x[3] = {0.1F, 0.2F, 0.1F};
    struct strbuf file = make_floats(1, 8000, x, 3);
    const struct attend_frame_options options = options_with(40);
    struct frames f = read_frames_with("wav", &options, file.text, file.length, "a");
    assert_int_equal(f.rows, 1);
    frames_release(&f);
    strbuf_release(&file);
}

/* ---- Other formats, as libsndfile writes them ---- */

static struct strbuf make_file(int format, const float *x, int count, int rate)
{
    struct strbuf out = {0};
    char block[4096];
    SF_INFO info = {.samplerate = rate, .channels = 1, .format = format};
    const int fd = memfd_create("sound", MFD_CLOEXEC);
    SNDFILE *file = sf_open_fd(fd, SFM_WRITE, &info, 0);
    if (!file) {
        close(fd);
        return out; /* this libsndfile does not write the format */
    }
    assert_int_equal(sf_writef_float(file, x, count), count);
    sf_close(file);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    for (ssize_t got; (got = read(fd, block, sizeof block)) > 0;)
        strbuf_add(&out, block, (size_t)got);
    close(fd);
    return out;
}

TEST(wav_reads_other_formats_too)
{
    static const int formats[] = {SF_FORMAT_FLAC | SF_FORMAT_PCM_16,
                                  SF_FORMAT_AIFF | SF_FORMAT_PCM_16,
                                  SF_FORMAT_OGG | SF_FORMAT_VORBIS, SF_FORMAT_AU | SF_FORMAT_ULAW};
    enum { COUNT = 12000, RATE = 16000 };
    float *x = make_sound(COUNT, RATE);
    const struct attend_frame_options options = options_with(20);
    struct strbuf plain = make_floats(1, RATE, x, COUNT);
    struct frames want = read_frames_with("wav", &options, plain.text, plain.length, "a");
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct strbuf file = make_file(formats[i], x, COUNT, RATE);
        if (file.length == 0)
            continue;
        struct frames f = read_frames_with("wav", &options, file.text, file.length, "a");
        assert_int_equal(f.rows, want.rows);
        for (int t = 10; t < f.rows - 10; t++) /* the band of the tone of 2100 Hz */
            assert_near((double)f.value[t * 20 + 11], (double)want.value[t * 20 + 11], 0.1);
        frames_release(&f);
        strbuf_release(&file);
    }
    frames_release(&want);
    strbuf_release(&plain);
    free(x);
}

TEST(wav_flac_that_is_cut_off_is_refused)
{
    float *x = make_sound(30000, 16000);
    struct strbuf file = make_file(SF_FORMAT_FLAC | SF_FORMAT_PCM_16, x, 30000, 16000);
    free(x);
    if (file.length == 0)
        skip();
    file.length /= 2;
    assert_wav_refused(file, "a.wav: is cut off or damaged after ");
}

/* ---- Refused ---- */

TEST(wav_bad_files_are_one_clear_line)
{
    float x[64] = {0};
    struct strbuf file = make_floats(1, 8000, x, 64);
    file.length -= 30;
    assert_wav_refused(file, "a.wav: is cut off: it has 270 of 300 bytes");
    assert_wav_refused(make_floats(1, 8000, x, 0), "a.wav: lasts 0 seconds");
    assert_wav_refused(make_floats(8, 8000, x, 64), "a.wav: has 8 channels; mono and stereo");
    assert_wav_refused(make_floats(1, 50, x, 64), "a.wav: has 50 samples per second");
    assert_wav_refused(make_floats(1, 2000000000, x, 64), "samples per second");
    x[7] = NAN;
    assert_wav_refused(make_floats(1, 8000, x, 64), "a.wav: sample 8 is not a finite number");
    x[7] = 1e30F;
    assert_wav_refused(make_floats(1, 8000, x, 64), "a.wav: sample 8 is not a finite number");
    struct strbuf other = {0};
    strbuf_adds(&other, "this is not sound at all, but a line of text that goes on");
    assert_wav_refused(other, "a.wav: is not sound that libsndfile reads (WAV, FLAC, Ogg");
}

/* The file of 10 hours is not decoded: the pages of its samples are never touched. */
TEST(wav_of_10_hours_is_refused_before_it_is_decoded)
{
    const size_t size = (size_t)10 * 3600 * 8000;
    struct strbuf header = make_header(1, 1, 8000, 8, size);
    char *file = calloc(header.length + size, 1);
    assert_non_null(file);
    memcpy(file, header.text, header.length);
    const struct attend_frame_options options = options_with(40);
    assert_frames_refused_with("wav", &options, file, header.length + size, "a.wav",
                               "a.wav: lasts 36000.0 s; at most 60 s are read");
    free(file);
    strbuf_release(&header);
}

TEST(wav_without_the_module_says_what_is_missing)
{
    struct attend_frame_modules missing = {.no_sound = "cannot be loaded; install it"};
    struct attend_frame_options options = attend_frame_defaults();
    struct frame_source *s = NULL;
    struct frames f = {0};
    struct attend_error err;
    assert_int_equal(frame_source_new(&s, "wav", &options, NULL), ATTEND_OK);
    assert_int_equal(frame_source_read(s, "RIFF", 4, "a.wav", &f, &err), ATTEND_IO);
    assert_string_equal(err.message, "a.wav: reading sound needs the module attend-sound.so");
    frame_source_use(s, &missing);
    assert_int_equal(frame_source_read(s, "RIFF", 4, "a.wav", &f, &err), ATTEND_IO);
    assert_string_equal(err.message, "a.wav: reading sound needs the module attend-sound.so, which "
                                     "cannot be loaded; install it");
    frame_source_free(s);
}

TEST(wav_prefixes_and_flipped_bits_are_safe)
{
    float *x = make_sound(300, 8000);
    struct strbuf file = make_floats(1, 8000, x, 300);
    const struct attend_frame_options options = options_with(40);
    struct frame_source *s = NULL;
    struct frames f = {0};
    assert_int_equal(frame_source_new(&s, "wav", &options, NULL), ATTEND_OK);
    for (size_t length = 1; length < file.length; length += length < 60 ? 1 : 101)
        assert_int_not_equal(frame_source_read(s, file.text, length, "a", &f, NULL), ATTEND_OK);
    for (int bit = 0; bit < 8 * 48; bit++) {
        file.text[bit / 8] ^= (char)(1 << bit % 8);
        if (frame_source_read(s, file.text, file.length, "a", &f, NULL) == ATTEND_OK)
            frames_release(&f);
        file.text[bit / 8] ^= (char)(1 << bit % 8);
    }
    frame_source_free(s);
    strbuf_release(&file);
    free(x);
}
