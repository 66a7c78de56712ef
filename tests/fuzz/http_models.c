#include "http_models.h"

#include "fuzz.h"

#include "attend/train.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_file(const struct http_models *m, const char *name, const char *text)
{
    char path[96];
    snprintf(path, sizeof path, "%s/%s", m->folder, name);
    FILE *file = fopen(path, "w");
    FUZZ_CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void train(const struct http_models *m, const char *model, const char *table,
                  const char *source, const char *target)
{
    struct attend_error err = {.message = ""};
    struct attend_data_options data = attend_data_defaults();
    struct attend_network_options network = attend_network_defaults();
    struct attend_train_options options = attend_train_defaults();
    char path[96];
    snprintf(path, sizeof path, "%s/%s", m->folder, table);
    data.train = path;
    data.src_tokenizer = source;
    data.tgt_tokenizer = target;
    data.split = "none";
    data.normalize = "nfkc"; /* a character can become many tokens */
    network.emb = network.hidden = 4;
    options.model = model;
    options.max_updates = 2;
    options.threads = 1;
    if (attend_train(&data, &network, &options, NULL, &err))
        fprintf(stderr, "%s\n", err.message);
    FUZZ_CHECK(!*err.message);
}

void http_models_make(struct http_models *m)
{
    *m = (struct http_models){.folder = "/tmp/attend-fuzz-XXXXXX"};
    FUZZ_CHECK(mkdtemp(m->folder));
    snprintf(m->reads, sizeof m->reads, "%s/reads", m->folder);
    snprintf(m->writes, sizeof m->writes, "%s/writes", m->folder);
    write_file(m, "0.ink", ".PEN_DOWN\n0 0\n50 10\n.PEN_UP\n.PEN_DOWN\n0 -100\n.PEN_UP\n");
    write_file(m, "reads.tsv", "0.ink\ta b\n0.ink\ta c\n");
    write_file(m, "writes.tsv", "ab\t0.ink\nac\t0.ink\n");
    train(m, m->reads, "reads.tsv", "ink", "spaces");
    train(m, m->writes, "writes.tsv", "char", "ink");
}

void http_models_remove(const struct http_models *m)
{
    static const char *const names[] = {"0.ink",      "reads",  "reads.ckpt", "reads.tsv",
                                        "writes.tsv", "writes", "writes.ckpt"};
    char path[96];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", m->folder, names[i]);
        unlink(path);
    }
    FUZZ_CHECK(rmdir(m->folder) == 0);
}
