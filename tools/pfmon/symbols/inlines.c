// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds inlined functions by libdw, see inlines.h.
 *
 * Looking for an address in the debugging information as it is takes as long as a unit, a source
 * file, is large.  So a file has an index of its units, and each unit that is asked for one of
 * its functions; what is read for an address is the entry of its function.  Sections that index
 * units (.debug_aranges) are not used: not all compilers write them.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "symbols/inlines.h"

/*
 * Compilers nest blocks and inlined functions a few dozen deep.  A damaged file may nest them so
 * deep that recursion would overflow the stack; what is deeper is taken for part of what is
 * around it.
 */
#define NESTING_MAX 512

/**
 * struct span - addresses of a unit or function, which may have several
 * @start: first address
 * @end: first address after them
 * @die: its entry in the debugging information
 * @unit: number of the unit
 */
struct span {
	uint64_t start;
	uint64_t end;
	Dwarf_Die die;
	size_t unit;
};

/**
 * struct spans - a list of them
 * @list: in the order of @start, once spans_sort() was called
 * @count: elements of @list
 * @room: elements that fit in @list
 */
struct spans {
	struct span *list;
	size_t count;
	size_t room;
};

/**
 * struct unit - a unit
 * @functions: its functions, if @read
 * @read: its functions were read
 */
struct unit {
	struct spans functions;
	bool read;
};

/**
 * struct inlines_file - a file
 * @bias: what its addresses have more than those of its debugging information
 * @spans: addresses of its units
 * @units: by number, if there is an address of any; NULL without memory
 * @num_units: elements of @units
 */
struct inlines_file {
	Dwarf_Addr bias;
	struct spans spans;
	struct unit *units;
	size_t num_units;
};

/* Adds all addresses of an entry.  Those for which there is no memory are left out. */
static void add_spans(struct spans *spans, Dwarf_Die *die, size_t unit)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t next = 0;

	while ((next = dwarf_ranges(die, next, &base, &start, &end)) > 0) {
		/* Code that the linker has dropped has address 0 in many files. */
		if (!start || start >= end ||
		    array_reserve(&spans->list, sizeof(*spans->list),
				  &spans->room, spans->count + 1))
			continue;
		spans->list[spans->count++] =
			(struct span){ start, end, *die, unit };
	}
}

/*
 * Linkers may have made one function of several that are equal; then the first in the file is the
 * last here.
 */
static int by_start(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end < y->end ? 1 : -1;
	return x->die.addr < y->die.addr   ? 1
	       : x->die.addr > y->die.addr ? -1
					   : 0;
}

static void spans_sort(struct spans *spans)
{
	if (spans->count)
		qsort(spans->list, spans->count, sizeof(*spans->list),
		      by_start);
}

/*
 * Units and functions do not overlap, so the last one that begins before an address has it, or
 * none.
 */
static struct span *spans_find(const struct spans *spans, uint64_t address)
{
	size_t low = 0, high = spans->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (spans->list[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < spans->list[low - 1].end ? &spans->list[low - 1]
							 : NULL;
}

static struct inlines_file *read_file(struct images *images, uint32_t number)
{
	struct inlines_file *file = calloc(1, sizeof(*file));
	Dwfl_Module *module = images_module(images, number);
	Dwarf *dwarf = NULL;
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;

	if (file && module)
		dwarf = dwfl_module_getdwarf(module, &file->bias);
	while (dwarf &&
	       !dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &die, NULL))
		add_spans(&file->spans, &die, file->num_units++);
	if (!file || !file->spans.count)
		return file;
	spans_sort(&file->spans);
	file->units = calloc(file->num_units, sizeof(*file->units));
	return file;
}

/* NULL without memory. */
static struct inlines_file *find_file(struct inlines *inlines,
				      struct images *images, uint32_t number)
{
	if (number >= inlines->count) {
		if (array_reserve(&inlines->files, sizeof(*inlines->files),
				  &inlines->room, number + 1UL))
			return NULL;
		memset(inlines->files + inlines->count, 0,
		       (number + 1 - inlines->count) * sizeof(*inlines->files));
		inlines->count = number + 1;
	}
	if (!inlines->files[number])
		inlines->files[number] = read_file(images, number);
	return inlines->files[number];
}

/*
 * Functions are below their unit, in namespaces, classes and modules, and some languages have
 * them in functions.
 */
static void add_functions(struct spans *spans, Dwarf_Die *parent, size_t unit,
			  unsigned int depth)
{
	Dwarf_Die die;

	if (depth == NESTING_MAX || dwarf_child(parent, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_subprogram)
			add_spans(spans, &die, unit);
		if (dwarf_haschildren(&die) > 0)
			add_functions(spans, &die, unit, depth + 1);
	} while (!dwarf_siblingof(&die, &die));
}

/* The functions of the unit at an address; NULL if there is none. */
static const struct spans *find_functions(struct inlines_file *file,
					  uint64_t address)
{
	const struct span *span = spans_find(&file->spans, address);
	Dwarf_Die die, part;
	struct unit *unit;
	uint8_t type;

	if (!span || !file->units)
		return NULL;
	unit = &file->units[span->unit];
	if (unit->read)
		return &unit->functions;
	unit->read = true;
	die = span->die;
	/* With -gsplit-dwarf the file has a skeleton, and another one what the unit consists of. */
	if (!dwarf_cu_info(die.cu, NULL, &type, NULL, &part, NULL, NULL,
			   NULL) &&
	    type == DW_UT_skeleton && part.cu)
		die = part;
	add_functions(&unit->functions, &die, span->unit, 0);
	spans_sort(&unit->functions);
	return &unit->functions;
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute memory, *found;
	const char *name;

	found = dwarf_attr_integrate(die, DW_AT_linkage_name, &memory);
	if (!found)
		found = dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name,
					     &memory);
	name = found ? dwarf_formstring(found) : NULL;
	if (!name)
		name = dwarf_diename(die);
	return name ? name : "[unknown]";
}

/* True if the entry says where its code is. */
static bool has_addresses(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_low_pc) ||
	       dwarf_hasattr(die, DW_AT_ranges);
}

/*
 * Adds what is inlined at an address below an entry, the outermost first.  Returns how many there
 * are then.
 */
static size_t add_names(struct inlines *inlines, size_t count,
			Dwarf_Die *parent, uint64_t address, unsigned int depth)
{
	Dwarf_Die die;
	size_t before = count;
	int tag;

	if (depth == NESTING_MAX || dwarf_child(parent, &die))
		return count;
	do {
		tag = dwarf_tag(&die);
		if (tag != DW_TAG_inlined_subroutine &&
		    tag != DW_TAG_lexical_block && tag != DW_TAG_try_block &&
		    tag != DW_TAG_catch_block && tag != DW_TAG_with_stmt)
			continue;
		if (has_addresses(&die) ? dwarf_haspc(&die, address) <= 0
					: tag == DW_TAG_inlined_subroutine)
			continue;
		if (tag == DW_TAG_inlined_subroutine) {
			if (array_reserve(&inlines->names,
					  sizeof(*inlines->names),
					  &inlines->room_names, count + 1))
				return count;
			inlines->names[count++] = name_of(&die);
		}
		count = add_names(inlines, count, &die, address, depth + 1);
		/* A block that does not say where it is may have had nothing of it. */
		if (count > before || has_addresses(&die))
			break;
	} while (!dwarf_siblingof(&die, &die));
	return count;
}

static void reverse(const char **names, size_t count)
{
	const char *name;
	size_t i;

	for (i = 0; i < count / 2; i++) {
		name = names[i];
		names[i] = names[count - 1 - i];
		names[count - 1 - i] = name;
	}
}

size_t inlines_find(struct inlines *inlines, struct images *images,
		    uint32_t number, uint64_t address)
{
	struct inlines_file *file = find_file(inlines, images, number);
	const struct spans *functions;
	struct span *function = NULL;
	size_t count;

	if (!file)
		return 0;
	address -= file->bias;
	functions = find_functions(file, address);
	if (functions)
		function = spans_find(functions, address);
	if (!function)
		return 0;
	count = add_names(inlines, 0, &function->die, address, 0);
	reverse(inlines->names, count);
	return count;
}

bool inlines_known(struct inlines *inlines, struct images *images,
		   uint32_t number)
{
	const struct inlines_file *file = find_file(inlines, images, number);

	return file && file->spans.count;
}

void inlines_free(struct inlines *inlines)
{
	uint32_t i;
	size_t k;

	for (i = 0; i < inlines->count; i++) {
		struct inlines_file *file = inlines->files[i];

		if (!file)
			continue;
		for (k = 0; file->units && k < file->num_units; k++)
			free(file->units[k].functions.list);
		free(file->units);
		free(file->spans.list);
		free(file);
	}
	free(inlines->files);
	free(inlines->names);
	*inlines = (struct inlines){ 0 };
}
