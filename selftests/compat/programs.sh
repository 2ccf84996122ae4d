# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
#
# Programs for perfmon2, and what they print where counts are exact: for compat_host_test.sh and
# compat_test.sh.

# Lines that are the same wherever the programs run: NAME VALUE.
declare -A SAME=(
	[fixed]='not_used 1|default 0'
	[lib_events]='some_events 1|wrong 0|counters 1|counters_are_pmds 1|cycle_event 1'
	[refused]='ibrs 1|dbrs 1|obsolete_wrong 0|extra_sets 1|other_uuid 1|mapped_sets 1|other_flag 1|pebs 1|pebs_core 1|pebs_p4 1|fewer_bits 1|next_set 1|both_sides 1|thread_side 1|set_0 1|is_pebs 0|data_source 1|other_processor 1'
	[reginfo]='missing 0|refused 0'
	[slides]=''
	[ibs]='wrong 0'
	[v20_notify]='end_message 1|wrong 0'
	[v20_self]='major 2|refused 1|marked 1'
	[v20_smpl]='sampled 1|wrong 0'
	[v20_system]='another_process 1'
	[v22_self]=''
	[v22_sets]='ran 1|order 1|microseconds 1'
	[v22_smpl]='mapped_sets 1|size 1'
	[v28_attach]='counted 1|status 0'
	[v28_errors]='no_such_pmc 1|read_unused 1|start_unloaded 1|stop_unloaded 1|restart_unloaded 1|load_without_set 1|load_twice 1|sets_while_loaded 1|start_without_set 1|rewrite_while_loaded 1|attributes_while_loaded 1|not_a_context 1|bad_descriptor 1|size_of_message 1'
	[v28_mux_ovfl]='left_at_most 1|switched 1'
	[v28_mux_time]='runs_differ_at_most_by_one 1|switched 1|set_available 1'
	[v28_notify_block]='nothing_owed 1|end_message 1'
	[v28_notify_self]='notified 1|wrong_registers 0'
	[v28_random]='sampled 1|out_of_range 0|random 1|last_reset_of_read 1'
	[v28_self]=''
	[v28_smpl]='wrong 0'
	[v28_smpl_user]='wrong 0|size 1'
	[v28_start]='other_set 0'
	[v28_system]='by_process 1|outside 1|sides 1'
	[v28_task]='end_message 1|status 3'
	[v3_self]='attach_flags 1|state 1|type 1|size 1'
	[v3_sets]='switched 1|size 1'
	[v3_smpl]='unknown_format 1|last_value 10000'
)

# Lines of counts: on the made-up kernel a call is 100 instructions and 250 cycles.
declare -A COUNTS=(
	[fixed]='instructions 100000|cycles_of_two 500000'
	[reginfo]='pmcs 1|pmds 1'
	[slides]='cycles 250000'
	[ibs]='rip 4305|samples 12'
	[v20_notify]='notifications 8'
	[v20_self]='cycles 250000|instructions 100000'
	[v20_system]='instructions 100000'
	[v22_self]='cycles 250000|instructions 100000'
	[v22_smpl]='samples 50'
	[v28_mux_ovfl]='runs 41'
	[v28_mux_time]='instructions 800000'
	[v28_notify_block]='notifications 8'
	[v28_self]='cycles 250000|instructions 100000|instructions_of_two 200000'
	[v28_smpl]='samples 500|buffer_overflows 2|cycles_a_sample 25000'
	[v28_smpl_user]='samples 50|buffer_overflows 0'
	[v28_start]='instructions 100000|instructions_of_set_0 100000|instructions_as_before 100000'
	[v28_system]='instructions 100000'
	[v28_task]='cycles 500000|instructions 200000'
	[v3_self]='cycles 250000|instructions 100000'
	[v3_smpl]='samples 50'
)

# The line that a program prints where the processor lacks what it uses
declare -A LACKS=([fixed]='no_fixed_counters 1' [ibs]='no_ibs 1')

# Programs that read files of the modules, which the made-up kernel does not have
declare -A MODULES_ONLY=([reginfo]=1)

# The output has each of these lines, and no line about a failure.
prints() { # LINES
	local line
	! out '^failed' || return
	while IFS= read -r line; do
		[ -z "$line" ] || out "^$line\$" || return
	done <<<"${1//|/$'\n'}"
}
