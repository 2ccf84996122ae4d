/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The event loop.  It waits for signals, the keyboard, and the sources of a
 * session.
 */
#ifndef PFMON_SESSION_LOOP_H
#define PFMON_SESSION_LOOP_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

/**
 * struct source - descriptors to poll, a time at which there is work, or both
 * @count: number of descriptors at present; NULL if none
 * @poll: fills in that many elements
 * @serve: called after each wake-up: handles descriptors that are ready
 * @due: time of the next work; 0 if none; NULL if @work depends on no time
 * @work: called after each wake-up, unless the session is over: does what is
 *	due at @time; NULL if there is nothing to do
 * @complete: true if nothing is left to monitor; NULL if the source cannot tell
 * @arg: argument of all these functions
 * @num_fds: used by the loop
 * @next: used by the loop
 *
 * serve() and work() return 0, or -1 after a message.
 */
struct source {
	size_t (*count)(const void *arg);
	void (*poll)(const void *arg, struct pollfd *fds);
	int (*serve)(void *arg, const struct pollfd *fds);
	uint64_t (*due)(const void *arg);
	int (*work)(void *arg, uint64_t time);
	bool (*complete)(const void *arg);
	void *arg;
	size_t num_fds;
	struct source *next;
};

/* Adds a source.  Sources are served in the order in which they were added. */
void loop_add(struct session *session, struct source *source);

/* The earlier of two times; 0 means never. */
uint64_t loop_earlier(uint64_t a, uint64_t b);

/* Each returns 0, or -1 after a message. */

/* Sleeps until something happens, but no longer than @until; 0 for no limit. */
int loop_wait(struct session *session, uint64_t until);

/*
 * Serves the descriptors of the sources for the time of --trigger-start-delay, or until the session
 * is over.
 */
int loop_delay(struct session *session);

/* Serves the sources until the session is over. */
int loop_run(struct session *session);

/*
 * Waits for a command that outlived counting, or for a signal that ends pfmon.
 */
int loop_wait_for_command(struct session *session);

/* True if the session is over; session->ended then says why. */
bool loop_over(struct session *session, uint64_t deadline);

#endif
