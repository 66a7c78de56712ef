#include "text/protobuf.h"

static bool take_varint(struct protobuf_span *s, uint64_t *out)
{
    *out = 0;
    for (int shift = 0; s->length && shift < 64; shift += 7) {
        const unsigned char byte = (unsigned char)*s->at++;
        s->length--;
        *out |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) /* canonical: the last byte is not 0, at most 64 bits */
            return (byte || shift == 0) && (shift < 63 || byte == 1);
    }
    return false;
}

static bool take_bytes(struct protobuf_span *s, uint64_t size, struct protobuf_span *out)
{
    if (size > s->length)
        return false;
    *out = (struct protobuf_span){s->at, (size_t)size};
    s->at += size;
    s->length -= (size_t)size;
    return true;
}

static bool take_field(struct protobuf_span *s, struct protobuf_field *f)
{
    uint64_t tag;
    *f = (struct protobuf_field){0};
    if (!take_varint(s, &tag) || tag > UINT32_MAX || tag >> 3 == 0)
        return false;
    f->number = (uint32_t)(tag >> 3);
    f->wire = (enum protobuf_wire)(tag & 7);
    switch (f->wire) {
    case PROTOBUF_VARINT: return take_varint(s, &f->value);
    case PROTOBUF_FIXED64: return take_bytes(s, 8, &f->content);
    case PROTOBUF_FIXED32: return take_bytes(s, 4, &f->content);
    case PROTOBUF_BYTES: return take_varint(s, &f->value) && take_bytes(s, f->value, &f->content);
    }
    return false; /* groups are refused */
}

static const struct protobuf_row *find_row(const struct protobuf_row *rows, uint32_t number)
{
    for (; rows->number; rows++)
        if (rows->number == number)
            return rows;
    return NULL;
}

const char *protobuf_read(void *out, const struct protobuf_row *rows, struct protobuf_span message)
{
    uint64_t seen = 0;
    while (message.length) {
        struct protobuf_field f;
        if (!take_field(&message, &f))
            return "it is damaged";
        const struct protobuf_row *row = find_row(rows, f.number);
        if (!row)
            continue;
        if (f.wire != row->wire || (!row->repeated && seen >> f.number & 1))
            return "it has a field of a wrong type, or the same one twice";
        seen |= UINT64_C(1) << f.number;
        const char *why = row->read((char *)out + row->offset, &f);
        if (why)
            return why;
    }
    return NULL;
}
