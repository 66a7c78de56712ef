/* Options structs: defaults, programs compiled with fewer fields, and options by name. */
#include "attend/settings.h"

#include "attend/align.h"
#include "attend/bench.h"
#include "attend/serve.h"
#include "attend/train.h"
#include "settings/tables.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

TEST(settings_defaults_are_those_of_the_tables)
{
    const struct attend_translator_options search = attend_translator_defaults();
    const struct attend_train_options train = attend_train_defaults();
    const struct attend_network_options network = attend_network_defaults();
    assert_int_equal(search.size, sizeof search);
    assert_int_equal(search.beam, 5);
    assert_near(search.top_p, 1, 0);
    assert_near(train.dropout, 0.2, 0);
    assert_int_equal(train.patience, 10);
    assert_null(train.model);
    assert_string_equal(network.attention, "additive");
    assert_string_equal(attend_serve_defaults().host, "127.0.0.1");
    assert_int_equal(attend_bench_defaults().updates, 30);
}

/* If a program was compiled when the struct had fewer fields, the library does not touch the memory
 * after them and uses the defaults for newer fields. */
TEST(settings_of_an_older_program_are_filled_and_taken_as_far_as_it_knows)
{
    struct attend_translator_options old, taken;
    const size_t known = offsetof(struct attend_translator_options, length_penalty);
    memset(&old, 0x5a, sizeof old);
    attend_translator_fill(&old, known);
    assert_int_equal(old.size, known);
    assert_int_equal(old.beam, 5);
    assert_int_equal(((unsigned char *)&old)[known], 0x5a);
    old.beam = 7;
    assert_int_equal(SETTINGS_TAKE(&taken, translator_tables, &old, NULL), ATTEND_OK);
    assert_int_equal(taken.beam, 7);
    assert_near(taken.length_penalty, 1, 0);
    assert_int_equal(taken.size, sizeof taken);
}

TEST(settings_of_a_newer_program_keep_what_this_library_knows)
{
    struct {
        struct attend_translator_options known;
        int later;
    } newer = {.later = 9};
    struct attend_translator_options taken;
    attend_translator_fill(&newer.known, sizeof newer);
    assert_int_equal(newer.later, 0);
    newer.known.beam = 3;
    assert_int_equal(SETTINGS_TAKE(&taken, translator_tables, &newer.known, NULL), ATTEND_OK);
    assert_int_equal(taken.beam, 3);
}

/* Fields of a struct that was only zeroed would be ignored without a word. */
TEST(settings_without_a_size_are_refused)
{
    const struct attend_translator_options zero = {.beam = 4};
    struct attend_translator_options taken;
    struct attend_error err;
    assert_int_equal(SETTINGS_TAKE(&taken, translator_tables, &zero, &err), ATTEND_USAGE);
    assert_non_null(strstr(err.message, "start with attend_..._defaults()"));
}

TEST(settings_out_of_range_are_refused_by_name)
{
    struct attend_translator_options wrong = attend_translator_defaults(), taken;
    struct attend_error err;
    wrong.beam = 0;
    assert_int_equal(SETTINGS_TAKE(&taken, translator_tables, &wrong, &err), ATTEND_USAGE);
    assert_string_equal(err.message, "`beam` takes a whole number from 1 to 100, not '0'");
    assert_int_equal(err.status, ATTEND_USAGE);
}

TEST(settings_presets_leave_what_was_given)
{
    struct attend_network_options network = attend_network_defaults();
    struct attend_train_options train = attend_train_defaults();
    struct attend_settings *s;
    struct attend_error err;
    assert_int_equal(attend_settings_new(&s, &err), ATTEND_OK);
    attend_settings_add(s, "", ATTEND_TABLE_NETWORK, &network, &err);
    attend_settings_add(s, "", ATTEND_TABLE_LEARNING, &train, &err);
    assert_int_equal(attend_settings_set(s, "hidden", "20", &err), ATTEND_OK);
    assert_int_equal(attend_settings_preset(s, "base", &err), ATTEND_OK);
    assert_int_equal(network.hidden, 20);
    assert_int_equal(network.emb, 256);
    assert_true(attend_settings_given(s, "hidden") && !attend_settings_given(s, "emb"));
    assert_int_equal(attend_settings_preset(s, "huge", &err), ATTEND_USAGE);
    attend_settings_free(s);
}

/* Settings whose value is MODEL find ready models once there are folders, from any source. */
TEST(settings_find_models_by_name_in_the_folders_given)
{
    static const char *const folders[] = {ATTEND_SOURCE "/tests/data", NULL};
    static const char path[] = ATTEND_SOURCE "/tests/data/model-v1.safetensors";
    struct attend_serve_options serve;
    struct attend_align_options align;
    struct attend_settings *s = NULL;
    assert_int_equal(attend_settings_new(&s, NULL), ATTEND_OK);
    assert_int_equal(attend_settings_add(s, "", ATTEND_TABLE_ALIGN, &align, NULL), ATTEND_OK);
    assert_int_equal(attend_settings_set(s, "model", "model-v1", NULL), ATTEND_OK);
    assert_string_equal(align.model, "model-v1");
    attend_settings_models(s, folders);
    assert_int_equal(attend_settings_set(s, "model", "model-v1", NULL), ATTEND_OK);
    assert_string_equal(align.model, path);
    assert_int_equal(attend_settings_set(s, "src", "model-v1", NULL), ATTEND_OK);
    assert_string_equal(align.src, "model-v1");
    assert_int_equal(attend_settings_set(s, "model", "model-v2", NULL), ATTEND_OK);
    assert_string_equal(align.model, "model-v2");
    attend_settings_free(s);
    assert_int_equal(attend_settings_new(&s, NULL), ATTEND_OK);
    assert_int_equal(attend_settings_add(s, "", ATTEND_TABLE_SERVE_MODELS, &serve, NULL),
                     ATTEND_OK);
    attend_settings_models(s, folders);
    assert_int_equal(attend_settings_set(s, "model", "model-v1", NULL), ATTEND_OK);
    assert_int_equal(attend_settings_set(s, "model", path, NULL), ATTEND_OK);
    assert_string_equal(serve.models[0], path);
    assert_string_equal(serve.models[1], path);
    attend_settings_free(s);
}
