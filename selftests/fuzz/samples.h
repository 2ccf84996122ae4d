/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of samples: pfmon.data, and those of perf.
 */
#ifndef FUZZ_SAMPLES_H
#define FUZZ_SAMPLES_H

#include "data/replay.h"
#include "profiles/losses.h"
#include "profiles/samples.h"
#include "profiles/share_table.h"
#include "profiles/shares.h"
#include "reader.h"
#include "report/data_head.h"

/* Reads the file into a session and prints that, in one of the forms of 'pfmon report'. */
static inline void samples_report(const uint8_t *data, size_t size)
{
	const unsigned int choice = input_choice(data, size);
	const struct replay_request request = {
		.output = choice % (SMPL_OUTPUT_RAW + 1),
		.force = choice & 0x80,
		.mangled = choice & 0x40,
	};
	const struct share_request shares = {
		.keys = shares_read_keys("program,thread,module,function,cpu"),
	};
	FILE *in = fopen(input_file(0, data, size), "re");
	struct replay *replay;

	if (!in)
		abort();
	if (!replay_knows(in)) {
		fclose(in);
		return;
	}
	replay = replay_read("input", in, &request);
	if (!replay)
		return;
	print_losses(&replay->sampling);
	data_head_print(nowhere, replay->info);
	if (request.output == SMPL_OUTPUT_TEXT)
		share_table_print(nowhere, &replay->sampling, &shares);
	else
		print_samples(nowhere, &replay->sampling);
	replay_free(replay);
}

#endif
