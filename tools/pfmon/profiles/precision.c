// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether samples are precise, see precision.h.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "events/event_list.h"
#include "profiles/precision.h"
#include "sampling/sampling.h"

/* The unit that AMD's IBS samples is not an instruction. */
static bool is_ibs_op(const struct sampling *sampling, size_t event)
{
	const char *label =
		sampling->events->list[sampling->periods.list[event].event]
			.label;

	return !strncmp(label, PERIOD_IBS_OP, strlen(PERIOD_IBS_OP));
}

uint64_t precision_samples(const struct sampling *sampling, size_t event)
{
	const uint64_t exact = sampling->periods.list[event].exact;
	const uint64_t all = sampling->profile.totals[event].count;

	return exact < all ? exact : all;
}

void precision_print(FILE *out, const struct sampling *sampling, size_t event)
{
	const uint64_t all = sampling->profile.totals[event].count;
	const uint64_t precise = precision_samples(sampling, event);

	if (!all)
		return;
	if (precise == all)
		fprintf(out,
			"# precise: the processor has recorded the address of each sample's instruction%s\n",
			is_ibs_op(sampling, event)
				? "; it samples ops, of which an instruction may have several"
				: "");
	else if (precise)
		fprintf(out,
			"# partly precise: the processor has recorded the addresses of %" PRIu64
			" samples; others may be of an instruction behind the one that counted\n",
			precise);
	else
		fputs("# not precise: a sample may be of an instruction behind the one that counted (skid)\n",
		      out);
}
