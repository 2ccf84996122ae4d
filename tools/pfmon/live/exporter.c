// SPDX-License-Identifier: GPL-2.0-only
/*
 * Exports counts to Prometheus.
 *
 * The HTTP side supports what a scrape needs and no more: GET and HEAD of one
 * path, one response per connection.  Everything that a client could exhaust has
 * a limit: the number of clients, the bytes of a request, the time until the
 * response is sent.  pfmon never blocks on a client, and clients that send nothing
 * do not keep others waiting.
 */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/message.h"
#include "live/exports.h"
#include "options/options.h"
#include "session/cpu_context.h"
#include "session/session.h"
#include "session/system_wide.h"

#define REQUEST_MAX 4096
#define CLIENT_TIME 5000000000ULL

/* After accept() failed for lack of descriptors or memory, it is not called for these nanoseconds. */
#define PAUSE_TIME 1000000000ULL

/* Seconds that the kernel keeps a connection to itself while the client sends nothing. */
#define DEFER_TIME 1

/**
 * struct client - a client's connection
 * @fd: socket; -1 if unused
 * @until: when the connection is given up
 * @request: bytes received
 * @received: number of these bytes
 * @answer: the response; NULL if the request is not complete
 * @size: size of the response
 * @sent: bytes of it sent
 */
struct client {
	int fd;
	uint64_t until;
	char request[REQUEST_MAX + 1];
	size_t received;
	char *answer;
	size_t size;
	size_t sent;
};

/**
 * struct exporter - the server
 * @session: the session that counts
 * @fd: listening socket; -1 if none
 * @clients: connections
 * @paused: until when no client is accepted; 0 if they are
 * @told: the lack that made it pause was reported
 */
struct exporter {
	struct session *session;
	int fd;
	struct client clients[EXPORTER_CLIENTS];
	uint64_t paused;
	bool told;
};

/*
 * Splits "ADDRESS:PORT" or "[ADDRESS]:PORT".  With ":PORT" the address is that of
 * this machine only.
 */
static int split(const char *text, char *host, size_t size, const char **port)
{
	const char *colon = strrchr(text, ':');
	size_t length;

	if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")] ||
	    strlen(colon + 1) > 5 || atoi(colon + 1) > 65535)
		return -1;
	*port = colon + 1;
	length = colon - text;
	if (length >= 2 && text[0] == '[' && colon[-1] == ']') {
		text++;
		length -= 2;
	} else if (memchr(text, ':', length)) {
		return -1;
	}
	if (length >= size)
		return -1;
	snprintf(host, size, "%.*s", (int)length, text);
	if (!length)
		snprintf(host, size, "127.0.0.1");
	return 0;
}

static int bind_one(const struct addrinfo *info)
{
	int fd, yes = 1, defer = DEFER_TIME, err;

	fd = socket(info->ai_family,
		    info->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
		    info->ai_protocol);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	/* So a request is there when its connection is accepted, and can be answered at once. */
	setsockopt(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, &defer, sizeof(defer));
	if (!bind(fd, info->ai_addr, info->ai_addrlen) &&
	    !listen(fd, SOMAXCONN))
		return fd;
	err = errno;
	close(fd);
	errno = err;
	return -1;
}

static void tell_address(int fd)
{
	struct sockaddr_storage address;
	socklen_t length = sizeof(address);
	char host[64], port[8];

	if (getsockname(fd, (struct sockaddr *)&address, &length) ||
	    getnameinfo((struct sockaddr *)&address, length, host, sizeof(host),
			port, sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV))
		return;
	say_note(strchr(host, ':') ? "metrics at http://[%s]:%s/metrics"
				   : "metrics at http://%s:%s/metrics",
		 host, port);
}

static int open_socket(struct exporter *exporter, const char *where)
{
	const struct addrinfo hints = {
		.ai_socktype = SOCK_STREAM,
		.ai_flags = AI_PASSIVE | AI_NUMERICSERV,
	};
	struct addrinfo *list, *info;
	const char *port;
	char host[256];
	int err;

	if (split(where, host, sizeof(host), &port)) {
		say_error(
			"--listen: '%s' is not an address; give ADDRESS:PORT, [ADDRESS]:PORT or :PORT",
			where);
		return -1;
	}
	err = getaddrinfo(host, port, &hints, &list);
	if (err) {
		say_error("--listen: no address '%s': %s", host,
			  gai_strerror(err));
		return -1;
	}
	for (info = list; info && exporter->fd < 0; info = info->ai_next)
		exporter->fd = bind_one(info);
	err = errno;
	freeaddrinfo(list);
	if (exporter->fd < 0) {
		say_error("--listen: cannot wait for connections at %s: %s",
			  where, strerror(err));
		return -1;
	}
	tell_address(exporter->fd);
	return 0;
}

struct exporter *exporter_create(struct session *session)
{
	struct exporter *exporter = calloc(1, sizeof(*exporter));
	unsigned int i;

	if (!exporter) {
		say_error("out of memory for the exporter");
		return NULL;
	}
	exporter->session = session;
	exporter->fd = -1;
	for (i = 0; i < EXPORTER_CLIENTS; i++)
		exporter->clients[i].fd = -1;
	if (!open_socket(exporter, session->options->scope.listen))
		return exporter;
	exporter_free(exporter);
	return NULL;
}

static void drop(struct client *client)
{
	if (client->fd >= 0)
		close(client->fd);
	free(client->answer);
	memset(client, 0, sizeof(*client));
	client->fd = -1;
}

/* The place for a new client; NULL if all are answered at present. */
static struct client *find_place(const struct exporter *exporter)
{
	const struct client *oldest = NULL;
	unsigned int i;

	for (i = 0; i < EXPORTER_CLIENTS; i++) {
		const struct client *client = &exporter->clients[i];

		if (client->fd < 0)
			return (struct client *)client;
		if (!client->answer &&
		    (!oldest || client->until < oldest->until))
			oldest = client;
	}
	return (struct client *)oldest;
}

void exporter_poll(const struct exporter *exporter, struct pollfd *fds)
{
	bool accepts = !exporter->paused && find_place(exporter);
	unsigned int i;

	for (i = 0; i < EXPORTER_CLIENTS; i++) {
		const struct client *client = &exporter->clients[i];

		fds[1 + i] = (struct pollfd){ client->fd,
					      client->answer ? POLLOUT : POLLIN,
					      0 };
	}
	fds[0] = (struct pollfd){ accepts ? exporter->fd : -1, POLLIN, 0 };
}

uint64_t exporter_time(const struct exporter *exporter)
{
	uint64_t time = exporter->paused;
	unsigned int i;

	for (i = 0; i < EXPORTER_CLIENTS; i++)
		if (exporter->clients[i].fd >= 0 &&
		    (!time || exporter->clients[i].until < time))
			time = exporter->clients[i].until;
	return time;
}

static const char *content_type(enum metrics_form form)
{
	return form == METRICS_OPEN
		       ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
		       : "text/plain; version=0.0.4; charset=utf-8";
}

static bool is_head(const struct client *client)
{
	return !strncmp(client->request, "HEAD ", 5);
}

/* The response to HEAD has the header of the response to GET, but no body. */
static void answer(struct client *client, const char *status, const char *type,
		   const char *body, size_t size)
{
	FILE *out = open_memstream(&client->answer, &client->size);

	if (!out) {
		drop(client);
		return;
	}
	fprintf(out,
		"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%sConnection: close\r\n\r\n",
		status, type, size,
		strncmp(status, "405", 3) ? "" : "Allow: GET, HEAD\r\n");
	if (!is_head(client))
		fwrite(body, 1, size, out);
	if (fclose(out))
		drop(client);
}

static void answer_text(struct client *client, const char *status)
{
	char body[128];
	int size = snprintf(body, sizeof(body), "%s\n", status);

	answer(client, status, "text/plain; charset=utf-8", body, size);
}

static int answer_metrics(struct exporter *exporter, struct client *client)
{
	enum metrics_form form = accept_openmetrics(client->request)
					 ? METRICS_OPEN
					 : METRICS_TEXT;
	char *body = NULL;
	size_t size = 0;
	FILE *out;
	int err;

	if (!exporter->session->system->stopped &&
	    cpu_read_all(exporter->session))
		return -1;
	out = open_memstream(&body, &size);
	err = out ? metrics_print(out, exporter->session, form) : -1;
	if (!out || fclose(out) || err)
		drop(client);
	else
		answer(client, "200 OK", content_type(form), body, size);
	free(body);
	return 0;
}

/* Answers a complete request. */
static int answer_request(struct exporter *exporter, struct client *client)
{
	static const char path[] = "/metrics";
	char *text = client->request, *end;

	if (strncmp(text, "GET ", 4) && !is_head(client)) {
		answer_text(client, "405 Method Not Allowed");
		return 0;
	}
	text = strchr(text, ' ') + 1;
	end = text + strcspn(text, " \r\n");
	if (strncmp(end, " HTTP/1.", 8)) {
		answer_text(client, "400 Bad Request");
		return 0;
	}
	end = text + strcspn(text, " ?");
	if ((size_t)(end - text) != strlen(path) ||
	    memcmp(text, path, strlen(path))) {
		answer_text(client, "404 Not Found");
		return 0;
	}
	return answer_metrics(exporter, client);
}

static int receive(struct exporter *exporter, struct client *client)
{
	ssize_t length = recv(client->fd, client->request + client->received,
			      REQUEST_MAX - client->received, 0);

	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (length <= 0) {
		drop(client);
		return 0;
	}
	client->received += length;
	client->request[client->received] = '\0';
	if (strstr(client->request, "\r\n\r\n") ||
	    strstr(client->request, "\n\n"))
		return answer_request(exporter, client);
	if (client->received == REQUEST_MAX)
		answer_text(client, "431 Request Header Fields Too Large");
	return 0;
}

static void transmit(struct client *client)
{
	ssize_t length = send(client->fd, client->answer + client->sent,
			      client->size - client->sent, MSG_NOSIGNAL);

	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (length > 0)
		client->sent += length;
	if (length > 0 && client->sent < client->size)
		return;
	/*
	 * Anything that the client still sends is ignored, but let it read the
	 * response.
	 */
	shutdown(client->fd, SHUT_WR);
	drop(client);
}

/*
 * Without a free descriptor a connection stays where it is, so the socket stays ready: accepting again
 * at once would keep a CPU busy.
 */
static void pause_accepting(struct exporter *exporter, int err)
{
	if (!exporter->told)
		say_warning(
			"--listen: cannot accept a client: %s; others have to wait",
			strerror(err));
	exporter->told = true;
	exporter->paused = clock_now() + PAUSE_TIME;
}

/* Returns 1 if there was a client to accept, 0, or -1 if the counts cannot be read. */
static int accept_client(struct exporter *exporter)
{
	struct client *client = find_place(exporter);
	int fd;

	if (!client)
		return 0;
	fd = accept4(exporter->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (fd < 0) {
		if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
		    errno == ENOMEM)
			pause_accepting(exporter, errno);
		return 0;
	}
	exporter->told = false;
	drop(client);
	client->fd = fd;
	client->until = clock_now() + CLIENT_TIME;
	/* Whoever has sent a request is answered, however many others want the place. */
	if (receive(exporter, client))
		return -1;
	if (client->answer)
		transmit(client);
	return 1;
}

int exporter_serve(struct exporter *exporter, const struct pollfd *fds)
{
	uint64_t time = clock_now();
	int accepted = fds[0].revents;
	unsigned int i;

	for (i = 0; i < EXPORTER_CLIENTS; i++) {
		struct client *client = &exporter->clients[i];

		if (client->fd < 0)
			continue;
		if (fds[1 + i].revents && client->answer)
			transmit(client);
		else if (fds[1 + i].revents && receive(exporter, client))
			return -1;
		if (client->fd >= 0 && time >= client->until)
			drop(client);
	}
	if (time >= exporter->paused)
		exporter->paused = 0;
	/* No more than have a place, as the rest of the session waits meanwhile. */
	for (i = 0; accepted > 0 && i < EXPORTER_CLIENTS; i++)
		accepted = accept_client(exporter);
	return accepted < 0 ? -1 : 0;
}

void exporter_free(struct exporter *exporter)
{
	unsigned int i;

	if (!exporter)
		return;
	for (i = 0; i < EXPORTER_CLIENTS; i++)
		drop(&exporter->clients[i]);
	if (exporter->fd >= 0)
		close(exporter->fd);
	free(exporter);
}
