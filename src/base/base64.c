#include "base/base64.h"

#include "base/strbuf.h"

#include <stdint.h>

void base64_add(struct strbuf *out, const void *bytes, size_t length)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i += 3) {
        const size_t left = length - i;
        const uint32_t group = (uint32_t)byte[i] << 16 |
                               (left > 1 ? (uint32_t)byte[i + 1] << 8 : 0) |
                               (left > 2 ? byte[i + 2] : 0);
        const char text[] = {digit[group >> 18], digit[group >> 12 & 63],
                             left > 1 ? digit[group >> 6 & 63] : '=',
                             left > 2 ? digit[group & 63] : '='};
        strbuf_add(out, text, sizeof text);
    }
}
