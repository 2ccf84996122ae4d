/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts for Prometheus: over HTTP (--listen), in the form that the client asks
 * for, and in a file for node_exporter's textfile collector (--textfile), which
 * takes the text form of old only.
 */
#ifndef PFMON_OUTPUT_EXPORTER_H
#define PFMON_OUTPUT_EXPORTER_H

#include <poll.h>
#include <stdint.h>

struct exporter;
struct session;

/* Clients that are served at the same time; more of them wait. */
#define EXPORTER_CLIENTS 8

/* Elements that exporter_poll() fills. */
#define EXPORTER_FDS (1 + EXPORTER_CLIENTS)

/* NULL after saying what failed. */
struct exporter *exporter_create(struct session *session);

void exporter_poll(const struct exporter *exporter, struct pollfd *fds);

/* When a client is to be given up; 0 never. */
uint64_t exporter_time(const struct exporter *exporter);

/*
 * Serves those for which poll(2) has found something.  0, or -1 when counts
 * cannot be read.
 */
int exporter_serve(struct exporter *exporter, const struct pollfd *fds);

/* Writes --textfile, if there is one.  0, or -1 when counts cannot be read. */
int exporter_write(struct exporter *exporter);

void exporter_free(struct exporter *exporter);

#endif
