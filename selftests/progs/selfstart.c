// SPDX-License-Identifier: GPL-2.0-only
/*
 * selfstart N TIMES: under pfmon --dont-start, starts counting, goes N times around
 * a loop of two instructions and stops counting, so many times.
 *
 * Counts TIMES * (2 N + 4) instructions at user level: what is between the return
 * from one system call and the entry into the other, which belongs to it.
 */
#include <stdlib.h>
#include <linux/perfmon.h>

#ifdef __aarch64__
static long burn(long fd, unsigned long n)
{
	register long result __asm__("x0") = fd;
	register long request __asm__("x1") = PFM_IOC_START;
	register long arg __asm__("x2") = 0;
	register long call __asm__("x8") = 29;

	__asm__ volatile(
		"svc	#0\n\t"
		"mov	x9, %[n]\n"
		"1:\n\t"
		"subs	x9, x9, #1\n\t"
		"b.ne	1b\n\t"
		"mov	x0, %[fd]\n\t"
		"mov	x1, %[stop]\n\t"
		"svc	#0"
		: "+&r"(result), "+&r"(request)
		: "r"(arg),
		  "r"(call), [n] "r"(n), [fd] "r"(fd), [stop] "r"(PFM_IOC_STOP)
		: "x9", "cc", "memory");
	return result;
}
#else
static long burn(long fd, unsigned long n)
{
	long result = 16, request = PFM_IOC_START;

	__asm__ volatile("syscall\n\t"
			 "mov	%[n], %%r8\n"
			 "1:\n\t"
			 "dec	%%r8\n\t"
			 "jne	1b\n\t"
			 "mov	%[stop], %%rsi\n\t"
			 "mov	$16, %%eax\n\t"
			 "syscall"
			 : "+&a"(result), "+&S"(request)
			 : "D"(fd),
			   "d"(0L), [n] "r"(n), [stop] "r"((long)PFM_IOC_STOP)
			 : "r8", "rcx", "r11", "cc", "memory");
	return result;
}
#endif

int main(int argc, char **argv)
{
	const char *fd = getenv("PFMON_CONTEXT_FD");
	unsigned long n, times;

	if (argc != 3 || !fd)
		return 125;
	n = strtoul(argv[1], NULL, 10);
	for (times = strtoul(argv[2], NULL, 10); times; times--) {
		if (burn(atoi(fd), n))
			return 1;
	}
	return 0;
}
