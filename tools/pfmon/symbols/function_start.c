// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the index of the unwind table (.eh_frame_hdr), see function_start.h.
 *
 * Linkers write it in one form only: pairs of the first address of a function and the address
 * of its entry, as signed words relative to the index, in ascending order.
 */
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/frames.h"

#define VERSION	       1
#define ENCODING_PCREL 0x1b /* DW_EH_PE_pcrel | DW_EH_PE_sdata4 */
#define ENCODING_COUNT 0x03 /* DW_EH_PE_udata4 */
#define ENCODING_TABLE 0x3b /* DW_EH_PE_datarel | DW_EH_PE_sdata4 */

/**
 * struct index_header - the beginning of the index
 */
struct index_header {
	uint8_t version;
	uint8_t frame_encoding;
	uint8_t count_encoding;
	uint8_t table_encoding;
	int32_t frame;
	uint32_t count;
};

/**
 * struct index_entry - an element of the index; both relative to its beginning
 */
struct index_entry {
	int32_t start;
	int32_t entry;
};

static bool find_index(Elf *elf, GElf_Phdr *part)
{
	size_t count, i;

	if (!elf || elf_getphdrnum(elf, &count))
		return false;
	for (i = 0; i < count; i++)
		if (gelf_getphdr(elf, i, part) &&
		    part->p_type == PT_GNU_EH_FRAME)
			return part->p_filesz >= sizeof(struct index_header);
	return false;
}

/* The last element that is not behind an address, which is relative to the index. */
static const struct index_entry *search(const struct index_entry *entries,
					size_t count, int64_t address)
{
	size_t low = 0, high = count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (entries[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &entries[low - 1] : NULL;
}

/* True if the unwind table has an entry for the address, so that it is not behind a function. */
static bool is_covered(Dwfl_Module *module, uint64_t address)
{
	Dwarf_Addr bias = 0;
	Dwarf_CFI *cfi = dwfl_module_eh_cfi(module, &bias);
	Dwarf_Frame *frame = NULL;

	if (!cfi || dwarf_cfi_addrframe(cfi, address - bias, &frame))
		return false;
	free(frame);
	return true;
}

bool function_start(struct images *images, uint32_t number, uint64_t address,
		    uint64_t *start)
{
	Dwfl_Module *module = images_module(images, number);
	const struct index_entry *entry;
	struct index_header header;
	GElf_Addr bias = 0;
	GElf_Phdr part;
	Elf_Data *data;
	Elf *elf;

	elf = module ? dwfl_module_getelf(module, &bias) : NULL;
	if (!find_index(elf, &part))
		return false;
	data = elf_getdata_rawchunk(elf, part.p_offset, part.p_filesz,
				    ELF_T_BYTE);
	if (!data || data->d_size < sizeof(header) ||
	    (uintptr_t)data->d_buf % sizeof(int32_t))
		return false;
	memcpy(&header, data->d_buf, sizeof(header));
	if (header.version != VERSION ||
	    header.frame_encoding != ENCODING_PCREL ||
	    header.count_encoding != ENCODING_COUNT ||
	    header.table_encoding != ENCODING_TABLE ||
	    header.count > (data->d_size - sizeof(header)) / sizeof(*entry))
		return false;
	entry = search((const void *)((const char *)data->d_buf +
				      sizeof(header)),
		       header.count, (int64_t)(address - part.p_vaddr));
	if (!entry || !is_covered(module, address))
		return false;
	*start = part.p_vaddr + entry->start;
	return true;
}
