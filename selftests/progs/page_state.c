// SPDX-License-Identifier: GPL-2.0-only
/*
 * page_state: counts its own time on a CPU, a register that needs no PMU, with the user page
 * mapped, and prints what the page says: "valid", "no access", or a number.
 */
#include "context.h"

#include <stdio.h>
#include <sys/mman.h>

int main(void)
{
	const int fd = context_open(0);
	volatile struct pfm_user_page *page;
	uint32_t state;

	if (fd < 0 || pmd_write(fd, CPU_TIME_NS, 0))
		return 1;
	page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd,
		    PFM_USER_PAGE_OFFSET);
	if (page == MAP_FAILED || context_load(fd, 0) || context_start(fd, 0))
		return 1;
	state = page->state;
	if (state == PFM_USER_PAGE_VALID)
		puts("valid");
	else if (state == PFM_USER_PAGE_NO_ACCESS)
		puts("no access");
	else
		printf("%u\n", state);
	return 0;
}
