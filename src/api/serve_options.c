/* The settings of `serve` that no other command has. */
#include "api/option_rows.h"
#include "api/options.h"

const struct option_row serve_model_rows[] = {
    {.name = "model",
     .kind = OPTION_LIST,
     .offset = offsetof(struct serve_options, models),
     .value = "FILE",
     .help = "a trained model; again for more",
     .local = true},
    LIST(serve_options, names, "name", "NAME",
         "what clients call a model, in the order of --model; without it, its file's name"),
    {0},
};

const struct option_row serve_rows[] = {
    {.name = "host",
     .kind = OPTION_TEXT,
     .offset = offsetof(struct serve_options, host),
     .fallback = "127.0.0.1",
     .value = "ADDRESS",
     .help = "where to listen; 0.0.0.0: to everybody",
     .local = true},
    INT(serve_options, port, "port", "5000", 0, 65535, "its port; 0: any that is free"),
    TEXT(serve_options, api_keys, "api-keys", "FILE",
         "only clients with one of these keys are served: a key on each line, behind it perhaps "
         "its own --rate"),
    INT(serve_options, rate, "rate", "0", 0, 1000000,
        "requests a minute of one client or key; 0: any number"),
    FLAG(serve_options, behind_proxy, "behind-proxy",
         "clients are those whom a proxy in front names in X-Forwarded-For"),
    LIST(serve_options, allow_origins, "allow-origin", "ORIGIN",
         "pages of this origin, as https://example.org, may use the server from a browser, too; "
         "again for more; *: all pages"),
    LIST(serve_options, allow_hosts, "allow-host", "NAME",
         "the server also goes by this name; requests for others are refused when it listens to "
         "this computer only, or when any name is given; again for more"),
    OUTPUT(serve_options, access_log, "access-log",
           "write a line of JSON for each request here, not to standard error"),
    {.name = "api-title",
     .kind = OPTION_TEXT,
     .offset = offsetof(struct serve_options, api_title),
     .fallback = "attend",
     .value = "TEXT",
     .help = "the title in /spec, by which some clients know whom they talk to",
     .local = true},
    {0},
};

const struct option_row serve_limit_rows[] = {
    INT(serve_options, max_body, "max-body", "1048576", 1024, 1 << 30, "bytes of a request's body"),
    INT(serve_options, max_characters, "max-characters", "5000", 1, 100000000,
        "characters of all texts of a request"),
    INT(serve_options, max_line, "max-line", "1000", 1, 1000000, "characters of one line of them"),
    INT(serve_options, max_lines, "max-lines", "500", 1, 1000000, "lines of a request"),
    INT(serve_options, max_alternatives, "max-alternatives", "10", 0, 100,
        "alternatives that a request may ask for"),
    INT(serve_options, max_explain, "max-explain", "300", 1, 100000,
        "characters of a text to explain; its cost is limited to that of N/4 tokens on each side"),
    {.name = "timeout",
     .kind = OPTION_REAL,
     .offset = offsetof(struct serve_options, timeout),
     .fallback = "30",
     .min = 0.1,
     .max = 3600,
     .value = "SECONDS",
     .help = "from a request's first byte to its translation, and again for the answer's last"},
    INT(serve_options, queue, "queue", "4096", 1, 10000000,
        "lines that wait; when there are more, clients are told to come back"),
    INT(serve_options, connections, "connections", "2000", 1, 1000000,
        "open at one time; others wait"),
    {0},
};
