// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event strings, on processors of Intel, AMD and Arm.
 */
#include "../../lib/tests/machine.h"
#include "events/event_names.h"
#include "events/evtsel.h"
#include "options/options.h"
#include "reader.h"

#define NUM_MACHINES 4

static void parse(const struct pfm_reg_map *map, const char *text,
		  const struct evtsel_masks *masks)
{
	struct pfm_event event;
	char why[512];

	if (event_string_parse(map, text, PFM_PLM_USER | PFM_PLM_KERNEL, masks,
			       &event, why, sizeof(why)))
		return;
	free(event_label(text, &event));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct evtsel_masks masks = { { 1, 1, -1, -1, -1, -1 } };
	static struct pfm_reg_map *maps[NUM_MACHINES];
	const struct pfm_reg_map *map;
	char *text = input_text(data, size), event[256], why[512];
	unsigned int i;

	if (!maps[0]) {
		maps[0] = soft_machine();
		maps[1] = armv8_machine(6);
		maps[2] = intel_machine(8, 3, 4);
		maps[3] = amd_machine(6);
	}
	options_event_length(text);
	for (i = 0; i <= EVTSEL_OTHER; i++)
		evtsel_translate(text, i, &masks, event, sizeof(event), why,
				 sizeof(why));
	/* An event that is not known is compared with thousands, so each input has one machine. */
	map = maps[input_choice(data, size) % NUM_MACHINES];
	parse(map, text, &evtsel_no_masks);
	parse(map, text, &masks);
	free(text);
	return 0;
}
