// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads code and its lines by libdwfl, see image_code.h.
 */
#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "symbols/image_code.h"

const char *image_code_line(struct images *images, uint32_t number,
			    uint64_t address, unsigned int *line)
{
	Dwfl_Module *module = images_module(images, number);
	Dwfl_Line *found = module ? dwfl_module_getsrc(module, address) : NULL;
	const char *name;
	int at = 0;

	if (!found)
		return NULL;
	name = dwfl_lineinfo(found, NULL, &at, NULL, NULL, NULL);
	/* Line 0: the compiler made the instruction for no line. */
	if (!name || at < 1)
		return NULL;
	*line = at;
	return name;
}

uint64_t image_code_size(struct images *images, uint32_t number,
			 uint64_t address)
{
	Dwfl_Module *module = images_module(images, number);
	GElf_Off offset;
	GElf_Sym symbol;

	if (!module || !dwfl_module_addrinfo(module, address, &offset, &symbol,
					     NULL, NULL, NULL))
		return 0;
	return symbol.st_size;
}

const uint8_t *image_code_read(struct images *images, uint32_t number,
			       uint64_t address, size_t size, size_t *got,
			       unsigned int *machine)
{
	Dwfl_Module *module = images_module(images, number);
	Elf_Data *data = NULL;
	GElf_Ehdr header;
	GElf_Phdr part;
	size_t count, i;
	GElf_Addr bias;
	Elf *elf;

	elf = module ? dwfl_module_getelf(module, &bias) : NULL;
	if (!elf || elf_getphdrnum(elf, &count) || !gelf_getehdr(elf, &header))
		return NULL;
	*machine = header.e_machine;
	for (i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, i, &part) || part.p_type != PT_LOAD ||
		    address < part.p_vaddr ||
		    address - part.p_vaddr >= part.p_filesz)
			continue;
		*got = part.p_filesz - (address - part.p_vaddr);
		if (*got > size)
			*got = size;
		data = elf_getdata_rawchunk(
			elf, part.p_offset + (address - part.p_vaddr), *got,
			ELF_T_BYTE);
		break;
	}
	return data ? data->d_buf : NULL;
}
