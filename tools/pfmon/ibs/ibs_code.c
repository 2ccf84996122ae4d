// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads code, see ibs_code.h.
 */
#include <errno.h>
#include <string.h>

#include "base/message.h"
#include "ibs/ibs_code.h"
#include "symbols/image_code.h"

void ibs_code_init(struct ibs_code *code, struct ibs_places *places)
{
	*code = (struct ibs_code){ .places = places, .kernel.fd = -1 };
}

/* A setting that hides the kernel's addresses from a user has to hide its code, which has them. */
static enum ibs_code_state open_kernel(struct ibs_code *code)
{
	if (!code->places->kernel_here)
		return IBS_CODE_OTHER_BOOT;
	if (!code->places->kernel_seen)
		return IBS_CODE_HIDDEN;
	code->error = kernel_code_open(&code->kernel);
	return code->error ? IBS_CODE_CLOSED : IBS_CODE_READ;
}

uint64_t ibs_code_size(struct ibs_code *code, const struct ibs_place *place)
{
	if (place->kind == IBS_PLACE_CODE)
		return image_code_size(&code->places->images, place->image,
				       place->address);
	if (place->kind == IBS_PLACE_KERNEL)
		return kallsyms_size(&code->places->kernel, place->address);
	return 0;
}

const uint8_t *ibs_code_read(struct ibs_code *code,
			     const struct ibs_place *place, uint64_t address,
			     size_t size, size_t *got, bool *wide)
{
	if (place->kind == IBS_PLACE_CODE)
		return image_code_read(&code->places->images, place->image,
				       address, size, got, wide);
	if (place->kind != IBS_PLACE_KERNEL)
		return NULL;
	if (code->state == IBS_CODE_UNTRIED)
		code->state = open_kernel(code);
	if (code->state != IBS_CODE_READ)
		return NULL;
	*wide = code->kernel.wide;
	return kernel_code_read(&code->kernel, address, size, got);
}

static void tell_closed(const struct ibs_code *code)
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

void ibs_code_tell(const struct ibs_code *code, const char *name)
{
	switch (code->state) {
	case IBS_CODE_UNTRIED:
	case IBS_CODE_READ:
		break;
	case IBS_CODE_OTHER_BOOT:
		say_note(
			"instructions of the kernel are not shown: %s does not say that it was recorded in this boot of this machine; annotate it as root where it was recorded, before that machine boots again",
			name);
		break;
	case IBS_CODE_HIDDEN:
		say_note(
			"instructions of the kernel are not shown: this user may not see the kernel's addresses; root may, unless kernel.kptr_restrict is 2");
		break;
	case IBS_CODE_CLOSED:
		tell_closed(code);
		break;
	}
}

void ibs_code_free(struct ibs_code *code)
{
	kernel_code_close(&code->kernel);
}
