/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals to pfmon, which end the command, monitoring, or both.
 */
#ifndef PFMON_SESSION_SIGNALS_H
#define PFMON_SESSION_SIGNALS_H

#include <stdbool.h>

struct session;

/* Have them come through the session's descriptor.  0, or -1 after saying why. */
int signals_catch(struct session *session);

/* Those that came since, also of the command's end. */
void signals_take(struct session *session);

/* Whether they say that monitoring is to end. */
bool signals_told_to_stop(const struct session *session);

#endif
