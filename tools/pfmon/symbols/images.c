// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files and their symbols.
 *
 * A code location is a file and an offset in it: that is the same in every
 * process, wherever the file is mapped.  The program headers translate the offset
 * into the address that the symbol table uses.
 */
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/message.h"
#include "symbols/images.h"

#define VDSO_NAME	"[vdso]"

/**
 * struct segment - a loaded part of a file
 * @offset: in the file
 * @size: bytes in the file
 * @address: in the file's own addresses
 * @memory: bytes in memory: those beyond @size begin as zero
 */
struct segment {
	uint64_t offset;
	uint64_t size;
	uint64_t address;
	uint64_t memory;
};

/**
 * struct image - a file
 * @name: path as the kernel gives it
 * @inode: inode number; 0 if not known
 * @id: build id of the file that was mapped
 * @id_size: bytes of @id; 0 if not known
 * @found: bytes of @id that the file has, if nobody gave it
 * @fd: descriptor of the file; -1 if it is not open yet
 * @tried: an attempt was made to open it
 * @loaded: segments and symbols were read, or reading them failed
 * @segments: loaded parts of the file
 * @num_segments: elements of @segments
 * @dwfl: libdwfl's handle for the symbols; NULL if none
 * @module: the file in @dwfl
 */
struct image {
	char *name;
	uint64_t inode;
	uint8_t id[IMAGES_ID_MAX];
	size_t id_size;
	size_t found;
	int fd;
	bool tried;
	bool loaded;
	struct segment *segments;
	size_t num_segments;
	Dwfl *dwfl;
	Dwfl_Module *module;
};

static char *debuginfo_path;

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debuginfo_path,
};

static struct image *get(const struct images *images, uint32_t number)
{
	if (number < IMAGE_FIRST || number - IMAGE_FIRST >= images->count)
		return NULL;
	return images->list[number - IMAGE_FIRST];
}

char *images_find_command(const char *command)
{
	const char *path = getenv("PATH"), *end;
	char name[PATH_MAX];

	if (strchr(command, '/'))
		return realpath(command, NULL);
	for (path = path ? path : "/bin:/usr/bin"; *path;
	     path = *end ? end + 1 : end) {
		end = strchrnul(path, ':');
		snprintf(name, sizeof(name), "%.*s/%s", (int)(end - path),
			 path, command);
		if (!access(name, X_OK))
			return realpath(name, NULL);
	}
	return NULL;
}

int images_set_symbol_file(struct images *images, const char *file,
			   const char *command)
{
	if (access(file, R_OK)) {
		say_error("--symbol-file: cannot read '%s': %s", file,
			  strerror(errno));
		return -1;
	}
	images->symbol_file = file;
	images->program = images_find_command(command);
	return 0;
}

static struct image *add_image(struct images *images, const char *name,
			       uint64_t hash, uint64_t inode)
{
	struct image *image;

	if (array_reserve(&images->list, sizeof(*images->list), &images->room,
			  (size_t)images->count + 1))
		return NULL;
	image = calloc(1, sizeof(*image));
	if (!image)
		return NULL;
	image->name = strdup(name);
	if (!image->name || hash_add(&images->table, hash)) {
		free(image->name);
		free(image);
		return NULL;
	}
	image->inode = inode;
	image->fd = -1;
	images->list[images->count++] = image;
	return image;
}

static bool is_build(const struct image *image, const uint8_t *id, size_t size)
{
	return image->id_size == size &&
	       (!size || !memcmp(image->id, id, size));
}

uint32_t images_number_of_build(struct images *images, const char *name,
				uint64_t inode, const uint8_t *id, size_t size)
{
	uint64_t hash = hash_text(name);
	struct image *image;
	uint32_t number;

	if (!*name)
		return IMAGE_NONE;
	if (size > IMAGES_ID_MAX)
		size = 0;
	for (number = hash_find(&images->table, hash); number;
	     number = hash_next(&images->table, number)) {
		image = images->list[number - 1];
		if (image->inode == inode && is_build(image, id, size) &&
		    !strcmp(image->name, name))
			return number - 1 + IMAGE_FIRST;
	}
	image = add_image(images, name, hash, inode);
	if (!image)
		return IMAGE_NONE;
	if (size)
		memcpy(image->id, id, size);
	image->id_size = size;
	return images->count - 1 + IMAGE_FIRST;
}

uint32_t images_number(struct images *images, const char *name, uint64_t inode)
{
	return images_number_of_build(images, name, inode, NULL, 0);
}

/* The vDSO is the same in every process, so pfmon reads its own copy. */
static int open_vdso(void)
{
	const char *vdso = (const char *)getauxval(AT_SYSINFO_EHDR);
	char line[256], name[64];
	unsigned long from, to;
	FILE *maps;
	int fd = -1;

	maps = vdso ? fopen("/proc/self/maps", "re") : NULL;
	if (!maps)
		return -1;
	while (fd < 0 && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %63s", &from, &to,
			   name) != 3 || strcmp(name, VDSO_NAME))
			continue;
		fd = memfd_create("vdso", MFD_CLOEXEC);
		if (fd < 0)
			break;
		if (write(fd, vdso, to - from) != (ssize_t)(to - from)) {
			close(fd);
			fd = -1;
		}
		break;
	}
	fclose(maps);
	return fd;
}

/* True if the file has the build id of the one that was mapped, or that is not known. */
static bool has_id(const struct image *image, int fd)
{
	const void *id;
	bool same;
	Elf *elf;

	if (!image->id_size)
		return true;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	same = elf &&
	       dwelf_elf_gnu_build_id(elf, &id) == (ssize_t)image->id_size &&
	       !memcmp(id, image->id, image->id_size);
	elf_end(elf);
	return same;
}

/* Opens the file at @path if it is still the one that was mapped. */
static int open_same(const struct image *image, const char *path)
{
	struct stat st;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    (!image->inode || st.st_ino == image->inode) && has_id(image, fd))
		return fd;
	close(fd);
	return -1;
}

static void open_image(struct image *image, uint32_t pid)
{
	char path[PATH_MAX + 32];

	if (image->tried)
		return;
	image->tried = true;
	if (!strcmp(image->name, VDSO_NAME)) {
		image->fd = open_vdso();
		/* That of another kernel has other functions. */
		if (image->fd >= 0 && !has_id(image, image->fd)) {
			close(image->fd);
			image->fd = -1;
		}
		return;
	}
	if (image->name[0] != '/' || image->name[1] == '/')
		return;
	/* Use the path as the process sees it: it may run in a container. */
	if (pid) {
		snprintf(path, sizeof(path), "/proc/%u/root%s", pid,
			 image->name);
		image->fd = open_same(image, path);
	}
	if (image->fd < 0)
		image->fd = open_same(image, image->name);
	if (image->fd < 0 && errno == EMFILE)
		image->tried = false;
	else if (image->fd < 0)
		say_verbose("no symbols of '%s': the file is gone, or another one is in its place",
			    image->name);
}

void images_keep(struct images *images, uint32_t number, uint32_t pid)
{
	struct image *image = get(images, number);

	if (image && !image->tried)
		open_image(image, pid);
}

const char *images_name(const struct images *images, uint32_t number)
{
	const struct image *image = get(images, number);

	if (number == IMAGE_KERNEL)
		return "kernel";
	return image ? image->name : "";
}

/* Returns the bytes of the build id; 0 if the file has none. */
static size_t read_id(struct image *image)
{
	const void *id;
	ssize_t size;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(image->fd, ELF_C_READ_MMAP, NULL);
	size = elf ? dwelf_elf_gnu_build_id(elf, &id) : 0;
	if (size <= 0 || size > IMAGES_ID_MAX)
		size = 0;
	else
		memcpy(image->id, id, size);
	elf_end(elf);
	return size;
}

size_t images_build_id(struct images *images, uint32_t number, uint32_t pid,
		       uint8_t *id)
{
	struct image *image = get(images, number);
	size_t size;

	if (!image)
		return 0;
	if (!image->id_size && !image->tried) {
		open_image(image, pid);
		if (image->fd >= 0) {
			image->found = read_id(image);
			close(image->fd);
			image->fd = -1;
		}
	}
	size = image->id_size ? image->id_size : image->found;
	memcpy(id, image->id, size);
	return size;
}

uint64_t images_inode(const struct images *images, uint32_t number)
{
	const struct image *image = get(images, number);

	return image ? image->inode : 0;
}

static void read_segments(struct image *image, int fd)
{
	GElf_Phdr header;
	size_t count, i;
	Elf *elf;

	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!elf)
		return;
	if (!elf_getphdrnum(elf, &count))
		image->segments = calloc(count, sizeof(*image->segments));
	for (i = 0; image->segments && i < count; i++) {
		if (!gelf_getphdr(elf, i, &header) || header.p_type != PT_LOAD)
			continue;
		image->segments[image->num_segments].offset = header.p_offset;
		image->segments[image->num_segments].size = header.p_filesz;
		image->segments[image->num_segments].address = header.p_vaddr;
		image->segments[image->num_segments].memory = header.p_memsz;
		image->num_segments++;
	}
	elf_end(elf);
}

static void read_symbols(struct image *image, const char *path, int fd)
{
	image->dwfl = dwfl_begin(&callbacks);
	if (!image->dwfl) {
		close(fd);
		return;
	}
	dwfl_report_begin(image->dwfl);
	/* With base 0 addresses in the module are those of the file. */
	image->module = dwfl_report_elf(image->dwfl, path, path, fd, 0, true);
	if (!image->module) {
		say_verbose("no symbols of '%s': %s", path, dwfl_errmsg(-1));
		close(fd);
	}
	dwfl_report_end(image->dwfl, NULL, NULL);
}

static bool is_program(const struct images *images, const struct image *image)
{
	return images->symbol_file && images->program &&
	       !strcmp(images->program, image->name);
}

static void load(const struct images *images, struct image *image)
{
	const char *path = image->name;
	int fd;

	if (image->loaded)
		return;
	image->loaded = true;
	open_image(image, 0);
	elf_version(EV_CURRENT);
	fd = image->fd;
	if (fd >= 0)
		read_segments(image, fd);
	if (is_program(images, image)) {
		path = images->symbol_file;
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd >= 0 && !image->num_segments)
			read_segments(image, fd);
	} else if (fd >= 0) {
		/* read_symbols() takes over the descriptor. */
		image->fd = -1;
	}
	if (fd >= 0)
		read_symbols(image, path, fd);
}

static bool find_address(const struct image *image, uint64_t offset,
			 uint64_t *address)
{
	const struct segment *segment;
	size_t i;

	for (i = 0; i < image->num_segments; i++) {
		segment = &image->segments[i];
		if (offset < segment->offset ||
		    offset - segment->offset >= segment->size)
			continue;
		*address = segment->address + (offset - segment->offset);
		return true;
	}
	/* Memory that begins as zero is not in the file; it follows the segment's part that is. */
	for (i = 0; i < image->num_segments; i++) {
		segment = &image->segments[i];
		if (segment->memory == segment->size ||
		    offset < segment->offset ||
		    offset - segment->offset >= segment->memory)
			continue;
		*address = segment->address + (offset - segment->offset);
		return true;
	}
	return false;
}

/*
 * True for the mapping symbols that assemblers put in the symbol table of Arm
 * code.
 */
static bool is_mark(const char *name)
{
	return name[0] == '$' && name[1] && strchr("xdat", name[1]) &&
	       (!name[2] || name[2] == '.');
}

/*
 * Finds the last label before an address: assembly code may have symbols without
 * sizes.
 */
static const char *find_label(Dwfl_Module *module, uint64_t address,
			      uint64_t *offset)
{
	int i, count = dwfl_module_getsymtab(module);
	const char *name, *best = NULL;
	uint64_t start = 0;
	GElf_Sym symbol;
	GElf_Addr value;
	GElf_Word index;

	for (i = 1; i < count; i++) {
		name = dwfl_module_getsym_info(module, i, &symbol, &value,
					       &index, NULL, NULL);
		if (!name || !*name || is_mark(name) || index == SHN_UNDEF ||
		    GELF_ST_TYPE(symbol.st_info) > STT_FUNC ||
		    GELF_ST_TYPE(symbol.st_info) == STT_OBJECT ||
		    value > address || (best && value < start) ||
		    (symbol.st_size && address >= value + symbol.st_size))
			continue;
		best = name;
		start = value;
	}
	*offset = address - start;
	return best;
}

void images_lookup(struct images *images, uint32_t number, uint64_t offset,
		   struct image_symbol *symbol)
{
	struct image *image = get(images, number);
	GElf_Off distance;
	GElf_Sym sym;

	symbol->name = NULL;
	symbol->offset = 0;
	symbol->address = offset;
	if (!image)
		return;
	load(images, image);
	if (!find_address(image, offset, &symbol->address) || !image->module)
		return;
	symbol->name = dwfl_module_addrinfo(image->module, symbol->address,
					    &distance, &sym, NULL, NULL, NULL);
	symbol->offset = distance;
	if (symbol->name && is_mark(symbol->name))
		symbol->name = find_label(image->module, symbol->address,
					  &symbol->offset);
}

struct Dwfl_Module *images_module(struct images *images, uint32_t number)
{
	struct image *image = get(images, number);

	if (!image)
		return NULL;
	load(images, image);
	return image->module;
}

void images_free(struct images *images)
{
	uint32_t i;

	for (i = 0; i < images->count; i++) {
		struct image *image = images->list[i];

		if (image->dwfl)
			dwfl_end(image->dwfl);
		if (image->fd >= 0)
			close(image->fd);
		free(image->segments);
		free(image->name);
		free(image);
	}
	free(images->list);
	hash_free(&images->table);
	free(images->program);
	memset(images, 0, sizeof(*images));
}
