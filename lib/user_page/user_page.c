// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Reading the registers of the calling thread without a system call.
 */
#include "user_page/user_page.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define NO_NUMBER UINTPTR_MAX

/* The code reads registers of different widths. */
#ifdef PFMI_USER_PAGE_X86
#define MIXED_WIDTHS 1
#else
#define MIXED_WIDTHS 0
#endif

/*
 * Number of a thread that has opened a page; tells threads apart.  A thread that has
 * just begun may have the stack and the thread pointer of a thread that has ended but
 * that the kernel still has to clean up, so that its page still says that it counts.
 * The thread-local memory of the new thread is initialised, however.  The offset from
 * the thread pointer is the same in all threads.
 */
static __thread uintptr_t thread
	__attribute__((tls_model("initial-exec"))) = NO_NUMBER;

/* Cell of a page that is not mapped: owner is 0, which is no thread's number. */
static struct pfmi_user_page_cell nobody;

static const struct pfm_user_page_reg end = { .index = PFMI_USER_PAGE_END };

/* Only used where the architecture has code for reads in user mode. */
static ptrdiff_t thread_offset(void)
{
#if defined(PFMI_USER_PAGE_ARMV8)
	return (char *)&thread - (char *)__builtin_thread_pointer();
#elif defined(PFMI_USER_PAGE_X86)
	char *pointer;

	/* The thread pointer is in the memory that it points to. */
	__asm__("mov %%fs:0, %0" : "=r"(pointer));
	return (char *)&thread - pointer;
#else
	return 0;
#endif
}

static uintptr_t thread_number(void)
{
	static uintptr_t last;

	if (thread == NO_NUMBER)
		thread = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
	return thread;
}

/*
 * A thread that was about to read a counter when user mode was denied the counters gets a
 * signal for the instruction.  It then begins anew, with the ioctl.
 */
#if defined(PFMI_USER_PAGE_ARMV8) || defined(PFMI_USER_PAGE_X86)
#if defined(PFMI_USER_PAGE_ARMV8)
#define DENIED_SIGNAL SIGILL
#define PC_OF(uc)     ((uc)->uc_mcontext.pc)
#else
#define DENIED_SIGNAL SIGSEGV
#define PC_OF(uc)     ((uc)->uc_mcontext.gregs[REG_RIP])
#endif

int pfm_user_page_denied(int sig, const siginfo_t *info, void *ucontext)
{
	ucontext_t *uc = ucontext;
	const uintptr_t pc = PC_OF(uc);

	/* Not a signal that a process has sent. */
	if (sig != DENIED_SIGNAL || info->si_code <= 0 ||
	    pc < (uintptr_t)pfmi_user_page_begin ||
	    pc >= (uintptr_t)pfmi_user_page_end)
		return 0;
	PC_OF(uc) = (uintptr_t)pfmi_user_page_resume;
	return 1;
}

/* In place of the default action, which comes with the same instruction executed again. */
static void on_denied(int sig, siginfo_t *info, void *ucontext)
{
	const struct sigaction action = { .sa_handler = SIG_DFL };
	int saved = errno;

	if (!pfm_user_page_denied(sig, info, ucontext)) {
		sigaction(sig, &action, NULL);
		/* Unless a process has sent the signal: then it is sent again. */
		if (info->si_code <= 0)
			raise(sig);
	}
	errno = saved;
}

static void handle_denied(void)
{
	struct sigaction action = {
		.sa_sigaction = on_denied,
		.sa_flags = SA_SIGINFO | SA_ONSTACK,
	};
	struct sigaction old;

	/* A handler of the program's own calls pfm_user_page_denied(). */
	if (!sigaction(DENIED_SIGNAL, NULL, &old) &&
	    !(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL)
		sigaction(DENIED_SIGNAL, &action, NULL);
}
#else
int pfm_user_page_denied(int sig, const siginfo_t *info, void *ucontext)
{
	(void)sig;
	(void)info;
	(void)ucontext;
	return 0;
}

static void handle_denied(void)
{
}
#endif

static size_t page_bytes(void)
{
	return sysconf(_SC_PAGESIZE);
}

/* Map the page and the cell; without both, reads use the ioctl. */
static void map(struct pfm_user_page_map *page)
{
	struct pfmi_user_page_cell *cell;
	void *ctl;

	page->cell = &nobody;
	page->state = PFM_USER_PAGE_NOT_MAPPED;
	ctl = mmap(NULL, page_bytes(), PROT_READ, MAP_SHARED, page->fd,
		   PFM_USER_PAGE_OFFSET);
	if (ctl == MAP_FAILED)
		return;
	cell = mmap(NULL, page_bytes(), PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (cell == MAP_FAILED) {
		munmap(ctl, page_bytes());
		return;
	}
	if (madvise(cell, page_bytes(), MADV_WIPEONFORK)) {
		munmap(ctl, page_bytes());
		munmap(cell, page_bytes());
		return;
	}
	handle_denied();
	cell->alive = 1;
	page->ctl = ctl;
	page->cell = cell;
}

int pfm_user_page_open(int fd, const struct pfm_reg *regs, unsigned int count,
		       struct pfm_user_page_map **result)
{
	struct pfm_user_page_map *page;
	int saved = errno;

	*result = NULL;
	if (!count || count > PFM_REGS_MAX)
		return -EINVAL;
	page = calloc(1, sizeof(*page) + count * sizeof(*regs));
	if (!page)
		goto out_errno;
	page->slots = calloc(count + 1, sizeof(page->slots[0]));
	if (!page->slots)
		goto out_free;
	memcpy(page->regs, regs, count * sizeof(*regs));
	page->slots[count] = &end;
	page->fd = fd;
	page->count = count;
	page->tid = syscall(SYS_gettid);
	page->self = thread_number();
	page->tls = thread_offset();
	map(page);
	errno = saved;
	*result = page;
	return 0;

out_free:
	free(page);
out_errno:
	errno = saved;
	return -ENOMEM;
}

void pfm_user_page_close(struct pfm_user_page_map *page)
{
	int saved = errno;

	if (!page)
		return;
	/* A child does not have the page, and may have something else at its address. */
	if (page->cell->alive)
		munmap((void *)page->ctl, page_bytes());
	if (page->cell != &nobody)
		munmap(page->cell, page_bytes());
	free(page->slots);
	free(page);
	errno = saved;
}

static const struct pfm_user_page_reg *find(const struct pfm_user_page *ctl,
					    const struct pfm_reg *reg)
{
	unsigned int i;

	for (i = 0; i < ctl->nregs && i < PFM_USER_PAGE_REGS; i++) {
		if (ctl->regs[i].num == reg->num &&
		    ctl->regs[i].set == reg->set)
			return &ctl->regs[i];
	}
	return NULL;
}

/* Find the registers on the page, and the code for their width. */
static int look_up(struct pfm_user_page_map *page)
{
	unsigned int i, width = 0;

	if (page->ctl->version != PFM_USER_PAGE_VERSION)
		return PFM_USER_PAGE_NO_ACCESS;
	if (page->ctl->tid != page->tid)
		return PFM_USER_PAGE_THREAD;
	for (i = 0; i < page->count; i++) {
		const struct pfm_user_page_reg *reg =
			find(page->ctl, &page->regs[i]);

		if (!reg)
			return PFM_USER_PAGE_REGISTER;
		page->slots[i] = reg;
		/* Armv8: the cycle counter has 64 bits, whatever the others have. */
		if (reg->num == 31)
			continue;
		if (width && reg->width != width && !MIXED_WIDTHS)
			return PFM_USER_PAGE_NO_ACCESS;
		width = reg->width;
	}
	page->code = pfmi_user_page_code(width ? width : 64);
	return page->code ? PFM_USER_PAGE_VALID : PFM_USER_PAGE_NO_ACCESS;
}

/*
 * Look up the registers again if the layout of the page has changed.  Called by the
 * thread that opened the page.  If the layout changes once more meanwhile, the read
 * notices that its value is another one.
 */
static void resolve(struct pfm_user_page_map *page)
{
	/* Read the table and tid of the page after layout. */
	uint64_t layout = __atomic_load_n(&page->ctl->layout, __ATOMIC_ACQUIRE);

	if (!layout || layout == page->layout)
		return;
	/* A signal handler may interrupt this, and read and look them up as well. */
	page->cell->owner = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	page->state = look_up(page);
	page->layout = layout;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (!page->state)
		page->cell->owner = page->self;
}

int pfm_user_page_state(struct pfm_user_page_map *page)
{
	uint32_t state;

	if (!page->cell->alive)
		return PFM_USER_PAGE_NOT_MAPPED;
	if (thread != page->self)
		return PFM_USER_PAGE_THREAD;
	state = *(const volatile __u32 *)&page->ctl->state;
	if (state)
		return state;
	resolve(page);
	return page->state;
}

const char *pfm_user_page_reason(int state)
{
	switch (state) {
	case PFM_USER_PAGE_VALID:
		return "registers are read without a system call";
	case PFM_USER_PAGE_UNLOADED:
		return "the context is not loaded";
	case PFM_USER_PAGE_STOPPED:
		return "the context is not started, or masked by an overflow";
	case PFM_USER_PAGE_OTHER:
		return "the context monitors a thread of another process";
	case PFM_USER_PAGE_FOLLOWS:
		return "the context follows, and its values are sums";
	case PFM_USER_PAGE_NO_ACCESS:
		return "this PMU cannot be read without a system call (x86: unless 2 is in /sys/bus/event_source/devices/cpu/rdpmc)";
	case PFM_USER_PAGE_NOT_MAPPED:
		return "the user page is not mapped: the kernel has none, another process has it, or this is a child of fork";
	case PFM_USER_PAGE_THREAD:
		return "only the monitored thread can read without a system call, if it has opened the page itself";
	case PFM_USER_PAGE_REGISTER:
		return "a register is not a hardware counter, not used by its set, or beyond the first 126";
	default:
		return "unknown state";
	}
}

int pfmi_user_page_slow(struct pfm_user_page_map *page, uint64_t *vals)
{
	unsigned int i;
	int ret;

	if (page->cell->alive && thread == page->self)
		resolve(page);
	ret = pfm_ctx_read_pmds(page->fd, page->regs, page->count, NULL);
	if (ret < 0)
		return ret;
	for (i = 0; i < page->count; i++)
		vals[i] = page->regs[i].value;
	return 1;
}
