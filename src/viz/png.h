/* Images as PNG inside SVG. Only the simplest form of PNG is written: 8-bit RGB, no filter. */
#ifndef ATTEND_VIZ_PNG_H
#define ATTEND_VIZ_PNG_H

struct display_image;
struct strbuf;

/* Add the bytes of a PNG file. */
void png_add(struct strbuf *, const struct display_image *);
/* The same in base64, for a data URI. */
void png_add_base64(struct strbuf *, const struct display_image *);

#endif
