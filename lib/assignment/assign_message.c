// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Messages for users about assignments that are refused.
 */
#include "assignment/detail.h"

#include "base/text.h"

#include <stdio.h>

#include <perfmon/perfmon.h>

static void write_too_many(const struct pfm_assignment *out, const char *name,
			   char *buf, size_t size)
{
	unsigned int events = out->counters - out->fixed_counters;
	size_t pos = 0;

	pfmi_text_add(buf, size, &pos,
		      "event '%s' does not fit: the PMU has %u event counter%s",
		      name, events, events == 1 ? "" : "s");
	if (out->fixed_counters > out->cycle_counters)
		pfmi_text_add(buf, size, &pos, " and %u for one event each",
			      out->fixed_counters);
	else if (out->cycle_counters)
		pfmi_text_add(buf, size, &pos, " and %u for cycles only",
			      out->cycle_counters);
	if (out->detail == PFMI_DETAIL_PAIR)
		pfmi_text_add(buf, size, &pos, ", of which it takes two");
	else if (out->usable < events)
		pfmi_text_add(buf, size, &pos, ", of which %u can count it",
			      out->usable);
	pfmi_text_add(buf, size, &pos, "; %u of the %u hardware events fit",
		      out->fit, out->hardware);
}

static void write_no_counter(const struct pfm_assignment *out, const char *name,
			     char *buf, size_t size)
{
	size_t pos = 0;

	pfmi_text_add(buf, size, &pos, "no counter of the PMU counts event '%s'",
		      name);
	if (out->detail == PFMI_DETAIL_PAIR)
		pfmi_text_add(buf, size, &pos,
			      ", which takes a counter with an even number and the next one");
	else if (out->detail == PFMI_DETAIL_FIXED)
		pfmi_text_add(buf, size, &pos,
			      "; a fixed counter would, if there is one, and without edge, inv and cmask");
}

static void write_reserved(const struct pfm_assignment *out, const char *name,
			   char *buf, size_t size)
{
	size_t pos = 0;

	pfmi_text_add(buf, size, &pos,
		      "the PMU's control register does not take the code of event '%s'",
		      name);
	if (out->detail)
		pfmi_text_add(buf, size, &pos,
			      ": this processor does not have its bits 0x%x",
			      out->detail);
}

const char *pfm_assign_strerror(const struct pfm_assignment *out,
				const struct pfm_event *events, char *buf,
				size_t size)
{
	const char *name = NULL;

	if (out->error != PFM_ASSIGN_OK && out->error != PFM_ASSIGN_LIMIT)
		name = events[out->failed].name;

	switch (out->error) {
	case PFM_ASSIGN_OK:
		snprintf(buf, size, "all events fit");
		break;
	case PFM_ASSIGN_TOO_MANY:
		write_too_many(out, name, buf, size);
		break;
	case PFM_ASSIGN_NO_COUNTER:
		write_no_counter(out, name, buf, size);
		break;
	case PFM_ASSIGN_NO_PMU:
		snprintf(buf, size,
			 "event '%s' needs a hardware PMU that this library can program",
			 name);
		break;
	case PFM_ASSIGN_NO_REGISTER:
		snprintf(buf, size, "the kernel has no register for event '%s'%s", name,
			 out->detail == PFMI_DETAIL_PEBS ?
				 ": the processor times loads for PEBS only, which perfmon does not use yet" :
				 "");
		break;
	case PFM_ASSIGN_CODE:
		write_reserved(out, name, buf, size);
		break;
	case PFM_ASSIGN_LEVEL:
		snprintf(buf, size,
			 "event '%s' counts at no privilege level, or at one that the PMU cannot select",
			 name);
		break;
	case PFM_ASSIGN_SHARED:
		if (out->detail == PFMI_DETAIL_UNIT) {
			snprintf(
				buf, size,
				"event '%s' does not fit: another event has the only register for it, with other options or privilege levels; in different event sets both fit",
				name);
			break;
		}
		snprintf(buf, size,
			 "event '%s' does not fit: another event has the second register that it needs, with another value; in different event sets both fit",
			 name);
		break;
	case PFM_ASSIGN_LIMIT:
		snprintf(buf, size, "more than %u events", PFM_ASSIGN_MAX);
		break;
	}
	return buf;
}
