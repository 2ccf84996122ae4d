/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Reads in user mode: what user_page.c shares with the code of each architecture.
 */
#ifndef PERFMON_USER_PAGE_H
#define PERFMON_USER_PAGE_H

#include "internal.h"

/* Index of the element behind the last register, for the reading code. */
#define PFMI_USER_PAGE_END 33

/**
 * struct pfmi_user_page_cell - what a child of fork(2) must not take over
 * @owner: number of the thread that may read; 0 none
 * @alive: 1
 *
 * In memory of its own that is zero in a child.
 */
struct pfmi_user_page_cell {
	uintptr_t owner;
	uintptr_t alive;
};

/**
 * struct pfm_user_page_map - registers that a thread reads in user mode
 * @ctl: the user page; NULL not mapped
 * @cell: who may read
 * @layout: pfm_user_page.layout that @slots are of
 * @code: code for each index
 * @slots: the registers on the page, then one with index PFMI_USER_PAGE_END
 * @tls: where a thread's number is, from its thread pointer
 * @fd: the context
 * @count: registers
 * @tid: thread that opened this
 * @self: its number
 * @state: PFM_USER_PAGE_*, of the last time that @slots were looked for
 * @regs: for the call
 *
 * The first six are known to user_page_armv8.c.
 */
struct pfm_user_page_map {
	const struct pfm_user_page *ctl;
	struct pfmi_user_page_cell *cell;
	uint64_t layout;
	const void *code;
	const struct pfm_user_page_reg **slots;
	ptrdiff_t tls;
	int fd;
	unsigned int count;
	uint32_t tid;
	uintptr_t self;
	int state;
	struct pfm_reg regs[];
};

/* Code for counters of a width; NULL there is none. */
const void *pfmi_user_page_code(unsigned int width);

/* user_page.c: what a read does that cannot be done in user mode. */
int pfmi_user_page_slow(struct pfm_user_page_map *page, uint64_t *vals);

#endif
