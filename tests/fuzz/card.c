/* The card of a model, a Markdown file beside it.
 *
 * Aimed at: src/shelf/card.c src/report/shelf_text.c */
#include "fuzz.h"

#include "shelf/card.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file is made once, in memory, and has other bytes each time. Processes have their own. */
static char model[64];

static int open_card(void)
{
    char card[64];
    snprintf(model, sizeof model, "/dev/shm/attend-fuzz-%ld" CARD_MODEL, (long)getpid());
    snprintf(card, sizeof card, "/dev/shm/attend-fuzz-%ld" CARD_ENDING, (long)getpid());
    const int file = open(card, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FUZZ_CHECK(file > 0);
    return file;
}

static void remove_card(void)
{
    memcpy(strstr(model, CARD_MODEL), CARD_ENDING, sizeof CARD_ENDING);
    unlink(model);
}

static void check_card(const struct attend_card *card)
{
    fuzz_check_text(card->text, true);
    fuzz_check_text(card->summary, false);
    for (int i = 0; i < card->facts; i++) {
        fuzz_check_text(card->fact[i].name, false);
        fuzz_check_text(card->fact[i].text, false);
        FUZZ_CHECK(*card->fact[i].name && *attend_card_fact(card, "") == '\0');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int file;
    struct card card;
    struct attend_error err = {.message = ""};
    if (!file) {
        file = open_card();
        atexit(remove_card);
    }
    FUZZ_CHECK(ftruncate(file, (off_t)size) == 0);
    FUZZ_CHECK(size == 0 || pwrite(file, data, size, 0) == (ssize_t)size);
    const enum attend_status status = card_read(&card, model, &err);
    fuzz_check_error(status, &err);
    if (status)
        return 0;
    check_card(&card.view);
    char *json = attend_card_json(&card.view);
    FUZZ_CHECK(json);
    fuzz_check_json(json, strlen(json));
    attend_text_free(json);
    card_release(&card);
    return 0;
}
