/* Test clients that do what curl cannot: client PORT MODE ARGUMENT...
 *
 *     crowd N BODY            N connections at once, each with one POST /translate; prints the
 *                             count of each status: "200 1000"
 *     hammer N SECONDS BODY   the same repeatedly on each connection, until the time is over or the
 *                             server is gone; prints "answers A refused R cut C broken B"
 *                             (cut: closed before the first byte of the answer; broken: within it)
 *     drip MILLISECONDS       a request byte by byte; prints "STATUS SECONDS" when it is cut off
 *     drip-body MILLISECONDS  the same with a complete header and a body byte by byte
 *     sip SECONDS             requests a large answer and does not read it; prints how long the
 *                             server waited
 *     half BODY [PATH]        closes its sending side after the request; prints status and body
 *     leave N BODY            N requests whose clients leave at once */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CROWD = 4096, ANSWER = 1 << 16 };
static int port;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* -1: the connection was refused. */
static int dial(void)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((unsigned short)port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static char *make_request(const char *path, const char *body)
{
    const size_t room = strlen(body) + 256;
    char *text = malloc(room);
    if (!text)
        exit(1);
    snprintf(text, room,
             "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
             "Content-Length: %zu\r\n\r\n%s",
             path, strlen(body), body);
    return text;
}

static bool send_all(int fd, const char *text)
{
    size_t length = strlen(text);
    while (length > 0) {
        const ssize_t sent = send(fd, text, length, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        text += sent;
        length -= (size_t)sent;
    }
    return true;
}

/* ---- Answers ---- */

struct answer {
    char text[ANSWER];
    size_t length;
};

/* Skip interim responses, 1xx. */
static void drop_interim(struct answer *a)
{
    const char *end;
    while (strncmp(a->text, "HTTP/1.1 1", 10) == 0 && (end = strstr(a->text, "\r\n\r\n"))) {
        a->length -= (size_t)(end + 4 - a->text);
        memmove(a->text, end + 4, a->length + 1);
    }
}

/* The status of a complete answer; 0: incomplete, -1: not an answer. */
static int status_of(struct answer *a)
{
    drop_interim(a);
    const char *end = strstr(a->text, "\r\n\r\n"), *length = strstr(a->text, "Content-Length: ");
    if (a->length >= 9 && strncmp(a->text, "HTTP/1.1 ", 9) != 0)
        return -1;
    if (!end || !length || length > end)
        return 0;
    const size_t whole = (size_t)(end - a->text) + 4 + strtoul(length + 16, NULL, 10);
    return a->length >= whole ? (int)strtol(a->text + 9, NULL, 10) : 0;
}

/* Read once; false if the server closed the connection. */
static bool read_some(int fd, struct answer *a)
{
    const ssize_t got = recv(fd, a->text + a->length, sizeof a->text - 1 - a->length, 0);
    if (got <= 0)
        return false;
    a->length += (size_t)got;
    a->text[a->length] = '\0';
    return true;
}

static int read_answer(int fd, struct answer *a)
{
    int status = 0;
    *a->text = '\0';
    a->length = 0;
    while (status == 0 && read_some(fd, a))
        status = status_of(a);
    return status;
}

/* ---- Many connections ---- */

struct many {
    struct pollfd poll[CROWD];
    struct answer answer[CROWD];
    int count;
    long code[600], refused, cut, broken;
};

static void open_link(struct many *m, int i)
{
    m->poll[i] = (struct pollfd){.fd = dial(), .events = POLLIN};
    m->answer[i].length = 0;
    *m->answer[i].text = '\0';
    m->refused += m->poll[i].fd < 0;
}

static void close_link(struct many *m, int i)
{
    close(m->poll[i].fd);
    m->poll[i].fd = -1;
}

/* Read what has arrived on connection i. Returns whether an answer is now complete. */
static bool serve_link(struct many *m, int i)
{
    struct answer *a = &m->answer[i];
    if (!read_some(m->poll[i].fd, a)) {
        m->cut += a->length == 0;
        m->broken += a->length > 0;
        close_link(m, i);
        return false;
    }
    const int status = status_of(a);
    if (status < 0 || status >= 600) {
        m->broken++;
        close_link(m, i);
    } else if (status > 0) {
        m->code[status]++;
        return true;
    }
    return false;
}

static int crowd(struct many *m, int count, const char *body)
{
    char *request = make_request("/translate", body);
    int left = 0;
    for (int i = 0; i < count; i++)
        open_link(m, i);
    for (int i = 0; i < count; i++)
        left += m->poll[i].fd >= 0 && send_all(m->poll[i].fd, request);
    while (left > 0 && poll(m->poll, (nfds_t)count, 60000) > 0)
        for (int i = 0; i < count; i++) {
            if (m->poll[i].fd < 0 || !m->poll[i].revents)
                continue;
            if (serve_link(m, i))
                close_link(m, i);
            left -= m->poll[i].fd < 0;
        }
    for (int code = 0; code < 600; code++)
        if (m->code[code])
            printf("%d %ld\n", code, m->code[code]);
    if (left || m->refused || m->cut || m->broken)
        printf("lost %ld\n", left + m->refused + m->cut + m->broken);
    free(request);
    return 0;
}

static int hammer(struct many *m, int count, double seconds, const char *body)
{
    char *request = make_request("/translate", body);
    const double until = now() + seconds;
    long answers = 0;
    for (int i = 0; i < count; i++)
        open_link(m, i);
    for (int i = 0; i < count; i++)
        if (m->poll[i].fd >= 0)
            send_all(m->poll[i].fd, request);
    for (int open = count; open > 0 && now() < until + 10;) {
        poll(m->poll, (nfds_t)count, 100);
        open = 0;
        for (int i = 0; i < count; i++) {
            if (m->poll[i].fd >= 0 && m->poll[i].revents && serve_link(m, i)) {
                answers++;
                const bool last = strstr(m->answer[i].text, "Connection: close");
                m->answer[i].length = 0;
                *m->answer[i].text = '\0';
                if (last || now() > until)
                    close_link(m, i);
                else
                    send_all(m->poll[i].fd, request);
            }
            open += m->poll[i].fd >= 0;
        }
    }
    printf("answers %ld refused %ld cut %ld broken %ld\n", answers, m->refused, m->cut, m->broken);
    free(request);
    return 0;
}

static int leave(int count, const char *body)
{
    char *request = make_request("/translate", body);
    for (int i = 0; i < count; i++) {
        const int fd = dial();
        const struct linger at_once = {.l_onoff = 1};
        if (fd < 0)
            continue;
        /* Some leave within the request, some after it, some with a reset. */
        request[strlen(request) - (i % 3 == 0)] = '\0';
        send_all(fd, request);
        if (i % 2)
            setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        close(fd);
    }
    free(request);
    return 0;
}

/* ---- Slow connections ---- */

static int drip(int milliseconds, bool body_only)
{
    static struct answer a;
    char *request = make_request("/translate", "{\"q\":\"a\"}");
    const int fd = dial();
    const double begun = now();
    const char *at = request;
    if (body_only) {
        const size_t header = (size_t)(strstr(request, "\r\n\r\n") + 4 - request);
        send(fd, request, header, MSG_NOSIGNAL);
        at += header;
    }
    struct pollfd link = {.fd = fd, .events = POLLIN};
    while (poll(&link, 1, milliseconds) == 0 && *at)
        if (send(fd, at++, 1, MSG_NOSIGNAL) != 1)
            break;
    const int status = read_answer(fd, &a);
    printf("%d %.1f\n", status, now() - begun);
    close(fd);
    free(request);
    return 0;
}

/* Many requests on one connection whose answers are not read, so that they fill every buffer. */
static int sip(double seconds)
{
    const int small = 2048, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((unsigned short)port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    static const char request[] = "GET /attention.js HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const double begun = now();
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    if (connect(fd, (const struct sockaddr *)&address, sizeof address))
        return 1;
    while (now() < begun + seconds) {
        struct pollfd link = {.fd = fd, .events = POLLOUT};
        poll(&link, 1, 50);
        if (link.revents & (POLLERR | POLLHUP))
            break;
        if (link.revents & POLLOUT)
            send(fd, request, sizeof request - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        usleep(2000);
    }
    printf("%.1f\n", now() - begun);
    close(fd);
    return 0;
}

static int half(const char *path, const char *body)
{
    static struct answer a;
    char *request = make_request(path, body);
    const int fd = dial();
    send_all(fd, request);
    shutdown(fd, SHUT_WR);
    int status = read_answer(fd, &a);
    if (a.length == sizeof a.text - 1) /* there is more, but this is enough */
        status = (int)strtol(a.text + 9, NULL, 10);
    const char *end = strstr(a.text, "\r\n\r\n");
    printf("%d %s\n", status, end ? end + 4 : "");
    close(fd);
    free(request);
    return 0;
}

int main(int argc, char **argv)
{
    const struct rlimit files = {CROWD + 64, CROWD + 64};
    if (argc < 4)
        return 2;
    port = (int)strtol(argv[1], NULL, 10);
    const char *mode = argv[2];
    const double number = strtod(argv[3], NULL);
    const int count = number < CROWD ? (int)number : CROWD;
    setrlimit(RLIMIT_NOFILE, &files);
    if (strcmp(mode, "drip") == 0 || strcmp(mode, "drip-body") == 0)
        return drip(count, mode[4]);
    if (strcmp(mode, "sip") == 0)
        return sip(number);
    if (strcmp(mode, "half") == 0)
        return half(argc > 4 ? argv[4] : "/translate", argv[3]);
    if (strcmp(mode, "leave") == 0 && argc == 5)
        return leave(count, argv[4]);
    struct many *m = calloc(1, sizeof *m);
    int status = 2;
    if (m && strcmp(mode, "crowd") == 0 && argc == 5)
        status = crowd(m, count, argv[4]);
    if (m && strcmp(mode, "hammer") == 0 && argc == 6)
        status = hammer(m, count, strtod(argv[4], NULL), argv[5]);
    free(m);
    return status;
}
