// SPDX-License-Identifier: GPL-2.0-only
/*
 * The folder pmu_desc of sysfs, which tools for perfmon2 read: each register of the kernel, under the
 * number that perfmon2's module for the PMU had for it.  Needs root.
 */
#include "context.h"
#include "sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perfmon_ibs.h>
#include <stdio.h>
#include <sys/syscall.h>

#include "kselftest_harness.h"

#define FOLDER "pmu_desc"

/* perfmon2's numbers, and today's */
#define OLD_FIXED   16
#define NEW_FIXED   32
#define FIXED_COUNT 4
#define FIXED_CTRL  0x38d /* MSR */

/* The register has no number of its own. */
#define MERGED -1

FIXTURE(old_desc)
{
	struct pfm_config cfg;
	/* The registers of IBS have the numbers behind four counters. */
	bool ibs;
};

static bool has(const __u64 *bits, int num)
{
	return bits[num / 64] >> num % 64 & 1;
}

FIXTURE_SETUP(old_desc)
{
	int fd = context_open(0);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, config_get(fd, &self->cfg));
	close(fd);
	self->ibs = !strcmp(self->cfg.pmu, "amd") &&
		    !has(self->cfg.impl_pmcs, 4) &&
		    (has(self->cfg.impl_pmcs, PFM_IBS_PMC_FETCH_CTL) ||
		     has(self->cfg.impl_pmcs, PFM_IBS_PMC_OP_CTL));
}

FIXTURE_TEARDOWN(old_desc)
{
}

static bool is_fixed(const struct pfm_config *cfg, int num)
{
	return !strcmp(cfg->pmu, "intel") && num >= NEW_FIXED &&
	       num < NEW_FIXED + FIXED_COUNT;
}

static int old_pmc(const struct pfm_config *cfg, bool ibs, int num)
{
	if (is_fixed(cfg, num))
		return MERGED;
	if (ibs && num == PFM_IBS_PMC_FETCH_CTL)
		return 4;
	return ibs && num == PFM_IBS_PMC_OP_CTL ? 5 : num;
}

static int old_pmd(const struct pfm_config *cfg, bool ibs, int num)
{
	if (is_fixed(cfg, num))
		return num - NEW_FIXED + OLD_FIXED;
	if (ibs && num >= PFM_IBS_PMD_FETCH_CTL &&
	    num <= PFM_IBS_PMD_FETCH_PHYSAD)
		return num - PFM_IBS_PMD_FETCH_CTL + 4;
	if (ibs && num >= PFM_IBS_PMD_OP_CTL && num <= PFM_IBS_PMD_OP_DC_PHYSAD)
		return num - PFM_IBS_PMD_OP_CTL + 7;
	return num;
}

/* True if the file of the register has this text. */
static bool says(const char *kind, int num, const char *file, const char *text)
{
	char path[64], found[128];

	snprintf(path, sizeof(path), FOLDER "/%s%d/%s", kind, num, file);
	if (sysfs_text(path, found, sizeof(found)))
		return false;
	found[strcspn(found, "\n")] = '\0';
	return !strcmp(found, text);
}

static bool says_hex(const char *kind, int num, const char *file, __u64 value)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%llx", value);
	return says(kind, num, file, text);
}

static bool describes(const char *kind, int num,
		      const struct pfm_reg_info *info, int width)
{
	char text[32];

	snprintf(text, sizeof(text), "%d", width);
	return says(kind, num, "name", info->name) &&
	       says_hex(kind, num, "addr", info->addr) &&
	       says_hex(kind, num, "dfl_val", info->dfl) &&
	       says_hex(kind, num, "rsvd_msk", info->rsvd) &&
	       says(kind, num, "width", text);
}

/* Number of files and folders in the folder; -errno if there is none. */
static int entries(void)
{
	DIR *dir = opendir(SYSFS "/" FOLDER);
	const struct dirent *entry;
	int count = 0;

	if (!dir)
		return -errno;
	while ((entry = readdir(dir)))
		count += entry->d_name[0] != '.';
	closedir(dir);
	return count;
}

static bool there(const char *kind, int num)
{
	char path[64];

	snprintf(path, sizeof(path), SYSFS "/" FOLDER "/%s%d", kind, num);
	return !access(path, F_OK);
}

TEST_F(old_desc, model)
{
	const char *pmu = self->cfg.pmu;
	char model[64];

	if (!pmu[0]) {
		EXPECT_EQ(-ENOENT, entries());
		return;
	}
	ASSERT_EQ(0, sysfs_text(FOLDER "/model", model, sizeof(model)));
	EXPECT_STREQ(!strcmp(pmu, "intel") ? "intel_arch\n"
		     : !strcmp(pmu, "amd") ? "amd64\n"
					   : "armv8_pmuv3\n",
		     model);
}

TEST_F(old_desc, each_register)
{
	const struct pfm_config *cfg = &self->cfg;
	__u64 fixed_rsvd = ~0ULL;
	int fd, num, old, count = 1; /* the file "model" */

	if (!cfg->pmu[0])
		return;
	fd = context_open(0);
	ASSERT_LE(0, fd);
	for (num = 0; num < PFM_REGS_MAX; num++) {
		struct pfm_reg_info pmc = { .num = num }, pmd = { .num = num };

		if (has(cfg->impl_pmcs, num)) {
			ASSERT_EQ(0, vector(fd, PFM_IOC_GETINFO_PMCS, &pmc, 1,
					    NULL));
			old = old_pmc(cfg, self->ibs, num);
			EXPECT_TRUE(old == MERGED ||
				    describes("pmc", old, &pmc, 64))
			{
				TH_LOG("pmc%d, PMC%d today", old, num);
			}
			if (old == MERGED) {
				EXPECT_FALSE(there("pmc", num));
				fixed_rsvd &=
					~(~pmc.rsvd << 4 * (num - NEW_FIXED));
			}
			count += old != MERGED;
		}
		if (has(cfg->impl_pmds, num)) {
			ASSERT_EQ(0, vector(fd, PFM_IOC_GETINFO_PMDS, &pmd, 1,
					    NULL));
			old = old_pmd(cfg, self->ibs, num);
			EXPECT_TRUE(describes("pmd", old, &pmd, pmd.width))
			{
				TH_LOG("pmd%d, PMD%d today", old, num);
			}
			count++;
		}
	}
	close(fd);
	/* One register controlled all fixed counters, with four bits for each. */
	if (fixed_rsvd != ~0ULL) {
		EXPECT_TRUE(says_hex("pmc", OLD_FIXED, "addr", FIXED_CTRL));
		EXPECT_TRUE(says_hex("pmc", OLD_FIXED, "dfl_val", 0));
		EXPECT_TRUE(says_hex("pmc", OLD_FIXED, "rsvd_msk", fixed_rsvd));
		EXPECT_TRUE(says("pmc", OLD_FIXED, "width", "64"));
		count++;
	}
	EXPECT_EQ(count, entries());
}

/* Unload as rmmod does, once the contexts that were closed are freed: 0 or -errno. */
static int unload(const char *module)
{
	int ret;

	do {
		ret = syscall(SYS_delete_module, module, O_NONBLOCK) ? -errno
								     : 0;
	} while (ret == -EWOULDBLOCK);
	return ret;
}

/* The registers of a module go with it, and the folder with the module of the counters. */
TEST_F(old_desc, modules_go)
{
	const char *pmu = self->cfg.pmu;
	const bool ibs = has(self->cfg.impl_pmcs, PFM_IBS_PMC_OP_CTL);
	const char *counters = !strcmp(pmu, "intel") ? "perfmon_intel"
			       : !strcmp(pmu, "amd") ? "perfmon_amd"
						     : "perfmon_armv8";
	const int all = entries();
	char command[64];

	if (!pmu[0])
		return;
	EXPECT_TRUE(there("pmd", PFM_REG_VIRT_BASE));
	ASSERT_EQ(0, unload("perfmon_soft"));
	EXPECT_FALSE(there("pmd", PFM_REG_VIRT_BASE));
	EXPECT_TRUE(there("pmd", 0));
	ASSERT_EQ(0, system("modprobe perfmon_soft"));
	EXPECT_EQ(all, entries());
	if (ibs) {
		EXPECT_TRUE(there("pmc", self->ibs ? 5 : PFM_IBS_PMC_OP_CTL));
		ASSERT_EQ(0, unload("perfmon_ibs"));
		EXPECT_FALSE(there("pmc", self->ibs ? 5 : PFM_IBS_PMC_OP_CTL));
		EXPECT_TRUE(there("pmc", 0));
		ASSERT_EQ(0, system("modprobe perfmon_ibs"));
		EXPECT_EQ(all, entries());
	}
	/* The others were there first when the module of the counters comes back. */
	ASSERT_EQ(0, unload(counters));
	EXPECT_EQ(-ENOENT, entries());
	snprintf(command, sizeof(command), "modprobe %s", counters);
	ASSERT_EQ(0, system(command));
	EXPECT_EQ(all, entries());
}

TEST_HARNESS_MAIN
