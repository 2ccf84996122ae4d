/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command of a session.
 */
#ifndef PFMON_SESSION_COMMAND_H
#define PFMON_SESSION_COMMAND_H

struct session;

/*
 * The command's process is made; command_execute() lets it begin.  0, or -1 after
 * saying what failed.
 */
int command_fork(struct session *session);

/*
 * The session's time begins, and its command, if there is one.  0, or the exit
 * status after saying what failed.
 */
int command_execute(struct session *session);

/* Waits, if need be, for a command that outlived counting; the exit status to pass on. */
int command_wait(struct session *session);

#endif
