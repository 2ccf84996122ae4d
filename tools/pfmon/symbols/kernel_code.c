// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the code of the running kernel, see kernel_code.h.  The program headers of
 * /proc/kcore say where in the file each range of the kernel's addresses is.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/kernel_code.h"

/**
 * struct kernel_code_part - a range of addresses
 * @address: the first one
 * @size: bytes
 * @offset: in the file
 */
struct kernel_code_part {
	uint64_t address;
	uint64_t size;
	uint64_t offset;
};

static int read_parts(struct kernel_code *code, Elf *elf)
{
	struct kernel_code_part *part;
	GElf_Phdr header;
	size_t count, i;
	GElf_Ehdr head;

	if (!elf || elf_getphdrnum(elf, &count) || !count ||
	    !gelf_getehdr(elf, &head))
		return -ENOEXEC;
	code->machine = head.e_machine;
	code->parts = calloc(count, sizeof(*code->parts));
	if (!code->parts)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, i, &header) || header.p_type != PT_LOAD)
			continue;
		part = &code->parts[code->num_parts++];
		part->address = header.p_vaddr;
		part->size = header.p_filesz;
		part->offset = header.p_offset;
	}
	return code->num_parts ? 0 : -ENOEXEC;
}

int kernel_code_open(struct kernel_code *code)
{
	Elf *elf;
	int err;

	*code = (struct kernel_code){ .fd = -1 };
	code->fd = open(KERNEL_CODE_FILE, O_RDONLY | O_CLOEXEC);
	if (code->fd < 0)
		return -errno;
	elf_version(EV_CURRENT);
	elf = elf_begin(code->fd, ELF_C_READ, NULL);
	err = read_parts(code, elf);
	elf_end(elf);
	return err;
}

/* The kernel gives zeros for addresses that a range has but nothing is mapped at. */
static bool is_hole(const uint8_t *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

const uint8_t *kernel_code_read(struct kernel_code *code, uint64_t address,
				size_t size, size_t *got)
{
	const struct kernel_code_part *part;
	uint8_t *buffer;
	ssize_t n = 0;
	size_t i;

	buffer = realloc(code->buffer, size);
	if (!buffer)
		return NULL;
	code->buffer = buffer;
	for (i = 0; i < code->num_parts; i++) {
		part = &code->parts[i];
		if (address < part->address ||
		    address - part->address >= part->size)
			continue;
		if (size > part->size - (address - part->address))
			size = part->size - (address - part->address);
		n = pread(code->fd, buffer, size,
			  part->offset + (address - part->address));
		break;
	}
	if (n <= 0 || is_hole(buffer, n))
		return NULL;
	*got = n;
	return buffer;
}

void kernel_code_close(struct kernel_code *code)
{
	if (code->fd >= 0)
		close(code->fd);
	free(code->parts);
	free(code->buffer);
	*code = (struct kernel_code){ .fd = -1 };
}
