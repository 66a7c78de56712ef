/* Every placement describes a decoder that the walk over its layers can run. */
#include "model/placement.h"

#include "model/config.h"
#include "test.h"

/* See the rules above struct placement_layer. */
static void check_layer(const struct placement_layer *layer, int l, int count)
{
    assert_int_equal(layer[l].word, l == 0);
    assert_true(!layer[l].fed || l == 0);
    assert_true(l > 0 || layer[l].kind == LAYER_CELL);
    assert_true(layer[l].kind != LAYER_VECTOR || l == count - 1);
    /* Only cells read the layer below as input; the other kinds continue its state. */
    assert_int_equal(layer[l].below, l > 0 && layer[l].kind == LAYER_CELL);
}

static void check_description(const struct placement_ops *placement, int layers, bool feeding)
{
    struct placement_layer layer[CONFIG_LAYERS + 1];
    const int count = placement->describe(layer, layers, feeding);
    int cells = 0, asking = -1, reading = -1, fed = 0;
    assert_true(count >= layers && count <= layers + 1);
    for (int l = 0; l < count; l++) {
        check_layer(layer, l, count);
        cells += layer[l].kind == LAYER_CELL;
        fed += layer[l].fed;
        assert_true(!layer[l].asks || asking < 0);
        assert_true(!layer[l].context || reading < 0);
        asking = layer[l].asks ? l : asking;
        reading = layer[l].context ? l : reading;
    }
    assert_int_equal(cells, layers);
    assert_true(asking >= 0 && reading >= 0);
    assert_true(layer[asking].kind == LAYER_CELL || reading >= asking);
    assert_int_equal(fed, feeding);
    assert_true(!feeding || layer[count - 1].kind == LAYER_VECTOR);
}

TEST(placement_descriptions_follow_the_rules)
{
    for (const struct placement_ops *const *placement = placements; *placement; placement++)
        for (int layers = 1; layers <= CONFIG_LAYERS; layers++)
            for (int feeding = 0; feeding <= (*placement)->feeds; feeding++)
                check_description(*placement, layers, feeding);
}

TEST(placement_is_found_by_its_name)
{
    for (const struct placement_ops *const *placement = placements; *placement; placement++) {
        assert_ptr_equal(placement_find((*placement)->name), *placement);
        assert_int_equal(!!strstr((*placement)->help, "--input-feeding"), (*placement)->feeds);
    }
    assert_null(placement_find("vaswani"));
}
