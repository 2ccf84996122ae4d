// SPDX-License-Identifier: GPL-2.0-only
/*
 * As many virtual registers as the parameter says, up to all the numbers there
 * are, in place of those of perfmon_soft.  They stay at what is written: for the
 * costs of what is there and not used.
 */
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <perfmon/pmu.h>

#define CPU_REGS  (PFM_REG_TASK_BASE - PFM_REG_VIRT_BASE)
#define TASK_REGS (PFM_REGS_MAX - PFM_REG_TASK_BASE)

static unsigned int regs = CPU_REGS + TASK_REGS;
module_param(regs, uint, 0444);
MODULE_PARM_DESC(regs, "virtual registers, 1 to 256 (256)");

static void wide_restore(const struct pfm_prog *prog, u64 *vals,
			 struct pfm_run *run, bool loaded)
{
}

static void wide_save(const struct pfm_prog *prog, u64 *vals,
		      struct pfm_run *run)
{
}

static void wide_read(const struct pfm_prog *prog, const u64 *vals, u64 *copy,
		      struct pfm_run *run)
{
	memcpy(copy, vals, prog->npmds * sizeof(*copy));
}

static const struct pfm_pmu_ops wide_ops = {
	.restore = wide_restore,
	.save = wide_save,
	.read = wide_read,
};

static char names[CPU_REGS + TASK_REGS][sizeof("WIDE511")];
static struct pfm_reg_desc descs[CPU_REGS + TASK_REGS];

static struct pfm_pmu wide_cpu = {
	.name = "wide_cpu",
	.owner = THIS_MODULE,
	.reg_class = PFM_CLASS_CPU,
	.base = PFM_REG_VIRT_BASE,
	.pmds = descs,
	.ops = &wide_ops,
};

static struct pfm_pmu wide_task = {
	.name = "wide_task",
	.owner = THIS_MODULE,
	.reg_class = PFM_CLASS_TASK,
	.base = PFM_REG_TASK_BASE,
	.pmds = descs + CPU_REGS,
	.ops = &wide_ops,
};

static int __init wide_init(void)
{
	unsigned int i;
	int ret;

	if (!regs || regs > ARRAY_SIZE(descs))
		return -EINVAL;
	for (i = 0; i < regs; i++) {
		snprintf(names[i], sizeof(names[i]), "WIDE%u",
			 PFM_REG_VIRT_BASE + i);
		descs[i].name = names[i];
		descs[i].width = 64;
		descs[i].ctl = PFM_REG_NONE;
		descs[i].flags = PFM_REGI_COUNTER | PFM_REGI_VIRTUAL;
	}
	wide_cpu.npmds = min_t(unsigned int, regs, CPU_REGS);
	wide_task.npmds = regs - wide_cpu.npmds;
	ret = pfm_pmu_register(&wide_cpu);
	if (ret || !wide_task.npmds)
		return ret;
	ret = pfm_pmu_register(&wide_task);
	if (ret)
		pfm_pmu_unregister(&wide_cpu);
	return ret;
}
module_init(wide_init);

static void __exit wide_exit(void)
{
	if (wide_task.npmds)
		pfm_pmu_unregister(&wide_task);
	pfm_pmu_unregister(&wide_cpu);
}
module_exit(wide_exit);

MODULE_DESCRIPTION("perfmon: many virtual registers, for tests");
MODULE_LICENSE("GPL");
