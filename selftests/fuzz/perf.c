// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf.data, in its two forms.
 */
#include "samples.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	samples_report(data, size);
	return 0;
}
