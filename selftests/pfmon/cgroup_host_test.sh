#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of pfmon --cgroup without any kernel module; groups are mere folders.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh

GROUP=$DIR/group
PIDS=()

# Starts processes that sleep, and puts them into a group.
join() { # GROUP SECONDS...
	local group=$1 time
	shift
	mkdir -p "$group"
	touch "$group/cgroup.procs"
	for time; do
		sleep "$time" &
		PIDS+=($!)
		echo $! >>"$group/cgroup.procs"
		until_asleep $!
	done
}

leave() {
	kill "${PIDS[@]}" 2>/dev/null
	wait "${PIDS[@]}" 2>/dev/null
	PIDS=()
	rm -rf "$GROUP" "$DIR/log.loads"
}

loads() { # COUNT
	[ "$(wc -l <"$DIR/log.loads")" = "$1" ]
}

options_tests() {
	refused 'a command as well' 'not both' --cgroup=x -- true
	refused 'a process as well' 'only one of' --cgroup=x -p 1
	refused 'twice' 'given twice' --cgroup=x --cgroup=y
	refused 'sampling' 'with --system-wide it samples' --cgroup=x --long-smpl-periods=1000
	refused 'a process on CPUs' 'only one of' --cgroup=x --system-wide -p 1
	run pfmon --cgroup=/no/such/group
	check 'no such group' 'status 125' 'err "no control group ./no/such/group."'
	join "$GROUP"
	run pfmon --cgroup="$GROUP"
	check 'an empty group' 'status 125' 'err "no process in the control group"'
	echo threaded >"$GROUP/cgroup.type"
	run pfmon --cgroup="$GROUP"
	check 'a threaded group' 'status 125' 'err "is threaded.*group above"'
	rm "$GROUP/cgroup.type"
	run pfmon --cgroup="$GROUP" -e free-memory
	check 'nothing but levels' 'status 125' 'err "needs an event to count"'
	leave
}

count_tests() {
	join "$GROUP" 100 100
	join "$GROUP/below/deeper" 100
	run_pfmon --cgroup="$GROUP" -t 300ms --aggregate-results
	check 'all processes, also of groups below' 'status 0' 'loads 3' 'results "^647703 cycles:u$"' \
		'kill -0 "${PIDS[@]}"' 'empty err'
	rm "$DIR/log.loads"
	mkdir -p "$DIR/root/sys/fs/cgroup"
	ln -sfn "$GROUP" "$DIR/root/sys/fs/cgroup/mine"
	ROOT=$DIR/root run_pfmon --cgroup=mine -t 300ms
	check 'a path below /sys/fs/cgroup' 'status 0' 'loads 3' 'results "^647703 cycles:u +TOTAL$"' \
		'results "/bin/sh \('"${PIDS[2]}"',"'
	rm "$DIR/log.loads"
	begin --cgroup="$GROUP"
	join "$GROUP" 100
	join "$GROUP/new" 100
	until_true 'loads 5'
	kill -INT $PID
	ended
	check 'processes that are moved into it later' 'status 0' 'loads 5' \
		'results "^1079505 cycles:u +TOTAL$"'
	leave
	join "$GROUP" 100 2
	begin --cgroup="$GROUP"
	until_true '! kill -0 "${PIDS[1]}" 2>/dev/null'
	: >"$GROUP/cgroup.procs"
	kill "${PIDS[0]}"
	ended
	check 'the session ends with the last process' 'status 0' 'loads 2' 'results "^431802 cycles:u +TOTAL$"'
	leave
	join "$GROUP" 100
	echo 1073741823 >>"$GROUP/cgroup.procs"
	run_pfmon --cgroup="$GROUP" -t 200ms
	check 'a process that has just ended' 'status 0' 'results TOTAL' 'empty err'
	begin --cgroup="$GROUP" --json
	kill -TERM $PID
	ended
	check 'SIGTERM' 'status 0' 'json "d[\"ended\"] == \"signal\" and d[\"scope\"] == \"cgroup\""'
	if have_jsonschema; then
		check 'JSON' 'valid "$DIR/results"' 'json "d[\"cgroup\"] == \"'"$GROUP"'\""'
	else
		skip 'JSON' 'python3-jsonschema is not installed'
	fi
	run_pfmon --cgroup="$GROUP" --with-header -t 100ms
	check '--with-header' 'results "^# control group: .*group$"'
	leave
}

refusal_tests() {
	join "$GROUP" 100
	FAKE=norights run pfmon --cgroup="$GROUP" -t 1
	check 'no right' 'status 125' 'err CAP_PERFMON' 'err "'"${PIDS[0]}"' .sleep."'
	mkdir -p "$DIR/root/sys/kernel/perfmon"
	echo "thread ${PIDS[0]} pid 77 uid 0 comm pfmon" >"$DIR/root/sys/kernel/perfmon/holders"
	FAKE=held ROOT=$DIR/root run pfmon --cgroup="$GROUP" -t 1
	check 'a process that somebody else monitors' 'status 125' 'err "held by process 77"'
	echo "thread 1 pid 78 uid 0 comm pfmon" >"$DIR/root/sys/kernel/perfmon/holders"
	FAKE=held ROOT=$DIR/root run pfmon --cgroup="$GROUP" -t 1
	check 'processes that somebody else follows' 'status 125' 'err "monitored already; held by process 78"'
	leave
}

# A hierarchy of cgroup2 below ROOT; what a group counts has the number at its name's end as a factor.
make_groups() { # GROUP...
	local group
	mkdir -p "$DIR/root/sys/fs/cgroup" "$DIR/root/proc/self" "$DIR/root/sys/devices/system/cpu"
	echo 0 >"$DIR/root/sys/devices/system/cpu/online"
	echo 'none /sys/fs/cgroup cgroup2 rw 0 0' >"$DIR/root/proc/self/mounts"
	for group in '' "$@"; do
		mkdir -p "$DIR/root/sys/fs/cgroup/$group"
	done
	find "$DIR/root/sys/fs/cgroup" -type d -exec touch {}/cgroup.procs \;
}

# pfmon on those groups.
on_groups() { # OPTION...
	rm -f "$DIR/log.loads"
	ROOT=$DIR/root run_pfmon "$@"
}

# The same with a verb.
verb_on_groups() { # VERB OPTION...
	local verb=$1
	shift
	rm -f "$DIR/log.loads" "$DIR/results"
	[ "$verb" = top ] || set -- -o "$DIR/results" "$@"
	ROOT=$DIR/root run pfmon "$verb" "$@"
}

cpus_tests() {
	make_groups system.slice/web5
	on_groups --system-wide --cpu-list=0 --cgroup=system.slice/web5 -t 100ms --with-header
	check 'on CPUs: the context has the cgroup' 'status 0' 'empty err' 'results "^CPU0 +15000 cycles:u$"' \
		'grep -q "^cgroup .*/system.slice/web5$" "$DIR/log.loads"' \
		'results "^# control group: system.slice/web5$"' 'results "^# monitoring mode: system-wide, CPUs 0$"'
	on_groups --cgroup=/system.slice/web5 --system-wide --cpu-list=0 --json -t 50ms
	check 'JSON says system and cgroup' 'status 0' \
		'json "d[\"scope\"] == \"system\" and d[\"cgroup\"] == \"/system.slice/web5\""' \
		'json "d[\"totals\"][0][\"value\"] == 15000"'
	! have_jsonschema || check 'JSON follows the schema' 'valid "$DIR/results"'
	verb_on_groups stat -C 0 --cgroup=system.slice/web5 -e cycles:u -t 50ms
	check 'pfmon stat' 'status 0' 'results "^ *15000 cycles:u"'
	verb_on_groups stat -G system.slice/web5 -C 0 -e cycles:u -t 50ms
	check 'pfmon stat -G' 'status 0' 'results "^ *15000 cycles:u"'
	run pfmon stat -G a,b -t 1
	check 'pfmon stat -G with a list' 'status 125' 'err "for-each-cgroup=a,b counts all events in each"'
	verb_on_groups stat -C 0 --cgroup=system.slice/web5 -e cycles:u -- sh -c 'exit 3'
	check 'while a command runs, which need not be in the group' 'status 3' 'results "^ *15000 cycles:u"'
	on_groups --system-wide --cpu-list=0 --cgroup=system.slice/web5 --print-interval=50 -t 150ms
	check 'intervals' 'status 0' 'results "^CPU0 +15000$"'
	FAKE_SAMPLES=0x1000:3 on_groups --system-wide --cpu-list=0 --cgroup=system.slice/web5 \
		--long-smpl-periods=1000 --smpl-print-counts -t 100ms
	check 'samples' 'status 0' 'results "^ +3 +100.00%"' 'grep -q ^cgroup "$DIR/log.loads"'
	FAKE_SAMPLES=0x1000:3 verb_on_groups record -C 0 --cgroup system.slice/web5 -t 100ms
	check 'pfmon record' 'status 0' '[ -s "$DIR/results" ]' 'grep -q ^cgroup "$DIR/log.loads"'
	run pfmon record --cgroup x -t 1
	check 'pfmon record without -a' 'status 125' 'err "with -a it samples"'
	FAKE_SAMPLES=0x1000:3 verb_on_groups top --cgroup system.slice/web5 -n 1 -d 200ms
	check 'pfmon top means all CPUs' 'status 0' 'out "all CPUs, control group system.slice/web5"' \
		'grep -q ^cgroup "$DIR/log.loads"'
	ROOT=$DIR/root run pfmon --system-wide --cpu-list=0 --cgroup=system.slice/web5 -e free-memory -t 1
	check 'nothing but levels' 'status 125' 'err "needs an event to count"'
	ROOT=$DIR/root run pfmon --system-wide --cpu-list=0 --cgroup=nowhere -t 1
	check 'no such group on CPUs' 'status 125' 'err "no control group .nowhere."'
}

# Each refusal names the group, the cause and what would help.
cpus_refusal_tests() {
	local words=(--system-wide --cpu-list=0 --cgroup=system.slice/web5 -t 1)
	FAKE=oldcgroup ROOT=$DIR/root run pfmon "${words[@]}"
	check 'older modules' 'status 125' 'err "cgroup ./system.slice/web5.*modules are older.*without --system-wide"'
	FAKE=cgroup1 ROOT=$DIR/root run pfmon "${words[@]}"
	check 'not cgroup2' 'status 125' 'err "no folder of cgroup2.*mount -t cgroup2"'
	FAKE=deepcgroup ROOT=$DIR/root run pfmon "${words[@]}"
	check 'too deep' 'status 125' 'err "64 levels below.*one above"'
	FAKE=norights ROOT=$DIR/root run pfmon "${words[@]}"
	check 'no right' 'status 125' 'err "on CPU 0.*CAP_PERFMON.*policy/own_cgroup"'
	FAKE=busy ROOT=$DIR/root run pfmon "${words[@]}"
	check 'counters are held' 'status 125' 'err "cannot monitor CPU 0"'
	mkdir -p "$DIR/root/sys/kernel/perfmon"
	echo 'cpu 0 cgroup 2417 pid 77 uid 0 comm pfmon' >"$DIR/root/sys/kernel/perfmon/holders"
	FAKE=busy ROOT=$DIR/root run pfmon "${words[@]}"
	check 'counters are held for another cgroup: who' 'status 125' 'err "other contexts hold.*77 .pfmon"'
}

each_refusal_tests() {
	local each=--for-each-cgroup
	refused "$each without CPUs" 'needs --system-wide' $each=x -- true
	refused "$each twice" 'takes a list' --system-wide $each=x $each=y
	refused "$each with a group" 'cannot be combined' --system-wide $each=x --cgroup=y
	refused "$each of everything" 'needs patterns' --system-wide $each=/
	refused "$each and samples" 'sample one of the groups' --system-wide $each=x --long-smpl-periods=1000
	refused "$each and cores" 'sums of cores' --system-wide $each=x --topology=core
	refused "$each and sums only" 'aggregate-results' --system-wide $each=x --aggregate-results
	ROOT=$DIR/root run pfmon --system-wide --cpu-list=0 $each='nothing*' -t 1
	check "$each: no match" 'status 125' 'err "no cgroup below /sys/fs/cgroup matches .nothing.*systemd-cgls"'
	ROOT=$DIR/root run pfmon --system-wide --cpu-list=0 $each='*' -e free-memory -t 1
	check "$each: nothing but levels" 'status 125' 'err "for-each-cgroup needs an event"'
	echo 'none /sys/fs/cgroup tmpfs rw 0 0' >"$DIR/root/proc/self/mounts"
	ROOT=$DIR/root run pfmon --system-wide --cpu-list=0 $each='*' -t 1
	check "$each: cgroup2 is not mounted" 'status 125' 'err "not mounted.*mount -t cgroup2"'
	make_groups
}

# Rows of text, without what is derived.
rows_are() { # ROW...
	sed -n 's/ *  # .*//; s/  */ /g; /cycles/p' "$DIR/results" | diff - <(printf '%s\n' "$@")
}

each_tests() {
	local words=(--system-wide --cpu-list=0 -t 50ms)
	make_groups system.slice system.slice/web5 system.slice/web5/inner system.slice/db7 user.slice \
		user.slice/web2 user.slice/deep/er
	on_groups "${words[@]}" --for-each-cgroup='system.slice/*'
	check 'each group of a slice, by its count' 'status 0' 'empty err' \
		"rows_are 'db7 21000 cycles:u' 'web5 15000 cycles:u' 'TOTAL 36000 cycles:u'" \
		'[ "$(grep -c ^cgroup "$DIR/log.loads")" = 2 ]'
	on_groups "${words[@]}" --for-each-cgroup='web*'
	check 'a pattern without a slash matches names at any depth' 'status 0' \
		"rows_are 'web5 15000 cycles:u' 'web2 6000 cycles:u' 'TOTAL 21000 cycles:u'"
	on_groups "${words[@]}" --for-each-cgroup='/user.slice/web2,nowhere,db7'
	check 'a list, of which one matches nothing' 'status 0' "err \"warning: .*no cgroup matches 'nowhere'\"" \
		"rows_are 'db7 21000 cycles:u' 'web2 6000 cycles:u' 'TOTAL 27000 cycles:u'"
	on_groups "${words[@]}" --for-each-cgroup='web5,inner'
	check 'a group below another one that matches' 'status 0' "rows_are 'web5 15000 cycles:u' 'TOTAL 15000 cycles:u'" \
		"err \"'/system.slice/web5/inner' has no row.*counted in '/system.slice/web5'\""
	on_groups "${words[@]}" --for-each-cgroup='*'
	check 'everything: the outermost groups' 'status 0' 'err "6 cgroups that match have no rows of their own"' \
		'results "^system.slice +3000 cycles:u"' 'results "^user.slice +3000 cycles:u"'
	on_groups "${words[@]}" --for-each-cgroup='web*' --csv
	check 'CSV' 'status 0' 'results "^type,.*,cgroup.?$"' 'results "^cgroup,cycles:u,15000,.*,/system.slice/web5.?$"' \
		'results "^total,cycles:u,21000,"' 'lines results 4'
	on_groups "${words[@]}" --for-each-cgroup='web*' --json --with-header
	check 'JSON' 'status 0' 'json "d[\"cpus\"] == []"' \
		'json "[(g[\"cgroup\"], g[\"name\"], g[\"cpus\"], g[\"counts\"][0][\"value\"]) for g in d[\"groups\"]] == [(\"/system.slice/web5\", \"web5\", [0], 15000), (\"/user.slice/web2\", \"web2\", [0], 6000)]"'
	! have_jsonschema || check 'JSON follows the schema: groups' 'valid "$DIR/results"'
	on_groups "${words[@]}" --for-each-cgroup='web*' --with-header
	check '--with-header: patterns' 'results "^# each control group: .web\*.$"'
	verb_on_groups stat -C 0 -t 50ms --for-each-cgroup='web*' -e cycles:u,instructions:u --by=cpu
	check 'pfmon stat --by=cpu' 'status 0' \
		"rows_are 'CPU0 web5 15000 cycles:u' 'CPU0 web2 6000 cycles:u' 'web5 15000 cycles:u' 'web2 6000 cycles:u' 'TOTAL 21000 cycles:u'"
	verb_on_groups stat -C 0 -t 50ms --for-each-cgroup='web*' --by=cpu --json -e cycles:u
	check 'JSON --by=cpu' 'status 0' \
		'json "[(c[\"cpu\"], c[\"cgroup\"]) for c in d[\"cpus\"]] == [(0, \"/system.slice/web5\"), (0, \"/user.slice/web2\")]"'
	! have_jsonschema || check 'JSON follows the schema: CPUs' 'valid "$DIR/results"'
	verb_on_groups stat -C 0 -t 50ms --for-each-cgroup='web*' --metric-file selftests/pfmon/metrics.json -M One
	check 'metrics of each group' 'status 0' 'results "1.000.* web5$"' 'results "1.000.* web2$"'
	verb_on_groups top -C 0 --for-each-cgroup='web*' --metric-file selftests/pfmon/metrics.json -M One -n 2 -d 100ms
	check 'pfmon top: metrics of each group' 'status 0' 'out "^# metrics of CPUs 0, each control group of web.,"' \
		'out "1.000.* web5$"' 'out "1.000.* web2$"' 'out "1.000.* TOTAL$"' '[ "$(grep -c " web5$" "$DIR/out")" = 2 ]'
	verb_on_groups top -C 0 --for-each-cgroup='web*' -n 1
	check 'pfmon top: samples of each group' 'status 125' 'empty out' 'err "needs -M METRIC; --cgroup samples one group"'
	on_groups "${words[@]}" --for-each-cgroup='web*' --print-interval=20
	check 'intervals' 'status 0' 'results "^ +15000 web5$"' 'results "^ +6000 web2$"' 'results "then each cgroup:"'
	on_groups "${words[@]}" --for-each-cgroup='web*' --print-interval=20 --json
	check 'intervals as JSON' 'status 0' \
		'json "[(g[\"cgroup\"], g[\"counts\"][0][\"value\"]) for g in l[0][\"groups\"]] == [(\"/system.slice/web5\", 15000), (\"/user.slice/web2\", 6000)]"'
	! have_jsonschema || check 'intervals follow the schema' 'valid "$DIR/results" --lines'
	on_groups "${words[@]}" --for-each-cgroup='web*' --textfile="$DIR/pfmon.prom"
	check 'exporter' 'status 0' \
		'grep -q "^pfmon_events_total{cpu=\"0\",cgroup=\"/system.slice/web5\",event=\"cycles\"" "$DIR/pfmon.prom"'
	make_groups c/same3 d/same3
	on_groups "${words[@]}" --for-each-cgroup='same*'
	check 'names that are the same become paths' \
		"rows_are '/c/same3 9000 cycles:u' '/d/same3 9000 cycles:u' 'TOTAL 18000 cycles:u'"
	rm -f "$DIR/log.loads"
	ROOT=$DIR/root begin --system-wide --cpu-list=0 --for-each-cgroup='web*'
	make_groups later/web9
	kill -INT $PID
	ended
	check 'a group that comes later' 'status 0' "err \"warning: 1 cgroup that came later matches.*'/later/web9'\"" \
		'! results web9'
	rm -rf "$DIR/log.loads" "$DIR/root"
}

name_tests() {
	local id=1a2b3c4d5e6f7081920a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60
	local path short uid=0fedcba9_8765_4321_8fed_cba987654321
	build_program cgroup_names || bail_out 'cgroup_names does not build'
	while IFS='|' read -r path short; do
		check "name of ${path//$id/ID}" '[ "$(printf "%s\n" "$path" | "$DIR/cgroup_names")" = "$short" ]'
	done <<-END
		/system.slice/docker-$id.scope|docker 1a2b3c4d5e6f
		/docker/$id|docker 1a2b3c4d5e6f
		/machine.slice/libpod-$id.scope|podman 1a2b3c4d5e6f
		/machine.slice/libpod-conmon-$id.scope|libpod-conmon-$id.scope
		/system.slice/cri-containerd-$id.scope|containerd 1a2b3c4d5e6f
		/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod$uid.slice/cri-containerd-$id.scope|pod 0fedcba9 containerd 1a2b3c4d5e6f
		/kubepods.slice/kubepods-pod$uid.slice/crio-$id.scope|pod 0fedcba9 cri-o 1a2b3c4d5e6f
		/kubepods.slice/kubepods-pod$uid.slice|pod 0fedcba9
		/kubepods/besteffort/pod${uid//_/-}/$id|pod 0fedcba9 container 1a2b3c4d5e6f
		/kubepods.slice/kubepods-burstable.slice|kubepods-burstable.slice
		/kubepods.slice|kubepods.slice
		/system.slice/nginx.service|nginx.service
		/user.slice/user-1000.slice/user@1000.service/app.slice|app.slice
		/system.slice/docker-short.scope|docker-short.scope
		/system.slice/docker.service|docker.service
		/system.slice/docker-${id}0.scope|docker-${id}0.scope
		/system.slice/docker-$id.scope/init|init
		/|/
	END
	check 'name with control characters' '[ "$(printf "/a\033b\n" | "$DIR/cgroup_names")" = "a\\033b" ]'
}

build_or_bail
options_tests
name_tests
cpus_tests
cpus_refusal_tests
each_refusal_tests
each_tests
count_tests
refusal_tests
finish
