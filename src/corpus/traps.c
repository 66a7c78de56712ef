#include "corpus/traps.h"

#include "base/checksum.h"
#include "base/error.h"
#include "base/path.h"
#include "base/utf8.h"
#include "corpus/pairs.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { TRAIN, VALID, SETS };
static const char *const set_names[] = {"training", "validation"};
static const char *const side_names[] = {"source", "target"};

static void tell(const struct traps_job *job, const char *text)
{
    if (job->note)
        job->note(job->context, text);
}

static double percent(size_t part, size_t all) { return 100 * (double)part / (double)all; }

/* ---- Headers ---- */

/* Words that name columns: roles, kinds of text and languages. */
static const char column_names[] =
    "src source tgt trg target input output text sentence sentences translation ref "
    "reference word words grapheme graphemes phoneme phonemes phones ipa pron "
    "pronunciation lemma form inflected inflection tag tags features question answer "
    "document summary title original normalized historical modern label lang language "
    "english german french spanish italian dutch hindi ar bg cs da de el en es et fa fi "
    "fr he hi hu id it ja ko lt lv nl no pl pt ro ru sk sl sv th tr uk vi zh eng deu ger "
    "fra fre spa nld hin ";

static bool is_name(const char *word, size_t length)
{
    for (const char *name = column_names; *name;) {
        const size_t size = strcspn(name, " ");
        if (size == length && strncasecmp(name, word, length) == 0)
            return true;
        name += size + 1;
    }
    return false;
}

/* Whether a cell consists of one to five names: `source`, `en_text`, a lemma<TAB>features. */
static bool is_named(const char *cell)
{
    static const char between[] = "_- .\t";
    enum { MANY = 5 };
    int words = 0;
    for (; *cell && words <= MANY; words++) {
        const size_t length = strcspn(cell, between);
        if (length == 0 || !is_name(cell, length))
            return false;
        cell += length;
        cell += *cell != '\0' && cell[1] != '\0';
    }
    return words >= 1 && words <= MANY;
}

bool traps_is_header(const char *source, const char *target)
{
    return is_named(source) && is_named(target) && strcmp(source, target) != 0;
}

/* Whether a text has a word, which blanks separate. */
static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* ---- One walk over a set ---- */

struct case_count {
    size_t lines;   /* with a letter that has case */
    size_t with[2]; /* of them, those with small letters, and with capitals */
};

struct walked {
    size_t pairs, equal;
    struct case_count of[2]; /* sides, of the first pairs */
    char *header[2];         /* the cells of a line 1 that looks like a header; or NULL */
    bool words;              /* these cells are words of other lines */
};

static void count_case(struct case_count *c, const char *text, size_t length)
{
    bool has[2] = {false, false};
    for (size_t at = 0; at < length && !(has[0] && has[1]);) {
        int32_t point;
        at += utf8_next(text + at, length - at, &point);
        const enum utf8_case kind = utf8_case(point);
        has[0] = has[0] || kind == UTF8_SMALL;
        has[1] = has[1] || kind == UTF8_CAPITAL;
    }
    c->lines += has[0] || has[1];
    c->with[0] += has[0];
    c->with[1] += has[1];
}

static bool see_header(struct walked *w, const struct text_pair *pair)
{
    if (w->header[0]) {
        w->words = w->words || has_word(pair->source, w->header[0]) ||
                   has_word(pair->target, w->header[1]);
        return true;
    }
    if (pair->line != 1 || !traps_is_header(pair->source, pair->target))
        return true;
    w->header[0] = strdup(pair->source);
    w->header[1] = strdup(pair->target);
    return w->header[0] && w->header[1];
}

static enum attend_status walk(const struct traps_job *job, int set, struct walked *w,
                               struct attend_error *err)
{
    enum { CASED = 20000 };
    struct pairs *pairs = set ? job->valid : job->train;
    struct text_pair pair;
    bool good = true;
    enum attend_status status = pairs_rewind(pairs, err);
    while (good && !status && !(status = pairs_next(pairs, &pair, err)) && pair.source) {
        w->pairs++;
        w->equal += strcmp(pair.source, pair.target) == 0;
        if (w->pairs <= CASED) {
            if (!job->paths)
                count_case(&w->of[0], pair.source, pair.source_length);
            count_case(&w->of[1], pair.target, pair.target_length);
        }
        good = !job->headless[set] || see_header(w, &pair);
    }
    return good ? status : error_set(err, ATTEND_NO_MEMORY, "out of memory for a line");
}

static void note_header(const struct traps_job *job, int set, const struct walked *w)
{
    char note[512];
    if (!w->header[0] || w->words)
        return;
    snprintf(note, sizeof note,
             "%.300s:1: '%.60s' and '%.60s' look like names of columns; if this is a header, use "
             "`header`",
             job->name[set], w->header[0], w->header[1]);
    tell(job, note);
}

static void note_equal(const struct traps_job *job, int set, const struct walked *w)
{
    enum { FEW = 10 };
    char note[256];
    if (w->pairs < FEW || 10 * w->equal < 9 * w->pairs)
        return;
    snprintf(note, sizeof note,
             "source and target are equal in %.0f %% of the %s pairs; is the same file or column "
             "given twice?",
             percent(w->equal, w->pairs), set_names[set]);
    tell(job, note);
}

/* A side of one set has a kind of letters in a fifth of its lines or more, the other set in none
 * (or less than one in 200). */
static void note_case(const struct traps_job *job, const struct walked w[SETS])
{
    enum { FEW = 10 };
    static const char *const kinds[] = {"small", "capital"};
    for (int k = 0; k < 4; k++) {
        const int side = k / 2, kind = k % 2;
        for (int set = 0; set < SETS; set++) {
            char note[256];
            const struct case_count *none = &w[set].of[side], *some = &w[!set].of[side];
            if (none->lines < FEW || some->lines < FEW || 200 * none->with[kind] > none->lines ||
                5 * some->with[kind] < some->lines)
                continue;
            snprintf(note, sizeof note,
                     "the %s %s has no %s letters, but %.0f %% of the lines of the %s %s have; "
                     "write both alike",
                     set_names[set], side_names[side], kinds[kind],
                     percent(some->with[kind], some->lines), set_names[!set], side_names[side]);
            tell(job, note);
        }
    }
}

/* ---- Pairs in both sets ---- */

/* The hashes of the validation text: of pairs, and of sources alone. */
struct seen {
    uint64_t hash;
    size_t count;
    bool found;
};
struct known {
    struct seen *of[2]; /* pairs, sources; sorted */
    size_t count[2], pairs;
};
enum { MOST = 1 << 20 }; /* pairs that are compared */

/* A source that is a path counts from the folder of the file that names it. */
static uint64_t hash_of(const struct traps_job *job, int set, const struct text_pair *pair,
                        int kind)
{
    struct checksum sum;
    checksum_init(&sum);
    checksum_add(&sum, &pair->languages, sizeof pair->languages);
    if (job->beside[set])
        checksum_add(&sum, job->beside[set], path_folder(job->beside[set], pair->source));
    checksum_add(&sum, pair->source, pair->source_length + 1);
    if (kind == 0)
        checksum_add(&sum, pair->target, pair->target_length + 1);
    return checksum_value(&sum);
}

static int by_hash(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    return (x->hash > y->hash) - (x->hash < y->hash);
}

/* Sort the hashes, and count equal ones once. */
static size_t compact(struct seen *s, size_t count)
{
    size_t kept = 0;
    qsort(s, count, sizeof *s, by_hash);
    for (size_t i = 0; i < count; i++) {
        if (kept && s[kept - 1].hash == s[i].hash)
            s[kept - 1].count++;
        else
            s[kept++] = s[i];
    }
    return kept;
}

static enum attend_status learn(struct known *k, const struct traps_job *job,
                                struct attend_error *err)
{
    struct pairs *valid = job->valid;
    struct text_pair pair;
    const size_t all = pairs_count(valid), room = all < MOST ? all : MOST;
    for (int i = 0; i < 2; i++)
        k->of[i] = calloc(room + 1, sizeof *k->of[i]);
    if (!k->of[0] || !k->of[1])
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %zu validation pairs", room);
    enum attend_status status = pairs_rewind(valid, err);
    while (!status && k->pairs < room && !(status = pairs_next(valid, &pair, err)) && pair.source) {
        for (int i = 0; i < 2; i++)
            k->of[i][k->pairs] = (struct seen){hash_of(job, VALID, &pair, i), 1, false};
        k->pairs++;
    }
    for (int i = 0; i < 2; i++)
        k->count[i] = compact(k->of[i], k->pairs);
    return status;
}

static enum attend_status look_up(struct known *k, const struct traps_job *job,
                                  struct attend_error *err)
{
    struct text_pair pair;
    enum attend_status status = pairs_rewind(job->train, err);
    while (!status && !(status = pairs_next(job->train, &pair, err)) && pair.source)
        for (int i = 1; i >= 0; i--) { /* a pair is known only if its source is */
            const struct seen key = {.hash = hash_of(job, TRAIN, &pair, i)};
            struct seen *s = bsearch(&key, k->of[i], k->count[i], sizeof key, by_hash);
            if (!s)
                break;
            s->found = true;
        }
    return status;
}

static size_t found(const struct known *k, int kind)
{
    size_t count = 0;
    for (size_t i = 0; i < k->count[kind]; i++)
        count += k->of[kind][i].found ? k->of[kind][i].count : 0;
    return count;
}

static enum attend_status note_duplicates(const struct traps_job *job, struct attend_error *err)
{
    struct known k = {0};
    char note[256];
    enum attend_status status = learn(&k, job, err);
    if (!status)
        status = look_up(&k, job, err);
    const size_t pairs = status ? 0 : found(&k, 0), sources = status ? 0 : found(&k, 1);
    if (sources) {
        snprintf(note, sizeof note,
                 "%zu of %zu validation sources (%.1f %%) are in the training text too, %zu of "
                 "them with the same target; scores on them show memory, not skill",
                 sources, k.pairs, percent(sources, k.pairs), pairs);
        tell(job, note);
    }
    free(k.of[0]);
    free(k.of[1]);
    return status;
}

enum attend_status traps_find(const struct traps_job *job, struct attend_error *err)
{
    struct walked w[SETS] = {0};
    enum attend_status status = ATTEND_OK;
    for (int set = 0; set < SETS && !status; set++) {
        if (set == VALID && !job->valid)
            break;
        status = walk(job, set, &w[set], err);
        if (!status)
            note_header(job, set, &w[set]);
        if (!status && (set == TRAIN || job->given))
            note_equal(job, set, &w[set]);
    }
    if (!status && job->valid && job->given) {
        note_case(job, w);
        status = note_duplicates(job, err);
    }
    for (int i = 0; i < 2 * SETS; i++)
        free(w[i / 2].header[i % 2]);
    return status;
}
