// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the bytes of single instructions, see instruction_reader.h.
 */
#include "symbols/instruction_reader.h"

struct instruction_kind
instruction_reader_read(struct instruction_reader *reader, uint32_t image,
			uint64_t address)
{
	const uint8_t *bytes = NULL;
	unsigned int machine = 0;
	size_t got = 0;

	if (image != IMAGE_NONE)
		bytes = code_read(&reader->code, image, address,
				  INSTRUCTION_MAX, &got, &machine);
	return instruction_kind_of(&reader->decoder, bytes, bytes ? got : 0,
				   machine);
}

void instruction_reader_free(struct instruction_reader *reader)
{
	decoder_close(&reader->decoder);
	code_free(&reader->code);
}
