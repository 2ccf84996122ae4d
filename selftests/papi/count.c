// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program for PAPI that counts through the component of perfmon, for papi_host_test.sh.
 *
 * It prints a line "NAME VALUE" for each result.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <papi.h>

/* Calls of getppid() in a unit of work: the made-up kernel counts them. */
#define CALLS 1000

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
	int code = PAPI_NATIVE_MASK, count = 0, described = 0;
	int ret;

	ret = PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component);
	for (; ret == PAPI_OK;
	     ret = PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component)) {
		count++;
		if (PAPI_get_event_info(code, &info) == PAPI_OK)
			described += info.long_descr[0] != '\0';
	}
	show("listed", count > 10);
	show("described", described > 10);
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
	check(PAPI_cleanup_eventset(set), "PAPI_cleanup_eventset");
	check(PAPI_destroy_eventset(&set), "PAPI_destroy_eventset");
}

int main(void)
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
	list(component);
	count();
	refuse();
	PAPI_shutdown();
	return 0;
}
