// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures what the probes of --irange add to the counts of a call: what a call of an empty function
 * counts, in a process of pfmon's own, with the events of the session.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>
#include <perfmon/perfmon.h>

#include "base/message.h"
#include "check/modules.h"
#include "events/event_list.h"
#include "events/sets.h"
#include "session/ranges.h"

/* Calls, of which that counts which has counted the least */
#define CALLS 200

/* One instruction that has no effect, and the return, before which the function ends. */
void range_cost_empty(void);
extern const char range_cost_exit[];
#ifdef __aarch64__
asm(".text\n"
    "range_cost_empty:\n"
    "	mov	x0, x0\n"
    "range_cost_exit:\n"
    "	ret\n");
#else
asm(".text\n"
    "range_cost_empty:\n"
    "	mov	%eax, %eax\n"
    "range_cost_exit:\n"
    "	ret\n");
#endif

/* Offset in the file of pfmon's own code. */
static uint64_t offset_of(const void *code)
{
	const ElfW(Phdr) *headers = (const void *)getauxval(AT_PHDR), *header;
	const size_t count = getauxval(AT_PHNUM);
	uintptr_t bias = 0, at;

	for (header = headers; header < headers + count; header++)
		if (header->p_type == PT_PHDR)
			bias = (uintptr_t)headers - header->p_vaddr;
	at = (uintptr_t)code - bias;
	for (header = headers; header < headers + count; header++)
		if (header->p_type == PT_LOAD && at >= header->p_vaddr &&
		    at - header->p_vaddr < header->p_filesz)
			return at - header->p_vaddr + header->p_offset;
	return 0;
}

static int set_range(int fd)
{
	const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	const struct pfm_range ranges[] = {
		{ .fd = file, .start = offset_of(range_cost_empty) },
		{
			.fd = file,
			.flags = PFM_RANGE_EXIT,
			.start = offset_of(range_cost_exit),
		},
	};
	int err;

	if (file < 0)
		return -errno;
	err = pfm_ctx_set_ranges(fd, ranges, 2, NULL);
	close(file);
	return err;
}

/* The process that is measured waits until it is. */
static pid_t begin(int go[2])
{
	pid_t pid;
	int i;
	char c;

	if (pipe2(go, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		close(go[1]);
		if (read(go[0], &c, 1) == 1)
			for (i = 0; i < CALLS; i++)
				range_cost_empty();
		_exit(0);
	}
	close(go[0]);
	if (pid < 0)
		close(go[1]);
	return pid;
}

static int run(int fd)
{
	int go[2], err, status;
	pid_t pid = begin(go);

	if (pid < 0)
		return -errno;
	err = pfm_ctx_load(fd, pid, NULL);
	if (!err)
		err = pfm_ctx_start(fd, NULL);
	if (!err && write(go[1], "", 1) != 1)
		err = -errno;
	close(go[1]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return err;
}

static int read_empty(struct ranges *ranges, const struct events *events,
		      int fd)
{
	size_t i;
	int err;

	ranges->empty = calloc(events->count, sizeof(*ranges->empty));
	if (!ranges->empty)
		return -ENOMEM;
	for (i = 0; i < events->count; i++) {
		struct pfm_range_info info = { .num = events->list[i].pmd };

		if (!ranges_info(ranges, 0, i))
			continue;
		err = pfm_ctx_getinfo_ranges(fd, &info, 1, NULL);
		if (!err && info.returned != CALLS)
			err = -ENODATA;
		if (err)
			return err;
		ranges->empty[i] = info.min;
	}
	return 0;
}

void range_cost_measure(struct ranges *ranges, const struct events *events)
{
	int fd = modules_create_context(0), err;

	if (fd < 0)
		return;
	err = sets_program(events, fd, false);
	if (!err)
		err = set_range(fd);
	if (!err)
		err = run(fd);
	if (!err)
		err = read_empty(ranges, events, fd);
	close(fd);
	if (!err)
		return;
	say_verbose("what an empty function counts is not known: %s",
		    pfm_ctx_strerror(PFM_IOC_LOAD_CONTEXT, err));
	free(ranges->empty);
	ranges->empty = NULL;
}
