// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads code, see code.h.
 */
#include <errno.h>
#include <string.h>

#include "base/message.h"
#include "symbols/code.h"
#include "symbols/image_code.h"

void code_init(struct code *code, struct images *images,
	       const struct kallsyms *symbols)
{
	*code = (struct code){
		.images = images,
		.symbols = symbols,
		.kernel.fd = -1,
	};
}

/* A setting that hides the kernel's addresses from a user has to hide its code, which has them. */
static enum code_state open_kernel(struct code *code)
{
	if (!code->kernel_here)
		return CODE_OTHER_BOOT;
	if (!code->kernel_seen)
		return CODE_HIDDEN;
	code->error = kernel_code_open(&code->kernel);
	return code->error ? CODE_CLOSED : CODE_READ;
}

uint64_t code_size(struct code *code, uint32_t image, uint64_t address)
{
	if (image == IMAGE_KERNEL)
		return kallsyms_size(code->symbols, address);
	return image_code_size(code->images, image, address);
}

const uint8_t *code_read(struct code *code, uint32_t image, uint64_t address,
			 size_t size, size_t *got, unsigned int *machine)
{
	if (image != IMAGE_KERNEL)
		return image_code_read(code->images, image, address, size, got,
				       machine);
	if (code->state == CODE_UNTRIED)
		code->state = open_kernel(code);
	if (code->state != CODE_READ)
		return NULL;
	*machine = code->kernel.machine;
	return kernel_code_read(&code->kernel, address, size, got);
}

static void tell_closed(const struct code *code)
{
	const char *mend = "";

	if (code->error == -EACCES || code->error == -EPERM)
		mend = "; root may read it (CAP_SYS_RAWIO), unless the kernel "
		       "is locked down";
	else if (code->error == -ENOENT)
		mend = "; the kernel needs CONFIG_PROC_KCORE";
	say_note(
		"instructions of the kernel are not shown: cannot read %s: %s%s",
		KERNEL_CODE_FILE, strerror(-code->error), mend);
}

void code_tell(const struct code *code, const char *name)
{
	switch (code->state) {
	case CODE_UNTRIED:
	case CODE_READ:
		break;
	case CODE_OTHER_BOOT:
		say_note(
			"instructions of the kernel are not shown: %s does not say that it was recorded in this boot of this machine; run this as root where it was recorded, before that machine boots again",
			name);
		break;
	case CODE_HIDDEN:
		say_note(
			"instructions of the kernel are not shown: this user may not see the kernel's addresses; root may, unless kernel.kptr_restrict is 2");
		break;
	case CODE_CLOSED:
		tell_closed(code);
		break;
	}
}

void code_free(struct code *code)
{
	kernel_code_close(&code->kernel);
}
