/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Folders of registers in /sys/kernel/perfmon.
 */
#ifndef _PFM_REG_FOLDER_H
#define _PFM_REG_FOLDER_H

#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/types.h>
#include <perfmon/pmu.h>

#include "core/reg_kind.h"

/**
 * struct pfm_reg_folder - folder of a register
 * @kobj: the folder, named after the register's number
 * @node: entry in a list of the owner
 * @desc: description of the register
 * @kind: PMC or PMD
 * @num: number of the register
 */
struct pfm_reg_folder {
	struct kobject kobj;
	struct list_head node;
	const struct pfm_reg_desc *desc;
	enum pfm_reg_kind kind;
	u16 num;
};

int pfm_reg_folder_add(struct kobject *parent, struct list_head *list,
		       const struct pfm_reg_desc *desc, enum pfm_reg_kind kind,
		       u16 num);
void pfm_reg_folders_remove(struct list_head *list);
const char *pfm_reg_folder_kind(enum pfm_reg_kind kind);

#endif /* _PFM_REG_FOLDER_H */
