// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon ibs: decodes and annotates files of AMD's IBS samples.
 */
#include <stddef.h>

#include "ibs/ibs.h"
#include "verbs/verb.h"

const struct verb verb_ibs = {
	.name = "ibs",
	.title = "decode and annotate samples of AMD's IBS",
	.run = ibs,
};
