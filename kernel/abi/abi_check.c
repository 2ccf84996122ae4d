// SPDX-License-Identifier: GPL-2.0-only
/*
 * Build-time checks: the structures that user space and the kernel exchange have the
 * same size and the same padding on every architecture.
 */
#include <linux/build_bug.h>
#include <linux/mm.h>
#include <linux/perfmon.h>
#include <linux/stddef.h>

static_assert(sizeof(struct pfm_create) == 40);
static_assert(offsetof(struct pfm_create, reserved2) == 36);
static_assert(sizeof(struct pfm_reg) == 16);
static_assert(offsetof(struct pfm_reg, value) == 8);
static_assert(sizeof(struct pfm_pmd_attr) == 192);
static_assert(offsetof(struct pfm_pmd_attr, reset_pmds) == 128);
static_assert(sizeof(struct pfm_set_desc) == 64);
static_assert(offsetof(struct pfm_set_desc, reserved) == 32);
static_assert(sizeof(struct pfm_set_info) == 168);
static_assert(offsetof(struct pfm_set_info, reserved) == 136);
static_assert(sizeof(struct pfm_regs) == 16);
static_assert(offsetof(struct pfm_regs, failed) == 12);
static_assert(sizeof(struct pfm_reg_info) == 72);
static_assert(offsetof(struct pfm_reg_info, min_period) == 12);
static_assert(offsetof(struct pfm_reg_info, name) == 40);
static_assert(sizeof(struct pfm_branch) == 24);
static_assert(sizeof(struct pfm_event_info) == 32);
static_assert(offsetof(struct pfm_event_info, reserved) == 24);
static_assert(sizeof(struct pfm_held) == 168);
static_assert(offsetof(struct pfm_held, comm) == 152);
static_assert(sizeof(struct pfm_cgroup) == 8);
static_assert(sizeof(struct pfm_range) == 32);
static_assert(offsetof(struct pfm_range, reserved) == 24);
static_assert(sizeof(struct pfm_range_info) == 104);
static_assert(offsetof(struct pfm_range_info, reserved) == 88);
static_assert(sizeof(struct pfm_load) == 8);
static_assert(offsetof(struct pfm_load, flags) == 6);
static_assert(sizeof(struct pfm_start) == 8);
static_assert(offsetof(struct pfm_start, flags) == 4);
static_assert(sizeof(struct pfm_config) == 368);
static_assert(offsetof(struct pfm_config, barred) == 360);
static_assert(sizeof(struct pfm_record) == 72);
static_assert(offsetof(struct pfm_record, regs) == 72);
static_assert(sizeof(struct pfm_read_records) == 24);
static_assert(offsetof(struct pfm_read_records, flags) == 20);
static_assert(sizeof(struct pfm_map) == 56);
static_assert(offsetof(struct pfm_map, path) == 56);
static_assert(sizeof(struct pfm_restart) == 16);
static_assert(offsetof(struct pfm_restart, arg) == 8);
static_assert(sizeof(struct pfm_msg_ovfl) == 64);
static_assert(offsetof(struct pfm_msg_ovfl, ovfl_pmds) == 24);
static_assert(sizeof(struct pfm_msg_end) == 40);
static_assert(offsetof(struct pfm_msg_end, taker_comm) == 24);
static_assert(sizeof(struct pfm_user_page_reg) == 32);
static_assert(offsetof(struct pfm_user_page_reg, reserved2) == 24);
static_assert(sizeof(struct pfm_user_page) == 4096);
static_assert(offsetof(struct pfm_user_page, regs) == 64);

/* A message has one size, whatever its type: read(2) returns whole messages. */
static_assert(sizeof(union pfm_msg) == sizeof(struct pfm_msg_ovfl));

/* mmap(2) at PFM_USER_PAGE_OFFSET maps one page. */
static_assert(sizeof(struct pfm_user_page) <= PAGE_SIZE);
