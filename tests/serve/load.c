/* Many concurrent clients that check every answer: load PORT CASES REQUESTS CONNECTIONS SECONDS
 *
 * CASES is a file of requests and answers (load_cases.h). Each connection has one request in
 * flight. Of every 20 connections, 10 are kept alive and 7 are opened for each request. The other
 * three are a slow writer, a slow reader (a new connection with a small window each time) and one
 * that leaves within its request or before its answer.
 *
 * Standard output: `tenth K` whenever another tenth of REQUESTS is answered and nothing is in
 * flight; the next starts when a line, or the end, arrives on standard input. At the end there is
 * `route NAME COUNT P50 P99` (in milliseconds, over connections that are not slow) for each route
 * and for `all`, then `requests N wrong W retried R left L seconds S`. The first wrong answer goes
 * to standard error. The exit code is then 1, and also if not all requests are answered within
 * SECONDS.
 *
 * SIGUSR1 announces a restart of the server, SIGUSR2 that the new one is up. A connection that is
 * refused or closed before its answer starts is an error, unless it was opened before or within a
 * restart: then the request is sent again. */
#include "load_cases.h"
#include "load_times.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    EVENTS = 256,
    PAUSE_MS = 100,
    DRIP_MS = 2,
    DRIPS = 40,
    SIP = 512,
    SIPS = 24,
    LEAVE_MS = 200,
    ROOM = 4096
};
static const double patience = 300; /* seconds that an answer may take, at most */

enum kind { KEEP, CLOSE, SLOW_WRITER, SLOW_READER, LEAVER };
enum state { RESTING, SENDING, READING, OVER };

struct link {
    int fd; /* -1: not connected */
    enum kind kind;
    enum state state;
    int generation; /* when it was opened */
    const struct load_case *ask;
    const char *request;
    size_t sent, size; /* of the request */
    size_t leave_at;   /* of a leaver: bytes of the request that it sends */
    char *answer;      /* received so far; ends with NUL */
    size_t got, room;
    int slow_steps;
    bool again;        /* the request is a retry */
    double begun, due; /* due: when to continue without an event */
};

struct load {
    struct load_cases cases;
    int port, epoll;
    struct link *link; /* (links) */
    int links;
    long wanted, done, begun, wrong, retried, left;
    int tenth; /* current tenth, from 1; the next starts when it is done */
    uint64_t random;
    struct load_times times;
    double now;
};

static volatile sig_atomic_t generation; /* odd while the server is restarted */

static void on_signal(int number)
{
    generation = number == SIGUSR1 ? generation | 1 : (generation | 1) + 1;
}

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* xorshift64* */
static uint64_t sample(struct load *l)
{
    l->random ^= l->random >> 12;
    l->random ^= l->random << 25;
    l->random ^= l->random >> 27;
    return l->random * 0x2545f4914f6cdd1dU;
}

/* ---- Connections ---- */

static void hang_up(struct link *k)
{
    if (k->fd >= 0)
        close(k->fd);
    k->fd = -1;
}

/* Connections on loopback succeed at once, so connect may block. */
static bool dial(struct load *l, struct link *k)
{
    const int on = 1, small = 2048;
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((unsigned short)l->port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = k};
    k->generation = generation;
    k->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (k->fd < 0)
        return false;
    setsockopt(k->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (k->kind == SLOW_READER)
        setsockopt(k->fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    /* A slow reader reads by the clock, not when data arrives. */
    if (connect(k->fd, (const struct sockaddr *)&address, sizeof address) == 0 &&
        (k->kind == SLOW_READER || epoll_ctl(l->epoll, EPOLL_CTL_ADD, k->fd, &event) == 0))
        return true;
    hang_up(k);
    return false;
}

/* ---- Outcomes ---- */

static void rest(struct load *l, struct link *k, double seconds)
{
    k->state = RESTING;
    k->due = l->now + seconds;
}

/* Start the next request, unless there are enough. */
static void next(struct load *l, struct link *k)
{
    k->ask = NULL;
    rest(l, k, k->kind == LEAVER ? 1e-3 * LEAVE_MS : 0);
}

static void show(const char *what, const char *text)
{
    fprintf(stderr, "%s: %.4000s%s\n", what, text, strlen(text) > 4000 ? " ..." : "");
}

static long end_of_tenth(const struct load *l) { return l->wanted * l->tenth / 10; }

/* Count an answer. After each tenth, when nothing is in flight, the caller may inspect the server
 * before the next. */
static void count(struct load *l)
{
    if (++l->done < end_of_tenth(l))
        return;
    printf("tenth %d\n", l->tenth++);
    fflush(stdout);
    for (int c = 0; c != '\n' && c != EOF;)
        c = getchar();
}

static void blame(struct load *l, struct link *k, const char *why, const char *got)
{
    if (l->wrong++ == 0) {
        fprintf(stderr, "load: wrong: %s\n", why);
        show("request", k->request);
        show("got", got);
        fprintf(stderr, "wanted: %d ", k->ask->code);
        show("with", k->ask->answer);
    }
    hang_up(k);
    next(l, k);
    count(l);
}

/* The connection failed before its answer arrived. */
static void fail(struct load *l, struct link *k, const char *why)
{
    const bool excused = generation % 2 || k->generation != generation;
    if (k->kind == LEAVER) {
        hang_up(k);
        next(l, k);
    } else if (!excused || k->got > 0) {
        blame(l, k, why, k->answer);
    } else {
        hang_up(k);
        l->retried++;
        k->again = true;
        rest(l, k, 1e-3 * PAUSE_MS);
    }
}

static void record(struct load *l, const struct link *k)
{
    if ((k->kind == KEEP || k->kind == CLOSE) && !k->again)
        load_times_add(&l->times, k->ask->route, clock_now() - k->begun);
}

static bool is_right(const struct link *k, int code, const char *body, size_t length, char *why,
                     size_t room)
{
    const struct load_case *ask = k->ask;
    long place = -1;
    if (code != ask->code)
        snprintf(why, room, "code %d", code);
    else if (ask->head && length != ask->size)
        snprintf(why, room, "HEAD tells %zu bytes, GET has %zu", length, ask->size);
    else if (!ask->head && (place = load_difference(body, ask->answer)) >= 0)
        snprintf(why, room, "differs from byte %ld on: %.60s", place, body + place);
    else
        return true;
    return false;
}

/* A server that is stopping may say so instead of answering. */
static bool is_farewell(const struct link *k, int code)
{
    return code == 503 && (generation % 2 || k->generation != generation);
}

static void take_answer(struct load *l, struct link *k, const char *end, size_t length)
{
    char why[160];
    const char *close = strcasestr(k->answer, "\r\nConnection: close");
    const int code = (int)strtol(k->answer + 9, NULL, 10);
    if (is_farewell(k, code)) {
        k->got = 0;
        fail(l, k, "stopping");
        return;
    }
    if (!is_right(k, code, end + 4, length, why, sizeof why)) {
        blame(l, k, why, k->answer);
        return;
    }
    record(l, k);
    if ((close && close < end) || k->kind == SLOW_READER || k->sent < k->size)
        hang_up(k);
    next(l, k);
    count(l);
}

/* Check whether the answer is complete: header, blank line, body. */
static void look_at_answer(struct load *l, struct link *k)
{
    const char *end = strstr(k->answer, "\r\n\r\n");
    if (!end)
        return;
    const char *field = strcasestr(k->answer, "\r\nContent-Length: ");
    const size_t length = field && field < end ? strtoul(field + 18, NULL, 10) : 0;
    const size_t whole = (size_t)(end + 4 - k->answer) + (k->ask->head ? 0 : length);
    if (strncmp(k->answer, "HTTP/1.1 ", 9) != 0 || k->got > whole)
        blame(l, k, k->got > whole ? "more than one answer" : "not HTTP", k->answer);
    else if (k->got == whole)
        take_answer(l, k, end, length);
}

/* ---- Steps ---- */

static void read_some(struct load *l, struct link *k)
{
    const bool sips = k->kind == SLOW_READER && k->slow_steps < SIPS;
    if (k->room - k->got < ROOM) {
        k->room = 2 * k->room + ROOM;
        k->answer = realloc(k->answer, k->room);
        if (!k->answer)
            exit(2);
    }
    const ssize_t got =
        recv(k->fd, k->answer + k->got, sips ? SIP : k->room - k->got - 1, MSG_DONTWAIT);
    if (k->kind == SLOW_READER)
        k->due = l->now + 1e-3 * DRIP_MS;
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        fail(l, k, got == 0 ? "closed before the answer was whole" : strerror(errno));
        return;
    }
    k->slow_steps += k->kind == SLOW_READER;
    k->got += (size_t)got;
    k->answer[k->got] = '\0';
    look_at_answer(l, k);
}

/* Some leave with a reset. */
static void leave(struct load *l, struct link *k)
{
    const struct linger at_once = {.l_onoff = 1};
    if (sample(l) % 2)
        setsockopt(k->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    hang_up(k);
    l->left++;
    next(l, k);
}

static void send_some(struct load *l, struct link *k)
{
    const bool drips = k->kind == SLOW_WRITER && k->slow_steps < DRIPS;
    const size_t until = k->kind == LEAVER ? k->leave_at : k->size;
    const ssize_t sent =
        send(k->fd, k->request + k->sent, drips ? 1 : until - k->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    k->due = l->now + 1e-3 * DRIP_MS;
    if (sent < 0 && errno != EAGAIN && errno != EINTR) {
        fail(l, k, strerror(errno));
        return;
    }
    k->slow_steps += k->kind == SLOW_WRITER;
    k->sent += sent > 0 ? (size_t)sent : 0;
    if (k->sent == until && k->kind == LEAVER) {
        leave(l, k);
    } else if (k->sent == until) {
        k->state = READING;
        k->due = k->kind == SLOW_READER ? k->due : k->begun + patience;
        k->slow_steps = 0;
    }
}

/* A slow reader needs a large answer. */
static const struct load_case *choose(struct load *l, enum kind kind)
{
    const struct load_case *best = load_cases_sample(&l->cases, sample(l));
    for (int i = 0; i < 7 && kind == SLOW_READER; i++) {
        const struct load_case *other = load_cases_sample(&l->cases, sample(l));
        best = other->size > best->size ? other : best;
    }
    return best;
}

static bool take_case(struct load *l, struct link *k)
{
    const bool counts = k->kind != LEAVER;
    if (counts ? l->begun == l->wanted : l->done >= l->wanted) {
        hang_up(k);
        k->state = OVER;
        return false;
    }
    if (l->begun == end_of_tenth(l)) {
        rest(l, k, 1e-3 * DRIP_MS);
        return false;
    }
    l->begun += counts;
    k->ask = choose(l, k->kind);
    k->request = k->kind == CLOSE ? k->ask->close : k->ask->keep;
    k->size = strlen(k->request);
    k->leave_at = sample(l) % 2 ? k->size : 1 + sample(l) % k->size;
    k->again = false;
    return true;
}

static void start(struct load *l, struct link *k)
{
    if (!k->ask && !take_case(l, k))
        return;
    k->state = SENDING;
    k->sent = k->got = 0;
    k->slow_steps = 0;
    *k->answer = '\0';
    k->begun = clock_now();
    if (k->fd < 0 && !dial(l, k))
        fail(l, k, strerror(errno));
    else
        send_some(l, k);
}

static void step(struct load *l, struct link *k)
{
    if (k->state == RESTING)
        start(l, k);
    else if (k->state == SENDING)
        send_some(l, k);
    else if (k->kind == SLOW_READER && l->now < k->begun + patience)
        read_some(l, k);
    else
        blame(l, k, "no answer in time", k->answer);
}

/* Bytes without a request mean that the server closes the connection. */
static void on_event(struct load *l, struct link *k)
{
    if (k->state == SENDING || k->state == READING)
        read_some(l, k);
    else
        hang_up(k);
    if (k->state == RESTING && k->due <= l->now)
        start(l, k);
}

/* ---- The loop ---- */

static void open_links(struct load *l)
{
    static const enum kind kinds[20] = {
        KEEP, CLOSE, KEEP, SLOW_WRITER, KEEP, CLOSE, KEEP, CLOSE, KEEP, SLOW_READER,
        KEEP, CLOSE, KEEP, LEAVER,      KEEP, CLOSE, KEEP, CLOSE, KEEP, CLOSE};
    l->link = calloc((size_t)l->links, sizeof *l->link);
    for (int i = 0; l->link && i < l->links; i++) {
        l->link[i] =
            (struct link){.fd = -1, .kind = kinds[i % 20], .room = ROOM, .answer = malloc(ROOM)};
        if (!l->link[i].answer)
            exit(2);
    }
    if (!l->link)
        exit(2);
}

/* Handle what is due. Returns the number of open connections. */
static int sweep(struct load *l)
{
    int open = 0;
    for (int i = 0; i < l->links; i++) {
        struct link *k = &l->link[i];
        if (k->state != OVER && k->due <= l->now)
            step(l, k);
        open += k->state != OVER;
    }
    return open;
}

static void run(struct load *l, double until)
{
    struct epoll_event event[EVENTS];
    double swept = 0;
    l->now = clock_now();
    for (int open = 1; open > 0 && l->now < until; l->now = clock_now()) {
        if (l->now >= swept + 1e-3) {
            open = sweep(l);
            swept = l->now;
        }
        const int count = epoll_wait(l->epoll, event, EVENTS, 1);
        for (int i = 0; i < count; i++)
            on_event(l, event[i].data.ptr);
    }
}

int main(int argc, char **argv)
{
    struct load l = {
        .random = 88172645463325252U, .tenth = 1, .epoll = epoll_create1(EPOLL_CLOEXEC)};
    const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    if (argc != 6)
        return 2;
    l.port = (int)strtol(argv[1], NULL, 10);
    l.wanted = strtol(argv[3], NULL, 10);
    l.links = (int)strtol(argv[4], NULL, 10);
    const struct rlimit files = {(rlim_t)l.links + 64, (rlim_t)l.links + 64};
    if (l.epoll < 0 || l.wanted < 10 || l.links < 1)
        return 2;
    setrlimit(RLIMIT_NOFILE, &files);
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR2, &action, NULL);
    load_cases_read(&l.cases, argv[2], l.port);
    open_links(&l);
    load_times_init(&l.times, l.wanted);
    const double begun = clock_now();
    run(&l, begun + strtod(argv[5], NULL));
    load_times_print(&l.times, &l.cases);
    printf("requests %ld wrong %ld retried %ld left %ld seconds %.1f\n", l.done, l.wrong, l.retried,
           l.left, clock_now() - begun);
    for (int i = 0; i < l.links; i++) {
        hang_up(&l.link[i]);
        free(l.link[i].answer);
    }
    free(l.link);
    load_times_release(&l.times);
    load_cases_free(&l.cases);
    return l.wrong > 0 || l.done < l.wanted;
}
