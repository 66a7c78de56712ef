#include "browser/modules.h"

#include "base/strbuf.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *script_of(const char *root)
{
    struct strbuf out = {0};
    modules_add(&out, root);
    assert_false(out.failed);
    return strbuf_detach(&out);
}

static const char *const roots[] = {"app.js", "page.js", "worker.js", "writing.js"};

TEST(modules_have_no_imports_and_exports_left)
{
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        char *script = script_of(roots[i]);
        assert_null(strstr(script, "\nimport "));
        assert_null(strstr(script, "\nexport "));
        free(script);
    }
}

/* `} = x_js;` takes the exports of x.js. */
TEST(modules_stand_once_and_before_those_that_import_them)
{
    static const char taken[] = "} = ";
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        char *script = script_of(roots[i]);
        for (const char *at = script; (at = strstr(at, taken)); at++) {
            char made[80];
            const int length = (int)strcspn(at + sizeof taken - 1, ";\n");
            if (length > 60 || strncmp(at + sizeof taken - 1 + length - 3, "_js", 3) != 0)
                continue;
            snprintf(made, sizeof made, "const %.*s = (", length, at + sizeof taken - 1);
            const char *definition = strstr(script, made);
            assert_non_null(definition);
            assert_true(definition < at);
            assert_null(strstr(definition + 1, made));
        }
        free(script);
    }
}

TEST(modules_take_and_return_names)
{
    char *script = script_of("worker.js");
    assert_non_null(strstr(script, "const wasi_js = (() => {\n"));
    assert_non_null(strstr(script, "\nclass System {\n"));
    assert_non_null(strstr(script, "\nreturn {System};\n})();\n"));
    assert_non_null(strstr(script, "\nconst engine_js = (() => {\n"));
    assert_non_null(strstr(script, "\nconst {System} = wasi_js;\n"));
    assert_non_null(strstr(script, "\nconst worker_js = (async () => {\n"));
    free(script);
}
