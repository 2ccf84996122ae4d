// SPDX-License-Identifier: GPL-2.0-only
/*
 * Places and their names.
 *
 * libiberty demangles names of C++ and Rust.  It comes with GNU binutils as a
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
 */
struct place {
	uint32_t image;
	uint64_t offset;
	bool unsure;
	struct symbol symbol;
	bool resolved;
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
	char access[5];
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

/* If the kernel does not report mappings, read them as they are now. */
static void read_proc(struct symbols *symbols, uint32_t pid, uint64_t time)
{
	char name[32], *line = NULL;
	size_t room = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%u/maps", pid);
	file = fopen(name, "re");
	if (!file) {
		maps_end(&symbols->maps, pid);
		return;
	}
	while (getline(&line, &room, file) > 0)
		take_line(symbols, pid, time, line);
	free(line);
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
		    place->unsure == unsure)
			return number - 1;
	}
	if (array_reserve(&symbols->places, sizeof(*symbols->places),
			  &symbols->room, (size_t)symbols->count + 1) ||
	    hash_add(&symbols->table, hash))
		return 0;
	place = &symbols->places[symbols->count++];
	memset(place, 0, sizeof(*place));
	place->image = image;
	place->offset = offset;
	place->unsure = unsure;
	return symbols->count - 1;
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

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
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
	if (asprintf(&place->made, "%s+0x%" PRIx64, base_name(symbol->module),
		     start) < 0) {
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

static void demangle(struct place *place)
{
	struct symbol *symbol = &place->symbol;

	if (!symbol->name || symbol->kernel || place->made)
		return;
	place->demangled = cplus_demangle(symbol->name,
					  DMGL_AUTO | DMGL_PARAMS | DMGL_ANSI);
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

uint32_t symbols_settle(struct symbols *symbols, uint32_t *places,
			uint64_t *frames, uint32_t count)
{
	uint32_t i, n = 0, place;

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
		places[n] = place;
		if (frames)
			frames[n] = frames[i];
		n++;
	}
	return n;
}

/* Replaces control characters, so that the text stays on one line. */
static void print_one_line(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' :
		      *text, out);
}

void symbols_print(FILE *out, const struct symbol *symbol)
{
	if (symbol->name) {
		print_one_line(out, symbol->name);
		if (symbol->offset)
			fprintf(out, "+0x%" PRIx64, symbol->offset);
	} else {
		fprintf(out, "0x%" PRIx64, symbol->address);
	}
	if (symbol->module) {
		fputc('<', out);
		print_one_line(out, symbol->module);
		fputc('>', out);
	}
	if (symbol->unsure)
		fputc('?', out);
}

const char *symbols_frame(const struct symbol *symbol, char *text)
{
	const char *mark = symbol->unsure ? "?" : "";
	char *at;

	if (symbol->name)
		snprintf(text, FRAME_ROOM, "%s%s", symbol->name, mark);
	else if (!symbol->module)
		snprintf(text, FRAME_ROOM, "[unknown]%s", mark);
	else if (symbol->module[0] == '[')
		snprintf(text, FRAME_ROOM, "%s%s", symbol->module, mark);
	else if (symbol->kernel)
		snprintf(text, FRAME_ROOM, "[%s]%s", symbol->module, mark);
	else
		snprintf(text, FRAME_ROOM, "[%s+0x%" PRIx64 "]%s",
			 base_name(symbol->module), symbol->address, mark);
	for (at = text; *at; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7f)
			*at = '?';
	return text;
}

void symbols_free(struct symbols *symbols)
{
	uint32_t i;

	for (i = 0; i < symbols->count; i++) {
		free(symbols->places[i].demangled);
		free(symbols->places[i].made);
	}
	free(symbols->places);
	hash_free(&symbols->table);
	free(symbols->buffer);
	maps_free(&symbols->maps);
	images_free(&symbols->images);
	kallsyms_free(&symbols->kernel);
}
