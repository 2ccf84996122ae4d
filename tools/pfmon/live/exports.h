/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts for Prometheus.
 */
#ifndef PFMON_LIVE_EXPORTS_H
#define PFMON_LIVE_EXPORTS_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct exporter;
struct session;
struct textfile;

/* exporter.c */

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

/* When to give up the next client; 0 for never. */
uint64_t exporter_time(const struct exporter *exporter);

/*
 * Serves the clients whose descriptors are ready.  Returns 0, or -1 if the counts
 * cannot be read.
 */
int exporter_serve(struct exporter *exporter, const struct pollfd *fds);

void exporter_free(struct exporter *exporter);

/* textfile.c */

/* Returns NULL after a message. */
struct textfile *textfile_create(struct session *session, const char *name);

/* Writes the file.  Returns 0, or -1 if the counts cannot be read. */
int textfile_write(struct textfile *textfile);

/* @textfile may be NULL. */
void textfile_free(struct textfile *textfile);

/* http_accept.c */

/*
 * True if the Accept header of an HTTP request prefers OpenMetrics 1.0 to
 * everything else.
 */
bool accept_openmetrics(const char *request);

/* prometheus.c */

/**
 * enum metrics_form - format of the metrics
 * @METRICS_TEXT: the text format of Prometheus, version 0.0.4, which every
 *	program reads
 * @METRICS_OPEN: OpenMetrics 1.0, which has units and an end mark
 */
enum metrics_form {
	METRICS_TEXT,
	METRICS_OPEN,
};

/* Returns 0, or -1 after a message. */
int metrics_print(FILE *out, const struct session *session,
		  enum metrics_form form);

#endif
