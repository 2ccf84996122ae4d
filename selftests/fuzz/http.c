// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests of clients of --listen, over a socket, in two parts.  A client that sends a whole
 * request gets an answer of HTTP.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include "events/event_list.h"
#include "live/exports.h"
#include "options/options.h"
#include "reader.h"
#include "session/session.h"
#include "session/system_wide.h"

static struct sockaddr_in address = { .sin_family = AF_INET };
static struct exporter *exporter;

/* A port that is free at present. */
static void find_port(void)
{
	socklen_t length = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, length) ||
	    getsockname(fd, (struct sockaddr *)&address, &length))
		abort();
	close(fd);
}

/* A session that counts nothing, and has ended: nothing is read from a kernel. */
static void begin(void)
{
	static struct options options;
	static struct events events;
	static struct system system = { .stopped = true };
	static struct session session = {
		.options = &options,
		.events = &events,
		.system = &system,
	};
	static char where[32];

	find_port();
	snprintf(where, sizeof(where), ":%u", ntohs(address.sin_port));
	options.scope.listen = where;
	exporter = exporter_create(&session);
	if (!exporter)
		abort();
}

static void serve(void)
{
	struct pollfd fds[1 + EXPORTER_CLIENTS];

	exporter_poll(exporter, fds);
	poll(fds, 1 + EXPORTER_CLIENTS, 0);
	if (exporter_serve(exporter, fds))
		abort();
}

/* False if the server has closed the connection already. */
static bool send_part(int fd, const uint8_t *data, size_t size)
{
	if (size && send(fd, data, size, MSG_NOSIGNAL) < 0)
		return false;
	serve();
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct linger reset = { .l_onoff = 1 };
	size_t half = input_choice(data, size) % (size + 1);
	char answer[16] = "", *text = input_text(data, size);
	ssize_t length;
	int fd;

	if (!exporter)
		begin();
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	/* The port of a connection that is reset can be used again at once. */
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)))
		abort();
	if (size && send_part(fd, data, half) &&
	    send_part(fd, data + half, size - half)) {
		serve();
		length = recv(fd, answer, sizeof(answer) - 1, MSG_DONTWAIT);
		if (length > 0 && strncmp(answer, "HTTP/1.1 ", 9))
			abort();
		if (half == size && size < 4096 && strstr(text, "\r\n\r\n") &&
		    length <= 0)
			abort();
	}
	close(fd);
	serve();
	free(text);
	return 0;
}
