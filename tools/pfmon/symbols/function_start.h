/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where functions begin that have no symbol.
 *
 * Stripped programs keep the unwind table, which has an entry for each function.
 */
#ifndef PFMON_SYMBOLS_FUNCTION_START_H
#define PFMON_SYMBOLS_FUNCTION_START_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/images.h"

/*
 * The first address of the function that an address of a file is in, as objdump(1) shows both.
 * False: the file has no table, or the table no such function.
 */
bool function_start(struct images *images, uint32_t number, uint64_t address,
		    uint64_t *start);

#endif
