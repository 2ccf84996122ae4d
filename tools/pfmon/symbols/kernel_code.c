// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the kernel's code, see kernel_code.h.
 */
#include "symbols/kernel_code.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <unistd.h>

#define KCORE "/proc/kcore"

/* An error stays: the file is opened once. */
static int open_once(struct kernel_code *code)
{
	if (code->elf)
		return 0;
	if (code->err)
		return -1;
	code->fd = open(KCORE, O_RDONLY | O_CLOEXEC);
	if (code->fd < 0) {
		code->err = errno;
		return -1;
	}
	elf_version(EV_CURRENT);
	code->elf = elf_begin(code->fd, ELF_C_READ, NULL);
	if (code->elf)
		return 0;
	close(code->fd);
	code->err = EIO;
	return -1;
}

/* The part of the file that has the address.  Returns 0 or -1. */
static int find_part(struct kernel_code *code, uint64_t address,
		     GElf_Phdr *part)
{
	size_t count, i;

	if (elf_getphdrnum(code->elf, &count))
		return -1;
	for (i = 0; i < count; i++)
		if (gelf_getphdr(code->elf, i, part) &&
		    part->p_type == PT_LOAD && address >= part->p_vaddr &&
		    address - part->p_vaddr < part->p_memsz)
			return 0;
	return -1;
}

static int make_room(struct kernel_code *code, size_t size)
{
	uint8_t *buffer;

	if (size <= code->room)
		return 0;
	buffer = realloc(code->buffer, size);
	if (!buffer)
		return -1;
	code->buffer = buffer;
	code->room = size;
	return 0;
}

const uint8_t *kernel_code_read(struct kernel_code *code, uint64_t address,
				size_t size, size_t *got)
{
	GElf_Phdr part;
	uint64_t at;
	ssize_t length;

	*got = 0;
	if (open_once(code))
		return NULL;
	if (find_part(code, address, &part)) {
		code->err = EFAULT;
		return NULL;
	}
	at = address - part.p_vaddr;
	if (size > part.p_memsz - at)
		size = part.p_memsz - at;
	if (make_room(code, size)) {
		code->err = ENOMEM;
		return NULL;
	}
	length = pread(code->fd, code->buffer, size, part.p_offset + at);
	if (length <= 0) {
		code->err = length ? errno : EFAULT;
		return NULL;
	}
	*got = length;
	return code->buffer;
}

void kernel_code_free(struct kernel_code *code)
{
	if (code->elf) {
		elf_end(code->elf);
		close(code->fd);
	}
	free(code->buffer);
	*code = (struct kernel_code){ 0 };
}
