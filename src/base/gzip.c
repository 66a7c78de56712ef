/* gzip, and deflate without its header, by means of zlib. */
#include "base/codec.h"

#include "base/strbuf.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct gzip {
    z_stream z;
    bool ended; /* the last call ended a member */
};

static bool begins(const char *bytes, size_t length)
{
    return memcmp(bytes, "\x1F\x8B", length) == 0;
}

enum { LARGEST_WINDOW = 15, GZIP_ONLY = 16 };

/* `bits` says which header is expected. */
static void *open_with(int bits)
{
    struct gzip *g = calloc(1, sizeof *g);
    if (g && inflateInit2(&g->z, bits) == Z_OK)
        return g;
    free(g);
    return NULL;
}

static void *open_decoder(void) { return open_with(LARGEST_WINDOW + GZIP_ONLY); }
static void *open_raw(void) { return open_with(-LARGEST_WINDOW); }

static enum codec_step meaning(int code)
{
    switch (code) {
    case Z_OK:
    case Z_BUF_ERROR: /* no room or no more input: not damage */ return CODEC_MORE;
    case Z_STREAM_END: return CODEC_END;
    case Z_MEM_ERROR: return CODEC_NO_MEMORY;
    default: return CODEC_DAMAGED;
    }
}

static uInt at_most(size_t length) { return length < UINT_MAX ? (uInt)length : UINT_MAX; }

static enum codec_step step(void *decoder, struct codec_span *span)
{
    struct gzip *g = decoder;
    const uInt length = at_most(span->length), room = at_most(span->room);
    if (g->ended)
        inflateReset(&g->z);
    g->z.next_in = (z_const Bytef *)span->in;
    g->z.avail_in = length;
    g->z.next_out = (Bytef *)span->out;
    g->z.avail_out = room;
    const enum codec_step result = meaning(inflate(&g->z, Z_NO_FLUSH));
    g->ended = result == CODEC_END;
    const size_t taken = length - g->z.avail_in, made = room - g->z.avail_out;
    span->in += taken;
    span->length -= taken;
    span->out += made;
    span->room -= made;
    span->reason = g->z.msg ? g->z.msg : "not gzip";
    return result;
}

static void close_decoder(void *decoder)
{
    struct gzip *g = decoder;
    if (g)
        inflateEnd(&g->z);
    free(g);
}

const struct codec codec_gzip = {"gzip", 2, begins, open_decoder, step, close_decoder};
const struct codec codec_deflate = {"deflate", 0, NULL, open_raw, step, close_decoder};

uint32_t codec_crc32(const void *bytes, size_t length)
{
    return (uint32_t)crc32_z(0, bytes, length);
}

void codec_compress(struct strbuf *out, const void *bytes, size_t length)
{
    uLongf room = compressBound(length);
    Bytef *packed = malloc(room);
    if (packed && compress2(packed, &room, bytes, length, Z_BEST_COMPRESSION) == Z_OK)
        strbuf_add(out, (const char *)packed, room);
    else
        out->failed = true;
    free(packed);
}
