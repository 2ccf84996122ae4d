// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads unwind tables by libdw, see link_register.h.
 */
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/frames.h"
#include "symbols/image_code.h"

/* The register's number in unwind tables of arm64. */
#define DWARF_X30 30

/* Instructions between the one that stores a frame and the one that links it to the chain. */
#define PROLOGUE_MAX 16

/* ADD x29, sp, #n, of which MOV x29, sp is a case. */
static bool links_frame(uint32_t insn)
{
	return (insn & 0xff8003ff) == 0x910003fd;
}

/* Branches, calls, returns and exceptions. */
static bool leaves(uint32_t insn)
{
	return (insn & 0x1c000000) == 0x14000000;
}

/*
 * The table says that the return address is on the stack.  The chain of frames does not lead
 * there before x29 was set, which happens in the first instructions, before any call.
 */
static bool before_link(struct images *images, uint32_t number,
			uint64_t address)
{
	const uint8_t *code;
	uint32_t insn;
	size_t size = 0, i;
	unsigned int machine;

	/* The place of a call is one byte before its return address. */
	address -= address % sizeof(insn);
	code = image_code_read(images, number, address,
			       PROLOGUE_MAX * sizeof(insn), &size, &machine);
	for (i = 0; code && i + sizeof(insn) <= size; i += sizeof(insn)) {
		memcpy(&insn, code + i, sizeof(insn));
		if (links_frame(insn))
			return true;
		if (leaves(insn))
			break;
	}
	return false;
}

/* Stubs that jump to other files have no unwind table, and leave the register alone. */
static bool in_plt(struct Dwfl_Module *module, uint64_t address)
{
	GElf_Addr bias, at = address;
	Elf_Scn *section = dwfl_module_address_section(module, &at, &bias);
	GElf_Shdr header;
	size_t strings;
	const char *name;
	Elf *elf;

	elf = section ? dwfl_module_getelf(module, &bias) : NULL;
	if (!elf || !gelf_getshdr(section, &header) ||
	    elf_getshdrstrndx(elf, &strings))
		return false;
	name = elf_strptr(elf, strings, header.sh_name);
	return name && (!strcmp(name, ".plt") || !strcmp(name, ".iplt"));
}

/* The frame at an address by one of the tables; the caller frees it. */
static Dwarf_Frame *find_frame(Dwarf_CFI *cfi, uint64_t address)
{
	Dwarf_Frame *frame = NULL;

	return cfi && !dwarf_cfi_addrframe(cfi, address, &frame) ? frame : NULL;
}

enum link_register link_register_at(struct images *images, uint32_t number,
				    uint64_t address)
{
	Dwfl_Module *module = images_module(images, number);
	enum link_register found = LINK_REGISTER_UNKNOWN;
	Dwarf_Addr bias = 0;
	Dwarf_Frame *frame;
	Dwarf_Op memory[3], *ops;
	size_t count;

	if (!module)
		return found;
	frame = find_frame(dwfl_module_eh_cfi(module, &bias), address - bias);
	if (!frame)
		frame = find_frame(dwfl_module_dwarf_cfi(module, &bias),
				   address - bias);
	if (!frame)
		return in_plt(module, address) ? LINK_REGISTER_CALLER : found;
	if (dwarf_frame_register(frame, DWARF_X30, memory, &ops, &count)) {
		free(frame);
		return found;
	}
	free(frame);
	/* The register has the caller's value: it was not stored. */
	if (!ops && !count)
		return LINK_REGISTER_CALLER;
	/* Undefined: the outermost function. */
	if (!count)
		return LINK_REGISTER_STALE;
	return before_link(images, number, address) ? LINK_REGISTER_CALLER :
						      LINK_REGISTER_STALE;
}
