#include "base/assist.h"

#include "base/threads.h"
#include "test.h"

#include <stdbool.h>

enum { JOBS = 3000, PARTS = 17 };

struct shop {
    struct assist assist;
    int made[PARTS]; /* how often each part of the current job was done */
    long total;
    bool wrong;
};

static void make_part(void *job, int part)
{
    struct shop *shop = job;
    shop->made[part]++;
}

/* Run jobs of 0 to 16 parts, one after another. Each part must be done once before its job
 * returns. */
static void lead(struct shop *shop)
{
    for (int i = 0; i < JOBS; i++) {
        const int parts = i % PARTS;
        for (int k = 0; k < PARTS; k++)
            shop->made[k] = 0;
        assist_run(&shop->assist, make_part, shop, parts);
        for (int k = 0; k < PARTS; k++) {
            shop->wrong |= shop->made[k] != (k < parts);
            shop->total += shop->made[k];
        }
    }
    assist_end(&shop->assist);
}

static void work(struct worker *w, void *job)
{
    struct shop *shop = job;
    if (w->index == 0)
        lead(shop);
    else
        assist_stand_by(&shop->assist);
}

static void check_shop(int threads)
{
    static struct shop shop;
    struct team *team;
    shop = (struct shop){.total = 0};
    assist_init(&shop.assist);
    assert_int_equal(team_new(&team, threads, NULL), ATTEND_OK);
    team_run(team, work, &shop);
    team_free(team);
    assert_false(shop.wrong);
    long expected = 0;
    for (int i = 0; i < JOBS; i++)
        expected += i % PARTS;
    assert_int_equal(shop.total, expected);
}

TEST(assist_does_every_part_once_before_the_job_is_over)
{
    check_shop(1);
    check_shop(2);
    check_shop(4);
}
