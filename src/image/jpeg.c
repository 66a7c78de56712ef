/* JPEG, by the TurboJPEG interface of libjpeg-turbo. A warning is an error: a file that is cut off
 * would otherwise be gray from there on. */
#include "image/parts.h"

#include <stdlib.h>
#include <turbojpeg.h>

/* A progressive file of a few bytes can ask for thousands of scans of all pixels. */
#ifdef TJFLAG_LIMITSCANS
enum { FLAGS = TJFLAG_STOPONWARNING | TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS };
#else
enum { FLAGS = TJFLAG_STOPONWARNING | TJFLAG_ACCURATEDCT };
#endif

enum attend_status image_decode_jpeg(const void *bytes, size_t length, long pixels,
                                     struct attend_gray *out, struct attend_error *err)
{
    struct attend_gray gray = {0};
    int width = 0, height = 0, sampling, space;
    enum attend_status status = ATTEND_OK;
    tjhandle handle = tjInitDecompress();
    if (!handle)
        return image_fail(err, ATTEND_NO_MEMORY, "out of memory");
    if (tjDecompressHeader3(handle, bytes, length, &width, &height, &sampling, &space))
        status =
            image_fail(err, ATTEND_FORMAT, "libjpeg cannot read it: %s", tjGetErrorStr2(handle));
    if (!status)
        status = image_allocate(&gray, width, height, pixels, err);
    if (!status &&
        tjDecompress2(handle, bytes, length, gray.value, width, 0, height, TJPF_GRAY, FLAGS))
        status =
            image_fail(err, ATTEND_FORMAT, "libjpeg cannot read it: %s", tjGetErrorStr2(handle));
    tjDestroy(handle);
    if (status)
        free(gray.value);
    else
        *out = gray;
    return status;
}
