// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Functions for contexts, as far as they work without a kernel module.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#include "tap.h"

static void test_errors(int null)
{
	struct pfm_reg reg = { 0 };
	struct pfm_reg_map *map;
	unsigned int failed = 0, count = 1;
	union pfm_msg msg;
	size_t used = 1;
	char buf[64];

	errno = 4711;
	is_num(pfm_ctx_start(null, NULL), -ENOTTY, "not a context");
	is_num(pfm_ctx_start(-1, NULL), -EBADF, "not a descriptor");
	is_num(pfm_ctx_write_pmcs(null, &reg, 1, &failed), -ENOTTY,
	       "vector on something else");
	is_num(failed, 1, "no element is to blame");
	is_num(pfm_ctx_read_pmds(null, &reg, 1, NULL), -ENOTTY,
	       "nobody asks for the element");
	is_num(pfm_ctx_read_records(null, buf, sizeof(buf), &count, &used),
	       -ENOTTY, "records of something else");
	ok(!count && !used, "and there are none");
	is_num(pfm_ctx_read_running(null, buf, sizeof(buf), NULL, NULL),
	       -ENOTTY, "running tasks of something else");
	is_num(pfm_reg_map_from_ctx(null, &map), -ENOTTY,
	       "map of something else");
	is_num(pfm_ctx_read_msg(-1, &msg), -EBADF, "message: not a descriptor");
	is_num(pfm_ctx_read_msg(null, &msg), 0, "message: end");
	is_num(errno, 4711, "errno is left alone");
}

static void test_message(void)
{
	union pfm_msg msg = { .end = { .type = PFM_MSG_END, .tid = 5 } };
	union pfm_msg copy;
	int ends[2];

	if (pipe(ends))
		return;
	is_num(write(ends[1], &msg, sizeof(msg)), 64, "a message is 64 bytes");
	is_num(pfm_ctx_read_msg(ends[0], &copy), 1, "message");
	ok(copy.type == PFM_MSG_END && copy.end.tid == 5, "as it was sent");
	is_num(write(ends[1], &msg, 8), 8, "8 bytes");
	is_num(pfm_ctx_read_msg(ends[0], &copy), -EIO, "are not a message");
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	int null = open("/dev/null", O_RDWR);

	test_errors(null);
	test_message();
	has_text(pfm_ctx_strerror(PFM_IOC_CREATE_CONTEXT, -ENOENT),
		 "modprobe perfmon", "message: module not loaded");
	has_text(pfm_ctx_strerror(PFM_IOC_LOAD_CONTEXT, -EEXIST),
		 "another context of the thread uses", "message of a call");
	has_text(pfm_ctx_strerror(PFM_IOC_LOAD_CONTEXT, -ENOTTY),
		 "not a context", "message of any call");
	is_text(pfm_ctx_strerror(PFM_IOC_STOP, -EIO), "Input/output error",
		"message of another error");
	is_text(pfm_ctx_strerror(PFM_IOC_STOP, -99999), "unknown error",
		"message of no error at all");
	is_num(pfm_lib_version(), PFM_LIB_VERSION, "version");
	ok(pfm_lib_tables_version() >= 0x40000, "version of libpfm4");
	close(null);
	return tap_end();
}
