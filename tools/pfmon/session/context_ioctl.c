// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ioctls of a context.
 */
#include <errno.h>
#include <perfmon/perfmon.h>
#include <string.h>

#include "base/message.h"
#include "check/remedies.h"
#include "sampling/task_history.h"
#include "session/context_ioctl.h"
#include "session/progress.h"
#include "session/results.h"

/*
 * Records that the kernel keeps before it merges them.  A large machine may end
 * as many tasks while pfmon waits for a CPU.
 */
#define RECORDS_KEPT 16384

/*
 * If this fails, records are merged earlier: the output lacks names, but no
 * counts.
 */
void context_keep_records(int fd)
{
	struct pfm_config config;
	int err;

	err = pfm_ctx_get_config(fd, &config);
	if (!err) {
		config.records_max = RECORDS_KEPT;
		err = pfm_ctx_set_config(fd, &config);
	}
	if (err)
		say_debug("records_max stays as it is: %s", strerror(-err));
}

int context_load(int fd, pid_t tid, bool take, const char *command)
{
	PFM_OPTS(pfm_load_opts, opts, .flags = take ? PFM_LOAD_TAKE : 0);
	int err = pfm_ctx_load(fd, tid, &opts);

	if (!err)
		return 0;
	rights_tell_command(command, err);
	return -1;
}

int context_start(int fd)
{
	PFM_OPTS(pfm_start_opts, opts, .flags = PFM_START_ON_EXEC);
	int err = pfm_ctx_start(fd, &opts);

	if (!err)
		return 0;
	say_error("cannot start counting: %s",
		  pfm_ctx_strerror(PFM_IOC_START, err));
	return -1;
}

int context_unload(int fd)
{
	int err = pfm_ctx_unload(fd);

	if (!err)
		return 0;
	say_error("cannot end counting: %s",
		  pfm_ctx_strerror(PFM_IOC_UNLOAD_CONTEXT, err));
	return -1;
}

static int add_records(const void *buffer, size_t used, struct results *results)
{
	const struct pfm_record *record;
	struct result *result;
	size_t offset = 0;

	while ((record = pfm_record_next(buffer, used, &offset))) {
		if (results->tasks)
			task_history_add(results->tasks, record);
		if (results_add(results, record, &result))
			return -1;
		if (results->progress &&
		    progress_record(results->progress, record, result))
			return -1;
	}
	if (offset == used)
		return 0;
	say_error(
		"the kernel's task records are malformed; pfmon and the kernel modules are of different versions, compare 'pfmon --version' and 'modinfo perfmon'");
	return -1;
}

int context_read_records(int fd, void *buffer, struct results *results)
{
	unsigned int count;
	size_t used;
	int err;

	for (;;) {
		err = pfm_ctx_read_records(fd, buffer, CONTEXT_BUFFER_SIZE,
					   &count, &used);
		if (err == -EINTR)
			continue;
		if (err) {
			say_error("cannot read the task records: %s",
				  pfm_ctx_strerror(PFM_IOC_READ_RECORDS, err));
			return -1;
		}
		say_debug("%u task records, %zu bytes", count, used);
		if (!count)
			return 0;
		if (add_records(buffer, used, results))
			return -1;
	}
}

int context_read_config(int fd, struct pfm_config *config)
{
	int err = pfm_ctx_get_config(fd, config);

	if (!err)
		return 0;
	say_error("cannot read the state of the context: %s",
		  pfm_ctx_strerror(PFM_IOC_GET_CONFIG, err));
	return -1;
}

/* The taker has been named, so it is not named for each context. */
static bool told_taker;

static void tell_taken(const struct pfm_msg_end *end)
{
	if (end->reason != PFM_END_TAKEN || told_taker)
		return;
	told_taker = true;
	say_warning(
		"'%.*s' (process %u, user %u) has taken the counters: they count no more, what they have counted is printed",
		(int)sizeof(end->taker_comm), end->taker_comm, end->taker_pid,
		end->taker_uid);
}

void context_forget_taker(void)
{
	told_taker = false;
}

bool context_read_end(int fd, uint32_t *status)
{
	union pfm_msg msg;
	int ret;

	do {
		ret = pfm_ctx_read_msg(fd, &msg);
	} while (ret == -EINTR);
	/* No message: the END message was read before. */
	if (!ret)
		return true;
	if (ret != 1 || msg.type != PFM_MSG_END)
		return false;
	*status = msg.end.status;
	tell_taken(&msg.end);
	return true;
}
