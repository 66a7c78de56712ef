/* Files for models of frames, and texts for models that write, through the routes. */
#include "attend/train.h"
#include "base/io.h"
#include "base/json.h"
#include "folder_fixture.h"
#include "routes_fixture.h"

#include <math.h>

enum { WIDTH = 3, FILES = 6, ROWS = 5, ARRAY = 128 + ROWS * WIDTH * (int)sizeof(float) };

/* ---- Two small models ---- */

/* A NumPy array with a header of 128 bytes. */
static size_t make_array(char *out, int rows, int width, float first)
{
    memset(out, ' ', 128);
    memcpy(out, "\x93NUMPY\x01\x00\x76\x00", 10);
    const int used =
        snprintf(out + 10, 100, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }",
                 rows, width);
    out[10 + used] = ' ';
    out[127] = '\n';
    for (int i = 0; i < rows * width; i++) {
        const float value = i ? (float)(i % 7) : first;
        memcpy(out + 128 + i * (int)sizeof value, &value, sizeof value);
    }
    return 128 + (size_t)(rows * width) * sizeof(float);
}

static void write_file(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

static void train(const char *model, const char *table, const char *source, const char *target)
{
    struct attend_error err = {.message = ""};
    struct attend_data_options data = attend_data_defaults();
    struct attend_network_options network = attend_network_defaults();
    struct attend_train_options options = attend_train_defaults();
    data.train = table;
    data.src_tokenizer = source;
    data.tgt_tokenizer = target;
    data.split = "none";
    network.emb = network.hidden = 8;
    network.encoder_layers = 2;
    network.pyramid = strcmp(source, "npy") == 0;
    options.model = model;
    options.max_updates = strcmp(target, "ink") == 0 ? 60 : 3; /* until it writes at all */
    options.threads = 1;
    if (attend_train(&data, &network, &options, NULL, &err))
        fail_msg("%s", err.message);
}

static void train_both(void)
{
    static const char ink[] = ".PEN_DOWN\n0 0\n50 10\n.PEN_UP\n.PEN_DOWN\n0 -100\n.PEN_UP\n";
    char array[ARRAY], name[32];
    FILE *heard = fopen("heard.tsv", "w"), *hand = fopen("hand.tsv", "w");
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "%d.npy", i);
        write_file(name, array, make_array(array, ROWS, WIDTH, (float)i));
        fprintf(heard, "%s\tword%d end\n", name, i % 2);
        fprintf(hand, "%d%d\t0.ink\n", i, i + 1);
    }
    fclose(heard);
    fclose(hand);
    write_file("0.ink", ink, sizeof ink - 1);
    train("heard.model", "heard.tsv", "npy", "spaces");
    train("hand.model", "hand.tsv", "char", "ink");
}

/* The models are trained once; each test gets copies in its own folder. */
static void provide_models(void)
{
    static struct strbuf heard, hand;
    char array[ARRAY];
    if (!heard.length) {
        train_both();
        assert_int_equal(io_read("heard.model", &heard, NULL), ATTEND_OK);
        assert_int_equal(io_read("hand.model", &hand, NULL), ATTEND_OK);
        return;
    }
    write_file("heard.model", heard.text, heard.length);
    write_file("hand.model", hand.text, hand.length);
    write_file("1.npy", array, make_array(array, ROWS, WIDTH, 1));
}

struct station {
    struct folder folder;
    struct fixture f;
};

/* The settings point into the station, so it must not move. */
static void station_begin(struct station *s, const char *name, const char *value)
{
    const char *const settings[][2] = {
        {"model", "heard.model"}, {"name", "heard"}, {"model", "hand.model"},
        {"name", "hand"},         {name, value},     {NULL, NULL}};
    s->folder = folder_enter();
    provide_models();
    open_with(&s->f, settings);
}

static void station_end(struct station *s)
{
    close_fixture(&s->f);
    folder_leave(&s->folder);
}

/* ---- Requests ---- */

/* POST a form with `fields` as name=value pairs, and a file unless `name` is NULL. */
static struct reply upload(struct station *s, const char *path, const char *const (*fields)[2],
                           const char *name, const void *bytes, size_t length)
{
    struct strbuf body = {0};
    for (; fields && (*fields)[0]; fields++)
        strbuf_addf(&body, "--b\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n",
                    (*fields)[0], (*fields)[1]);
    if (name) {
        strbuf_addf(&body,
                    "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\n\r\n",
                    name);
        strbuf_add(&body, bytes, length);
        strbuf_adds(&body, "\r\n");
    }
    strbuf_adds(&body, "--b--\r\n");
    const struct http_head head = {.method = "POST",
                                   .path = path,
                                   .query = "",
                                   .client = "1.2.3.4",
                                   .type = "multipart/form-data; boundary=b",
                                   .length = (long long)body.length};
    struct exchange *e = server_begin(s->f.server, &head);
    server_receive(e, body.text, body.length);
    while (server_proceed(e) == HTTP_WAIT) {
        server_submit(e);
        sem_wait(&resumed);
    }
    const struct http_answer *a = server_answer(e);
    const struct reply reply = {a->code, strndup(a->body, a->size)};
    server_end(e, true);
    strbuf_release(&body);
    assert_int_equal(atomic_load(&s->f.server->held), 0);
    return reply;
}

static void assert_reply(struct reply reply, int code, const char *part)
{
    if (!strstr(reply.body, part))
        fail_msg("'%s' is not in '%s'", part, reply.body);
    assert_int_equal(reply.code, code);
    free(reply.body);
}

static struct reply upload_array(struct station *s, const char *path,
                                 const char *const (*fields)[2])
{
    char array[ARRAY];
    return upload(s, path, fields, "a.npy", array, make_array(array, ROWS, WIDTH, 1));
}

/* The answer of a model to a file of its training set, asked directly. */
static struct attend_translation direct(struct station *s, struct attend_model **model)
{
    struct attend_error err = {.message = ""};
    struct attend_translator *t;
    struct attend_translation out;
    const char *const path = "1.npy";
    (void)s;
    assert_int_equal(attend_model_load(model, "heard.model", &err), ATTEND_OK);
    const struct attend_model *const only = *model;
    assert_int_equal(attend_translator_new(&t, &only, 1, NULL, &err), ATTEND_OK);
    attend_translator_files(t, NULL, NULL, &err);
    if (attend_translate(t, &path, 1, &out, &err))
        fail_msg("%s", err.message);
    attend_translator_free(t);
    return out;
}

/* ---- Uploads ---- */

TEST(an_upload_is_translated_as_its_file_is)
{
    static const char *const named[][2] = {{"model", "heard"}, {"alternatives", "2"}, {0}};
    struct station s;
    station_begin(&s, "timeout", "30");
    struct attend_model *model;
    struct attend_translation t = direct(&s, &model);
    char want[128];
    snprintf(want, sizeof want, "\"translatedText\":\"%s\"", t.text);
    assert_reply(upload_array(&s, "/translate", NULL), 200, want);
    assert_reply(upload_array(&s, "/translate", named), 200, "\"alternatives\":[");
    attend_translation_release(&t);
    attend_model_free(model);
    station_end(&s);
}

TEST(a_form_forces_the_attention_on_an_upload_with_json)
{
    static const char *const told[][2] = {{"attend", "[{\"step\":0,\"source\":1,\"weight\":1}]"},
                                          {0}};
    static const char *const broken[][2] = {{"attend", "[{"}, {0}};
    static const char *const other[][2] = {{"attend", "[[0,1,1]]"}, {0}};
    static const char *const outside[][2] = {{"attend", "[{\"step\":0,\"source\":3,\"weight\":1}]"},
                                             {0}};
    struct station s;
    station_begin(&s, "timeout", "30");
    assert_reply(upload_array(&s, "/attention", told), 200, "\"attention\":[[0,1,0]");
    assert_reply(upload_array(&s, "/attention", broken), 400, "attend parameter is not JSON");
    assert_reply(upload_array(&s, "/attention", other), 400, "must be a list of [step, source");
    assert_reply(upload_array(&s, "/attention", outside), 400, "Invalid request");
    station_end(&s);
}

TEST(the_attention_of_an_upload_has_a_position_for_each_column)
{
    static const char *const values[][2] = {{"values", "true"}, {0}};
    static const char *const forced[][2] = {{"target", "word0 end"}, {0}};
    struct station s;
    station_begin(&s, "timeout", "30");
    struct attend_model *model;
    struct attend_translation t = direct(&s, &model);
    struct attend_error err;
    struct json *answer;
    float weight[3];
    struct reply reply = upload_array(&s, "/attention", NULL);
    assert_int_equal(json_parse_any(&answer, reply.body, strlen(reply.body), "answer", &err),
                     ATTEND_OK);
    const struct json *row = json_at(json_member(answer, "attention"), 0);
    assert_int_equal(json_length(row), 3); /* five frames, two to a column */
    for (int j = 0; j < 3; j++)
        weight[j] = (float)json_number(json_at(row, j));
    for (int j = 0; j < 3; j++)
        assert_near((double)weight[j], (double)t.attention[j], 1e-5);
    json_free(answer);
    assert_reply(reply, 200,
                 "\"frames\":{\"reader\":\"npy\",\"kind\":\"array\",\"rows\":5,\"each\":2,"
                 "\"positions\":[0,2,4]}");
    assert_reply(upload_array(&s, "/attention", values), 200,
                 "\"height\":5,\"width\":3,\"values\":\"");
    assert_reply(upload_array(&s, "/attention", forced), 200, "\"text\":\"word0 end\"");
    attend_translation_release(&t);
    attend_model_free(model);
    station_end(&s);
}

TEST(an_upload_is_explained_and_drawn)
{
    static const char *const matrix[][2] = {
        {"matrix", "{\"target\":[\"<b>\"],\"attention\":[[0.5,0.25,0.25]]}"}, {"dark", "1"}, {0}};
    static const char *const narrow[][2] = {
        {"matrix", "{\"target\":[\"a\"],\"attention\":[[0.5,0.5]]}"}, {0}};
    static const char *const broken[][2] = {{"matrix", "{\"target\""}, {0}};
    struct station s;
    station_begin(&s, "timeout", "30");
    assert_reply(upload_array(&s, "/explain", NULL), 200, "\"leave_one_out\":[[");
    assert_reply(upload_array(&s, "/picture", NULL), 200, "<svg");
    assert_reply(upload_array(&s, "/picture", matrix), 200, "&lt;b&gt;");
    assert_reply(upload_array(&s, "/picture", narrow), 400, "a row of 3 weights");
    assert_reply(upload_array(&s, "/picture", broken), 400, "matrix parameter is not JSON");
    station_end(&s);
}

TEST(paths_of_clients_are_never_opened)
{
    static const char *const paths[] = {"/etc/passwd", "0.npy", "../0.npy", "heard.tsv"};
    static const char *const routes[] = {"/translate", "/attention", "/explain"};
    struct station s;
    station_begin(&s, "timeout", "30");
    for (size_t r = 0; r < 3; r++)
        for (size_t i = 0; i < 4; i++) {
            char body[128];
            snprintf(body, sizeof body, "{\"q\":\"%s\",\"model\":\"heard\"}", paths[i]);
            expect(&s.f, routes[r], body, 400,
                   ERROR("Invalid request: heard reads files (npy), not text; send one as file in "
                         "a multipart form"));
        }
    expect(&s.f, "/translator/translate", "[{\"src\":\"0.npy\",\"id\":\"heard\"}]", 400,
           ERROR("Invalid request: heard reads files (npy), not text; send one as file in a "
                 "multipart form"));
    /* A list of files is a file of another kind, whatever its name. */
    assert_reply(upload(&s, "/translate", NULL, "../0.npy", "0.npy\n1.npy\n", 12), 400,
                 "0.npy: is not a NumPy array");
    station_end(&s);
}

TEST(bad_uploads_are_one_line_with_the_name)
{
    static const char *const unknown[][2] = {{"model", "nobody"}, {0}};
    static const char *const text[][2] = {{"model", "plain"}, {0}};
    static const char *const both[][2] = {{"q", "a"}, {0}};
    struct station s;
    station_begin(&s, "max-frames", "4");
    char array[256];
    size_t length = make_array(array, 2, WIDTH, NAN);
    assert_reply(upload(&s, "/translate", NULL, "C:\\\\x\\\\n.npy", array, length), 400,
                 "{\"error\":\"Invalid request: n.npy: NaN in row 1, column 1\"}");
    length = make_array(array, 2, WIDTH + 1, 1);
    assert_reply(upload(&s, "/attention", NULL, "w.npy", array, length), 400,
                 "w.npy: its rows have 4 numbers, those of the training data have 3");
    assert_reply(upload_array(&s, "/explain", NULL), 400,
                 "a.npy: has 5 frames; at most 4 are read");
    length = make_array(array, 4, WIDTH, 1);
    assert_reply(upload(&s, "/translate", NULL, "a.npy", array, length), 200, "translatedText");
    for (size_t cut = 1; cut < length; cut += 7)
        assert_reply(upload(&s, "/picture", NULL, "a.npy", array, cut), 400, "\"Invalid request: ");
    assert_reply(upload(&s, "/translate", NULL, "", array, length), 200, "translatedText");
    assert_reply(upload(&s, "/translate", NULL, "", "x", 1), 400, "the file: is not a NumPy");
    assert_reply(upload(&s, "/translate", NULL, "a.npy", "", 0), 400, "the file is empty");
    assert_reply(upload(&s, "/translate", unknown, "a.npy", array, length), 400,
                 "nobody is not supported");
    assert_reply(upload(&s, "/translate", text, "a.npy", array, length), 400,
                 "plain reads text, not files");
    assert_reply(upload(&s, "/translate", both, "a.npy", array, length), 400,
                 "give either q or file");
    station_end(&s);
}

TEST(a_server_without_models_of_frames_takes_no_uploads)
{
    struct station s = {.folder = folder_enter()};
    open_usual(&s.f);
    assert_reply(upload(&s, "/translate", NULL, "a.npy", "x", 1), 400,
                 "no model of this server reads files; send a text as q");
    assert_reply(ask(&s.f, "POST", "/write", json, "{\"q\":\"a\"}"), 400,
                 "no model of this server writes by hand");
    station_end(&s);
}

TEST(an_upload_that_nobody_waits_for_is_not_read)
{
    struct station s;
    station_begin(&s, "timeout", "0.1");
    struct http_head head = {.method = "POST",
                             .path = "/translate",
                             .query = "",
                             .client = "1.2.3.4",
                             .type = "multipart/form-data; boundary=b"};
    static const char body[] = "--b\r\nContent-Disposition: form-data; name=\"file\"; "
                               "filename=\"a\"\r\n\r\nx\r\n--b--\r\n";
    struct exchange *e = server_begin(s.f.server, &head);
    server_receive(e, body, sizeof body - 1);
    e->deadline = e->started - 1;
    while (server_proceed(e) == HTTP_WAIT) {
        server_submit(e);
        sem_wait(&resumed);
    }
    assert_int_equal(server_answer(e)->code, 504);
    server_end(e, true);
    station_end(&s);
}

TEST(uploads_give_way_when_memory_is_used_up)
{
    struct station s;
    station_begin(&s, "timeout", "30");
    const size_t most = 64 * s.f.server->limits.body + 1;
    assert_true(server_hold(s.f.server, most));
    assert_false(server_hold(s.f.server, 1));
    server_let_go(s.f.server, most);
    assert_reply(upload_array(&s, "/translate", NULL), 200, "translatedText");
    station_end(&s);
}

/* ---- What is said of the models ---- */

TEST(models_say_what_they_read_and_write)
{
    struct station s;
    station_begin(&s, "timeout", "30");
    struct reply reply = ask(&s.f, "GET", "/models", NULL, "");
    assert_non_null(strstr(reply.body, "\"name\":\"heard\",\"source\":null,\"target\":null,"
                                       "\"reads\":\"npy\",\"writes\":\"text\""));
    assert_non_null(strstr(reply.body, "\"name\":\"hand\",\"source\":null,\"target\":null,"
                                       "\"reads\":\"text\",\"writes\":\"ink\""));
    assert_non_null(strstr(reply.body, "\"name\":\"plain\",\"source\":null,\"target\":null,"
                                       "\"reads\":\"text\",\"writes\":\"text\""));
    free(reply.body);
    expect_part(&s.f, "/vocabulary", "{\"model\":\"heard\"}", 200,
                "\"examples\":[],\"target\":{\"size\":3");
    expect_part(&s.f, "/vocabulary", "{\"model\":\"hand\"}", 200, "\"source\":{\"size\":7");
    station_end(&s);
}

/* ---- Writing ---- */

TEST(a_text_is_written_as_strokes_a_picture_or_ink)
{
    struct station s;
    station_begin(&s, "max-length", "0.2");
    struct reply one = ask(&s.f, "POST", "/write", json, "{\"q\":\"01\",\"seed\":7}");
    struct reply same = ask(&s.f, "POST", "/write", json, "{\"q\":\"01\",\"seed\":7}");
    struct reply other = ask(&s.f, "POST", "/write", json, "{\"q\":\"01\",\"seed\":8}");
    const char *strokes = strstr(one.body, "\"strokes\":[[");
    if (!strokes)
        fail_msg("%s", one.body);
    const char *end = strstr(strokes, "]]");
    assert_non_null(strstr(one.body, "\"source\":[\"0\",\"1\",\"</s>\"]"));
    assert_non_null(strstr(one.body, "\"attention\":[["));
    assert_memory_equal(strokes, strstr(same.body, "\"strokes\""), (size_t)(end - strokes));
    assert_int_not_equal(
        strncmp(strokes, strstr(other.body, "\"strokes\""), (size_t)(end - strokes)), 0);
    free(one.body);
    free(same.body);
    free(other.body);
    expect_part(&s.f, "/write", "{\"q\":\"01\",\"format\":\"svg\",\"bias\":1.5}", 200, "<polyline");
    expect_part(&s.f, "/write", "{\"q\":\"<b>\",\"format\":\"inkml\",\"model\":\"hand\"}", 200,
                "<annotation type=\"truth\">&lt;b&gt;</annotation>");
    station_end(&s);
}

TEST(writing_is_bounded_and_refuses_what_it_cannot_do)
{
    static const struct {
        const char *body, *error;
    } cases[] = {
        {"{}", "missing q parameter"},
        {"{\"q\":[\"a\"]}", "q parameter is not a text"},
        {"{\"q\":\"a\\nb\"}", "a text contains a line end"},
        {"{\"q\":\"a\",\"bias\":11}", "bias parameter must be a number from 0 to 10"},
        {"{\"q\":\"a\",\"bias\":\"x\"}", "bias parameter must be a number from 0 to 10"},
        {"{\"q\":\"a\",\"seed\":-1}", "seed parameter must be a whole number from 0"},
        {"{\"q\":\"a\",\"format\":\"png\"}", "png format is not supported"},
        {"{\"q\":\"a\",\"model\":\"plain\"}", "plain does not write by hand"},
        {"{\"q\":\"a\",\"model\":\"nobody\"}", "nobody is not supported"},
    };
    struct station s;
    station_begin(&s, "timeout", "30");
    char body[400] = "{\"q\":\"";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_part(&s.f, "/write", cases[i].body, 400, cases[i].error);
    memset(body + 6, '1', 118);
    memcpy(body + 6 + 118, "\"}", 3);
    expect_part(&s.f, "/write", body, 400, "a text of 118 characters is too long to be written");
    expect(&s.f, "/translate", "{\"q\":\"a\",\"model\":\"hand\"}", 400,
           ERROR("Invalid request: hand writes by hand; ask /write"));
    expect(&s.f, "/attention", "{\"q\":\"a\",\"model\":\"hand\"}", 400,
           ERROR("Invalid request: hand writes by hand; ask /write"));
    station_end(&s);
}
