#include "serve/peers.h"

#include "test.h"

#include <math.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The two ends of a connection; ours has a peer. */
struct fixture {
    struct peers all;
    struct peer *peer;
    int ours, theirs;
};

static struct exchange *left; /* the last exchange that was abandoned */
static void leave(struct exchange *e) { left = e; }

static void setup(struct fixture *f, double deadline)
{
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    left = NULL;
    f->ours = ends[0];
    f->theirs = ends[1];
    peers_init(&f->all, leave);
    f->peer = peers_add(&f->all, f->ours, deadline);
    assert_non_null(f->peer);
    assert_int_equal(peers_count(&f->all), 1);
}

static void teardown(struct fixture *f)
{
    peers_remove(f->peer);
    assert_int_equal(peers_count(&f->all), 0);
    peers_release(&f->all);
    close(f->ours);
    if (f->theirs >= 0)
        close(f->theirs);
}

static const char *received(const struct fixture *f)
{
    static char text[256];
    const ssize_t length = recv(f->theirs, text, sizeof text - 1, MSG_DONTWAIT);
    text[length > 0 ? length : 0] = '\0';
    return length < 0 ? "nothing" : text;
}

TEST(peers_cut_off_what_is_past_its_deadline_and_nothing_else)
{
    struct fixture f;
    setup(&f, peers_now() + 1000);
    peers_watch(&f.all);
    assert_string_equal(received(&f), "nothing");
    peer_hasten(f.peer, peers_now() - 1);
    peer_hasten(f.peer, peers_now() + 1000); /* a later deadline changes nothing */
    peers_watch(&f.all);
    assert_true(strncmp(received(&f), "HTTP/1.1 408 ", 13) == 0);
    assert_string_equal(received(&f), ""); /* end of stream */
    peers_watch(&f.all);
    assert_string_equal(received(&f), ""); /* only one probe was sent */
    teardown(&f);
}

TEST(peers_write_nothing_into_an_answer)
{
    struct fixture f;
    setup(&f, peers_now() + 1000);
    peer_set_deadline(f.peer, peers_now() - 1, true);
    peers_watch(&f.all);
    assert_string_equal(received(&f), "");
    teardown(&f);
}

TEST(peers_find_a_client_that_left_while_it_waited)
{
    struct fixture f;
    struct exchange *const waiting = (struct exchange *)&f;
    setup(&f, peers_now() + 1000);
    peer_set_waiting(f.peer, waiting);
    peers_watch(&f.all);
    assert_null(left);
    close(f.theirs);
    f.theirs = -1;
    peers_watch(&f.all);
    assert_ptr_equal(left, waiting);
    left = NULL;
    peers_watch(&f.all); /* reported only once */
    assert_null(left);
    teardown(&f);
}

TEST(peers_keep_a_client_that_closed_only_its_sending_side)
{
    struct fixture f;
    setup(&f, peers_now() + 1000);
    peer_set_waiting(f.peer, (struct exchange *)&f);
    f.peer->interim = true;
    shutdown(f.theirs, SHUT_WR);
    peers_watch(&f.all);
    f.peer->probe = peers_now() - 1; /* half a second later */
    peers_watch(&f.all);
    assert_null(left);
    assert_string_equal(received(&f), "HTTP/1.1 102 Processing\r\n\r\n");
    teardown(&f);
}
