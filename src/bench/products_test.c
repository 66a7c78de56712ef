#include "bench/products.h"

#include "test.h"

/* One row of 512 inputs times 512 x 2048 weights is 2^21 operations on 4 (2^20 + 2^9 + 2^11) bytes.
 */
TEST(products_roof_of_one_row_is_the_bandwidth)
{
    const double intensity = 2097152.0 / (4 * (1048576.0 + 512 + 2048));
    assert_near(products_roof(1, 2048, 512, 100, 20), 20 * intensity, 1e-12);
    assert_near(products_roof(1, 2048, 512, 100, 40), 40 * intensity, 1e-12);
}

TEST(products_roof_of_many_rows_is_the_peak)
{
    assert_near(products_roof(1024, 2048, 512, 100, 20), 100, 0);
    for (int rows = 1; rows < 1024; rows *= 2)
        assert_true(products_roof(rows, 2048, 512, 100, 20) <=
                    products_roof(2 * rows, 2048, 512, 100, 20));
}
