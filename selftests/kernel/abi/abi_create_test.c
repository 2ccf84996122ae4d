// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/perfmon and CREATE_CONTEXT: who may open the device, what is refused, and the
 * descriptor of a context.
 */
#include "context.h"
#include "rights.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include "kselftest_harness.h"

TEST(device_mode)
{
	struct stat st;

	ASSERT_EQ(0, stat(DEVICE, &st));
	EXPECT_TRUE(S_ISCHR(st.st_mode));
	EXPECT_EQ(0660, st.st_mode & 07777);
	EXPECT_EQ(0, st.st_uid);
}

TEST(device_is_not_for_everybody)
{
	rights_drop();
	EXPECT_EQ(-EACCES, device_open());
}

FIXTURE(device)
{
	int fd;
};

FIXTURE_SETUP(device)
{
	self->fd = device_open();
	ASSERT_LE(0, self->fd)
	{
		TH_LOG("cannot open %s: %s", DEVICE, strerror(-self->fd));
	}
}

FIXTURE_TEARDOWN(device)
{
	close(self->fd);
}

TEST_F(device, create_unknown_flag)
{
	int bit, fd;

	for (bit = 0; bit < 32; bit++) {
		fd = context_create(self->fd, 1U << bit);
		if ((1U << bit) & CTX_FLAGS) {
			/* Needs what newer kernels alone have; see below. */
			if (fd == -EOPNOTSUPP &&
			    (1U << bit) & (PFM_CTX_NOTIFY_BLOCK | PFM_CTX_MAPS))
				continue;
			EXPECT_LE(0, fd);
			close(fd);
		} else {
			EXPECT_EQ(-EINVAL, fd)
			{
				TH_LOG("flag 1 << %d", bit);
			}
		}
	}
}

TEST_F(device, create_reserved)
{
	const struct pfm_create arg = { .reserved = 1 };

	const struct pfm_create arg2 = { .reserved2 = 1 };

	EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_CREATE_CONTEXT, &arg));
	EXPECT_EQ(-EINVAL, call(self->fd, PFM_IOC_CREATE_CONTEXT, &arg2));
}

TEST_F(device, create_unknown_format)
{
	struct pfm_create arg = {};

	memset(arg.fmt_uuid, 0xee, sizeof(arg.fmt_uuid));
	EXPECT_EQ(-ENOENT, call(self->fd, PFM_IOC_CREATE_CONTEXT, &arg));
}

TEST_F(device, create_blocking_and_following)
{
	int bit;

	for (bit = 0; bit < 32; bit++) {
		if (!((1U << bit) & PFM_CTX_FOLLOW_ALL))
			continue;
		EXPECT_EQ(-EINVAL,
			  context_create(self->fd,
					 1U << bit | PFM_CTX_NOTIFY_BLOCK));
	}
}

TEST_F(device, create_no_descriptor_left)
{
	struct rlimit limit;

	ASSERT_EQ(0, getrlimit(RLIMIT_NOFILE, &limit));
	limit.rlim_cur = self->fd + 1;
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
	EXPECT_EQ(-EMFILE, context_create(self->fd, 0));
	/* The failed call kept nothing: the modules can be taken out later. */
	EXPECT_EQ(-EMFILE, context_create(self->fd, 0));
}

TEST_F(device, create_gives_descriptor)
{
	char link[32], name[64] = "";
	const int fd = context_create(self->fd, 0);

	ASSERT_LE(0, fd);
	EXPECT_EQ(FD_CLOEXEC, fcntl(fd, F_GETFD));
	EXPECT_EQ(O_RDWR, fcntl(fd, F_GETFL) & O_ACCMODE);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	EXPECT_LT(0, readlink(link, name, sizeof(name) - 1));
	EXPECT_STREQ("anon_inode:[perfmon]", name);
	close(fd);
}

TEST_HARNESS_MAIN
