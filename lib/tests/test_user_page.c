// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Reads in user mode, as far as they work without a kernel module: every read uses the
 * ioctl, and returns its error.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "user_page/user_page.h"
#include "tap.h"

static void test_errors(int null)
{
	const struct pfm_reg reg = { .num = 1 };
	struct pfm_user_page_map *page = (void *)&reg;
	uint64_t val;

	errno = 4711;
	is_num(pfm_user_page_open(null, &reg, 0, &page), -EINVAL,
	       "no register");
	ok(!page, "no page");
	is_num(pfm_user_page_open(null, &reg, PFM_REGS_MAX + 1, &page), -EINVAL,
	       "too many");
	is_num(pfm_user_page_open(null, &reg, 1, &page), 0,
	       "opening succeeds on anything");
	is_num(pfm_user_page_state(page), PFM_USER_PAGE_NOT_MAPPED,
	       "but nothing is mapped");
	is_num(pfm_user_page_read(page, &val), -ENOTTY, "the call's error");
	pfm_user_page_close(page);
	pfm_user_page_close(NULL);
	is_num(pfm_user_page_open(-1, &reg, 1, &page), 0,
	       "not even a descriptor");
	is_num(pfm_user_page_read(page, &val), -EBADF, "which the call says");
	pfm_user_page_close(page);
	is_num(errno, 4711, "errno is left alone");
}

/*
 * A user page made by hand in a file: registers that are in memory can be read on any
 * processor of the architecture, without access to counters.
 */
static void test_memory(void)
{
	const struct pfm_reg regs[] = { { .num = 2, .set = 1 }, { .num = 0 } };
	struct pfm_user_page *ctl;
	struct pfm_user_page_map *page;
	uint64_t vals[2] = { 0 };
	int ret, fd = memfd_create("page", 0);

	if (fd < 0 || ftruncate(fd, PFM_USER_PAGE_OFFSET + 65536))
		return;
	ctl = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		   PFM_USER_PAGE_OFFSET);
	if (ctl == MAP_FAILED)
		return;
	ctl->version = PFM_USER_PAGE_VERSION;
	ctl->state = PFM_USER_PAGE_STOPPED;
	is_num(pfm_user_page_open(fd, regs, 2, &page), 0, "page in a file");
	is_num(pfm_user_page_state(page), PFM_USER_PAGE_STOPPED,
	       "state as the page says");
	ctl->nregs = 2;
	ctl->layout = 7;
	ctl->regs[0] = (struct pfm_user_page_reg){
		.base = 1000,
		.index = PFM_USER_PAGE_IN_MEMORY,
		.width = 32,
	};
	ctl->regs[1] = (struct pfm_user_page_reg){
		.base = 1ULL << 40,
		.index = PFM_USER_PAGE_IN_MEMORY,
		.width = 32,
		.num = 2,
		.set = 1,
	};
	ctl->until = UINT64_MAX;
	ctl->state = PFM_USER_PAGE_VALID;
	ctl->tid = 1;
	is_num(pfm_user_page_state(page), PFM_USER_PAGE_THREAD,
	       "another thread's");
	is_num(pfm_user_page_read(page, vals), -ENOTTY, "is not read");
	ctl->tid = gettid();
	is_num(pfm_user_page_state(page), PFM_USER_PAGE_THREAD,
	       "looked at once a layout");
	ctl->layout++;
#if defined(PFMI_USER_PAGE_ARMV8) || defined(PFMI_USER_PAGE_X86)
	is_num(pfm_user_page_state(page), PFM_USER_PAGE_VALID,
	       "the own thread's");
	is_num(pfm_user_page_read(page, vals), 0, "is read");
	ok(vals[0] == 1ULL << 40 && vals[1] == 1000, "each value in its place");
	ctl->until = 0;
	is_num(pfm_user_page_read(page, vals), -ENOTTY, "beyond the limit");
	ctl->until = UINT64_MAX;
	/* A page that says what does not hold: the processor decides. */
	ctl->regs[0].index = 0;
	ret = pfm_user_page_read(page, vals);
	ok(!ret || ret == -ENOTTY, "a counter that may not be read: %d", ret);
	ctl->regs[0].index = PFM_USER_PAGE_IN_MEMORY;
	ctl->layout++;
	ctl->regs[0].num = 1;
	is_num(pfm_user_page_read(page, vals), -ENOTTY, "another layout");
	is_num(pfm_user_page_state(page), PFM_USER_PAGE_REGISTER,
	       "without the register");
#else
	is_num(pfm_user_page_state(page), PFM_USER_PAGE_NO_ACCESS, "not here");
#endif
	pfm_user_page_close(page);
	close(fd);
}

int main(void)
{
	int i, null = open("/dev/null", O_RDWR);

	test_errors(null);
	test_memory();
	for (i = PFM_USER_PAGE_VALID; i <= PFM_USER_PAGE_NO_ACCESS; i++)
		ok(strcmp(pfm_user_page_reason(i), "unknown state"), "state %d",
		   i);
	for (i = PFM_USER_PAGE_NOT_MAPPED; i <= PFM_USER_PAGE_REGISTER; i++)
		ok(strcmp(pfm_user_page_reason(i), "unknown state"), "state %d",
		   i);
	is_text(pfm_user_page_reason(99), "unknown state", "no state");
	return tap_end();
}
