/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Reads in user mode: declarations that user_page.c shares with the code for each
 * architecture.
 */
#ifndef PERFMON_USER_PAGE_USER_PAGE_H
#define PERFMON_USER_PAGE_USER_PAGE_H

#include <stddef.h>
#include <stdint.h>

#include <perfmon/perfmon.h>

/*
 * Architectures with code for reads in user mode.  On x86_64, pointers of 32 bits (x32)
 * would take other code.
 */
#if defined(__aarch64__)
#define PFMI_USER_PAGE_ARMV8
#elif defined(__x86_64__) && defined(__LP64__)
#define PFMI_USER_PAGE_X86
#endif

/* Index of the element behind the last register: tells the code that reads to end. */
#define PFMI_USER_PAGE_END 33

/**
 * struct pfmi_user_page_cell - state that a child of fork(2) must not inherit
 * @owner: number of the thread that may read; 0: none
 * @alive: 1
 *
 * In memory of its own, which the kernel makes zero in a child (MADV_WIPEONFORK).
 */
struct pfmi_user_page_cell {
	uintptr_t owner;
	uintptr_t alive;
};

/**
 * struct pfm_user_page_map - registers that a thread reads in user mode
 * @ctl: the user page; NULL: not mapped
 * @cell: who may read
 * @layout: value of pfm_user_page.layout for which @slots was looked up
 * @code: Armv8: table of the code for each index
 * @slots: entries of the registers on the page, then one with index
 *	PFMI_USER_PAGE_END
 * @tls: offset of the thread's number from the thread pointer
 * @fd: the context
 * @count: number of registers
 * @tid: id of the thread that opened the page
 * @self: number of that thread
 * @state: PFM_USER_PAGE_*, result of the last look-up of @slots
 * @regs: vector for READ_PMDS
 *
 * user_page_armv8.c and user_page_x86.c depend on the offsets of the first six members.
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

/* Table of the code for counters of this width; NULL when there is none. */
const void *pfmi_user_page_code(unsigned int width);

/*
 * The code of a read, where there is any: between begin and end the registers that hold the
 * arguments of pfm_user_page_read() do not change, nor does the stack.  So at any
 * instruction in between the thread may go to resume, which reads by the ioctl.
 */
extern const char pfmi_user_page_begin[], pfmi_user_page_end[];
extern const char pfmi_user_page_resume[];

/* user_page.c: a read by the ioctl, when user mode is not possible. */
int pfmi_user_page_slow(struct pfm_user_page_map *page, uint64_t *vals);

#endif
