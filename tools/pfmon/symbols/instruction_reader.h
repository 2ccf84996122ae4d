/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instructions at the addresses of samples.
 */
#ifndef PFMON_SYMBOLS_INSTRUCTION_READER_H
#define PFMON_SYMBOLS_INSTRUCTION_READER_H

#include "symbols/code.h"
#include "symbols/disassembly.h"
#include "symbols/instruction_kind.h"

/**
 * struct instruction_reader - reads and decodes single instructions
 * @code: where code is read from; its caller initialises and frees it
 * @decoder: zeroed before the first use
 */
struct instruction_reader {
	struct code code;
	struct decoder decoder;
};

/* The instruction at an address, as in struct symbol, of a file or of the kernel. */
struct instruction_kind
instruction_reader_read(struct instruction_reader *reader, uint32_t image,
			uint64_t address);
void instruction_reader_free(struct instruction_reader *reader);

#endif
