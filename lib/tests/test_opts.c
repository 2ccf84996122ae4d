// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Option structures of every size: which values reach the kernel, and which structures
 * the library refuses.  open() and ioctl() below stand for the kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#include "tap.h"

static unsigned int calls;
static struct pfm_create created;
static struct pfm_load loaded;
static struct pfm_start started;

int open(const char *path, int flags, ...)
{
	(void)path;
	(void)flags;
	return dup(0);
}

int ioctl(int fd, unsigned long request, ...)
{
	const void *arg;
	va_list args;

	(void)fd;
	va_start(args, request);
	arg = va_arg(args, const void *);
	va_end(args);
	calls++;
	switch (request) {
	case PFM_IOC_CREATE_CONTEXT:
		memcpy(&created, arg, sizeof(created));
		return 0;
	case PFM_IOC_LOAD_CONTEXT:
		memcpy(&loaded, arg, sizeof(loaded));
		return 0;
	case PFM_IOC_START:
		memcpy(&started, arg, sizeof(started));
		return 0;
	}
	errno = ENOTTY;
	return -1;
}

/* The three functions that take options, with the same type. */
static int create(const void *opts)
{
	return pfm_ctx_create(opts);
}

static int load(const void *opts)
{
	return pfm_ctx_load(3, 77, opts);
}

static int start(const void *opts)
{
	return pfm_ctx_start(3, opts);
}

/* Test the rules for sizes with a function whose options have @size bytes. */
static void test_sizes(int (*call)(const void *opts), size_t size,
		       const char *name)
{
	unsigned char *opts = calloc(1, size + 32);
	unsigned char *exact;
	size_t sz, i;
	bool good;

	if (!opts)
		exit(1);
	printf("# %s\n", name);
	calls = 0;
	ok(call(NULL) == 0 && calls == 1, "NULL are the defaults");
	for (sz = 0, good = true; sz < sizeof(size_t); sz++) {
		memcpy(opts, &sz, sizeof(sz));
		good = good && call(opts) == -EINVAL;
	}
	ok(good && calls == 1, "less than the size itself is refused");
	for (sz = sizeof(size_t), good = true; sz <= size; sz++) {
		/* No byte more, so that the address sanitizer finds a read beyond. */
		exact = calloc(1, sz);
		if (!exact)
			exit(1);
		memcpy(exact, &sz, sizeof(sz));
		good = good && call(exact) == 0;
		free(exact);
	}
	ok(good, "options that an older header does not have");
	sz = size + 32;
	memcpy(opts, &sz, sizeof(sz));
	calls = 0;
	ok(call(opts) == 0 && calls == 1, "unknown options that are zero");
	for (i = size, good = true; i < sz; i++) {
		opts[i] = 1;
		good = good && call(opts) == -E2BIG;
		opts[i] = 0;
	}
	ok(good && calls == 1, "unknown options that are not");
	opts[size] = 1;
	memcpy(opts, &size, sizeof(size));
	ok(call(opts) == 0, "what follows the options is not looked at");
	sz = 1;
	memcpy(opts, &sz, sizeof(sz));
	errno = 4711;
	call(opts);
	is_num(errno, 4711, "errno is left alone");
	free(opts);
}

static void test_create(void)
{
	static const uint8_t uuid[PFM_UUID_LEN] = PFM_DEFAULT_UUID;
	static const uint8_t none[PFM_UUID_LEN];
	int arg = 0;

	PFM_OPTS(pfm_create_opts, opts, .flags = PFM_CTX_MAPS, .fmt_uuid = uuid,
		 .fmt_arg = &arg, .fmt_arg_size = sizeof(arg));

	test_sizes(create, sizeof(opts), "pfm_ctx_create()");
	pfm_ctx_create(NULL);
	ok(!created.flags && !memcmp(created.fmt_uuid, none, sizeof(none)) &&
		   !created.fmt_arg && !created.fmt_arg_size,
	   "create: defaults");
	is_num(pfm_ctx_create(&opts), 0, "create: all options");
	ok(created.flags == PFM_CTX_MAPS &&
		   !memcmp(created.fmt_uuid, uuid, sizeof(uuid)) &&
		   created.fmt_arg == (uintptr_t)&arg &&
		   created.fmt_arg_size == sizeof(arg),
	   "as they were given");
	opts.sz = offsetof(struct pfm_create_opts, flags);
	pfm_ctx_create(&opts);
	ok(!created.flags && created.fmt_arg_size == sizeof(arg),
	   "create: flags beyond the size do not count");
	opts.sz = sizeof(opts);
	opts.reserved = 1;
	is_num(pfm_ctx_create(&opts), -EINVAL, "create: reserved");
	opts.reserved = 0;
#if SIZE_MAX > UINT32_MAX
	opts.fmt_arg_size = 1ULL << 40;
	is_num(pfm_ctx_create(&opts), -EINVAL,
	       "create: argument of a format that is too long");
#endif
}

static void test_load(void)
{
	PFM_OPTS(pfm_load_opts, opts, .set = 5, .flags = PFM_LOAD_PROCESS);

	test_sizes(load, sizeof(opts), "pfm_ctx_load()");
	load(NULL);
	ok(loaded.tid == 77 && !loaded.set && !loaded.flags, "load: defaults");
	is_num(load(&opts), 0, "load: all options");
	ok(loaded.tid == 77 && loaded.set == 5 &&
		   loaded.flags == PFM_LOAD_PROCESS,
	   "as they were given");
	opts.reserved = 1;
	is_num(load(&opts), -EINVAL, "load: reserved");
}

static void test_start(void)
{
	PFM_OPTS(pfm_start_opts, opts, .set = 5, .flags = PFM_START_ON_EXEC);
	PFM_OPTS(pfm_start_opts, empty);

	test_sizes(start, sizeof(opts), "pfm_ctx_start()");
	is_num(start(&opts), 0, "start: all options");
	ok(started.set == 5 && started.flags == PFM_START_ON_EXEC,
	   "as they were given");
	is_num(start(&empty), 0, "start: none of the options");
	ok(!started.set && !started.flags, "start: defaults");
	opts.reserved = 1;
	is_num(start(&opts), -EINVAL, "start: reserved");
}

int main(void)
{
	test_create();
	test_load();
	test_start();
	return tap_end();
}
