#include "test.h"

#include "text/charsmap.h"

#include <string.h>

enum { UNITS = 4, SIZE = 1024, STRINGS = UNITS + SIZE };

static bool is_sound(const unsigned char *table, size_t length)
{
    struct charsmap m;
    return charsmap_read(&m, table, length);
}

TEST(charsmap_refuses_tables_that_lead_outside)
{
    unsigned char table[STRINGS + 3] = {0, 4, 0, 0};
    for (int i = 1; i < SIZE / 4; i++)
        table[UNITS + 4 * i + 3] = 0x80; /* units that match no byte */
    table[UNITS + 1] = 4;                /* root: offset 1 */
    assert_true(is_sound(table, sizeof table));
    assert_true(is_sound(table, 0));
    assert_false(is_sound(table, 3));
    assert_false(is_sound(table, STRINGS)); /* without strings */
    table[UNITS + 2] = 4;                   /* offset 257 */
    assert_false(is_sound(table, sizeof table));
    table[UNITS + 2] = 0;
    table[UNITS + 1] = 4 | 1; /* ends a key: unit 1 holds an offset */
    assert_true(is_sound(table, sizeof table));
    table[UNITS + 4] = 3; /* beyond the strings */
    assert_false(is_sound(table, sizeof table));
    table[UNITS + 4] = 2;
    assert_true(is_sound(table, sizeof table));
    table[sizeof table - 1] = 'x'; /* an unterminated string */
    assert_false(is_sound(table, sizeof table));
}
