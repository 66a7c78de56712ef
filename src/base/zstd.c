/* zstd. Frames that need a window of more than 128 MiB (zstd --long=28 and up) are refused by the
 * library, so that a file cannot ask for any amount of memory. */
#include "base/codec.h"

#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

/* A file may begin with a frame to skip, as those of parallel compressors do: 5x 2A 4D 18. */
static bool begins(const char *bytes, size_t length)
{
    if (length < 4)
        return false;
    return memcmp(bytes, "\x28\xB5\x2F\xFD", 4) == 0 ||
           ((bytes[0] & 0xF0) == 0x50 && memcmp(bytes + 1, "\x2A\x4D\x18", 3) == 0);
}

static void *open_decoder(void) { return ZSTD_createDStream(); }

static enum codec_step meaning(size_t code)
{
    if (!ZSTD_isError(code))
        return code == 0 ? CODEC_END : CODEC_MORE;
    return ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation ? CODEC_NO_MEMORY
                                                                   : CODEC_DAMAGED;
}

static enum codec_step step(void *decoder, struct codec_span *span)
{
    ZSTD_inBuffer in = {.src = span->in, .size = span->length};
    ZSTD_outBuffer out = {.dst = span->out, .size = span->room};
    const size_t code = ZSTD_decompressStream(decoder, &out, &in);
    span->in += in.pos;
    span->length -= in.pos;
    span->out += out.pos;
    span->room -= out.pos;
    span->reason = ZSTD_getErrorName(code);
    return meaning(code);
}

static void close_decoder(void *decoder) { ZSTD_freeDStream(decoder); }

const struct codec codec_zstd = {"zstd", begins, open_decoder, step, close_decoder};
