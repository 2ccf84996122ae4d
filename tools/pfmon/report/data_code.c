// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds out if code of the kernel may be read, see data_code.h.
 */
#include "data/replay.h"
#include "report/data_code.h"
#include "symbols/code.h"

void data_code_init(struct code *code, struct replay *replay)
{
	struct symbols *symbols = &replay->sampling.symbols;

	code_init(code, &symbols->images, &symbols->kernel);
	if (!replay->kernel)
		return;
	code->kernel_here = data_info_is_here(replay->info);
	/* Code has the addresses of the kernel, which not every user may see. */
	code->kernel_seen = code->kernel_here && kallsyms_are_shown();
}
