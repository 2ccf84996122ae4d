/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The event loop, and what a session waits for beside signals and keyboard.
 */
#ifndef PFMON_SESSION_LOOP_H
#define PFMON_SESSION_LOOP_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

/**
 * struct source - descriptors to poll, or a time at which there is work, or both
 * @count: how many descriptors there are now; NULL none
 * @poll: fills in as many elements
 * @serve: the loop woke up: takes what came
 * @due: when @work has to be called; 0 never; NULL it depends on no time
 * @work: called after each wake-up, unless the session is over: does what is due
 *	at @time; NULL nothing
 * @complete: whether nothing is left to monitor; NULL it cannot tell
 * @arg: argument of all of them
 * @num_fds: of the loop
 * @next: of the loop
 *
 * serve() and work() return 0, or -1 after saying what failed.
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

/* The loop serves sources in the order in which they are added. */
void loop_add(struct session *session, struct source *source);

/* The earlier of two times of which 0 means never. */
uint64_t loop_earlier(uint64_t a, uint64_t b);

/* Each returns 0, or -1 after saying what failed. */

/* Sleeps until something happens, @until at the latest; 0 no limit. */
int loop_wait(struct session *session, uint64_t until);

/* Waits and works until the session is over. */
int loop_run(struct session *session);

/* Waits for a command that outlived counting; a signal ends that too. */
int loop_wait_for_command(struct session *session);

/* Whether the session is over; session->ended says why. */
bool loop_over(struct session *session, uint64_t deadline);

#endif
