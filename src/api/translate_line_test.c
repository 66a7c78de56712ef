/* The short form gives what the long form gives, and fails like it. */
#include "attend/translate.h"

#include "test.h"

#include <string.h>

static const char path[] = ATTEND_SOURCE "/tests/data/model-v1.safetensors";

TEST(translator_open_owns_its_model)
{
    struct attend_translator *translator = NULL;
    struct attend_error err;
    assert_int_equal(attend_translator_open(&translator, path, NULL, &err), ATTEND_OK);
    char *text = attend_translate_line(translator, "a b c", &err);
    assert_string_equal(text, "c b a");
    attend_text_free(text);
    attend_translator_free(translator);
}

TEST(translator_open_fails_with_the_message_of_its_cause)
{
    struct attend_translator_options options = attend_translator_defaults();
    struct attend_translator *translator = NULL;
    struct attend_error err;
    assert_int_equal(attend_translator_open(&translator, "missing", NULL, &err), ATTEND_IO);
    assert_non_null(strstr(err.message, "missing: "));
    options.beam = -1;
    assert_int_equal(attend_translator_open(&translator, path, &options, &err), ATTEND_USAGE);
    assert_null(translator);
    assert_int_equal(attend_translator_open(&translator, path, NULL, &err), ATTEND_OK);
    assert_null(attend_translate_line(translator, "a\nb", &err));
    assert_int_equal(err.status, ATTEND_DATA);
    attend_translator_free(translator);
}
