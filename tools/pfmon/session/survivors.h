/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Detects a command that goes on without being monitored, and followed tasks that
 * outlive the command.
 */
#ifndef PFMON_SESSION_SURVIVORS_H
#define PFMON_SESSION_SURVIVORS_H

struct session;

/* Each acts only when its time has come: check_at and notice_at. */
void survivors_check(struct session *session);
void survivors_tell(struct session *session);

#endif
