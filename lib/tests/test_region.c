// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Regions, with a kernel whose counters the test moves on.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perfmon/perfmon.h>
#include <perfmon/region.h>

#include "forced.h"
#include "machine.h"
#include "tap.h"

/* Instructions of a read, before and after it looks at the counters. */
#define BEFORE 7
#define AFTER  11
#define EMPTY  (BEFORE + AFTER)

/* The counters of a thread all have this value. */
static __thread uint64_t counted;
static int create_error, load_error, read_error;
/* Called in the middle of a read. */
static void (*in_read)(void);

int __wrap_pfm_ctx_create(const struct pfm_create_opts *opts);
int __wrap_pfm_ctx_write_pmcs(int fd, const struct pfm_reg *regs,
			      unsigned int count, unsigned int *failed);
int __wrap_pfm_ctx_write_pmds(int fd, const struct pfm_reg *regs,
			      unsigned int count, unsigned int *failed);
int __wrap_pfm_ctx_load(int fd, uint32_t tid, const struct pfm_load_opts *opts);
int __wrap_pfm_ctx_start(int fd, const struct pfm_start_opts *opts);
int __wrap_pfm_reg_map_from_ctx(int fd, struct pfm_reg_map **map);
int __wrap_pfm_user_page_read(struct pfm_user_page_map *page, uint64_t *vals);

int __wrap_pfm_ctx_create(const struct pfm_create_opts *opts)
{
	(void)opts;
	return create_error ? create_error : open("/dev/null", O_RDWR);
}

int __wrap_pfm_ctx_write_pmcs(int fd, const struct pfm_reg *regs,
			      unsigned int count, unsigned int *failed)
{
	(void)fd;
	(void)regs;
	(void)count;
	(void)failed;
	return 0;
}

int __wrap_pfm_ctx_write_pmds(int fd, const struct pfm_reg *regs,
			      unsigned int count, unsigned int *failed)
{
	return __wrap_pfm_ctx_write_pmcs(fd, regs, count, failed);
}

int __wrap_pfm_ctx_load(int fd, uint32_t tid, const struct pfm_load_opts *opts)
{
	(void)fd;
	(void)tid;
	(void)opts;
	return load_error;
}

int __wrap_pfm_ctx_start(int fd, const struct pfm_start_opts *opts)
{
	(void)fd;
	(void)opts;
	return 0;
}

int __wrap_pfm_reg_map_from_ctx(int fd, struct pfm_reg_map **map)
{
	(void)fd;
	*map = armv8_machine(6);
	return 0;
}

int __wrap_pfm_user_page_read(struct pfm_user_page_map *page, uint64_t *vals)
{
	void (*function)(void) = in_read;

	(void)page;
	if (read_error)
		return read_error;
	in_read = NULL;
	if (function)
		function();
	counted += BEFORE;
	vals[0] = counted;
	vals[1] = counted;
	counted += AFTER;
	return 0;
}

static void work(unsigned int n)
{
	counted += n;
}

/* Returns the text of a file, in a buffer that the next call uses again. */
static const char *contents(int fd)
{
	static char text[16384];
	ssize_t length = pread(fd, text, sizeof(text) - 1, 0);

	text[length > 0 ? length : 0] = 0;
	return text;
}

/* The line of a table that begins with @name, with single spaces; the event left out. */
static const char *row_in(const char *table, const char *name)
{
	static char row[512];
	const char *line = table;
	size_t length = 0;

	for (; line; line = strchr(line, '\n')) {
		line += strspn(line, "\n ");
		if (!strncmp(line, name, strlen(name)) &&
		    line[strlen(name)] == ' ')
			break;
	}
	if (!line)
		return "none";
	line += strlen(name);
	line += strspn(line, " ");
	line += strcspn(line, " ");
	for (line += strspn(line, " "); *line && *line != '\n'; line++)
		if (*line != ' ' || line[1] != ' ')
			row[length++] = *line;
	row[length] = 0;
	return row;
}

static const char *row(const char *name)
{
	const char *text;
	int fd = memfd_create("table", 0);

	if (pfm_region_print(fd, 0))
		return "no table";
	text = row_in(contents(fd), name);
	close(fd);
	return text;
}

static void switch_on(const char *events)
{
	setenv("PFM_REGION_EVENTS", events, 1);
}

static void once(unsigned int n)
{
	PFM_REGION_BEGIN(once);
	work(n);
	PFM_REGION_END(once);
}

static void nested(unsigned int n)
{
	PFM_REGION_BEGIN(outer);
	work(n);
	PFM_REGION_BEGIN(inner);
	work(10 * n);
	once(1);
	PFM_REGION_END(inner);
	once(1);
	PFM_REGION_END(outer);
}

static void recurse(unsigned int n)
{
	PFM_REGION(recurse);
	work(1);
	if (n > 1)
		recurse(n - 1);
}

static void test_off(const void *arg)
{
	static struct pfm_region place = PFM_REGION_INIT("place");

	(void)arg;
	unsetenv("PFM_REGION_EVENTS");
	errno = 4711;
	once(1);
	is_num(counted, 1, "off: nothing is read");
	is_num(pfm_region_begin(&place), -ENODATA, "off: begin says so");
	is_num(pfm_region_end(&place), -ENODATA, "off: so does end");
	is_num(*place.on, 0, "off: the place knows");
	is_num(pfm_region_print(1, 0), -ENODATA, "off: there is no table");
	is_num(errno, 4711, "errno is left alone");
}

static void test_calls(const void *arg)
{
	(void)arg;
	switch_on("instructions,cycles");
	once(100);
	once(200);
	once(300);
	is_text(row("once"), "3 654 218.0 118 318 18 600 200.0",
		"three calls, with and without what they cost");
	is_num(pfm_region_print(1, 8), -EINVAL, "flags");
	is_num(pfm_region_start(NULL), -EBUSY, "it is on");
}

static void test_nested(const void *arg)
{
	unsigned int i;

	(void)arg;
	switch_on("instructions");
	nested(5);
	nested(5);
	/* A nested call is four reads; there are three in each call of outer. */
	is_text(row("outer"), "2 582 291.0 291 291 18 114 57.0",
		"nested: outer");
	is_text(row("inner"), "2 282 141.0 141 141 18 102 51.0",
		"nested: inner");
	is_text(row("once"), "4 76 19.0 19 19 18 4 1.0", "nested: innermost");
	recurse(1);
	for (i = 0; i < 2; i++)
		recurse(100);
	is_text(row("recurse"), "201 3 14511 4837.0 19 7246 18 201 67.0",
		"recursion counts the outermost call");
}

static void test_left(const void *arg)
{
	static struct pfm_region other = PFM_REGION_INIT("other");
	unsigned int i;

	(void)arg;
	switch_on("instructions");
	once(1);
	for (i = 0; i < 2; i++) {
		PFM_REGION_BEGIN(around);
		PFM_REGION_BEGIN(leaves);
		work(50);
		PFM_REGION_END(around);
	}
	/* A begin alone costs half of a nested region, of which a half is measured. */
	is_text(row("around"), "2 208 104.0 104 104 18 136 68.0",
		"left: the outer region");
	is_text(row("leaves"), "2 0 2 0 136 18", "left: the inner one");
	is_num(pfm_region_end(&other), -ENOENT, "an end without a begin");
	has_text(row("other"), "0 1", "has a row");
}

static jmp_buf place_to_go;

static void test_jump(const void *arg)
{
	(void)arg;
	switch_on("instructions");
	PFM_REGION_BEGIN(around);
	if (!setjmp(place_to_go)) {
		PFM_REGION_BEGIN(leaves);
		work(50);
		longjmp(place_to_go, 1);
	}
	PFM_REGION_END(around);
	is_text(row("leaves"), "1 0 1 0 68 18",
		"longjmp: left with the outer region");
}

static void *thread(void *arg)
{
	unsigned int i;

	for (i = 0; i < 10; i++)
		once(*(unsigned int *)arg);
	if (*(unsigned int *)arg == 5) {
		PFM_REGION_BEGIN(cut);
		work(1000);
		pthread_exit(NULL);
	}
	return NULL;
}

static void test_threads(const void *arg)
{
	unsigned int n[] = { 3, 4, 5 }, i;
	pthread_t ids[3];

	(void)arg;
	switch_on("instructions");
	once(8);
	for (i = 0; i < 3; i++)
		pthread_create(&ids[i], NULL, thread, &n[i]);
	for (i = 0; i < 3; i++)
		pthread_join(ids[i], NULL);
	is_text(row("once"), "31 686 22.1 21 26 18 128 4.1", "threads");
	is_text(row("cut"), "1 0 1 0 1018 18", "a thread that ends inside");
}

static void begin_in_handler(void)
{
	once(1);
}

static void test_handler(const void *arg)
{
	(void)arg;
	switch_on("instructions");
	once(1);
	in_read = begin_in_handler;
	PFM_REGION_BEGIN(around);
	PFM_REGION_END(around);
	has_text(row("once"), "1 1 19",
		 "a region in the middle of a begin is missed");
	read_error = -EINVAL;
	once(1);
	read_error = 0;
	has_text(row("once"), "1 2 1 19", "and one whose begin cannot be read");
}

static void test_fork(const void *arg)
{
	char name[] = "/tmp/test_region.XXXXXX", of_child[64];
	int fd = mkstemp(name), status;
	pid_t pid;

	(void)arg;
	switch_on("instructions");
	setenv("PFM_REGION_OUTPUT", name, 1);
	PFM_REGION_BEGIN(around);
	once(1);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		PFM_REGION_END(around);
		once(2);
		once(2);
		exit(tap_failures);
	}
	waitpid(pid, &status, 0);
	is_num(status, 0, "fork: the child ends");
	PFM_REGION_END(around);
	is_text(row("once"), "1 19 19.0 19 19 18 1 1.0",
		"fork: the parent's calls");
	snprintf(of_child, sizeof(of_child), "%s.%d", name, pid);
	close(fd);
	fd = open(of_child, O_RDONLY);
	is_text(row_in(contents(fd), "once"), "2 40 20.0 20 20 18 4 2.0",
		"fork: the child's, in a file of its own");
	is_text(row_in(contents(fd), "around"), "none",
		"fork: the region of the parent is not the child's");
	close(fd);
	unlink(of_child);
	unlink(name);
}

/* In a process that ends by exit(), with what it wrote to stderr. */
static const char *stderr_of(void (*function)(void))
{
	int status, fd = memfd_create("stderr", 0);
	const char *text;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		dup2(fd, 2);
		function();
		exit(0);
	}
	waitpid(pid, &status, 0);
	text = contents(fd);
	close(fd);
	return status ? "died" : text;
}

static void no_kernel(void)
{
	create_error = -ENOENT;
	switch_on("instructions");
	once(1);
	once(1);
	nested(1);
}

static void *call_once(void *arg)
{
	once(1);
	return arg;
}

static void no_load(void)
{
	pthread_t id;

	switch_on("instructions");
	load_error = -EBUSY;
	once(1);
	pthread_create(&id, NULL, call_once, NULL);
	pthread_join(id, NULL);
}

static void no_event(void)
{
	switch_on("cycles,nothing");
	once(1);
}

static void too_many(void)
{
	switch_on("r1,r2,r3,r4,r5,r6,r7,r8");
	once(1);
}

static void bad_format(void)
{
	setenv("PFM_REGION_FORMAT", "xml", 1);
	switch_on("cycles");
	once(1);
}

static void json(void)
{
	setenv("PFM_REGION_FORMAT", "json", 1);
	switch_on("cycles,instructions");
	once(1);
	PFM_REGION_BEGIN(cut);
}

static void by_program(void)
{
	PFM_OPTS(pfm_region_opts, opts, .events = "cycles",
		 .flags = PFM_REGION_JSON);

	once(1);
	if (!pfm_region_start(&opts))
		once(2);
}

static void quiet(void)
{
	PFM_OPTS(pfm_region_opts, opts, .flags = PFM_REGION_NO_TABLE);

	if (!pfm_region_start(&opts))
		once(2);
}

static void bad_options(void)
{
	PFM_OPTS(pfm_region_opts, opts, .flags = 4);
	int ret = pfm_region_start(&opts);

	dprintf(2, "%d", ret);
}

static unsigned int lines(const char *text)
{
	unsigned int n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static void test_stderr(void)
{
	const char *text = stderr_of(no_kernel);

	has_text(text, "regions are not measured: ", "no module: it is said");
	has_text(text, "modprobe perfmon", "with the reason");
	is_num(lines(text), 1, "once");
	text = stderr_of(no_load);
	has_text(text,
		 "regions are not measured: ", "a context cannot be loaded");
	is_num(lines(text), 1, "is said once for all threads");
	has_text(stderr_of(no_event), "'nothing'", "an unknown event");
	has_text(stderr_of(too_many), "counters", "too many events");
	has_text(stderr_of(bad_format), "PFM_REGION_FORMAT",
		 "an unknown format");
	text = stderr_of(json);
	has_text(
		text,
		"\"event\": \"cycles:u\", \"calls\": 1, \"outer\": 1, \"returned\": 1, \"left\": 0, \"cut\": 0, \"missed\": 0, \"unmatched\": 0, \"sum\": 19, \"mean\": 19.0, \"min\": 19, \"max\": 19, \"net_sum\": 1, \"net_mean\": 1.0, \"net_min\": 1, \"net_max\": 1, \"rest\": 0, \"empty\": 18 }",
		"JSON at exit");
	has_text(
		text,
		"\"cut\": 1, \"missed\": 0, \"unmatched\": 0, \"sum\": 0, \"mean\": null, \"min\": null",
		"JSON: a region that did not end");
	is_num(lines(text), 10, "JSON: and nothing else");
	text = stderr_of(by_program);
	has_text(text, "\"calls\": 1,", "switched on by the program, later");
	is_text(stderr_of(quiet), "", "no table");
	is_text(stderr_of(bad_options), "-22", "options that do not exist");
}

int main(void)
{
	unsetenv("PFM_REGION_EVENTS");
	unsetenv("PFM_REGION_FORMAT");
	unsetenv("PFM_REGION_OUTPUT");
	in_process("off", test_off, NULL);
	in_process("calls", test_calls, NULL);
	in_process("nested", test_nested, NULL);
	in_process("left", test_left, NULL);
	in_process("jump", test_jump, NULL);
	in_process("threads", test_threads, NULL);
	in_process("handler", test_handler, NULL);
	in_process("fork", test_fork, NULL);
	test_stderr();
	return tap_end();
}
