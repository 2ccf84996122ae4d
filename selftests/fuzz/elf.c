// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs: symbols, source lines, code, and the tables of frames.
 */
#include "reader.h"
#include "symbols/disassembly.h"
#include "symbols/frames.h"
#include "symbols/image_code.h"
#include "symbols/images.h"

#define CODE_MAX 256

static void look(struct images *images, uint32_t number, uint64_t offset)
{
	struct image_symbol symbol;
	struct instruction *list;
	unsigned int line, machine;
	uint64_t start;
	size_t got, count;
	const uint8_t *code;

	images_lookup(images, number, offset, &symbol);
	if (symbol.name && strlen(symbol.name) > SIZE_MAX / 2)
		abort();
	image_code_line(images, number, symbol.address, &line);
	image_code_size(images, number, symbol.address);
	function_start(images, number, symbol.address, &start);
	link_register_at(images, number, symbol.address);
	code = image_code_read(images, number, symbol.address, CODE_MAX, &got,
			       &machine);
	if (!code)
		return;
	list = disassemble(code, got, symbol.address, machine, &count);
	free(list);
}

/* Only images without symbols ask the file for its build id. */
static void read_id(const char *name)
{
	struct images images = { 0 };
	uint8_t id[IMAGES_ID_MAX];

	images_build_id(&images, images_number(&images, name, 0), getpid(), id);
	images_free(&images);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *name = input_file(0, data, size);
	struct images images = { 0 };
	uint64_t offset;
	uint32_t number;

	read_id(name);
	number = images_number(&images, name, 0);
	for (offset = 0; offset < size + 512; offset += 512)
		look(&images, number, offset);
	images_free(&images);
	return 0;
}
