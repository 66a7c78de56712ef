/* Settings of the server. Those that are flexible may change when it reloads (serve/reload.c). */
#include "attend/serve.h"
#include "settings/tables.h"

#define TEXT(field, name, value, fall, help, ...)                                                  \
    ATTEND_ROW_TEXT(attend_serve_options, field, name, value, help, .fallback = fall,              \
                    ATTEND_LOCAL, __VA_ARGS__)
#define LIST(field, name, value, help, ...)                                                        \
    ATTEND_ROW_LIST(attend_serve_options, field, name, value, help, __VA_ARGS__)
#define INT(field, name, fallback, low, high, help, more)                                          \
    ATTEND_ROW_INT(attend_serve_options, field, name, "N", fallback, low, high, help, more)

const struct attend_setting serve_model_rows[] = {
    LIST(models, "model", "MODEL",
         "a model: a file, or the name of a ready model; repeat it for more", ATTEND_BASIC,
         ATTEND_FLEXIBLE),
    LIST(names, "name", "NAME",
         "what clients call a model, in the order of --model; without it, its file name",
         ATTEND_FLEXIBLE),
    {0},
};

const struct attend_setting serve_rows[] = {
    TEXT(host, "host", "ADDRESS", "127.0.0.1", "address to listen on; 0.0.0.0: all", ATTEND_PLAIN),
    INT(port, "port", "5000", 0, 65535, "port to listen on; 0: any free one", ATTEND_BASIC),
    TEXT(api_keys, "api-keys", "FILE", NULL,
         "serve only clients with one of these keys: one key per line, optionally followed by its "
         "own --rate",
         ATTEND_FLEXIBLE),
    INT(rate, "rate", "0", 0, 1000000, "requests per minute of one client or key; 0: any number",
        ATTEND_FLEXIBLE),
    ATTEND_ROW_FLAG(attend_serve_options, behind_proxy, "behind-proxy",
                    "take the client's address from X-Forwarded-For, as a proxy in front sets it",
                    ATTEND_PLAIN),
    LIST(allow_origins, "allow-origin", "ORIGIN",
         "pages of this origin, such as https://example.org, may use the server from a browser; "
         "repeat it for more; *: all pages",
         ATTEND_PLAIN),
    LIST(allow_hosts, "allow-host", "NAME",
         "a name that the server goes by; requests for other names are refused when it listens on "
         "this computer only, or when any name is given; repeat it for more",
         ATTEND_PLAIN),
    TEXT(api_title, "api-title", "TEXT", "attend",
         "the title in /spec, by which some clients recognize the server", ATTEND_PLAIN),
    ATTEND_ROW_FLAG(attend_serve_options, whole_lines, "whole-lines",
                    "do not split lines into sentences, unless a request asks for it",
                    ATTEND_PLAIN),
    LIST(glossaries, "glossary", "FILE",
         "required translations of terms, as `source<TAB>target` lines, for all models; or repeat "
         "it, in the order of --model",
         ATTEND_FLEXIBLE),
    TEXT(masks, "mask", "LIST", NULL, "keep these as they are: any of urls,emails,numbers",
         ATTEND_FLEXIBLE),
    {0},
};

const struct attend_setting serve_limit_rows[] = {
    INT(max_body, "max-body", "1048576", 1024, 1 << 30, "bytes of a request's body", ATTEND_PLAIN),
    INT(max_characters, "max-characters", "5000", 1, 100000000,
        "characters of all texts of a request", ATTEND_PLAIN),
    INT(max_line, "max-line", "1000", 1, 1000000,
        "characters of one line, and tokens of which it may consist", ATTEND_PLAIN),
    INT(max_lines, "max-lines", "500", 1, 1000000, "lines of a request", ATTEND_PLAIN),
    INT(max_alternatives, "max-alternatives", "10", 0, 100,
        "alternatives that a request may ask for", ATTEND_PLAIN),
    INT(max_explain, "max-explain", "300", 1, 100000,
        "characters of a text to explain; its cost is limited to that of N/4 tokens on each side",
        ATTEND_PLAIN),
    INT(max_frames, "max-frames", "4000", 1, 1000000,
        "frames of a file, for models that read sound, images, ink or arrays", ATTEND_PLAIN),
    ATTEND_ROW_REAL(attend_serve_options, timeout, "timeout", "SECONDS", "30", 0.1, 3600,
                    "from the first byte of a request to its translation, and again to the last "
                    "byte of the answer",
                    ATTEND_PLAIN),
    INT(queue, "queue", "4096", 1, 10000000,
        "lines that may wait; beyond that, clients are told to come back later", ATTEND_PLAIN),
    ATTEND_ROW_BYTES(attend_serve_options, memory_limit, "memory-limit", "0",
                     "memory of all loaded models, such as 500M: models are loaded on first use, "
                     "and idle ones are unloaded to make room; 0: all models are always loaded",
                     ATTEND_PLAIN),
    INT(connections, "connections", "2000", 1, 1000000, "open connections; others wait",
        ATTEND_PLAIN),
    {0},
};
