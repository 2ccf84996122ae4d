#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 'pfmon record' and 'pfmon report' of its file, on the made-up kernel: what is reported is what a session
# that samples prints by itself.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail
"$CC" -O1 -pie -fPIE -Wl,--build-id -o "$DIR/three" selftests/pfmon/progs/three.c -pthread ||
	bail_out 'the program does not build'

# Where the made-up kernel says that the program is mapped.
BASE=$((0x10000000))

# Where a function of the program is in memory.
address() { # FUNCTION
	local value offset vaddr size
	value=$((0x$(nm "$DIR/three" | awk -v name="$1" '$3 == name { print $1 }')))
	while read -r offset vaddr size; do
		[ $((value >= vaddr && value < vaddr + size)) = 0 ] ||
			printf '0x%x' $((BASE + value - vaddr + offset))
	done < <(readelf -lW "$DIR/three" | awk '$1 == "LOAD" { print $2, $3, $5 }')
}

export FAKE_IMAGE=$DIR/three FAKE_SAMPLES
FAKE_SAMPLES="$(address _ZN5burnt4mostEm):60,$(address some):30,$(address few):10"
DATA=$DIR/pfmon.data

record() { # OPTION...
	rm -f "$DATA"
	(cd "$DIR" && pfmon record "$@")
}

report() { # OPTION...
	(cd "$DIR" && pfmon report "$@")
}

# Ids of processes differ from run to run.
same_but_ids() { # FILE FILE
	cmp -s <(sed 's/pid-[0-9]*/pid-N/; s| [0-9]*/[0-9]* | N/N |' "$1") \
		<(sed 's/pid-[0-9]*/pid-N/; s| [0-9]*/[0-9]* | N/N |' "$2")
}

# A session that prints by itself and one that is recorded and reported have equal results.
equal() { # NAME "RECORD OPTION..." "OPTION..." FORM
	# shellcheck disable=SC2086 # words
	run pfmon $3 --long-smpl-periods=1000 --resolve-addresses --demangle-cpp --smpl-output="$4" \
		--smpl-outfile="$DIR/direct" -k -u -- true
	# shellcheck disable=SC2086
	run record $2 -c 1000 -- true
	check "record: $1" 'status 0' 'empty out' 'err "^pfmon: pfmon.data: 100 samples, 0 lost, throttled 0 times, [0-9.]+ kB; now: pfmon report$"'
	run report "--$4" -o "$DIR/reported"
	check "report --$4: $1: the same as without a file" 'status 0' 'empty err' '[ -s "$DIR/direct" ]' \
		'same_but_ids "$DIR/direct" "$DIR/reported"'
}

equal 'one thread' '-i' '' folded
equal 'stacks' '-g -i' '--smpl-module=callstack' folded
equal 'all tasks' '' '--follow-all' folded
equal 'stacks of all tasks' '-g' '--follow-all --smpl-module=callstack' folded
equal 'a CPU' '-C 0' '--system-wide --cpu-list=0' folded
equal 'each sample' '-g' '--follow-all --smpl-module=callstack' perf-script
equal 'each sample of a CPU' '-C 0' '--system-wide --cpu-list=0' perf-script
equal 'speedscope' '-g -i' '--smpl-module=callstack' speedscope

run record -i -c 1000 -- true
run report
check 'a table' 'status 0' 'empty err' 'out "^# pfmon record -i -c 1000 -- true$"' 'out "^# lost: 0 of 100 samples$"' \
	'out "^# cycles:uk: 100 samples, period 1000$"' 'out "^ +60.00% +60 +true +burnt::most.unsigned long.$"' \
	'out "^ +30.00% +30 +true +some$"' 'out "^ +10.00% +10 +true +few$"'
check 'rows with the largest shares are first' \
	'[ "$(grep -v "^#" "$DIR/out" | awk "{ print \$2 }" | tr "\n" " ")" = "60 30 10 " ]'
# The made-up kernel has three branches in each sample.
FAKE=branches run record -i -b -c 1000 -- true
check 'record -b' 'status 0' 'err "100 samples, 0 lost"'
run report --branches
check 'report --branches' 'status 0' 'empty err' 'out "^# 300 branches in 100 samples$"' \
	'out "^ +40.00% +120 +25.00% +7.0 +burnt::most.unsigned long..0x10<.*> -> burnt::most.unsigned long.<.*>$"' \
	'out "^ +20.00% +60 +- +- +some.0xe<.*> -> burnt::most.unsigned long.<.*>$"'
run report --branches --percent-limit=30
check '--percent-limit' 'out "^# 5 rows with less than 30% each are left out: 60.00%$"'
run report --branches --json
check 'report --branches --json' 'status 0' 'out "\"branches\": 300"' \
	'out "\"count\": 120, \"mispredicted\": 30, \"predicted\": 90, \"cycles\": 840, \"timed\": 120, \"from\""'
run report --blocks
check 'report --blocks' 'status 0' \
	'out "^ +60.00% +120 +25.00% +7.0 +burnt::most.unsigned long.<.*> .. burnt::most.unsigned long..0x10<.*>$"'
run report --folded
check 'the samples are as without branches' 'out "true;burnt::most.unsigned long. 60$"'
FAKE=branches run record -i -j call,return -c 1000 -- true
check 'record -j' 'status 0'
FAKE=branches run record -j calls -c 1000 -- true
check 'a kind that there is not' 'status 125' 'err "--branch-filter: .calls. is no kind of branches; they are any, cond"'
FAKE=branches run record -j stack -c 1000 -- true
check 'a kind that the processor lacks' 'status 125' 'err "this processor cannot select them"'
run record -b -c 1000 -- true
check 'a processor without records' 'status 125' 'err "this processor, or its hypervisor, has no records of them"'
FAKE=branches run record -b -g -c 1000 -- true
check '-b with -g' 'status 125' 'err "contradict each other"'
run record -i -c 1000 -- true
run report --branches
check 'a file without branches' 'status 125' 'err "has no branches; .pfmon record -b. has samples carry them"'

run report --mangled
check '--mangled' 'out "_ZN5burnt4mostEm$"'
run report --by=file
check '--by=file' "out '^ 100.00% +100 +$DIR/three$'" '[ "$(grep -vc "^#" "$DIR/out")" = 1 ]'
cp "$DIR/three" "$DIR/"$'odd\e\nname'
FAKE_IMAGE=$DIR/$'odd\e\nname' run record -i -c 1000 -- true
run report --by=file
check 'the name of a file stays on its line' "out '^ 100.00% +100 +$DIR/odd[?][^ ]*name\$'" '[ "$(grep -vc "^#" "$DIR/out")" = 1 ]'
run record -i -c 1000 -- true
run report --by=process
check '--by=process' 'out "^ 100.00% +100 +[0-9]+$"'
run report --by=thread,function
check '--by=thread,function' 'out "^ +60.00% +60 +[0-9]+/[0-9]+ +burnt"'
run report --percent-limit=20
check '--percent-limit: what is left out is counted' '! out " few$"' 'out " some$"' \
	'out "^# 1 rows with less than 20% each are left out: 10.00%, 10 samples$"'
run report --by=program,function
cp "$DIR/out" "$DIR/table"
for options in --sort=comm,sym "-s comm,symbol --stdio -n --no-children -f" '-i pfmon.data'; do
	# shellcheck disable=SC2086 # words
	run report $options
	check "as perf: $options" 'status 0' 'empty err' 'cmp -s "$DIR/out" "$DIR/table"'
done
run report --sort=dso
check 'as perf: --sort=dso' "out '^ 100.00% +100 +$DIR/three$'"

# Rows of the trees, without comments and with single blanks.
tree() {
	grep -v '^#' "$DIR/out" | tr -s ' '
}
run report -g
check 'trees of samples without stacks are functions' 'status 0' \
	'[ "$(tree | tr "\n" "|")" = " 60.00% 60.00% 60 true burnt::most(unsigned long)| 30.00% 30.00% 30 true some| 10.00% 10.00% 10 true few|" ]'
run record -i -g -c 1000 -- true
for option in -g -gcaller '-g caller' --call-graph=callers; do
	# shellcheck disable=SC2086 # words
	run report $option
	check "report $option: what functions call" 'status 0' 'empty err' 'out "^# cycles:uk: 100 samples$"' \
		'out "^#  total +self +samples +program +function$"' 'out "^# lines with less than 0.5% are left out$"' \
		'[ "$(tree | sed -n 1,4p | tr "\n" "|")" = " 90.00% 30.00% 90 true some| 60.00% 60.00% 60 burnt::most(unsigned long)| 60.00% 60.00% 60 true burnt::most(unsigned long)| 40.00% 0.00% 40 true work|" ]' \
		'out "^ +30.00% +30.00% +30 {13}some$"' 'lines out 15'
done
run report -g callee --by=function
check 'report -g callee: what functions are called by' 'status 0' 'out "^#  share +samples +function$"' \
	'[ "$(tree | tr "\n" "|")" = " 60.00% 60 burnt::most(unsigned long)| 60.00% 60 < some| 30.00% 30 some| 30.00% 30 < work| 10.00% 10 few| 10.00% 10 < work|" ]'
run report -g --percent-limit=50
check 'report -g --percent-limit' '[ "$(tree | wc -l)" = 3 ]' 'out "^# lines with less than 50% are left out$"'
run report -g --json
cp "$DIR/out" "$DIR/results"
check 'report -g --json' 'json "d[\"order\"] == \"caller\" and d[\"events\"][0][\"samples\"] == 100"' \
	'json "[(r[\"level\"], r[\"function\"], r[\"samples\"], r[\"end_samples\"]) for r in d[\"events\"][0][\"rows\"]][3:6] == [(0, \"work\", 40, 0), (1, \"some\", 30, 30), (1, \"few\", 10, 10)]"'
run report -g callee --json
cp "$DIR/out" "$DIR/results"
check 'report -g callee --json' 'json "[(r[\"level\"], r[\"function\"], r[\"share\"], r[\"end_share\"]) for r in d[\"events\"][0][\"rows\"]][:2] == [(0, \"burnt::most(unsigned long)\", 60, 0), (1, \"some\", 60, 60)]"'

# The trees of a file are those of its folded stacks: each sample counts once for each function of its stack.
cat >"$DIR/trees.py" <<'PYTHON'
import collections, json, sys
total, own, calls = (collections.Counter() for _ in range(3))
caller, callee = (json.load(open(name))['events'] for name in sys.argv[2:4])
for line in open(sys.argv[1]):
    if line.startswith('#'):
        continue
    frames, count = line.rsplit(' ', 1)
    frames = frames.replace('_[k]', '').split(';')
    # With several events each stack begins with its event.
    if len(caller) > 1 and frames.pop(0) != caller[0]['event']:
        continue
    program = frames.pop(0)
    for at, frame in enumerate(frames):
        if frame not in frames[:at]:
            total[program, frame] += int(count)
            if at + 1 < len(frames):
                calls[program, frame, frames[at + 1]] += int(count)
    own[program, frames[-1]] += int(count)
caller, callee = caller[0]['rows'], callee[0]['rows']
top = collections.Counter()
below = collections.Counter()
for row in caller:
    if row['level'] == 0:
        at = row['program'], row['function']
        top[at] += row['samples']
    elif row['level'] == 1:
        below[at + (row['function'],)] += row['samples']
assert top == total, top - total
assert below == calls, below - calls
assert own == collections.Counter({(r['program'], r['function']): r['samples'] for r in callee if r['level'] == 0})
assert sum(r['end_samples'] for r in callee) == sum(own.values())
print(max(r['level'] for r in caller))
PYTHON
for file in "$DATA" "$PWD"/selftests/pfmon/perf-data/file.data; do
	report --folded -o "$DIR/folded" "$file"
	report -g caller --json --percent-limit=0 -o "$DIR/caller" "$file"
	report -g callee --json --percent-limit=0 -o "$DIR/callee" "$file"
	run python3 "$DIR/trees.py" "$DIR/folded" "$DIR/caller" "$DIR/callee"
	check "the trees of ${file##*/} are those of its folded stacks" 'status 0' 'out "^[1-9]"'
done
run record -i -c 1000 -- true
run report -gsideways
check 'refused: another order of -g' 'status 125' 'err "the trees .caller., what each function calls"'
run report -g --by=file
check 'refused: trees of files' 'status 125' 'err "by=program,function .each program has its own. or --by=function"'
run report -g --csv
check 'refused: trees as CSV' 'status 125' 'err "of which --json has the lines"'
run report -g --folded
check 'refused: trees in another form' 'status 125' 'err "are for the table"'
run pfmon record -z -- true
check 'refused: no such letter' 'status 125' 'err "there is no option .-z."' 'err "pfmon record --help-all"'
run pfmon record --frequenzy=1 -- true
check 'refused: no such option' 'status 125' 'err "there is no option .--frequenzy."'
run report -i pfmon.data pfmon.data
check 'refused: two files' 'status 125' 'err "leave out the other one"'
run report --by=nothing
check 'refused: no such key' 'status 125' 'err "by: .nothing. is not one of program, process"' 'empty out'
run report --percent-limit=101
check 'refused: not a share' 'status 125' 'err "percent-limit: .101. is not a share"' 'empty out'
run report --folded --by=file
check 'refused: two forms' 'status 125' 'err "are for the table"'
run report --latency
check 'refused: latency of a file without the numbers' 'status 125' 'empty out' 'err "does not say how many threads ran.*pfmon record --latency"'
run report --show-options
check 'latency is an option' 'status 0' 'out "^--latency none$"' 'out "^--inline none$"'
run report --folded --view=data
check 'refused: two kinds' 'status 125' 'err "contradict another kind"'
run report --pprof -o "$DIR/profile"
check 'pprof' 'status 0' '[ "$(head -c 2 "$DIR/profile" | od -An -tx1)" = " 1f 8b" ]'
run report --perf-script
check 'perf script' 'status 0' '[ "$(grep -c "cycles:uk: $" "$DIR/out")" = 100 ]' \
	'[ "$(grep -c " some+0x0 ($DIR/three)$" "$DIR/out")" = 30 ]'

# The stacks of a Firefox profile whose tables and numbers are right.
firefox() { # FILE
	python3 selftests/pfmon/firefox_profile.py "$1"
}

# They are those of --folded.
firefox_is_folded() {
	firefox "$DIR/profile.json" >"$DIR/stacks" &&
		report --folded | grep -v '^#' | sed 's/^\(cycles\|instructions\);/\1:uk\t/; s/_\[k\]//' | LC_ALL=C sort |
			cmp -s - <(LC_ALL=C sort "$DIR/stacks")
}

for options in -i '-i -g' -g '-C 0' '-i -e cycles,instructions'; do
	# shellcheck disable=SC2086 # words
	run record $options -c 1000 -- true
	run report --firefox -o "$DIR/profile.json"
	check "Firefox: $options: the tables, and the stacks of --folded" 'status 0' 'empty err' 'firefox_is_folded'
done
FAKE_SAMPLES="$(address some):3,0xffffffff80000010:2" run record -i -c 1000 -- true
run report --firefox -o "$DIR/profile.json"
check 'Firefox: the kernel is a category of its own, and a file' 'firefox_is_folded' \
	'grep -q "\"category\": .1, 2.," "$DIR/profile.json"' 'grep -q "\"kernel\"" "$DIR/profile.json"'
FAKE='lost throttled' run record -i -c 1000 --smpl-parts=1 -- true
run report --firefox
check 'Firefox: what is missing' 'out "\"lost: at least 25 of at least 125 samples\""' 'out "\"Not counted\".*3000.000 ms"'
FAKE=nopmu run record -i -c 2500000 -- true
run report --firefox -o "$DIR/profile.json"
check 'Firefox: samples of time are weighed by it' 'grep -q "\"weightType\": \"tracing-ms\"" "$DIR/profile.json"' \
	'firefox "$DIR/profile.json" >"$DIR/stacks"' 'grep -q "burnt.* 150$" "$DIR/stacks"' \
	'grep -q "\"interval\": 2.5," "$DIR/profile.json"'
FAKE_SAMPLES='' run record -i -c 1000 -- true
run report --firefox -o "$DIR/profile.json"
check 'Firefox: no samples' 'status 0' 'firefox "$DIR/profile.json" >"$DIR/stacks"' '[ ! -s "$DIR/stacks" ]'
run pfmon --long-smpl-periods=1000 --smpl-output=firefox --smpl-outfile="$DIR/profile.json" -- true
check 'Firefox: of a session that samples' 'status 0' 'firefox "$DIR/profile.json" >"$DIR/stacks"' \
	'grep -q "^true;.*burnt.* 60$" "$DIR/stacks"'
run record -i -c 1000 -- true
run report --html "$DATA" -o "$DIR/page"
if grep -q 'without the page' "$DIR/err"; then
	skip 'a page' 'pfmon was built without it'
else
	check 'a page' 'status 0' 'grep -q burnt::most "$DIR/page"'
fi
run pfmon report - <"$DATA"
check 'refused: standard input is empty' 'status 125' 'err ".standard input. is empty"'
pfmon report - <"$DATA" >"$DIR/out" 2>"$DIR/err"
check 'from standard input' 'out "60 +true +burnt"' 'empty err'
mv "$DIR/three" "$DIR/moved"
run report
check 'the program is gone' 'status 0' '! out "burnt"' 'out "three.0x"'
cp "$DIR/moved" "$DIR/three"
run report
check 'another file of the same build will do' 'out "60 +true +burnt"'
cp /bin/true "$DIR/three"
run report
check 'one of another build will not' '! out "burnt"'
mv "$DIR/moved" "$DIR/three"

# A machine whose kernel is at other addresses after each boot.
boot() { # ID ADDRESS
	ROOT=$DIR/machine
	mkdir -p "$ROOT/proc/sys/kernel/random"
	echo "$1" >"$ROOT/proc/sys/kernel/random/boot_id"
	printf '%s\n' "$2"'00000 T start_of_it' "$2"'00100 t inner	[module_x]' "$2"'00180 t inner_next	[module_x]' \
		"$2"'00200 T other' >"$ROOT/proc/kallsyms"
}

boot one ffffffff800
FAKE_SAMPLES=0xffffffff80000010:3,0xffffffff80000120:2 run record -i -c 1000 -- true
boot two ffffffff801
run report --by=file,function
check 'functions of a kernel of another boot' 'status 0' 'empty err' \
	'out "^ +60.00% +3 +kernel +start_of_it$"' 'out "^ +40.00% +2 +.module_x. +inner$"'
run report --perf-script
check 'their offsets' 'out "start_of_it.0x10 "' 'out "inner.0x20 .*module_x"'
printf '%s\n' 'ffffffff80000000 T of_a_file' >"$DIR/sysmap"
run report --sysmap-file="$DIR/sysmap"
check '--sysmap-file replaces them' 'status 0' 'out " of_a_file$"' '! out "start_of_it"'
rm "$ROOT/proc/kallsyms"
boot one ffffffff800
echo '0000000000000000 T start_of_it' >"$ROOT/proc/kallsyms"
FAKE_SAMPLES=0xffffffff80000010:3 run record -i -c 1000 -- true
check 'a user who sees no addresses of the kernel' 'status 0' 'err "kptr_restrict"' 'err "3 samples, 0 lost"'
boot two ffffffff800
run report
check 'then another boot has no names' 'status 0' '! out "start_of_it"' 'err "functions of the kernel have no names"'
boot one ffffffff800
run report
check 'and the same boot those of its kernel' 'status 0' 'empty err' 'out " start_of_it$"'
boot two ffffffff800
run record -i -c 1000 -- true
boot three ffffffff800
run report
check 'without samples of the kernel nothing is said' 'status 0' 'empty err' 'out " some$"'
unset ROOT

FAKE='lost throttled' run record -i -c 1000 --smpl-parts=1 -- true
check 'what is lost is told' 'status 0' 'err "100 samples, 25 lost, throttled 3 times"'
FAKE='lost throttled' run pfmon --long-smpl-periods=1000 --resolve-addresses -- true
grep '^# lost samples' "$DIR/err" >"$DIR/direct"
run report
check 'and is in the file' 'out "^# lost: at least 25 of at least 125 samples$"' 'out "^# paused: 3000.000 ms"' \
	'grep -q "20.00%, at least 25 of at least 125$" "$DIR/direct"'
check 'report has no advice on a recording that is over' 'err "of the samples were lost: 25 of 125"' 'err "counting was paused"' \
	'! err "smpl-entries|longer periods|smpl-parts"'
run record -i -c 1000 --smpl-entries=80 -- true
check 'more samples than the buffer has' 'status 0' \
	'[ "$(sed -n "s/.*data: \([0-9]*\) samples, \([0-9]*\) lost.*/\1 \2/p" "$DIR/err" | awk "{ print \$1 + \$2, (\$2 > 0) }")" = "100 1" ]'
run report --folded
check 'the sum of read and lost is what there was' \
	'[ "$(sed -n "s/^# lost: [a-z ]*\([0-9]*\) of .*/\1/p" "$DIR/out" | head -n 1)" = "$((100 - $(awk "!/^#/ { sum += \$NF } END { print sum }" "$DIR/out")))" ]'

run record -i -c 1000 -o /dev/full -- true
check 'the disk is full' 'status 125' 'err "/dev/full could not be written: No space left on device; 0 samples are in it, and 100 are missing$"'
run record -i -c 1000 -o /nowhere/x -- true
check 'no such folder' 'status 125' 'err "cannot open ./nowhere/x."'
echo precious >"$DATA"
(cd "$DIR" && run pfmon record -- ./nowhere)
check 'a command that does not run leaves the old file' '[ "$(cat "$DATA")" = precious ]'
run record -i -c 1000 -- sh -c 'exit 3'
check 'the exit status is that of the command' 'status 3' 'err "100 samples"'
FAKE_SAMPLES='' run record -i -c 1000 -- true
check 'no samples' 'status 0' 'err "pfmon.data: 0 samples, 0 lost"'
run report
check 'no samples: report' 'status 0' 'empty err' 'out "^# cycles:uk: 0 samples"'

run record -i -c 2000 -e cycles,instructions -- true
run report
check 'two events' 'status 0' 'out "^# cycles:uk: 50 samples, period 2000$"' 'out "^# instructions:uk: 50 samples, period 2000$"'
FAKE=nopmu run record -i -c 1000 -- true
check 'no counters: task-clock samples' 'status 0' 'err "no counters, so task-clock samples"'
run report
check 'task-clock: report' 'out "^# task-clock: 100 samples, period 1000$"'
FAKE=nopmu run record -i -F 2000 -- true
run report
check 'a frequency of a clock' 'out "^# task-clock: 100 samples, period 500000$"'
run record -v -i -F 100 -- true
PERIOD=$(sed -n "s/.*so a period of \([0-9]*\) for 100 samples.*/\1/p" "$DIR/err")
run report
check 'a frequency: the first period' '[ "$PERIOD" -ge 1000 ]' 'out "^# cycles:uk: 100 samples, of various periods for 100 a second$"'
run report --json
check 'a frequency: no period of all' 'out "\"period\": null"'
run report --perf-script
check 'and in each sample' '[ "$(grep -c ": $PERIOD cycles:uk: $" "$DIR/out")" = 100 ]'
FAKE=frozen,tell FAKE_CALLS=$DIR/calls run record -i -e cache-misses -F 300 -- true
check 'a frequency of what depends on the program' 'status 0' 'grep -qx "long_reset -1000 short_reset 300" "$DIR/calls"' \
	'grep -qx PFM_PMDF_FREQUENCY "$DIR/calls"'
FAKE=nopmu,tell FAKE_CALLS=$DIR/clock run record -i -F 2000 -- true
check 'a clock needs no other period' 'grep -qx "long_reset -500000 short_reset -500000" "$DIR/clock"' \
	'! grep -q FREQUENCY "$DIR/clock"'
FAKE=nokernel run record -i -c 1000 -- true
check 'no right to sample the kernel' 'status 0' 'err "user code only .:u."'
run report
check 'no right: the event says so' 'out "^# cycles:u: 100 samples"'

refused_record() { # NAME MESSAGE OPTION...
	local name=$1 message=$2
	shift 2
	run pfmon record "$@"
	check "refused: $name" 'status 125' "err '$message'" 'empty out'
}
refused_record 'frequency and period' '-F is about samples in a second, -c about events' -F 10 -c 10 -- true
refused_record 'latency of a machine' '--latency is for a command' --latency -a -t 0.1
refused_record 'waits of a machine' '--off-cpu is for a command' --off-cpu -a -t 0.1
refused_record 'waits without perf' '--off-cpu needs perf.s records of context switches with stacks' --off-cpu -c 1000 -- true
refused_record 'latency without perf' '--latency needs perf.s records of context switches' --latency -c 1000 -- true
refused_record 'not a frequency' "freq: .0. is not a number from 1" -F 0 -- true
refused_record 'not a period' "count: .x. is not a number from 1" -c x -- true
refused_record 'no command' 'no command to run'

# Files of others.
run report "$DIR/three"
check 'refused: another file' 'status 125' "err 'three. is not a file of .pfmon record. or .perf record.'" 'empty out'
run report /dev/null
check 'refused: an empty file' 'status 125' 'err "/dev/null. is empty"'
printf 'PERFILE2 and more' >"$DIR/perf.data"
run report "$DIR/perf.data"
check 'refused: a file of perf that has only its magic' 'status 125' 'err "perf.data. is damaged at byte [0-9]+: "'
run report "$DIR/nowhere"
check 'refused: no file' 'status 125' 'err "cannot open .*nowhere.: No such file"'
run record -i -c 1000 -- true
SIZE=$(stat -c %s "$DATA")
head -c 10 "$DATA" >"$DIR/bad"
run report "$DIR/bad"
check 'refused: cut within its head' 'status 125' 'err "ends within its head"'
head -c 100 "$DATA" >"$DIR/bad"
run report "$DIR/bad"
check 'refused: cut within its description' 'status 125' 'err "ends before its first sample"'
head -c $((SIZE - 1)) "$DATA" >"$DIR/bad"
run report "$DIR/bad"
check 'cut at its end' 'status 0' 'err "warning: .*bad. ends in the middle, at byte [0-9]+ .block 2.: .* the 100 samples before that are read"' \
	'out "60 +true +burnt"'
# The last byte is any: one file in 256 has an x there by itself.
OTHER=x
[ "$(tail -c 1 "$DATA" | od -An -tx1)" != ' 78' ] || OTHER=y
{ head -c $((SIZE - 1)) "$DATA" && printf %s $OTHER; } >"$DIR/bad"
run report "$DIR/bad"
check 'refused: damaged at its end' 'status 125' 'err "bad. is damaged at byte [0-9]+ .block 2.; --force reads the 100 samples before that"' \
	'empty out'
run report --force "$DIR/bad"
check 'damaged: --force' 'status 0' 'err "warning: .*damaged"' 'out "60 +true +burnt"'
{ cat "$DATA" && printf x; } >"$DIR/bad"
run report "$DIR/bad"
check 'something behind its end' 'status 0' 'err "goes on behind its end, at byte '"$SIZE"'"' 'out "60 +true +burnt"'
finish
