/* The container of model files: named tensors and named texts. Any safetensors reader can read it.
 *
 *     8 bytes       length of the header, little-endian
 *     header        JSON, filled up with spaces so that the data begins at a multiple of 64 bytes:
 *                   {"__metadata__":{"checksum":"<16 hex digits>","format":"attend",
 *                   "format_version":"1", <texts>}, "<tensor>":{"dtype":"F32","shape":[3,4],
 *                   "data_offsets":[0,48]}, ...}
 *     data          the tensors one after the other, little-endian
 *
 * The version is 2 if there are I8 tensors, which programs for version 1 cannot read, and 3 if one
 * side is frames.
 *
 * The checksum (base/checksum.h) covers the whole file, with the sixteen digits taken as 0. The
 * same content always gives the same bytes. */
#ifndef ATTEND_MODEL_FILE_H
#define ATTEND_MODEL_FILE_H

#include "attend/status.h"
#include "tensor/real.h"

#include <stddef.h>

struct io_map;

enum file_dtype {
    FILE_U8,
    FILE_I8,
    FILE_F32,
    FILE_F64,
    FILE_REAL = sizeof(real) == 8 ? FILE_F64 : FILE_F32,
};

struct file_tensor {
    const char *name;
    enum file_dtype dtype;
    size_t rows, cols; /* a vector has rows = 1 */
    const void *bytes; /* (rows, cols) */
};

struct file_text {
    const char *name, *text; /* valid UTF-8 */
};

/* ---- Writing: the old file or the new one, never half ----
 * Tensors of larger elements come first, so that all are aligned. */

struct file_content {
    const struct file_text *text;     /* (texts) */
    const struct file_tensor *tensor; /* (tensors) */
    int texts, tensors;
    int version; /* the oldest version that has what the texts say; 0: any */
};
enum { FILE_VERSION_FRAMES = 3 };
enum attend_status file_save(const char *path, const struct file_content *,
                             struct attend_error *err);

/* ---- Reading ---- */

struct file;

/* What file_verify passes on: bytes that it has just read, part of a tensor. An element is never
 * divided. */
typedef void file_read_fn(void *context, const struct file_tensor *, const void *bytes,
                          size_t size);

/* Check everything that can be checked without knowing the model: lengths, header, version,
 * checksum, and that the tensors fill the data exactly. The file is untrusted input. `map` and
 * `path` must outlive the result. */
enum attend_status file_open(struct file **out, const struct io_map *map, const char *path,
                             struct attend_error *err);
/* The same without the checksum, which file_verify checks. Until then nothing in the file can be
 * trusted, and another thread may read it meanwhile. `read` may be NULL. */
enum attend_status file_open_unverified(struct file **out, const struct io_map *map,
                                        const char *path, struct attend_error *err);
enum attend_status file_verify(const struct file *, file_read_fn *read, void *context,
                               struct attend_error *err);
/* Find a required text. It lives as long as the file. */
enum attend_status file_find_text(const struct file *, struct file_text *,
                                  struct attend_error *err);
/* Find a required tensor of this name, type and shape. Its bytes are in the map. cols = 0 accepts a
 * vector of any length and receives that length. */
enum attend_status file_find_tensor(struct file *, struct file_tensor *, struct attend_error *err);
/* An error if the file has a tensor that was never looked up and whose name does not start with
 * `except`. */
enum attend_status file_check_all_found(const struct file *, const char *except,
                                        struct attend_error *err);
void file_close(struct file *);

#endif
