// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds functions in files by their names, and places where frames of the stack are dropped.
 */
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <limits.h>
#include <string.h>

#include "symbols/functions.h"

/* The section in which programs tell of the probes of systemtap that they have, and its base. */
#define NOTES	   ".note.stapsdt"
#define NOTES_BASE ".stapsdt.base"
#define NOTE_TYPE  3

static Elf *elf_of(struct images *images, uint32_t number)
{
	Dwfl_Module *module = images_module(images, number);
	GElf_Addr bias;

	return module ? dwfl_module_getelf(module, &bias) : NULL;
}

enum file_kind functions_kind(struct images *images, uint32_t number)
{
	Elf *elf = elf_of(images, number);

	if (!elf)
		return FILE_OTHER;
	return gelf_getclass(elf) == ELFCLASS64 ? FILE_PROGRAM : FILE_SHORT;
}

/* The @index-th program header of a type, 0: the first.  False if there are no more. */
static bool find_header(Elf *elf, uint32_t type, size_t index,
			GElf_Phdr *header)
{
	size_t count, i;

	if (!elf || elf_getphdrnum(elf, &count))
		return false;
	for (i = 0; i < count; i++)
		if (gelf_getphdr(elf, i, header) && header->p_type == type &&
		    !index--)
			return true;
	return false;
}

bool functions_loader(struct images *images, uint32_t number, char *path,
		      size_t size)
{
	Elf *elf = elf_of(images, number);
	GElf_Phdr header;
	Elf_Data *data;

	if (!find_header(elf, PT_INTERP, 0, &header) || header.p_filesz > size)
		return false;
	data = elf_getdata_rawchunk(elf, header.p_offset, header.p_filesz,
				    ELF_T_BYTE);
	if (!data || !data->d_size ||
	    ((const char *)data->d_buf)[data->d_size - 1])
		return false;
	memcpy(path, data->d_buf, data->d_size);
	return true;
}

bool functions_offset(struct images *images, uint32_t number, uint64_t address,
		      uint64_t *offset)
{
	Elf *elf = elf_of(images, number);
	GElf_Phdr header;
	size_t i;

	for (i = 0; find_header(elf, PT_LOAD, i, &header); i++) {
		if (!(header.p_flags & PF_X) || address < header.p_vaddr ||
		    address - header.p_vaddr >= header.p_filesz)
			continue;
		*offset = address - header.p_vaddr + header.p_offset;
		return true;
	}
	return false;
}

/* True for the name of what the compiler has made of a function. */
static bool is_part_of(const char *symbol, const char *name)
{
	const size_t length = strlen(name);

	return !strncmp(symbol, name, length) && symbol[length] == '.';
}

static bool is_new(const struct function *list, size_t count, uint64_t address)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (list[i].address == address)
			return false;
	return true;
}

size_t functions_find(struct images *images, uint32_t number, const char *name,
		      struct function *list, size_t room, const char **like,
		      bool *chosen)
{
	Dwfl_Module *module = images_module(images, number);
	int i, symbols = module ? dwfl_module_getsymtab(module) : 0;
	struct function function;
	const char *symbol;
	GElf_Word section;
	size_t found = 0;
	GElf_Sym info;

	*like = NULL;
	*chosen = false;
	for (i = 1; i < symbols; i++) {
		symbol = dwfl_module_getsym_info(module, i, &info,
						 &function.address, &section,
						 NULL, NULL);
		if (!symbol || section == SHN_UNDEF)
			continue;
		if (GELF_ST_TYPE(info.st_info) == STT_GNU_IFUNC &&
		    !strcmp(symbol, name))
			*chosen = true;
		/* Code of assemblers may have no type, but is code. */
		if (GELF_ST_TYPE(info.st_info) != STT_FUNC &&
		    GELF_ST_TYPE(info.st_info) != STT_NOTYPE)
			continue;
		if (strcmp(symbol, name)) {
			if (is_part_of(symbol, name))
				*like = symbol;
			continue;
		}
		if (!functions_offset(images, number, function.address,
				      &function.offset) ||
		    !is_new(list, found < room ? found : room,
			    function.address))
			continue;
		if (found < room)
			list[found] = function;
		found++;
	}
	return found;
}

/* The section of a name, and its header.  NULL if there is none. */
static Elf_Scn *find_section(Elf *elf, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		const char *own;

		if (!gelf_getshdr(section, header))
			continue;
		own = elf_strptr(elf, names, header->sh_name);
		if (own && !strcmp(own, name))
			return section;
	}
	return NULL;
}

/*
 * The address of the probe libc:longjmp_target, which is where the stack pointer has its new value,
 * in a note: address of the probe, of the base section when it was linked, of a counter; then
 * provider, name and arguments as text.  0 if the note is of another one.
 */
static uint64_t target_of(const char *desc, size_t size, uint64_t base)
{
	static const char words[] = "libc\0longjmp_target";
	uint64_t at[3];

	if (size < sizeof(at) + sizeof(words) ||
	    memcmp(desc + sizeof(at), words, sizeof(words)))
		return 0;
	memcpy(at, desc, sizeof(at));
	return at[0] + base - at[1];
}

/* Adds the ends of longjmp that a C library tells of. */
static size_t add_longjmp(struct images *images, uint32_t number,
			  uint64_t *list, size_t room)
{
	Elf *elf = elf_of(images, number);
	size_t at = 0, name, desc, count = 0;
	GElf_Shdr header, base;
	uint64_t address;
	Elf_Scn *section;
	Elf_Data *data;
	GElf_Nhdr note;

	if (!elf || gelf_getclass(elf) != ELFCLASS64 ||
	    !find_section(elf, NOTES_BASE, &base))
		return 0;
	section = find_section(elf, NOTES, &header);
	data = section ? elf_getdata(section, NULL) : NULL;
	while (data && count < room &&
	       (at = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
		if (note.n_type != NOTE_TYPE)
			continue;
		address = target_of((const char *)data->d_buf + desc,
				    note.n_descsz, base.sh_addr);
		if (address &&
		    functions_offset(images, number, address, &list[count]))
			count++;
	}
	return count;
}

/* Adds where the library of C++ begins to handle an exception. */
static size_t add_catch(struct images *images, uint32_t number, uint64_t *list,
			size_t room)
{
	struct function function;
	const char *like;
	bool chosen;

	if (!room || !functions_find(images, number, "__cxa_begin_catch",
				     &function, 1, &like, &chosen))
		return 0;
	*list = function.offset;
	return 1;
}

size_t functions_unwind(struct images *images, uint32_t number, uint64_t *list,
			size_t room)
{
	size_t count = add_longjmp(images, number, list, room);

	if (!count && room && functions_longjmp(images, number, list))
		count = 1;
	return count + add_catch(images, number, list + count, room - count);
}
