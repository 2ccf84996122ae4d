/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exports counts to Prometheus over HTTP (--listen), in the format that the
 * client asks for.
 */
#ifndef PFMON_LIVE_EXPORTER_H
#define PFMON_LIVE_EXPORTER_H

#include <poll.h>
#include <stdint.h>

struct exporter;
struct session;

/*
 * Clients that are served at the same time.  A further one takes the place of the oldest whose request
 * is not complete.
 */
#define EXPORTER_CLIENTS 32

/* Number of elements that exporter_poll() fills in. */
#define EXPORTER_FDS (1 + EXPORTER_CLIENTS)

/* Returns NULL after a message. */
struct exporter *exporter_create(struct session *session);

void exporter_poll(const struct exporter *exporter, struct pollfd *fds);

/* When to give up the next client; 0 never. */
uint64_t exporter_time(const struct exporter *exporter);

/*
 * Serves the clients whose descriptors are ready.  Returns 0, or -1 if the counts
 * cannot be read.
 */
int exporter_serve(struct exporter *exporter, const struct pollfd *fds);

void exporter_free(struct exporter *exporter);

#endif
