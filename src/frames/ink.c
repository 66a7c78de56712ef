#include "frames/ink.h"

#include "base/error.h"
#include "frames/frames.h"
#include "frames/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Points ---- */

enum { WIDTH = 3, FLATTEST = 16 };

static enum attend_status add_point(struct ink *ink, struct ink_point point, const char *name,
                                    struct attend_error *err)
{
    if (ink->count == INK_POINTS_MAX)
        return error_set(err, ATTEND_FORMAT, "%s: has more than %d points", name, INK_POINTS_MAX);
    if (ink->count == ink->room) {
        const int room = ink->room ? 2 * ink->room : 64;
        struct ink_point *more = realloc(ink->point, (size_t)room * sizeof *more);
        if (!more)
            return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", name);
        ink->point = more;
        ink->room = room;
    }
    ink->point[ink->count++] = point;
    return ATTEND_OK;
}

enum attend_status ink_add(struct ink *ink, double x, double y, const struct ink_text *text,
                           struct attend_error *err)
{
    if (!(fabs(x) <= 1e9 && fabs(y) <= 1e9))
        return ink_wrong(text, "a coordinate is above 1e9", err);
    return add_point(ink, (struct ink_point){x, y, false}, text->name, err);
}

void ink_lift(struct ink *ink)
{
    if (ink->count)
        ink->point[ink->count - 1].last = true;
}

void ink_release(struct ink *ink)
{
    free(ink->point);
    *ink = (struct ink){0};
}

/* ---- Text ---- */

static bool is_digit(const struct ink_text *t)
{
    return t->at < t->end && (unsigned)(*t->at - '0') < 10;
}

static bool take(struct ink_text *t, char c)
{
    if (t->at == t->end || *t->at != c)
        return false;
    t->at++;
    return true;
}

/* The power of ten behind a number. Without digits it is not one, and nothing is read. */
static int take_exponent(struct ink_text *t)
{
    struct ink_text ahead = *t;
    if (!take(&ahead, 'e') && !take(&ahead, 'E'))
        return 0;
    const bool negative = take(&ahead, '-');
    if (!negative)
        take(&ahead, '+');
    if (!is_digit(&ahead))
        return 0;
    int power = 0;
    for (; is_digit(&ahead); ahead.at++)
        power = power < 1000 ? power * 10 + (*ahead.at - '0') : power;
    *t = ahead;
    return negative ? -power : power;
}

/* Not strtod: the text has no NUL at its end, and the locale must not matter. */
bool ink_number(struct ink_text *t, double *out)
{
    const struct ink_text before = *t;
    const bool negative = take(t, '-');
    double x = 0;
    int digits = 0, power = 0;
    if (!negative)
        take(t, '+');
    for (; is_digit(t); t->at++, digits++)
        x = x * 10 + (*t->at - '0');
    if (take(t, '.'))
        for (; is_digit(t); t->at++, digits++, power--)
            x = x * 10 + (*t->at - '0');
    if (digits == 0) {
        *t = before;
        return false;
    }
    power += take_exponent(t);
    *out = x == 0 ? 0 : (negative ? -x : x) * pow(10, power);
    return true;
}

enum attend_status ink_wrong(const struct ink_text *t, const char *what, struct attend_error *err)
{
    size_t line = 1;
    for (const char *c = t->start; c < t->at; c++)
        line += *c == '\n';
    return error_set(err, ATTEND_FORMAT, "%s:%zu: %s", t->name, line, what);
}

/* ---- Files ---- */

/* Whether a line begins with a keyword of UNIPEN. */
static bool is_unipen(struct ink_text t)
{
    static const char word[] = ".PEN_DOWN";
    for (; t.at; t.at = memchr(t.at, '\n', (size_t)(t.end - t.at))) {
        while (t.at < t.end && (unsigned char)*t.at <= ' ')
            t.at++;
        if ((size_t)(t.end - t.at) >= sizeof word - 1 && memcmp(t.at, word, sizeof word - 1) == 0)
            return true;
    }
    return false;
}

static bool is_xml(struct ink_text t)
{
    if (t.end - t.at >= 3 && memcmp(t.at, "\xEF\xBB\xBF", 3) == 0)
        t.at += 3;
    while (t.at < t.end && (unsigned char)*t.at <= ' ')
        t.at++;
    return t.at < t.end && *t.at == '<';
}

enum attend_status ink_parse(struct ink *out, const unsigned char *bytes, size_t length,
                             const char *name, struct attend_error *err)
{
    struct ink ink = {0};
    enum attend_status status;
    const char *start = (const char *)bytes;
    const struct ink_text text = {start, start + length, start, name};
    if (is_xml(text))
        status = ink_parse_inkml(&ink, text, err);
    else if (is_unipen(text))
        status = ink_parse_unipen(&ink, text, err);
    else {
        const struct frame_input in = {.bytes = bytes, .length = length, .name = name};
        status = frame_reader_refuse(&frame_reader_ink, &in, err);
    }
    if (!status && ink.count == 0)
        status = error_set(err, ATTEND_FORMAT, "%s: has no strokes", name);
    if (status)
        ink_release(&ink);
    else
        *out = ink;
    return status;
}

/* ---- Even spacing ---- */

struct frame {
    double left, top, height;
};

/* Of ink that has a point. */
static struct frame frame_of(const struct ink *ink)
{
    double left = ink->point->x, right = left, top = ink->point->y, bottom = top;
    for (int i = 1; i < ink->count; i++) {
        left = fmin(left, ink->point[i].x);
        right = fmax(right, ink->point[i].x);
        top = fmin(top, ink->point[i].y);
        bottom = fmax(bottom, ink->point[i].y);
    }
    const double height = fmax(bottom - top, (right - left) / FLATTEST);
    return (struct frame){left, top, height > 0 ? height : 1};
}

static double distance(const struct ink_point *a, const struct ink_point *b)
{
    return hypot(b->x - a->x, b->y - a->y);
}

/* Add the points of one stroke, whose `count` points are scaled. */
static enum attend_status resample_stroke(struct ink *out, const struct ink_point *p, int count,
                                          double step, const char *name, struct attend_error *err)
{
    double length = 0, passed = 0;
    for (int i = 1; i < count; i++)
        length += distance(&p[i - 1], &p[i]);
    const double steps = round(length / step);
    enum attend_status status = ATTEND_OK;
    if (steps > INK_POINTS_MAX)
        return error_set(err, ATTEND_FORMAT, "%s: a stroke is more than %d steps long", name,
                         INK_POINTS_MAX);
    const int n = (int)steps;
    for (int i = 0, at = 0; i <= n && !status; i++) { /* point `at` is the last one passed */
        const double goal = n ? i * length / n : 0;
        while (at < count - 2 && passed + distance(&p[at], &p[at + 1]) < goal) {
            passed += distance(&p[at], &p[at + 1]);
            at++;
        }
        const struct ink_point *a = &p[at], *b = count > 1 ? a + 1 : a;
        const double d = distance(a, b), share = d > 0 ? fmin((goal - passed) / d, 1) : 0;
        status = add_point(
            out,
            (struct ink_point){a->x + share * (b->x - a->x), a->y + share * (b->y - a->y), i == n},
            name, err);
    }
    return status;
}

enum attend_status ink_resample(struct ink *out, const struct ink *in, double step,
                                const char *name, struct attend_error *err)
{
    struct ink even = {0};
    enum attend_status status = ATTEND_OK;
    if (in->count == 0)
        return error_set(err, ATTEND_FORMAT, "%s: has no strokes", name);
    const struct frame frame = frame_of(in);
    struct ink_point *scaled = malloc((size_t)in->count * sizeof *scaled);
    if (!scaled)
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", name);
    for (int i = 0, first = 0; i < in->count && !status; i++) {
        scaled[i] = (struct ink_point){(in->point[i].x - frame.left) / frame.height,
                                       (in->point[i].y - frame.top) / frame.height, false};
        if (!in->point[i].last && i < in->count - 1)
            continue;
        status = resample_stroke(&even, scaled + first, i + 1 - first, step, name, err);
        first = i + 1;
    }
    free(scaled);
    if (status)
        ink_release(&even);
    else
        *out = even;
    return status;
}

/* ---- Frames: (dx, dy, pen up), where the first dx and dy are 0 ---- */

static enum attend_status ink_read(const struct frame_input *in, struct frames *out,
                                   struct attend_error *err)
{
    struct ink raw = {0}, even = {0};
    enum attend_status status = ink_parse(&raw, in->bytes, in->length, in->name, err);
    if (!status)
        status = ink_resample(&even, &raw, in->options->ink_step, in->name, err);
    if (!status)
        status = frames_init(out, even.count, WIDTH, in->name, err);
    for (int i = 0; !status && i < even.count; i++) {
        const struct ink_point *p = &even.point[i], *before = i ? p - 1 : p;
        out->value[WIDTH * i] = (float)(p->x - before->x);
        out->value[WIDTH * i + 1] = (float)(p->y - before->y);
        out->value[WIDTH * i + 2] = p->last ? 1 : 0;
    }
    ink_release(&raw);
    ink_release(&even);
    return status;
}

static int ink_width(const struct attend_frame_options *options)
{
    (void)options;
    return WIDTH;
}

const struct frame_reader frame_reader_ink = {
    .name = "ink",
    .help = "traces of a pen, UNIPEN or InkML; a frame is (dx, dy, pen up)",
    .kinds = "ink (UNIPEN, InkML)",
    .read = ink_read,
    .width = ink_width,
};
