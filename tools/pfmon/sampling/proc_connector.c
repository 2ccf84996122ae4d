// SPDX-License-Identifier: GPL-2.0-only
/*
 * The process connector: a netlink socket on which the kernel reports each fork
 * and exec.  It reports only to the initial pid namespace, and to processes with
 * CAP_NET_ADMIN.
 */
#include <errno.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "sampling/proc_connector.h"

/* Inode number of the initial pid namespace, the same on every machine. */
#define FIRST_PID_NAMESPACE 0xeffffffcU

/* Enough for the events of a busy build machine. */
#define BUFFER_SIZE (4 << 20)

static bool numbers_fit(void)
{
	struct stat st;

	return !stat("/proc/self/ns/pid", &st) &&
	       st.st_ino == FIRST_PID_NAMESPACE;
}

static int subscribe(int fd)
{
	struct {
		struct nlmsghdr header;
		struct cn_msg message;
		enum proc_cn_mcast_op op;
	} __attribute__((packed)) request = {
		.header = {
			.nlmsg_len = sizeof(request),
			.nlmsg_type = NLMSG_DONE,
			.nlmsg_pid = getpid(),
		},
		.message = {
			.id = { CN_IDX_PROC, CN_VAL_PROC },
			.len = sizeof(request.op),
		},
		.op = PROC_CN_MCAST_LISTEN,
	};

	return send(fd, &request, sizeof(request), 0) == sizeof(request) ? 0
									 : -1;
}

int proc_connector_open(void)
{
	struct sockaddr_nl address = {
		.nl_family = AF_NETLINK,
		.nl_groups = CN_IDX_PROC,
	};
	int size = BUFFER_SIZE, fd;

	if (!numbers_fit())
		return -1;
	fd = socket(PF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
		    NETLINK_CONNECTOR);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size));
	if (!bind(fd, (struct sockaddr *)&address, sizeof(address)) &&
	    !subscribe(fd))
		return fd;
	say_debug("no process connector: %s", strerror(errno));
	close(fd);
	return -1;
}

/* True if it is an event of interest. */
static bool convert(const struct proc_event *event, struct proc_change *change)
{
	memset(change, 0, sizeof(*change));
	change->time = event->timestamp_ns;
	switch ((unsigned int)event->what) {
	case PROC_EVENT_FORK:
		change->kind = PROC_FORK;
		change->tid = event->event_data.fork.child_pid;
		change->pid = event->event_data.fork.child_tgid;
		change->parent_tid = event->event_data.fork.parent_pid;
		change->parent_pid = event->event_data.fork.parent_tgid;
		return true;
	case PROC_EVENT_EXEC:
		change->kind = PROC_EXEC;
		change->tid = event->event_data.exec.process_pid;
		change->pid = event->event_data.exec.process_tgid;
		return true;
	case PROC_EVENT_COMM:
		change->kind = PROC_NAME;
		change->tid = event->event_data.comm.process_pid;
		change->pid = event->event_data.comm.process_tgid;
		memcpy(change->comm, event->event_data.comm.comm,
		       sizeof(event->event_data.comm.comm));
		return true;
	default:
		return false;
	}
}

int proc_connector_next(int fd, struct proc_change *change)
{
	struct sockaddr_nl from;
	struct {
		struct nlmsghdr header;
		struct cn_msg message;
		struct proc_event event;
		char more[64];
	} __attribute__((packed)) buffer;
	struct proc_event event;
	socklen_t size;
	ssize_t length;

	for (;;) {
		size = sizeof(from);
		length = recvfrom(fd, &buffer, sizeof(buffer), 0,
				  (struct sockaddr *)&from, &size);
		if (length < 0 && errno == EINTR)
			continue;
		if (length < 0)
			return errno == ENOBUFS ? -1 : 0;
		/* Accept messages of the kernel only. */
		if (from.nl_pid || length < (ssize_t)(sizeof(buffer.header) +
						      sizeof(buffer.message) +
						      sizeof(buffer.event)))
			continue;
		memcpy(&event, &buffer.event, sizeof(event));
		if (convert(&event, change))
			return 1;
	}
}
