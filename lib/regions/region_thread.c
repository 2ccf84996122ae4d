// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Regions: the contexts of threads, and the sums of threads that have ended.
 */
#include "regions/region_thread.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__thread struct pfmi_region_thread *pfmi_region_self;
__thread unsigned int pfmi_region_inherited;

/* Under the lock. */
static struct pfmi_region_thread *threads;
static struct pfmi_region_row *ended[PFMI_REGION_MAX];
static pthread_key_t key;
static bool prepared;
static bool child;

/* The calling thread's context could not be made: it does not try again. */
static __thread int failed;

void pfmi_region_row_clear(struct pfmi_region_row *row)
{
	unsigned int i;

	memset(row, 0, sizeof(*row));
	for (i = 0; i < PFMI_REGION_REGS; i++) {
		row->sums[i].min = UINT64_MAX;
		row->sums[i].net_min = INT64_MAX;
		row->sums[i].net_max = INT64_MIN;
	}
}

static struct pfmi_region_row *new_row(void)
{
	struct pfmi_region_row *row = malloc(sizeof(*row));

	if (row)
		pfmi_region_row_clear(row);
	return row;
}

struct pfmi_region_row *pfmi_region_row(struct pfmi_region_thread *thread,
					uint32_t number)
{
	struct pfmi_region_row *row = thread->rows[number];

	if (row)
		return row;
	row = new_row();
	__atomic_store_n(&thread->rows[number], row, __ATOMIC_RELEASE);
	return row;
}

static void add_sum(struct pfmi_region_sum *to,
		    const struct pfmi_region_sum *from)
{
	to->sum += from->sum;
	to->rest += from->rest;
	to->net_sum += from->net_sum;
	if (from->min < to->min)
		to->min = from->min;
	if (from->max > to->max)
		to->max = from->max;
	if (from->net_min < to->net_min)
		to->net_min = from->net_min;
	if (from->net_max > to->net_max)
		to->net_max = from->net_max;
}

void pfmi_region_row_add(struct pfmi_region_row *to,
			 const struct pfmi_region_row *from)
{
	unsigned int i;

	to->calls += from->calls;
	to->outer += from->outer;
	to->returned += from->returned;
	to->left += from->left;
	to->missed += from->missed;
	to->unmatched += from->unmatched;
	if (from->cost)
		to->cost = from->cost;
	for (i = 0; i < PFMI_REGION_REGS; i++)
		add_sum(&to->sums[i], &from->sums[i]);
}

void pfmi_region_change_begin(struct pfmi_region_thread *thread)
{
	__atomic_store_n(&thread->seq, thread->seq + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

void pfmi_region_change_end(struct pfmi_region_thread *thread)
{
	__atomic_store_n(&thread->seq, thread->seq + 1, __ATOMIC_RELEASE);
}

/* Copy a row that its thread may change meanwhile. */
static void copy_row(const struct pfmi_region_thread *thread,
		     const struct pfmi_region_row *row,
		     struct pfmi_region_row *copy)
{
	unsigned int tries;
	uint32_t seq;

	/* A thread that was interrupted in a change may not go on soon. */
	for (tries = 0; tries < 1000; tries++) {
		seq = __atomic_load_n(&thread->seq, __ATOMIC_ACQUIRE);
		*copy = *(const volatile struct pfmi_region_row *)row;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (!(seq & 1) &&
		    seq == __atomic_load_n(&thread->seq, __ATOMIC_RELAXED))
			return;
		sched_yield();
	}
}

void pfmi_region_sum_up(uint32_t number, struct pfmi_region_row *row)
{
	const struct pfmi_region_thread *thread;
	const struct pfmi_region_row *other;
	struct pfmi_region_row copy;

	if (ended[number])
		pfmi_region_row_add(row, ended[number]);
	for (thread = threads; thread; thread = thread->next) {
		other = __atomic_load_n(&thread->rows[number],
					__ATOMIC_ACQUIRE);
		if (!other)
			continue;
		copy_row(thread, other, &copy);
		pfmi_region_row_add(row, &copy);
	}
}

void pfmi_region_cut(void)
{
	struct pfmi_region_thread *thread = pfmi_region_self;
	struct pfmi_region_frame *frame;
	unsigned int i;

	if (!thread || !thread->depth)
		return;
	if (pfm_user_page_read(thread->page, thread->now) < 0)
		return;
	pfmi_region_change_begin(thread);
	while (thread->depth) {
		frame = &thread->frames[--thread->depth];
		if (--frame->row->open)
			continue;
		for (i = 0; i < pfmi_region_setup.count; i++)
			frame->row->sums[i].rest +=
				thread->now[i] - frame->start[i];
	}
	pfmi_region_change_end(thread);
}

bool pfmi_region_is_child(void)
{
	return child;
}

static void release(struct pfmi_region_thread *thread)
{
	unsigned int i;

	pfm_user_page_close(thread->page);
	if (thread->fd >= 0)
		close(thread->fd);
	for (i = 0; i < PFMI_REGION_MAX; i++)
		free(thread->rows[i]);
	free(thread->frames);
	free(thread);
}

/* The caller has the lock. */
static void take_over(const struct pfmi_region_thread *thread)
{
	unsigned int i;

	for (i = 0; i < PFMI_REGION_MAX; i++) {
		if (!thread->rows[i])
			continue;
		if (!ended[i])
			ended[i] = new_row();
		if (ended[i])
			pfmi_region_row_add(ended[i], thread->rows[i]);
	}
}

/* A thread ends. */
static void on_end(void *data)
{
	struct pfmi_region_thread *thread = data;
	int saved = errno;

	pfmi_region_cut();
	pfmi_region_self = NULL;
	pthread_mutex_lock(&pfmi_region_lock);
	take_over(thread);
	if (thread->next)
		thread->next->previous = thread->previous;
	if (thread->previous)
		thread->previous->next = thread->next;
	else
		threads = thread->next;
	pthread_mutex_unlock(&pfmi_region_lock);
	release(thread);
	errno = saved;
}

static void before_fork(void)
{
	pthread_mutex_lock(&pfmi_region_lock);
}

static void after_fork_parent(void)
{
	pthread_mutex_unlock(&pfmi_region_lock);
}

/* The contexts are those of the parent's threads: the child begins with none. */
static void after_fork_child(void)
{
	struct pfmi_region_thread *next;
	unsigned int i;
	int saved = errno;

	if (pfmi_region_self) {
		pfmi_region_inherited = pfmi_region_self->depth;
		pthread_setspecific(key, NULL);
	}
	pfmi_region_self = NULL;
	for (; threads; threads = next) {
		next = threads->next;
		release(threads);
	}
	for (i = 0; i < PFMI_REGION_MAX; i++) {
		free(ended[i]);
		ended[i] = NULL;
	}
	child = true;
	pthread_mutex_unlock(&pfmi_region_lock);
	errno = saved;
}

/* The caller has the lock. */
static int prepare(void)
{
	int err;

	if (prepared)
		return 0;
	err = pthread_key_create(&key, on_end);
	if (!err)
		err = pthread_atfork(before_fork, after_fork_parent,
				     after_fork_child);
	prepared = !err;
	return -err;
}

static int complain(unsigned long request, int err)
{
	pfmi_region_complain("%s", pfm_ctx_strerror(request, err));
	return err;
}

static int program(struct pfmi_region_thread *thread)
{
	const struct pfm_assignment *regs = &pfmi_region_setup.regs;
	int ret;

	thread->fd = pfm_ctx_create(NULL);
	if (thread->fd < 0)
		return complain(PFM_IOC_CREATE_CONTEXT, thread->fd);
	ret = regs->num_pmcs ? pfm_ctx_write_pmcs(thread->fd, regs->pmcs,
						  regs->num_pmcs, NULL)
			     : 0;
	if (ret < 0)
		return complain(PFM_IOC_WRITE_PMCS, ret);
	ret = pfm_ctx_write_pmds(thread->fd, regs->pmds, regs->num_writable,
				 NULL);
	if (ret < 0)
		return complain(PFM_IOC_WRITE_PMDS, ret);
	ret = pfm_ctx_load(thread->fd, 0, NULL);
	if (ret < 0)
		return complain(PFM_IOC_LOAD_CONTEXT, ret);
	ret = pfm_ctx_start(thread->fd, NULL);
	if (ret < 0)
		return complain(PFM_IOC_START, ret);
	ret = pfm_user_page_open(thread->fd, regs->pmds, regs->num_pmds,
				 &thread->page);
	if (ret < 0)
		return complain(PFM_IOC_READ_PMDS, ret);
	/* The first read looks up the registers. */
	ret = pfm_user_page_read(thread->page, thread->now);
	if (ret >= 0)
		ret = pfm_user_page_read(thread->page, thread->now);
	if (ret < 0)
		return complain(PFM_IOC_READ_PMDS, ret);
	thread->again = ret ? INT_MIN : 1;
	thread->end_page = thread->page;
	return 0;
}

static int create(void)
{
	struct pfmi_region_thread *thread;
	int ret;

	thread = calloc(1, sizeof(*thread));
	if (!thread)
		return complain(PFM_IOC_CREATE_CONTEXT, -ENOMEM);
	thread->fd = -1;
	ret = program(thread);
	if (ret < 0) {
		release(thread);
		return ret;
	}
	pthread_mutex_lock(&pfmi_region_lock);
	ret = prepare();
	if (!ret) {
		thread->next = threads;
		if (threads)
			threads->previous = thread;
		threads = thread;
	}
	pthread_mutex_unlock(&pfmi_region_lock);
	if (ret) {
		release(thread);
		return ret;
	}
	pthread_setspecific(key, thread);
	pfmi_region_self = thread;
	return 0;
}

int pfmi_region_thread_create(void)
{
	int saved = errno;
	int ret;

	if (failed)
		return failed;
	ret = create();
	errno = saved;
	failed = ret;
	return ret;
}
