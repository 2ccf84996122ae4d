// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program for PAPI that counts through the component of perfmon: for papi_host_test.sh, and with
 * the argument "exact" for papi_test.sh, in a guest that counts instructions exactly.
 *
 * It prints a line "NAME VALUE" for each result.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <papi.h>

/* Calls of getppid() in a unit of work: the made-up kernel counts them. */
#define CALLS 1000

/* Iterations of a loop of two instructions */
#define LOOPS 100000

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static void check(int ret, const char *what)
{
	if (ret == PAPI_OK)
		return;
	printf("failed %s: %s\n", what, PAPI_strerror(ret));
	exit(1);
}

static void show(const char *name, long long value)
{
	printf("%s %lld\n", name, value);
}

static void work(void)
{
	int i;

	for (i = 0; i < CALLS; i++)
		getppid();
}

static int empty_set(void)
{
	int set = PAPI_NULL;

	check(PAPI_create_eventset(&set), "PAPI_create_eventset");
	return set;
}

/* Events that PAPI finds by itself, and those that their names find */
static void list(int component)
{
	PAPI_event_info_t info;
	int code = PAPI_NATIVE_MASK, count = 0, described = 0, masks = 0;
	int ret, mask;

	ret = PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component);
	for (; ret == PAPI_OK;
	     ret = PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component)) {
		count++;
		if (PAPI_get_event_info(code, &info) == PAPI_OK)
			described += info.long_descr[0] != '\0';
		for (mask = code;
		     PAPI_enum_cmp_event(&mask, PAPI_NTV_ENUM_UMASKS,
					 component) == PAPI_OK &&
		     PAPI_get_event_info(mask, &info) == PAPI_OK;)
			masks += strstr(info.long_descr, "masks:") != NULL;
	}
	show("listed", count > 10);
	show("described", described > 10);
	show("unit_masks", masks > 10);
	show("no_such_event", PAPI_event_name_to_code("perfmon:::no_such_event",
						      &code) == PAPI_ENOEVNT);
}

static void count(void)
{
	long long values[2], none[2] = { 0, 0 };
	int set = empty_set();

	check(PAPI_add_named_event(set, "perfmon:::cycles"), "cycles");
	check(PAPI_add_named_event(set, "perfmon:::instructions"),
	      "instructions");
	check(PAPI_start(set), "PAPI_start");
	work();
	check(PAPI_read(set, values), "PAPI_read");
	show("cycles", values[0]);
	show("instructions", values[1]);
	check(PAPI_reset(set), "PAPI_reset");
	work();
	check(PAPI_accum(set, none), "PAPI_accum");
	show("cycles_after_reset", none[0]);
	work();
	check(PAPI_stop(set, values), "PAPI_stop");
	show("instructions_after_accum", values[1]);
	work();
	check(PAPI_start(set), "PAPI_start again");
	work();
	check(PAPI_stop(set, values), "PAPI_stop again");
	show("instructions_again", values[1]);
	values[0] = 1000;
	values[1] = 2000;
	check(PAPI_start(set), "PAPI_start for PAPI_write");
	check(PAPI_write(set, values), "PAPI_write");
	work();
	check(PAPI_stop(set, values), "PAPI_stop after PAPI_write");
	show("cycles_written", values[0]);
	show("instructions_written", values[1]);
	check(PAPI_cleanup_eventset(set), "PAPI_cleanup_eventset");
	check(PAPI_destroy_eventset(&set), "PAPI_destroy_eventset");
}

static void presets(void)
{
	long long values[2];
	int set = empty_set();

	check(PAPI_add_event(set, PAPI_TOT_CYC), "PAPI_TOT_CYC");
	check(PAPI_add_event(set, PAPI_TOT_INS), "PAPI_TOT_INS");
	check(PAPI_start(set), "PAPI_start of presets");
	work();
	check(PAPI_stop(set, values), "PAPI_stop of presets");
	show("PAPI_TOT_CYC", values[0]);
	show("PAPI_TOT_INS", values[1]);
	check(PAPI_cleanup_eventset(set), "PAPI_cleanup_eventset");
	check(PAPI_destroy_eventset(&set), "PAPI_destroy_eventset");
}

/* More events than counters, or events that the levels leave nothing of */
static void refuse(void)
{
	int set = empty_set(), added = 0, ret = PAPI_OK;
	char name[64];

	for (added = 0; ret == PAPI_OK && added < 32; added++) {
		snprintf(name, sizeof(name), "perfmon:::r%x", 0x102 + added);
		ret = PAPI_add_named_event(set, name);
	}
	show("conflict", ret == PAPI_ECNFLCT);
	show("counters", added - 1);
	show("hardware_counters",
	     PAPI_num_cmp_hwctrs(PAPI_get_component_index("perfmon")));
	check(PAPI_cleanup_eventset(set), "PAPI_cleanup_eventset");
	check(PAPI_destroy_eventset(&set), "PAPI_destroy_eventset");
}

static void spin(unsigned long loops)
{
#if defined(__x86_64__)
	asm volatile("1: dec %0\n\tjnz 1b" : "+r"(loops) : : "cc");
#elif defined(__aarch64__)
	asm volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(loops) : : "cc");
#else
#error "no loop of two instructions for this architecture"
#endif
}

/*
 * The code beside the loop counts the same each time, but for the first time, when functions of
 * libraries are looked up.  So the counts of a long loop and of a short one differ by the
 * instructions of the loop.
 */
static long long difference(long long (*measure)(unsigned long loops))
{
	long long few;

	measure(LOOPS);
	few = measure(LOOPS);
	return measure(2 * LOOPS) - few;
}

static long long counts[4];
static int exact_set;

static long long by_stop(unsigned long loops)
{
	check(PAPI_start(exact_set), "PAPI_start");
	spin(loops);
	check(PAPI_stop(exact_set, counts), "PAPI_stop");
	return counts[0];
}

static long long by_read(unsigned long loops)
{
	long long first;

	check(PAPI_start(exact_set), "PAPI_start");
	check(PAPI_read(exact_set, counts), "PAPI_read");
	first = counts[0];
	spin(loops);
	check(PAPI_read(exact_set, counts), "PAPI_read again");
	first = counts[0] - first;
	check(PAPI_stop(exact_set, counts), "PAPI_stop");
	return first;
}

static long long by_accum(unsigned long loops)
{
	long long sums[COUNT_OF(counts)] = { 0 };

	check(PAPI_start(exact_set), "PAPI_start");
	spin(LOOPS);
	check(PAPI_accum(exact_set, sums), "PAPI_accum");
	spin(loops);
	check(PAPI_accum(exact_set, sums), "PAPI_accum again");
	check(PAPI_stop(exact_set, counts), "PAPI_stop");
	return sums[0];
}

static long long by_reset(unsigned long loops)
{
	check(PAPI_start(exact_set), "PAPI_start");
	spin(3 * LOOPS);
	check(PAPI_reset(exact_set), "PAPI_reset");
	spin(loops);
	check(PAPI_stop(exact_set, counts), "PAPI_stop");
	return counts[0];
}

static void *spin_twice(void *loops)
{
	spin(*(unsigned long *)loops);
	spin(*(unsigned long *)loops);
	return NULL;
}

/* The instructions of another thread do not count. */
static long long by_thread(unsigned long loops)
{
	pthread_t thread;

	check(PAPI_start(exact_set), "PAPI_start");
	pthread_create(&thread, NULL, spin_twice, &loops);
	pthread_join(thread, NULL);
	check(PAPI_stop(exact_set, counts), "PAPI_stop");
	return counts[0];
}

/* The program that is counted stops itself before the loop, and ends after it. */
static long long by_attach(unsigned long loops)
{
	int set = empty_set(), status;
	long long value;
	pid_t pid;

	pid = fork();
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		spin(loops);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		check(PAPI_ESYS, "waitpid");
	check(PAPI_assign_eventset_component(
		      set, PAPI_get_component_index("perfmon")),
	      "PAPI_assign_eventset_component");
	check(PAPI_attach(set, pid), "PAPI_attach");
	check(PAPI_add_named_event(set, "perfmon:::instructions"),
	      "instructions");
	check(PAPI_start(set), "PAPI_start of another process");
	ptrace(PTRACE_CONT, pid, NULL, NULL);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		check(PAPI_ESYS, "waitpid again");
	check(PAPI_stop(set, &value), "PAPI_stop of a process that has ended");
	check(PAPI_cleanup_eventset(set), "PAPI_cleanup_eventset");
	check(PAPI_destroy_eventset(&set), "PAPI_destroy_eventset");
	return value;
}

static void exact(void)
{
	static const char *const names[COUNT_OF(counts)] = {
		"perfmon:::instructions",
		"perfmon:::cycles",
		"PAPI_TOT_INS",
		"PAPI_TOT_CYC",
	};
	long long few[COUNT_OF(counts)], other;
	unsigned int i;

	exact_set = empty_set();
	for (i = 0; i < COUNT_OF(names); i++)
		check(PAPI_add_named_event(exact_set, names[i]), names[i]);
	by_stop(LOOPS);
	by_stop(LOOPS);
	memcpy(few, counts, sizeof(few));
	by_stop(2 * LOOPS);
	for (i = 0; i < COUNT_OF(names); i++)
		show(names[i], counts[i] - few[i]);
	show("read", difference(by_read));
	show("accum", difference(by_accum));
	show("reset", difference(by_reset));
	/* How long pthread_join() takes is not always the same. */
	other = difference(by_thread);
	show("other_thread", other < LOOPS / 10 && other > -LOOPS / 10);
	show("attach", difference(by_attach));
	check(PAPI_cleanup_eventset(exact_set), "PAPI_cleanup_eventset");
	check(PAPI_destroy_eventset(&exact_set), "PAPI_destroy_eventset");
}

int main(int argc, char **argv)
{
	int component;

	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT) {
		printf("failed PAPI_library_init\n");
		return 1;
	}
	component = PAPI_get_component_index("perfmon");
	if (component < 0) {
		printf("failed: no component\n");
		return 1;
	}
	if (PAPI_get_component_info(component)->disabled) {
		printf("disabled %s\n",
		       PAPI_get_component_info(component)->disabled_reason);
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "exact")) {
		exact();
	} else {
		list(component);
		count();
		presets();
		refuse();
	}
	PAPI_shutdown();
	return 0;
}
