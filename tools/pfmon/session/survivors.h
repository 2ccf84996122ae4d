/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether the command goes on unmonitored, or followed tasks without it.
 */
#ifndef PFMON_SESSION_SURVIVORS_H
#define PFMON_SESSION_SURVIVORS_H

struct session;

/* Each does so at its time: check_at and notice_at. */
void survivors_check(struct session *session);
void survivors_tell(struct session *session);

#endif
