/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command of a session.
 */
#ifndef PFMON_SESSION_COMMAND_H
#define PFMON_SESSION_COMMAND_H

struct session;

/*
 * Creates the command's process, which waits for command_execute().  Returns 0,
 * or -1 after a message.
 */
int command_fork(struct session *session);

/*
 * Starts the session's clock, and executes the command if there is one.  Returns
 * 0, or the exit status after a message.
 */
int command_execute(struct session *session);

/*
 * Waits for a command that outlived counting.  Returns the exit status to pass
 * on.
 */
int command_wait(struct session *session);

/*
 * Starts the command that is not counted but ends the session, if there is one.  Returns 0, or the
 * exit status after a message.
 */
int command_begin_clock(struct session *session);

#endif
