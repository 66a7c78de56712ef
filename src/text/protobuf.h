/* Reads messages in the format of protocol buffers.
 *
 * A message is a table of the fields that its reader uses; all others are skipped. The reader is
 * strict: it takes only the canonical form, so every other parser sees the same fields. It refuses
 * tags of more than 32 bits, numbers with superfluous bytes, groups and, in fields of the table,
 * another wire type or a second occurrence. */
#ifndef ATTEND_TEXT_PROTOBUF_H
#define ATTEND_TEXT_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct protobuf_span {
    const char *at;
    size_t length;
};

enum protobuf_wire {
    PROTOBUF_VARINT,
    PROTOBUF_FIXED64,
    PROTOBUF_BYTES,
    PROTOBUF_FIXED32 = 5,
};

struct protobuf_field {
    uint32_t number;
    enum protobuf_wire wire;
    uint64_t value;               /* of a VARINT */
    struct protobuf_span content; /* of all others */
};

/* Stores a field in `target`. Returns NULL, or what is wrong with it. */
typedef const char *protobuf_read_fn(void *target, const struct protobuf_field *);

struct protobuf_row {
    uint32_t number; /* below 64 */
    enum protobuf_wire wire;
    bool repeated;
    protobuf_read_fn *read;
    size_t offset; /* of the target in the struct that the message fills */
};

/* Reads a message into a struct, by rows that end with number 0. Returns NULL, or what is wrong.
 * Fields of type BYTES point into the message. */
const char *protobuf_read(void *out, const struct protobuf_row *rows, struct protobuf_span message);

#endif
