/*
 * The receiver of the benchmarks where there is a C compiler: answers 200 to each POST with a Content-Length, and costs so
 * little that the machine is left to the sender. One thread, epoll, port 0; the port is the first line of its output. Each
 * byte of its input is answered with a line: how many requests have come. It ends when its input does. Not a server for
 * anything else: it knows no chunked bodies.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define ROOM (256 * 1024)
#define MAX_FD 4096

static const char ANSWER[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: text/plain\r\n\r\nok";

struct connection {
  size_t held;
  char bytes[ROOM];
};

static struct connection *connections[MAX_FD];
static unsigned long requests;

/* The length of the first whole request in the buffer, or 0. */
static size_t request_length(const char *bytes, size_t held) {
  const char *end = memmem(bytes, held, "\r\n\r\n", 4);
  if (!end) return 0;
  size_t head = (size_t)(end - bytes) + 4;
  size_t body = 0;
  for (const char *line = bytes; line < end;) {
    const char *next = memmem(line, (size_t)(end - line) + 2, "\r\n", 2);
    if (next - line > 15 && strncasecmp(line, "content-length:", 15) == 0) body = strtoul(line + 15, NULL, 10);
    line = next + 2;
  }
  return head + body <= held ? head + body : 0;
}

static void drop(int fd) {
  free(connections[fd]);
  connections[fd] = NULL;
  close(fd);
}

static void serve(int fd) {
  struct connection *c = connections[fd];
  ssize_t got = read(fd, c->bytes + c->held, ROOM - c->held);
  if (got <= 0) {
    drop(fd);
    return;
  }
  c->held += (size_t)got;
  size_t length;
  while ((length = request_length(c->bytes, c->held)) > 0) {
    requests++;
    c->held -= length;
    memmove(c->bytes, c->bytes + length, c->held);
    if (write(fd, ANSWER, sizeof ANSWER - 1) < 0) {
      drop(fd);
      return;
    }
  }
  if (c->held == ROOM) drop(fd);
}

/* Gives 0 when there is nobody left to ask. */
static int tell(void) {
  char question;
  if (read(STDIN_FILENO, &question, 1) <= 0) return 0;
  printf("%lu\n", requests);
  fflush(stdout);
  return 1;
}

static void greet(int listener, int poll) {
  int fd = accept(listener, NULL, NULL);
  if (fd < 0) return;
  int yes = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (fd >= MAX_FD || !(connections[fd] = malloc(sizeof(struct connection)))) {
    close(fd);
    return;
  }
  connections[fd]->held = 0;
  epoll_ctl(poll, EPOLL_CTL_ADD, fd, &(struct epoll_event){.events = EPOLLIN, .data.fd = fd});
}

int main(void) {
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, size) < 0 || listen(listener, 1024) < 0) return 1;
  getsockname(listener, (struct sockaddr *)&address, &size);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);

  int poll = epoll_create1(0);
  epoll_ctl(poll, EPOLL_CTL_ADD, listener, &(struct epoll_event){.events = EPOLLIN, .data.fd = listener});
  epoll_ctl(poll, EPOLL_CTL_ADD, STDIN_FILENO, &(struct epoll_event){.events = EPOLLIN, .data.fd = STDIN_FILENO});
  struct epoll_event events[256];
  for (;;) {
    int count = epoll_wait(poll, events, 256, -1);
    for (int i = 0; i < count; i++) {
      int fd = events[i].data.fd;
      if (fd == STDIN_FILENO) {
        if (!tell()) return 0;
      } else if (fd == listener) greet(listener, poll);
      else serve(fd);
    }
  }
}
