/* Pages and pictures of made-up matrices for the tests that look at them: samples FOLDER. What
 * drives the pages (page.mjs) knows these words and weights. */
#include <attend/plot.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define MATRIX(name, title, from, to)                                                              \
    static const struct sample name = {title, from, to, COUNT(from), COUNT(to)}

struct sample {
    const char *title;
    const char *const *source, *const *target;
    int S, T;
};

static const char *const english[] = {"the",      "agreement", "on",  "the",    "European",
                                      "Economic", "Area",      "was", "signed", "in",
                                      "August",   "1992",      ".",   "</s>"};
static const char *const french[] = {"l'",         "accord",     "sur",  "la",  "zone",
                                     "économique", "européenne", "a",    "été", "signé",
                                     "en",         "août",       "1992", ".",   "</s>"};
static const char *const hindi[] = {"मैं", "अपने", "पुराने", "घर", "जा", "रहा", "हूँ", "।", "</s>"};
static const char *const home[] = {"I", "am", "going", "to", "my", "old", "house", ".", "</s>"};
static const char *const korean[] = {"나는",       "어제", "도서관에서", "책을",
                                     "읽었습니다", ".",    "</s>"};
static const char *const library[] = {"I",   "read",    "a",         "book", "in",
                                      "the", "library", "yesterday", ".",    "</s>"};
static const char *const arabic[] = {"ذهب", "الولد", "إلى", "المدرسة", "في", "الصباح", ".", "</s>"};
static const char *const school[] = {"the", "boy", "went",    "to", "school",
                                     "in",  "the", "morning", ".",  "</s>"};
static const char *const emoji[] = {"I", "❤️", "🍕", "and", "👩‍👩‍👧", "!"};
static const char *const hearts[] = {"ich", "❤️", "Pizza", "🇩🇪", "🤷🏽‍♀️", "!"};
static const char *const hostile[] = {"</script><script>window.pwned=1</script>",
                                      "<img src=x onerror=window.pwned=2>",
                                      "<!--",
                                      "]]>",
                                      "\"\\'&amp;",
                                      "\xff\xfe bad",
                                      "a\nb\x01"};
static const char *const plain[] = {"one", "two", "</title>", "{{data}}"};

MATRIX(english_french, "English to French", english, french);
MATRIX(hindi_english, "Hindi to English", hindi, home);
MATRIX(korean_english, "Korean to English", korean, library);
MATRIX(arabic_english, "Arabic to English", arabic, school);
MATRIX(english_arabic, "English to Arabic", school, arabic);
MATRIX(with_emoji, "Emoji", emoji, hearts);
MATRIX(not_nice, "</title><script>window.pwned=3</script>", hostile, plain);

static void *reserve(size_t count, size_t each)
{
    void *memory = calloc(count ? count : 1, each);
    if (!memory)
        exit(1);
    return memory;
}

/* A soft band along the diagonal with some reordering: rows sum to 1. */
static float *weights(int T, int S, int seed)
{
    float *weight = reserve((size_t)T * (size_t)S, sizeof *weight);
    for (int t = 0; t < T; t++) {
        const double middle = fmod((double)t * S / T + ((t * 7 + seed) % 5) - 1.5 + S, S);
        double sum = 0;
        for (int s = 0; s < S; s++)
            sum += exp(-1.4 * fabs(s - middle));
        for (int s = 0; s < S; s++)
            weight[t * S + s] = (float)(exp(-1.4 * fabs(s - middle)) / sum);
    }
    return weight;
}

static struct attend_matrix matrix_of(const struct sample *sample, int seed)
{
    return (struct attend_matrix){.title = sample->title,
                                  .source = sample->source,
                                  .target = sample->target,
                                  .source_count = sample->S,
                                  .target_count = sample->T,
                                  .weight = weights(sample->T, sample->S, seed)};
}

static void save(const char *folder, const char *name, const struct attend_matrix *matrix,
                 int count, struct attend_style style)
{
    char path[4096];
    struct attend_error err = {.message = "out of memory"};
    snprintf(path, sizeof path, "%s/%s.html", folder, name);
    char *text = attend_page(matrix, count, &style);
    if (!text || attend_plot_save(path, text, &err)) {
        fprintf(stderr, "samples: %s\n", err.message);
        exit(1);
    }
    attend_text_free(text);
}

static void free_weights(struct attend_matrix *matrix, int count)
{
    for (int i = 0; i < count; i++)
        free((float *)matrix[i].weight);
}

static void save_singles(const char *folder)
{
    static const struct {
        const char *name;
        const struct sample *sample;
    } single[] = {{"french", &english_french},    {"hindi", &hindi_english},
                  {"korean", &korean_english},    {"arabic", &arabic_english},
                  {"to-arabic", &english_arabic}, {"emoji", &with_emoji},
                  {"hostile", &not_nice}};
    for (int i = 0; i < COUNT(single); i++) {
        struct attend_matrix matrix = matrix_of(single[i].sample, i);
        save(folder, single[i].name, &matrix, 1, (struct attend_style){0});
        free_weights(&matrix, 1);
    }
}

/* Weights that a test can name: 2 x 3, one of them no number. */
static void save_known(const char *folder)
{
    static const char *const source[] = {"rot", "grün", "blau"}, *const target[] = {"red", "blue"};
    static const float weight[] = {0.875f, 0.1f, 0.025f, 0.0625f, NAN, 0.9375f};
    const struct attend_matrix matrix = {"Colors", source, target, 3, 2, weight, NULL};
    save(folder, "known", &matrix, 1, (struct attend_style){.title = "Known weights"});
    save(folder, "known-links", &matrix, 1,
         (struct attend_style){.view = ATTEND_VIEW_LINKS, .dark = true});
    save(folder, "known-salience", &matrix, 1, (struct attend_style){.view = ATTEND_VIEW_SALIENCE});
    const struct attend_matrix empty = {.weight = weight};
    save(folder, "empty", &empty, 1, (struct attend_style){0});
}

static void save_few(const char *folder)
{
    struct attend_matrix matrix[3];
    static const char *const title[] = {"additive", "dot", "local"};
    for (int i = 0; i < COUNT(matrix); i++) {
        matrix[i] = matrix_of(&hindi_english, i);
        matrix[i].title = title[i];
    }
    save(folder, "few", matrix, COUNT(matrix), (struct attend_style){.title = "Three mechanisms"});
    free_weights(matrix, COUNT(matrix));
}

static void save_large(const char *folder)
{
    enum { WORDS = 80 };
    const char *source[WORDS], *target[WORDS];
    for (int i = 0; i < WORDS; i++) {
        source[i] = english[i % COUNT(english)];
        target[i] = french[i % COUNT(french)];
    }
    const struct sample sample = {"80 x 80", source, target, WORDS, WORDS};
    struct attend_matrix matrix = matrix_of(&sample, 0);
    save(folder, "large", &matrix, 1, (struct attend_style){0});
    free_weights(&matrix, 1);
}

static void save_gallery(const char *folder)
{
    enum { ITEMS = 1000 };
    static const struct sample *const kinds[] = {&english_french, &hindi_english, &korean_english,
                                                 &arabic_english, &with_emoji};
    struct attend_matrix *matrix = reserve(ITEMS, sizeof *matrix);
    char(*title)[64] = reserve(ITEMS, sizeof *title);
    for (int i = 0; i < ITEMS; i++) {
        matrix[i] = matrix_of(kinds[i % COUNT(kinds)], i);
        snprintf(title[i], sizeof title[i], "Sentence %d: %s", i + 1, matrix[i].title);
        matrix[i].title = i % 7 == 3 ? NULL : title[i];
    }
    save(folder, "gallery", matrix, ITEMS, (struct attend_style){.title = "A thousand sentences"});
    free_weights(matrix, ITEMS);
    free(matrix);
    free(title);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: samples FOLDER\n", stderr);
        return 2;
    }
    save_singles(argv[1]);
    save_known(argv[1]);
    save_few(argv[1]);
    save_large(argv[1]);
    save_gallery(argv[1]);
    return 0;
}
