/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ranges of a context: functions of the test program itself, and what was counted in them.
 */
#ifndef _SELFTESTS_RANGE_H
#define _SELFTESTS_RANGE_H

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

#include "context.h"

/* Offset in the test program's file of code at an address. */
static inline uint64_t offset_of(const void *code)
{
	const ElfW(Phdr) *ph = (void *)getauxval(AT_PHDR), *p;
	const size_t n = getauxval(AT_PHNUM);
	uintptr_t bias = 0;

	for (p = ph; p < ph + n; p++) {
		if (p->p_type == PT_PHDR)
			bias = (uintptr_t)ph - p->p_vaddr;
	}
	for (p = ph; p < ph + n; p++) {
		const uintptr_t at = (uintptr_t)code - bias;

		if (p->p_type == PT_LOAD && at >= p->p_vaddr &&
		    at < p->p_vaddr + p->p_filesz)
			return at - p->p_vaddr + p->p_offset;
	}
	abort();
}

/* The test program's file. */
static inline int self_file(void)
{
	const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		abort();
	return fd;
}

static inline int ranges_write(int fd, const struct pfm_range *ranges,
			       uint32_t count, uint32_t *failed)
{
	return vector(fd, PFM_IOC_SET_RANGES, ranges, count, failed);
}

/* Let the context count in code of the test program; flags are those of all ranges. */
static inline int ranges_set(int fd, const void *const code[], uint32_t count)
{
	struct pfm_range ranges[PFM_RANGES_MAX] = {};
	const int file = self_file();
	uint32_t i;
	int ret;

	for (i = 0; i < count; i++) {
		ranges[i].fd = file;
		ranges[i].start = offset_of(code[i]);
	}
	ret = ranges_write(fd, ranges, count, NULL);
	close(file);
	return ret;
}

/* The same for one function, with a place at which frames are dropped. */
static inline int range_set_unwind(int fd, const void *code, const void *unwind)
{
	const int file = self_file();
	const struct pfm_range ranges[] = {
		{ .fd = file, .start = offset_of(code) },
		{
			.fd = file,
			.flags = PFM_RANGE_UNWIND,
			.start = offset_of(unwind),
		},
	};
	const int ret = ranges_write(fd, ranges, 2, NULL);

	close(file);
	return ret;
}

/* The same for a function whose exits are known, so that its stack stays as it is. */
static inline int range_set_exits(int fd, const void *code,
				  const void *const exits[], uint32_t count)
{
	struct pfm_range ranges[8] = {};
	const int file = self_file();
	uint32_t i;
	int ret;

	ranges[0].fd = file;
	ranges[0].start = offset_of(code);
	for (i = 1; i <= count; i++) {
		ranges[i].fd = file;
		ranges[i].flags = PFM_RANGE_EXIT;
		ranges[i].start = offset_of(exits[i - 1]);
	}
	ret = ranges_write(fd, ranges, count + 1, NULL);
	close(file);
	return ret;
}

static inline int range_read(int fd, uint16_t range, uint16_t num,
			     struct pfm_range_info *info)
{
	*info = (struct pfm_range_info){ .range = range, .num = num };
	return vector(fd, PFM_IOC_GETINFO_RANGES, info, 1, NULL);
}

/* Returns the count of a register in a range; all ones if it cannot be read. */
static inline struct pfm_range_info range_info(int fd, uint16_t range,
					       uint16_t num)
{
	struct pfm_range_info info;

	if (range_read(fd, range, num, &info))
		memset(&info, 0xff, sizeof(info));
	return info;
}

/*
 * Functions whose number of instructions is known.  range_loop() executes LOOP_COST(n) of them.
 * range_recurse() calls itself until n is 1, with 5 for the last call and 6 for each other one.
 * range_tail() hands over to range_loop().
 */
#define LOOP_COST(n) (2 * (uint64_t)(n) + 2)
void range_loop(uint64_t n);
void range_recurse(uint64_t n);
void range_tail(uint64_t n);
void range_span(uint64_t n);
extern const char range_span_begin[], range_span_end[];
extern const char range_loop_exit[], range_recurse_exit[];

#ifdef __aarch64__
asm(".text\n"
    ".globl range_loop, range_recurse, range_tail, range_span, range_span_begin, range_span_end, range_loop_exit, range_recurse_exit\n"
    ".balign 64\n"
    "range_loop:\n"
    "	mov	x9, x0\n"
    "1:	subs	x9, x9, #1\n"
    "	b.ne	1b\n"
    "range_loop_exit:\n"
    "	ret\n"
    "range_recurse:\n"
    "	stp	x29, x30, [sp, #-16]!\n"
    "	subs	x0, x0, #1\n"
    "	b.eq	1f\n"
    "	bl	range_recurse\n"
    "1:	ldp	x29, x30, [sp], #16\n"
    "range_recurse_exit:\n"
    "	ret\n"
    "range_tail:\n"
    "	mov	x10, x0\n"
    "	b	range_loop\n"
    "range_span:\n"
    "	mov	x10, x0\n"
    "range_span_begin:\n"
    "	mov	x9, x0\n"
    "1:	subs	x9, x9, #1\n"
    "	b.ne	1b\n"
    "range_span_end:\n"
    "	mov	x10, x0\n"
    "	ret\n");
#else
asm(".text\n"
    ".globl range_loop, range_recurse, range_tail, range_span, range_span_begin, range_span_end, range_loop_exit, range_recurse_exit\n"
    ".balign 64\n"
    "range_loop:\n"
    "	mov	%rdi, %rax\n"
    "1:	dec	%rax\n"
    "	jne	1b\n"
    "range_loop_exit:\n"
    "	ret\n"
    "range_recurse:\n"
    "	push	%rbp\n"
    "	dec	%rdi\n"
    "	je	1f\n"
    "	call	range_recurse\n"
    "1:	pop	%rbp\n"
    "range_recurse_exit:\n"
    "	ret\n"
    "range_tail:\n"
    "	mov	%rdi, %rdx\n"
    "	jmp	range_loop\n"
    "range_span:\n"
    "	mov	%rdi, %rdx\n"
    "range_span_begin:\n"
    "	mov	%rdi, %rax\n"
    "1:	dec	%rax\n"
    "	jne	1b\n"
    "range_span_end:\n"
    "	mov	%rdi, %rdx\n"
    "	ret\n");
#endif

#endif /* _SELFTESTS_RANGE_H */
