#include "test.h"

#include "base/strbuf.h"
#include "model/scaling.h"

TEST(scaling_survives_its_file)
{
    const struct attend_scaling s = {0.1 + 0.2, -1.0 / 3, 1e-20};
    struct attend_scaling back = scaling_none;
    struct strbuf text = {0};
    scaling_write(&text, &s);
    assert_int_equal(scaling_read(&back, text.text, "m", NULL), ATTEND_OK);
    assert_true(back.temperature == s.temperature && back.length == s.length &&
                back.bias == s.bias);
    strbuf_release(&text);
}

TEST(scaling_refuses_damage)
{
    static const char *const bad[] = {
        "",
        "[]",
        "{}",
        "{\"temperature\":0,\"length\":0,\"bias\":0}",
        "{\"temperature\":-1,\"length\":0,\"bias\":0}",
        "{\"temperature\":1,\"length\":\"0\",\"bias\":0}",
        "{\"temperature\":1,\"length\":0}",
        "{\"temperature\":1e999,\"length\":0,\"bias\":0}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct attend_scaling s = scaling_none;
        struct attend_error err = {.message = ""};
        assert_int_not_equal(scaling_read(&s, bad[i], "m", &err), ATTEND_OK);
        assert_memory_equal(err.message, "m", 1);
        assert_near(s.temperature, 1, 0);
    }
}
