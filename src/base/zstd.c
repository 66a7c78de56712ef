/* zstd. The library refuses frames that need a window of more than 128 MiB (zstd --long=28 and up),
 * so a file cannot demand arbitrary amounts of memory. */
#include "base/codec.h"

#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

/* A file may begin with a skippable frame, as parallel compressors write it: 5x 2A 4D 18. */
static bool begins(const char *bytes, size_t length)
{
    const bool skippable = length > 0 && (bytes[0] & 0xF0) == 0x50;
    return memcmp(bytes, "\x28\xB5\x2F\xFD", length) == 0 ||
           (skippable && memcmp(bytes + 1, "\x2A\x4D\x18", length - 1) == 0);
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

const struct codec codec_zstd = {"zstd", 4, begins, open_decoder, step, close_decoder};
