/* The terminal: its width, lines that fit it, and a line of progress that is rewritten. */
#ifndef ATTEND_CLI_SCREEN_H
#define ATTEND_CLI_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

/* The columns of the terminal that a file writes to: COLUMNS if it is set, what the terminal says, or
 * 80. 0 when the file is no terminal. */
int screen_width(FILE *);

/* printf of whole lines to standard output; lines that are wider than the terminal are broken. */
void screen_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A duration: "1:02" or "1:02:03". */
struct screen_clock {
    char text[32];
};
struct screen_clock screen_clock(double seconds);

/* A line of progress on standard error. Start from all zero. */
struct screen_line {
    int columns; /* of what is shown; 0: nothing */
    int width;   /* of the terminal when it was shown */
};

/* Replace what is shown by the first of the texts (the last one is followed by NULL) that fits the
 * terminal as it is now; if none does, the last is cut. */
void screen_show(struct screen_line *, const char *const *texts);
/* Remove what is shown, so that other lines can be written. */
void screen_clear(struct screen_line *);

#endif
