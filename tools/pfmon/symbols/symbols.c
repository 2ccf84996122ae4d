// SPDX-License-Identifier: GPL-2.0-only
/*
 * Places and their names.
 *
 * libiberty demangles names of C++, Rust and D.  It comes with GNU binutils as a
 * static library; the run-time library of a compiler would tie pfmon to one
 * version of that compiler.
 */
#include <errno.h>
#include <inttypes.h>
#include <libiberty/demangle.h>
#include <limits.h>
#include <perfmon/perfmon.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/message.h"
#include "options/options.h"
#include "symbols/frames.h"
#include "symbols/symbols.h"

/* Bytes to read at a time: thousands of mappings. */
#define BUFFER_SIZE	(512U * 1024)

/**
 * struct place - a file and an offset, or an address
 * @image: number of the file
 * @offset: offset in the file; without file the address
 * @unsure: of the symbol; such a place is another one
 * @symbol: the symbol there; valid if @resolved
 * @demangled: memory of the demangled name
 * @made: memory of the name of a function without a symbol
 * @unfolded: inlined functions were looked for
 * @inlined: place of the innermost inlined function, which those around it follow
 * @num_inlined: number of these places
 */
struct place {
	uint32_t image;
	uint64_t offset;
	bool unsure;
	struct symbol symbol;
	bool resolved;
	bool unfolded;
	uint32_t inlined;
	uint32_t num_inlined;
	char *demangled;
	char *made;
};

int symbols_init(struct symbols *symbols, const struct options *options)
{
	const struct smpl_options *smpl = &options->smpl;
	char program[32];

	snprintf(program, sizeof(program), "/proc/%d/exe",
		 options->scope.num_tasks ? options->scope.tasks[0] : 0);
	memset(symbols, 0, sizeof(*symbols));
	symbols->data = smpl->module == MODULE_IBS;
	symbols->on = smpl_options_need_symbols(smpl) || symbols->data;
	symbols->demangle = smpl->demangle;
	symbols->sysmap_file = smpl->sysmap_file;
	if (symbols->on)
		symbols->buffer = malloc(BUFFER_SIZE);
	if (symbols->on && !symbols->buffer) {
		say_error("out of memory for reading mappings");
		return -1;
	}
	if (smpl->symbol_file &&
	    images_set_symbol_file(&symbols->images, smpl->symbol_file,
				   options->command ? options->command[0] :
						      program))
		return -1;
	if (!smpl->sysmap_file)
		return 0;
	/*
	 * Read it before the command runs, so that an error is reported in time.
	 */
	symbols->kernel_read = true;
	return kallsyms_read(&symbols->kernel, smpl->sysmap_file);
}

static void add_map(struct symbols *symbols, const struct pfm_map *map)
{
	struct change change = {
		.time = map->tstamp,
		.kind = CHANGE_MAP,
		.start = map->start,
		.end = map->end,
		.offset = map->offset,
		.access = MAP_READ | MAP_EXEC,
	};
	char path[PATH_MAX];

	/*
	 * The first report of a process begins with this.  It says nothing about mappings
	 * of data, which come from /proc.
	 */
	if (symbols->data && !map->path_len && !map->start &&
	    map->end == UINT64_MAX)
		return;
	snprintf(path, sizeof(path), "%.*s", (int)map->path_len, map->path);
	change.image = images_number(&symbols->images, path, map->ino);
	maps_add(&symbols->maps, map->pid, &change);
}

int symbols_read_maps(struct symbols *symbols, int fd)
{
	const struct pfm_map *map;
	unsigned int count;
	size_t used, offset;
	int err;

	symbols->round++;
	while (symbols->reported) {
		err = pfm_ctx_read_maps(fd, symbols->buffer, BUFFER_SIZE,
					&count, &used);
		if (err == -EINTR)
			continue;
		if (err) {
			say_error("cannot read the mappings of the tasks: %s",
				  pfm_ctx_strerror(PFM_IOC_READ_MAPS, err));
			return -1;
		}
		offset = 0;
		while ((map = pfm_sample_map_next(symbols->buffer, used,
						  &offset)))
			add_map(symbols, map);
		if (!count)
			break;
	}
	return 0;
}

void symbols_fork(struct symbols *symbols, uint32_t parent, uint32_t child,
		  uint64_t time)
{
	if (symbols->on && !symbols->exact)
		maps_copy(&symbols->maps, parent, child, time);
}

void symbols_exec(struct symbols *symbols, uint32_t pid, uint64_t time)
{
	const struct change change = { .kind = CHANGE_EXEC, .time = time };

	if (symbols->on && !symbols->exact)
		maps_add(&symbols->maps, pid, &change);
}

void symbols_clear(struct symbols *symbols, uint32_t pid, uint64_t time)
{
	const struct change change = { .kind = CHANGE_EXEC, .time = time };

	maps_add(&symbols->maps, pid, &change);
}

void symbols_copy(struct symbols *symbols, uint32_t from, uint32_t to,
		  uint64_t time)
{
	maps_copy(&symbols->maps, from, to, time);
}

void symbols_end(struct symbols *symbols, uint32_t pid)
{
	maps_end(&symbols->maps, pid);
}

bool symbols_knows(const struct symbols *symbols, uint32_t pid)
{
	return maps_knows(&symbols->maps, pid);
}

void symbols_map(struct symbols *symbols, const struct symbols_map *map)
{
	const struct change change = {
		.time = map->time,
		.kind = CHANGE_MAP,
		.image = images_number_of_build(&symbols->images, map->name,
						map->inode, map->id,
						map->id_size),
		.start = map->start,
		.end = map->end,
		.offset = map->offset,
		.access = map->access,
	};

	if (maps_knows(&symbols->maps, map->pid))
		maps_add(&symbols->maps, map->pid, &change);
}

/* Mappings are read again and again, so only what is new is kept. */
static bool is_known(const struct symbols *symbols, uint32_t pid,
		     const struct change *change)
{
	const struct change *old = maps_find(&symbols->maps, pid, change->time,
					     change->start);

	return old && old->image == change->image &&
	       old->start == change->start && old->end == change->end &&
	       old->offset == change->offset;
}

/* Takes a line of /proc/PID/maps. */
static void take_line(struct symbols *symbols, uint32_t pid, uint64_t time,
		      char *line)
{
	struct change change = { .kind = CHANGE_MAP, .time = time };
	uint64_t inode;
	char access[5] = "";
	int path = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line,
		   "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64
		   " %*x:%*x %" SCNu64 " %n",
		   &change.start, &change.end, access, &change.offset, &inode,
		   &path) < 5)
		return;
	change.access = (access[0] == 'r' ? MAP_READ : 0) |
			(access[1] == 'w' ? MAP_WRITE : 0) |
			(access[2] == 'x' ? MAP_EXEC : 0);
	if (!symbols->data && (!(change.access & MAP_EXEC) || !line[path]))
		return;
	change.image = images_number(&symbols->images,
				     line[path] ? line + path : SYMBOLS_ANON,
				     inode);
	if (!is_known(symbols, pid, &change))
		maps_add(&symbols->maps, pid, &change);
}

void symbols_read_lines(struct symbols *symbols, uint32_t pid, uint64_t time,
			FILE *in)
{
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, in) > 0)
		take_line(symbols, pid, time, line);
	free(line);
}

/* If the kernel does not report mappings, read them as they are now. */
static void read_proc(struct symbols *symbols, uint32_t pid, uint64_t time)
{
	char name[32];
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%u/maps", pid);
	file = fopen(name, "re");
	if (!file) {
		maps_end(&symbols->maps, pid);
		return;
	}
	symbols_read_lines(symbols, pid, time, file);
	fclose(file);
}

static void read_again(void *arg, uint32_t pid)
{
	read_proc(arg, pid, clock_now());
}

void symbols_read_data(struct symbols *symbols)
{
	if (symbols->data)
		maps_each_process(&symbols->maps, read_again, symbols);
}

void symbols_see(struct symbols *symbols, uint32_t pid)
{
	if (symbols->data && pid && pid != PFM_TID_UNKNOWN &&
	    maps_begin_round(&symbols->maps, pid, symbols->round))
		read_proc(symbols, pid, clock_now());
}

void symbols_begin_round(struct symbols *symbols)
{
	symbols->round++;
}

void symbols_read_process(struct symbols *symbols, uint32_t pid, uint64_t time)
{
	if (symbols->on)
		read_proc(symbols, pid, time);
}

bool symbols_is_kernel(uint64_t address)
{
	return (int64_t)address < 0;
}

static const struct change *find_mapping(struct symbols *symbols, uint32_t pid,
					 uint64_t time, uint64_t address)
{
	const struct change *change;

	change = symbols->exact
			 ? maps_find_before(&symbols->maps, pid, time, address)
			 : maps_find(&symbols->maps, pid, time, address);
	if (change || symbols->reported || symbols->exact ||
	    !maps_begin_round(&symbols->maps, pid, symbols->round))
		return change;
	read_proc(symbols, pid, time);
	return maps_find(&symbols->maps, pid, time, address);
}

void symbols_see_address(struct symbols *symbols, uint32_t pid, uint64_t time,
			 uint64_t address)
{
	if (symbols->on && !symbols->reported && !symbols->exact && address &&
	    !symbols_is_kernel(address))
		find_mapping(symbols, pid, time, address);
}

/* Adds a place; NULL without memory. */
static struct place *add_place(struct symbols *symbols, uint64_t hash,
			       uint32_t image, uint64_t offset, bool unsure)
{
	struct place *place;

	if (array_reserve(&symbols->places, sizeof(*symbols->places),
			  &symbols->room, (size_t)symbols->count + 1) ||
	    hash_add(&symbols->table, hash))
		return NULL;
	place = &symbols->places[symbols->count++];
	memset(place, 0, sizeof(*place));
	place->image = image;
	place->offset = offset;
	place->unsure = unsure;
	return place;
}

static uint32_t intern_sure(struct symbols *symbols, uint32_t image,
			    uint64_t offset, bool unsure)
{
	uint64_t hash = hash_mix(offset, image);
	struct place *place;
	uint32_t number;

	for (number = hash_find(&symbols->table, hash); number;
	     number = hash_next(&symbols->table, number)) {
		place = &symbols->places[number - 1];
		if (place->offset == offset && place->image == image &&
		    place->unsure == unsure && !place->symbol.inlined)
			return number - 1;
	}
	return add_place(symbols, hash, image, offset, unsure)
		       ? symbols->count - 1
		       : 0;
}

static uint32_t intern(struct symbols *symbols, uint32_t image,
		       uint64_t offset)
{
	return intern_sure(symbols, image, offset, false);
}

uint32_t symbols_place(struct symbols *symbols, uint32_t pid, uint64_t time,
		       uint64_t address, bool before)
{
	const struct change *change = NULL;

	if (before && address)
		address--;
	if (symbols_is_kernel(address))
		return intern(symbols, IMAGE_KERNEL, address);
	if (symbols->on && address)
		change = find_mapping(symbols, pid, time, address);
	if (!change || !change->image)
		return intern(symbols, IMAGE_NONE, address);
	images_keep(&symbols->images, change->image, pid);
	return intern(symbols, change->image,
		      address - change->start + change->offset);
}

static void resolve_kernel(struct symbols *symbols, struct symbol *symbol)
{
	const struct kernel_symbol *found;

	symbol->kernel = true;
	symbol->module = images_name(&symbols->images, IMAGE_KERNEL);
	if (!symbols->kernel_read) {
		symbols->kernel_read = true;
		kallsyms_read(&symbols->kernel, symbols->sysmap_file);
	}
	found = kallsyms_find(&symbols->kernel, symbol->address);
	if (!found)
		return;
	symbol->name = found->name;
	symbol->offset = symbol->address - found->address;
	if (found->module)
		symbol->module = found->module;
}

/*
 * A function without a symbol is called by its file and its first address there, if the unwind
 * table tells that.
 */
static void name_function(struct symbols *symbols, struct place *place)
{
	struct symbol *symbol = &place->symbol;
	uint64_t start;

	if (!function_start(&symbols->images, place->image, symbol->address,
			    &start))
		return;
	if (asprintf(&place->made, "%s+0x%" PRIx64,
		     symbols_base_name(symbol->module), start) < 0) {
		place->made = NULL;
		return;
	}
	symbol->name = place->made;
	symbol->offset = symbol->address - start;
}

static void resolve_file(struct symbols *symbols, struct place *place)
{
	struct symbol *symbol = &place->symbol;
	struct image_symbol found;

	images_lookup(&symbols->images, place->image, place->offset, &found);
	symbol->module = images_name(&symbols->images, place->image);
	symbol->name = found.name;
	symbol->offset = found.offset;
	symbol->address = found.address;
	if (!found.name)
		name_function(symbols, place);
}

/*
 * Names of D are tried for what begins as they do only: libiberty does not tell them from others
 * by itself.
 */
static char *demangled(const char *name)
{
	char *text = NULL;

	if (!strncmp(name, "_D", 2))
		text = cplus_demangle(name, DMGL_DLANG | DMGL_PARAMS);
	return text ? text
		    : cplus_demangle(name, DMGL_AUTO | DMGL_PARAMS | DMGL_ANSI);
}

static void demangle(struct place *place)
{
	struct symbol *symbol = &place->symbol;

	if (!symbol->name || symbol->kernel || place->made)
		return;
	place->demangled = demangled(symbol->name);
	if (place->demangled)
		symbol->name = place->demangled;
}

const struct symbol *symbols_get(struct symbols *symbols, uint32_t number)
{
	static const struct symbol nothing;
	struct place *place;

	if (number >= symbols->count)
		return &nothing;
	place = &symbols->places[number];
	if (place->resolved)
		return &place->symbol;
	place->resolved = true;
	place->symbol.image = place->image;
	place->symbol.address = place->offset;
	place->symbol.unsure = place->unsure;
	if (!symbols->on)
		place->symbol.kernel = place->image == IMAGE_KERNEL;
	else if (place->image == IMAGE_KERNEL)
		resolve_kernel(symbols, &place->symbol);
	else if (place->image != IMAGE_NONE)
		resolve_file(symbols, place);
	if (symbols->demangle)
		demangle(place);
	return &place->symbol;
}

static bool same_function(const struct symbol *a, const struct symbol *b)
{
	return a->image == b->image &&
	       a->address - a->offset == b->address - b->offset;
}

/*
 * Without an unwind table, as for the kernel, the functions tell: one that has called
 * another has a frame, and the register points into the function itself.  In a function
 * with a frame that has called none yet, it is equal to the first return address of the
 * chain.
 */
static enum link_register by_function(struct symbols *symbols, uint32_t at,
				      uint32_t lr, uint32_t caller)
{
	const struct symbol inner = *symbols_get(symbols, at);
	const struct symbol outer = *symbols_get(symbols, lr);

	if (lr == caller)
		return LINK_REGISTER_STALE;
	/* With the kernel's symbols known, what is none of them is no address of code. */
	if (inner.kernel && inner.name && !outer.name)
		return LINK_REGISTER_STALE;
	if (!inner.name || !outer.name)
		return LINK_REGISTER_UNKNOWN;
	return same_function(&inner, &outer) ? LINK_REGISTER_STALE :
					       LINK_REGISTER_CALLER;
}

static enum link_register judge(struct symbols *symbols, uint32_t at,
				uint32_t lr, uint32_t caller)
{
	const struct symbol *symbol = symbols_get(symbols, at);
	enum link_register found = LINK_REGISTER_UNKNOWN;

	if (symbol->image >= IMAGE_FIRST)
		found = link_register_at(&symbols->images, symbol->image,
					 symbol->address);
	return found != LINK_REGISTER_UNKNOWN ?
		       found :
		       by_function(symbols, at, lr, caller);
}

/* Adds a place to the stack.  Returns 0, or -1 without memory. */
static int push(struct symbols *symbols, uint32_t place, uint64_t address)
{
	struct symbols_stack *stack = &symbols->stack;

	if (array_reserve(&stack->places, sizeof(*stack->places), &stack->room,
			  stack->count + 1UL) ||
	    array_reserve(&stack->addresses, sizeof(*stack->addresses),
			  &stack->room_addresses, stack->count + 1UL))
		return -1;
	stack->places[stack->count] = place;
	stack->addresses[stack->count++] = address;
	return 0;
}

static int push_unfolded(struct symbols *symbols, uint32_t place,
			 uint64_t address)
{
	uint32_t first, count = 0, i;

	if (symbols->unfold)
		count = symbols_inlined(symbols, place, &first);
	for (i = 0; i < count; i++)
		if (push(symbols, first + i, address))
			return -1;
	return push(symbols, place, address);
}

const struct symbols_stack *symbols_settle(struct symbols *symbols,
					   const uint32_t *places,
					   const uint64_t *addresses,
					   uint32_t count)
{
	uint32_t i, place;

	symbols->stack.count = 0;
	for (i = 0; i < count; i++) {
		place = places[i] & ~SYMBOLS_LR;
		if (i && places[i] != place) {
			switch (judge(symbols, places[i - 1], place,
				      i + 1 < count ? places[i + 1] :
						      UINT32_MAX)) {
			case LINK_REGISTER_CALLER:
				break;
			case LINK_REGISTER_STALE:
				continue;
			default:
				place = intern_sure(
					symbols, symbols->places[place].image,
					symbols->places[place].offset, true);
			}
		}
		if (push_unfolded(symbols, place, addresses ? addresses[i] : 0))
			return NULL;
	}
	return &symbols->stack;
}

static void add_inlined(struct symbols *symbols, uint32_t number,
			const char *name)
{
	const struct place *around = &symbols->places[number];
	const struct symbol symbol = around->symbol;
	struct place *place =
		add_place(symbols, hash_mix(around->offset, around->image),
			  around->image, around->offset, around->unsure);

	if (!place)
		return;
	place->symbol = symbol;
	place->symbol.name = name;
	place->symbol.offset = 0;
	place->symbol.inlined = true;
	place->resolved = true;
	place->unfolded = true;
	if (symbols->demangle)
		demangle(place);
	symbols->places[number].num_inlined++;
}

uint32_t symbols_inlined(struct symbols *symbols, uint32_t place,
			 uint32_t *first)
{
	const struct symbol *symbol = symbols_get(symbols, place);
	size_t count, i;

	if (place >= symbols->count)
		return 0;
	if (!symbols->places[place].unfolded) {
		symbols->places[place].unfolded = true;
		symbols->places[place].inlined = symbols->count;
		count = symbol->image < IMAGE_FIRST
				? 0
				: inlines_find(&symbols->inlines,
					       &symbols->images, symbol->image,
					       symbol->address);
		for (i = 0; i < count; i++)
			add_inlined(symbols, place, symbols->inlines.names[i]);
	}
	*first = symbols->places[place].inlined;
	return symbols->places[place].num_inlined;
}

/* Names in the message about files without debugging information; more are counted. */
#define FOLDED_NAMED 3

void symbols_tell_folded(struct symbols *symbols)
{
	uint32_t count = 0, i, more;
	bool *seen = calloc(symbols->images.count + IMAGE_FIRST, sizeof(*seen));
	char text[FOLDED_NAMED * 256] = "", rest[32] = "";
	size_t used = 0;

	for (i = 0; seen && symbols->unfold && i < symbols->count; i++) {
		const uint32_t image = symbols->places[i].image;
		const char *name = images_name(&symbols->images, image);

		/* Others are no files: memory, and what the kernel brings. */
		if (seen[image] || *name != '/')
			continue;
		seen[image] = true;
		if (inlines_known(&symbols->inlines, &symbols->images, image) ||
		    ++count > FOLDED_NAMED)
			continue;
		used += snprintf(text + used, sizeof(text) - used, "%s'%.200s'",
				 count > 1 ? ", " : "", name);
	}
	free(seen);
	more = count > FOLDED_NAMED ? count - FOLDED_NAMED : 0;
	if (more)
		snprintf(rest, sizeof(rest), " and %" PRIu32 " more", more);
	if (count)
		say_note(
			"--inline: no debugging information of %s%s, so functions inlined there are not known; compile with -g, or install the package that has it",
			text, rest);
}

void symbols_free(struct symbols *symbols)
{
	uint32_t i;

	for (i = 0; i < symbols->count; i++) {
		free(symbols->places[i].demangled);
		free(symbols->places[i].made);
	}
	free(symbols->places);
	free(symbols->stack.places);
	free(symbols->stack.addresses);
	inlines_free(&symbols->inlines);
	hash_free(&symbols->table);
	free(symbols->buffer);
	maps_free(&symbols->maps);
	images_free(&symbols->images);
	kallsyms_free(&symbols->kernel);
}
