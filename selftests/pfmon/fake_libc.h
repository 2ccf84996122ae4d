/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions of the C library as the made-up kernel has them: files below FAKE_ROOT, the device, and
 * time, memory, CPUs and connections that the modes take away.
 *
 * A part of fake_kernel.c, which has the modes.
 */
#ifndef FAKE_LIBC_H
#define FAKE_LIBC_H

static const char *place(const char *path, char *text, size_t size)
{
	static const char *const prefixes[] = {
		"/sys/",      "/dev/perfmon",  "/proc/modules",
		"/proc/sys/", "/lib/modules/", "/proc/cpuinfo", "/proc/1/environ",
		"/run/", "/.dockerenv", "/proc/kallsyms", "/proc/kcore",
		"/proc/self/mounts",
	};
	const char *root = getenv("FAKE_ROOT");
	unsigned int i;

	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(path, prefixes[i], strlen(prefixes[i])))
			break;
	if (!root || i == sizeof(prefixes) / sizeof(prefixes[0]))
		return path;
	snprintf(text, size, "%s%s", root, path);
	return text;
}

FILE *fopen(const char *path, const char *how)
{
	FILE *(*real)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen");
	char text[4096];

	if (strstr(path, "/midr_el1"))
		add_line("FAKE_CALLS", "midr");
	return real(place(path, text, sizeof(text)), how);
}

FILE *fopen64(const char *path, const char *how)
{
	return fopen(path, how);
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	int (*real)(pid_t, size_t, const cpu_set_t *) =
		dlsym(RTLD_NEXT, "sched_setaffinity");

	if (mode("nopin") && CPU_COUNT_S(size, set) == 1 &&
	    CPU_ISSET_S(1, size, set))
		return fail(EINVAL);
	return real(pid, size, set);
}

pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	pid_t ended = syscall(SYS_wait4, pid, status, options, usage);

	if (ended > 0 && usage && mode("overtime"))
		*usage = (struct rusage){ .ru_utime.tv_sec = 3600 };
	return ended;
}

/* The hasty clock has so many seconds in one. */
#define HASTE 120

static struct timespec hasten(const struct timespec *first,
			      const struct timespec *time)
{
	uint64_t ns = (time->tv_sec - first->tv_sec) * 1000000000ULL +
		      time->tv_nsec - first->tv_nsec;

	ns = ns * HASTE + first->tv_nsec;
	return (struct timespec){ first->tv_sec + ns / 1000000000,
				  ns % 1000000000 };
}

int clock_gettime(clockid_t clock, struct timespec *ts)
{
	static struct timespec first;
	int ret = syscall(SYS_clock_gettime, clock, ts);

	if (ret || clock != CLOCK_MONOTONIC ||
	    (!mode("stopclock") && !mode("hasty")))
		return ret;
	if (!first.tv_sec)
		first = *ts;
	if (mode("hasty"))
		*ts = hasten(&first, ts);
	else
		*ts = first;
	return 0;
}

struct mallinfo2 mallinfo2(void)
{
	struct mallinfo2 (*real)(void) = dlsym(RTLD_NEXT, "mallinfo2");
	struct mallinfo2 info = real();

	if (mode("hungry"))
		info.hblkhd += 1UL << 30;
	return info;
}

/* ppoll() below the hasty clock waits as much shorter. */
int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *limit,
	  const sigset_t *mask)
{
	int (*real)(struct pollfd *, nfds_t, const struct timespec *,
		    const sigset_t *) = dlsym(RTLD_NEXT, "ppoll");
	struct timespec shorter;
	uint64_t ns;

	if (!limit || !mode("hasty"))
		return real(fds, count, limit, mask);
	ns = (limit->tv_sec * 1000000000ULL + limit->tv_nsec) / HASTE;
	shorter.tv_sec = ns / 1000000000;
	shorter.tv_nsec = ns % 1000000000;
	return real(fds, count, &shorter, mask);
}

void *calloc(size_t count, size_t size)
{
	extern void *__libc_calloc(size_t count, size_t size);
	const char *scarce = getenv("FAKE_SCARCE");
	static unsigned long seen;
	unsigned long from = 0;
	char *end;

	if (scarce && count * size == strtoul(scarce, &end, 10)) {
		if (*end == ':')
			from = strtoul(end + 1, NULL, 10);
		if (++seen >= from) {
			errno = ENOMEM;
			return NULL;
		}
	}
	return __libc_calloc(count, size);
}

char *strdup(const char *text)
{
	const char *scarce = getenv("FAKE_NO_STRING");
	const size_t size = strlen(text) + 1;
	char *copy;

	if (scarce && !strcmp(text, scarce)) {
		errno = ENOMEM;
		return NULL;
	}
	copy = malloc(size);
	return copy ? memcpy(copy, text, size) : NULL;
}

/* Each call that fails adds a line to FAKE_LOG. */
int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags)
{
	static unsigned int calls;

	if (!mode("noaccept") || (mode("atfirst") && calls >= 3))
		return syscall(SYS_accept4, fd, address, length, flags);
	calls++;
	log_line("accept");
	return fail(EMFILE);
}

/* Names are found below FAKE_ROOT, and are those that there are without it. */
int glob64(const char *pattern, int flags, int (*failed)(const char *, int),
	   glob64_t *found)
{
	int (*real)(const char *, int, int (*)(const char *, int), glob64_t *) =
		dlsym(RTLD_NEXT, "glob64");
	char text[4096];
	const char *path = place(pattern, text, sizeof(text));
	const size_t root = strlen(path) - strlen(pattern);
	int ret = real(path, flags, failed, found);
	size_t i;

	for (i = 0; !ret && i < found->gl_pathc; i++)
		memmove(found->gl_pathv[i], found->gl_pathv[i] + root,
			strlen(found->gl_pathv[i] + root) + 1);
	return ret;
}

DIR *opendir(const char *path)
{
	DIR *(*real)(const char *) = dlsym(RTLD_NEXT, "opendir");
	char text[4096];

	return real(place(path, text, sizeof(text)));
}

int access(const char *path, int how)
{
	int (*real)(const char *, int) = dlsym(RTLD_NEXT, "access");
	char text[4096];

	return real(place(path, text, sizeof(text)), how);
}

#define STAT(name)							\
int name(const char *path, struct name *st)				\
{									\
	int (*real)(const char *, struct name *) = dlsym(RTLD_NEXT, #name); \
	char text[4096];						\
									\
	return real(place(path, text, sizeof(text)), st);		\
}

STAT(stat)
STAT(stat64)

static int fake_open(void)
{
	if (mode("denied"))
		return fail(EACCES);
	device = eventfd(0, EFD_CLOEXEC);
	return device;
}

/* Once open and once open64: which one is called depends on the build. */
#define OPEN(name)							\
int name(const char *path, int mask, ...);				\
int name(const char *path, int mask, ...)				\
{									\
	int (*real)(const char *, int, int) = dlsym(RTLD_NEXT, #name);	\
	char text[4096];						\
	va_list args;							\
	int bits;							\
									\
	va_start(args, mask);						\
	bits = va_arg(args, int);					\
	va_end(args);							\
	if (!strcmp(path, "/dev/perfmon"))				\
		return fake_open();					\
	if (!strcmp(path, "/proc/kcore") ||				\
	    !strncmp(path, "/sys/fs/", strlen("/sys/fs/")))		\
		path = place(path, text, sizeof(text));			\
	return real(path, mask, bits);					\
}

OPEN(open)
OPEN(open64)

ssize_t read(int fd, void *buf, size_t size)
{
	union pfm_msg msg = { .type = PFM_MSG_END };

	if (!context_of(fd) || size != sizeof(msg))
		return syscall(SYS_read, fd, buf, size);
	memcpy(buf, &msg, sizeof(msg));
	return sizeof(msg);
}

#endif
