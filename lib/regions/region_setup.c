// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Regions: whether they are on, and with which events.
 */
#include "regions/region_setup.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "context/ctx.h"

#define DEFAULT_EVENTS "cycles,instructions"

struct pfmi_region_setup pfmi_region_setup;
uint32_t pfmi_region_on;
pthread_mutex_t pfmi_region_lock = PTHREAD_MUTEX_INITIALIZER;

/* The environment was asked, or the program has decided. */
static bool decided;

void pfmi_region_complain(const char *format, ...)
{
	static int said;
	char text[1024];
	va_list args;

	if (__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	dprintf(STDERR_FILENO, "perfmon: regions are not measured: %s\n", text);
}

/* Length of the first event: commas between slashes are its own. */
static size_t event_length(const char *text)
{
	bool terms = false;
	size_t i;

	for (i = 0; text[i] && (terms || text[i] != ','); i++)
		if (text[i] == '/')
			terms = !terms;
	return i;
}

/* An event that names no level counts at the user level, and is labelled so. */
static int parse(const struct pfm_reg_map *map, const char *text,
		 struct pfm_event *event, char *label)
{
	const size_t size = sizeof(pfmi_region_setup.labels[0]);
	struct pfm_event other;
	char why[512];
	int ret;

	ret = pfm_event_parse(map, text, PFM_PLM_USER, event);
	if (ret < 0) {
		pfmi_region_complain("%s",
				     pfm_event_strerror(map, text, ret, why,
							sizeof(why)));
		return ret;
	}
	snprintf(label, size, "%s", text);
	if (event->kind == PFM_EVENT_HARDWARE &&
	    !pfm_event_parse(map, text, PFM_PLM_USER | PFM_PLM_KERNEL,
			     &other) &&
	    other.plm != event->plm)
		snprintf(label, size, "%s:u", text);
	return 0;
}

static int parse_all(const struct pfm_reg_map *map, const char *text,
		     struct pfm_event *events)
{
	struct pfmi_region_setup *setup = &pfmi_region_setup;
	char one[PFM_EVENT_NAME_LEN];
	size_t length;
	int ret;

	for (setup->events = 0; *text; setup->events++) {
		length = event_length(text);
		if (setup->events == PFMI_REGION_REGS) {
			pfmi_region_complain("there are more than %d events",
					     PFMI_REGION_REGS);
			return -E2BIG;
		}
		if (length >= sizeof(one)) {
			pfmi_region_complain(
				"the name of an event is too long");
			return -ENAMETOOLONG;
		}
		memcpy(one, text, length);
		one[length] = 0;
		ret = parse(map, one, &events[setup->events],
			    setup->labels[setup->events]);
		if (ret < 0)
			return ret;
		text += length + (text[length] == ',');
	}
	return 0;
}

static int choose(const struct pfm_reg_map *map, const char *text)
{
	struct pfmi_region_setup *setup = &pfmi_region_setup;
	struct pfm_event events[PFMI_REGION_REGS];
	char why[512];
	unsigned int i;
	int ret;

	ret = parse_all(map, text, events);
	if (ret < 0)
		return ret;
	ret = pfm_assign_registers(map, events, setup->events, &setup->regs);
	if (ret < 0) {
		pfmi_region_complain("%s",
				     pfm_assign_strerror(&setup->regs, events,
							 why, sizeof(why)));
		return ret;
	}
	setup->count = setup->regs.num_pmds;
	for (i = 0; i < setup->events; i++)
		setup->index[i] = setup->regs.index[i];
	return 0;
}

static int prepare(const char *events)
{
	struct pfm_reg_map *map;
	int fd, ret;

	fd = pfm_ctx_create(NULL);
	if (fd < 0) {
		pfmi_region_complain(
			"%s", pfm_ctx_strerror(PFM_IOC_CREATE_CONTEXT, fd));
		return fd;
	}
	ret = pfm_reg_map_from_ctx(fd, &map);
	if (ret < 0) {
		pfmi_region_complain("%s",
				     pfm_ctx_strerror(PFM_IOC_GET_CONFIG, ret));
		goto out_close;
	}
	ret = choose(map, events);
	pfm_reg_map_free(map);
out_close:
	close(fd);
	return ret;
}

/* The caller has the lock. */
static int start(const char *events, const char *output, uint32_t flags)
{
	int saved = errno;
	int ret;

	if (output && strlen(output) >= sizeof(pfmi_region_setup.output))
		return -ENAMETOOLONG;
	decided = true;
	strcpy(pfmi_region_setup.output, output ? output : "");
	pfmi_region_setup.flags = flags;
	ret = prepare(events);
	errno = saved;
	if (ret < 0)
		return ret;
	__atomic_store_n(&pfmi_region_on, 1, __ATOMIC_RELEASE);
	return 0;
}

/* A program with more rights than its caller does not write files that the caller names. */
static void ask_environment(void)
{
	const char *events = secure_getenv("PFM_REGION_EVENTS");
	const char *format = secure_getenv("PFM_REGION_FORMAT");

	decided = true;
	if (!events || !*events)
		return;
	if (format && strcmp(format, "text") && strcmp(format, "json")) {
		pfmi_region_complain(
			"PFM_REGION_FORMAT is neither text nor json");
		return;
	}
	if (start(events, secure_getenv("PFM_REGION_OUTPUT"),
		  format && !strcmp(format, "json") ? PFM_REGION_JSON : 0) ==
	    -ENAMETOOLONG)
		pfmi_region_complain("PFM_REGION_OUTPUT is too long");
}

bool pfmi_region_decide(void)
{
	pthread_mutex_lock(&pfmi_region_lock);
	if (!decided)
		ask_environment();
	pthread_mutex_unlock(&pfmi_region_lock);
	return __atomic_load_n(&pfmi_region_on, __ATOMIC_ACQUIRE);
}

int pfm_region_start(const struct pfm_region_opts *opts)
{
	struct pfm_region_opts own;
	int ret;

	ret = pfmi_opts_copy(&own, sizeof(own), opts);
	if (ret < 0)
		return ret;
	if (own.reserved ||
	    own.flags & ~(uint32_t)(PFM_REGION_JSON | PFM_REGION_NO_TABLE))
		return -EINVAL;
	if (!own.events || !*own.events)
		own.events = DEFAULT_EVENTS;
	pthread_mutex_lock(&pfmi_region_lock);
	ret = pfmi_region_on ? -EBUSY
			     : start(own.events, own.output, own.flags);
	pthread_mutex_unlock(&pfmi_region_lock);
	return ret;
}
