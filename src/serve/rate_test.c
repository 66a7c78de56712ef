#include "test.h"

#include "serve/rate.h"

#include <stdio.h>
#include <stdlib.h>

static struct rate *make(void)
{
    struct rate *r = malloc(sizeof *r);
    assert_non_null(r);
    rate_init(r, 1);
    return r;
}

static void drop(struct rate *r)
{
    rate_release(r);
    free(r);
}

TEST(rate_a_minutes_requests_are_allowed_at_once)
{
    struct rate *r = make();
    for (int i = 0; i < 6; i++)
        assert_near(rate_take(r, "a", 6, 100), 0, 0);
    assert_near(rate_take(r, "a", 6, 100), 10, 1e-9);
    assert_near(rate_take(r, "a", 6, 104), 6, 1e-9);
    assert_near(rate_take(r, "a", 6, 110.1), 0, 0);
    assert_true(rate_take(r, "a", 6, 110.1) > 9);
    drop(r);
}

TEST(rate_clients_do_not_share)
{
    struct rate *r = make();
    assert_near(rate_take(r, "a", 1, 5), 0, 0);
    assert_near(rate_take(r, "b", 1, 5), 0, 0);
    assert_true(rate_take(r, "a", 1, 5) > 0);
    drop(r);
}

TEST(rate_a_pause_gives_no_more_than_a_minute)
{
    struct rate *r = make();
    int allowed = 0;
    assert_near(rate_take(r, "a", 3, 0), 0, 0);
    for (int i = 0; i < 10; i++)
        allowed += rate_take(r, "a", 3, 1e6) <= 0;
    assert_int_equal(allowed, 3);
    drop(r);
}

TEST(rate_many_clients_need_no_more_memory)
{
    struct rate *r = make();
    char name[32];
    for (int i = 0; i < 100000; i++) {
        snprintf(name, sizeof name, "10.%d.%d.%d", i >> 16, i >> 8 & 255, i & 255);
        assert_near(rate_take(r, name, 1, i * 1e-3), 0, 0);
    }
    assert_true(rate_take(r, name, 1, 100) > 0);
    drop(r);
}

TEST(rate_waiting_takes_nothing)
{
    struct rate *r = make();
    for (int i = 0; i < 5; i++)
        assert_near(rate_wait(r, "a", 1, 5), 0, 0);
    assert_near(rate_take(r, "a", 1, 5), 0, 0);
    for (int i = 0; i < 5; i++)
        assert_near(rate_wait(r, "a", 1, 5), 60, 1e-9);
    assert_near(rate_wait(r, "b", 1, 5), 0, 0);
    assert_near(rate_wait(r, "a", 1, 66), 0, 0);
    drop(r);
}
