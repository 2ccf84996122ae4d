// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures what the probes of --irange add to the counts of a call: what a call of an empty
 * function counts, in a process of pfmon's own, with the events of the session.
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
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

/*
 * One instruction that has no effect, and the return, before which the function ends.  The symbols
 * are hidden, so no address comes from the global offset table: of symbols that are local to the
 * file, the linker for arm64 puts one address there for all.
 */
#define HIDDEN __attribute__((visibility("hidden")))
HIDDEN void range_cost_empty(void);
extern HIDDEN const char range_cost_exit[];
#ifdef __aarch64__
#define NO_EFFECT "	mov	x0, x0\n"
#else
#define NO_EFFECT "	mov	%eax, %eax\n"
#endif
asm(".text\n"
    ".globl range_cost_empty, range_cost_exit\n"
    ".hidden range_cost_empty, range_cost_exit\n"
    ".balign 16\n"
    "range_cost_empty:\n" NO_EFFECT "range_cost_exit:\n"
    "	ret\n");

/**
 * struct own_code - code of pfmon's
 * @address: where it is
 * @offset: out: where in the file
 */
struct own_code {
	uintptr_t address;
	uint64_t offset;
};

/* The first program is pfmon itself.  A program that is linked statically may have no PT_PHDR. */
static int find_code(struct dl_phdr_info *info, size_t size, void *data)
{
	struct own_code *code = data;
	const uintptr_t at = code->address - info->dlpi_addr;
	const ElfW(Phdr) *header = info->dlpi_phdr;
	size_t i;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++, header++)
		if (header->p_type == PT_LOAD && at >= header->p_vaddr &&
		    at - header->p_vaddr < header->p_filesz)
			code->offset = at - header->p_vaddr + header->p_offset;
	return 1;
}

/* Offset in the file of pfmon's own code. */
static uint64_t offset_of(const void *address)
{
	struct own_code code = { .address = (uintptr_t)address };

	dl_iterate_phdr(find_code, &code);
	return code.offset;
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
