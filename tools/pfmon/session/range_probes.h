/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The probes of --irange: finds the functions, has the kernel count in them only, and reads what was
 * counted there.
 */
#ifndef PFMON_SESSION_RANGE_PROBES_H
#define PFMON_SESSION_RANGE_PROBES_H

struct session;

/* Each returns 0, or -1 after a message. */

/*
 * Finds the functions, and lets the context count in them only; the context is programmed, and not
 * loaded.  Does nothing without --irange.
 */
int range_probes_set(struct session *session);

/* Loads the context on the command's process, as context_load() does. */
int range_probes_load(const struct session *session);

/* Reads what was counted. */
int range_probes_read(struct session *session);

#endif
