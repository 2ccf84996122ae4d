// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling format "histogram": how many samples hit each stretch of code.
 * Written to be copied: Documentation/extend/formats.rst explains it.
 */
#include <linux/atomic.h>
#include <linux/debugfs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <perfmon/format.h>

#include "histogram.h"

struct histogram {
	struct histogram_arg arg;
	struct dentry *file;
	u64 outside;
	u64 counts[];
};

static struct dentry *folder;
static atomic_t serial;

static int histogram_show(struct seq_file *file, void *unused)
{
	const struct histogram *hist = file->private;
	u32 i;

	for (i = 0; i < hist->arg.buckets; i++) {
		u64 count = READ_ONCE(hist->counts[i]);

		if (count)
			seq_printf(file, "0x%llx %llu\n",
				   hist->arg.start +
					   ((u64)i << hist->arg.shift),
				   count);
	}
	seq_printf(file, "outside %llu\n", READ_ONCE(hist->outside));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(histogram);

static int histogram_validate(u32 flags, const void *data)
{
	const struct histogram_arg *arg = data;

	if (!arg->buckets || arg->buckets > HISTOGRAM_MAX || arg->shift > 63)
		return -EINVAL;
	return 0;
}

static int histogram_init(struct pfm_lane *lane, const void *data)
{
	const struct histogram_arg *arg = data;
	struct histogram *hist;
	char name[32];

	hist = kvzalloc(struct_size(hist, counts, arg->buckets),
			GFP_KERNEL_ACCOUNT);
	if (!hist)
		return -ENOMEM;
	hist->arg = *arg;
	snprintf(name, sizeof(name), "%d-%d", task_tgid_nr(current),
		 atomic_inc_return(&serial));
	hist->file =
		debugfs_create_file(name, 0400, folder, hist, &histogram_fops);
	lane->priv = hist;
	return 0;
}

static int histogram_handler(const struct pfm_ovfl *ovfl)
{
	struct histogram *hist = ovfl->lane->priv;
	u64 bucket = (ovfl->ip - hist->arg.start) >> hist->arg.shift;

	if (ovfl->ip < hist->arg.start || bucket >= hist->arg.buckets)
		WRITE_ONCE(hist->outside, hist->outside + 1);
	else
		WRITE_ONCE(hist->counts[bucket], hist->counts[bucket] + 1);
	return PFM_CTRL_RESET;
}

static void histogram_exit(struct pfm_lane *lane)
{
	struct histogram *hist = lane->priv;

	debugfs_remove(hist->file);
	kvfree(hist);
}

static const struct pfm_arg_field histogram_args[] = {
	{ PFM_ARG(struct histogram_arg, start), .required = true,
	  .help = "first address" },
	{ PFM_ARG(struct histogram_arg, buckets), .dfl = 1024, .min = 1,
	  .max = HISTOGRAM_MAX, .help = "stretches of code" },
	{ PFM_ARG(struct histogram_arg, shift), .dfl = 12, .max = 63,
	  .help = "each is 2^shift bytes" },
};

static const struct pfm_format_desc histogram_desc = {
	.help = "samples by address, in debugfs",
	.args = histogram_args,
	.nargs = ARRAY_SIZE(histogram_args),
};

static struct pfm_format histogram = {
	.name = "histogram",
	.uuid = HISTOGRAM_UUID,
	.version = 0x10000,
	.arg_size = sizeof(struct histogram_arg),
	.validate = histogram_validate,
	.init = histogram_init,
	.handler = histogram_handler,
	.exit = histogram_exit,
	.desc = &histogram_desc,
	.owner = THIS_MODULE,
};

static int __init histogram_module_init(void)
{
	int ret;

	folder = debugfs_create_dir("perfmon_histogram", NULL);
	ret = pfm_register_format(&histogram);
	if (ret)
		debugfs_remove(folder);
	return ret;
}

static void __exit histogram_module_exit(void)
{
	pfm_unregister_format(&histogram);
	debugfs_remove(folder);
}

module_init(histogram_module_init);
module_exit(histogram_module_exit);

MODULE_DESCRIPTION("perfmon sampling format: address histogram");
MODULE_LICENSE("GPL");
MODULE_ALIAS("perfmon-format-f62eae1e-569d-405a-9585-e872c8234538");
