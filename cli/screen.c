#include "screen.h"

#include <attend/plot.h>

#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Narrower than LEAST, nothing is readable; wider than MOST is a mistake. */
enum { USUAL = 80, LEAST = 20, MOST = 1000, LONGEST = 4096 };

static int within(long columns)
{
    return columns < LEAST ? LEAST : columns > MOST ? MOST : (int)columns;
}

int screen_width(FILE *file)
{
    struct winsize size;
    const char *set = getenv("COLUMNS");
    char *end = NULL;
    const long columns = set ? strtol(set, &end, 10) : 0;
    if (!isatty(fileno(file)))
        return 0;
    if (columns > 0 && !*end)
        return within(columns);
    if (ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return within(size.ws_col);
    return USUAL;
}

void screen_print(const char *format, ...)
{
    char text[LONGEST];
    const int width = screen_width(stdout);
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    char *wrapped = width ? attend_terminal_wrap(text, width) : NULL;
    fputs(wrapped ? wrapped : text, stdout);
    attend_text_free(wrapped);
}

/* ---- Progress ---- */

/* Whether the terminal breaks a line anew when its window becomes narrower. Nearly all do; xterm cuts
 * the line off. */
static bool reflows(void) { return !getenv("XTERM_VERSION"); }

void screen_clear(struct screen_line *line)
{
    const int width = screen_width(stderr);
    int above = 0;
    if (line->columns == 0)
        return;
    if (width > 0 && width < line->width && reflows())
        above = (line->columns - 1) / width;
    fputc('\r', stderr);
    if (above > 0)
        fprintf(stderr, "\033[%dA", above);
    fputs("\033[J", stderr);
    fflush(stderr);
    line->columns = 0;
}

void screen_show(struct screen_line *line, const char *const *texts)
{
    const int width = screen_width(stderr);
    screen_clear(line);
    /* The last column stays free: after a character there, some terminals start another line. */
    while (texts[1] && attend_terminal_columns(*texts) >= width)
        texts++;
    char *shown = attend_terminal_fit(*texts, width - 1);
    fputs(shown ? shown : "", stderr);
    fflush(stderr);
    line->columns = shown ? attend_terminal_columns(shown) : 0;
    line->width = width;
    attend_text_free(shown);
}

struct screen_clock screen_clock(double seconds)
{
    struct screen_clock c;
    const long s = (long)(seconds + 0.5);
    if (s < 3600)
        snprintf(c.text, sizeof c.text, "%ld:%02ld", s / 60, s % 60);
    else
        snprintf(c.text, sizeof c.text, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    return c;
}
