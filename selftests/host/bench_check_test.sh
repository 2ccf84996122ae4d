#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of selftests/bench/run: what --check calls a regression, and what --update stores.
# The guest is a stand-in that prints made-up figures.
set -u
cd "$(dirname "$0")/../.." || exit 1

DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT
export BASELINE=$DIR/baseline.json TARGETS=$DIR/targets GUEST=$DIR/guest DIR
TESTS=0 BAD=0

# Where our module has the PMU alone: prints out.N at its Nth start, and fails where
# there is none. Where it takes the PMU over: out.both beside perf's, out.takeover
# without.
cat >"$GUEST" <<'GUEST_END'
#!/bin/bash
side=$(sed 's/.*each \([a-z]*\) .*/\1/' <<<"$*")
if [ "$side" != perfmon ]; then
	echo "$*" >"$DIR/args.$side"
	echo "kernel ${KERNEL:-5.5}"
	exec cat "$DIR/out.$side"
fi
n=$(($(cat "$DIR/starts") + 1))
echo $n >"$DIR/starts"
echo "$*" >"$DIR/args.$n"
echo "kernel ${KERNEL:-5.5}"
cat "$DIR/out.$n"
GUEST_END
chmod 755 "$GUEST"

# Figures of the programs, with one or two changed: NAME=VALUE...
figures() {
	awk -v changes="$*" 'BEGIN {
			n = split(changes, change, " ")
			for (i = 1; i <= n; i++)
				if (split(change[i], part, "="))
					new[part[1]] = part[2]
		}
		$1 in new { $2 = new[$1] }
		{ print }' <<-FIGURES
		program userread
		read-user/1 34
		program read
		read/4 1000
		program switch
		switch/others 61
		switch/one/4 160
		program fork
		fork/none 100000
		fork/4 3000
		program sample
		sample/default/100000 900
	FIGURES
}

# Figures with takeover=1, and of perf.
takeover_figures() { # FORK READ
	printf '%s\n' 'program fork' "fork/4 $1" 'program read' "read/4 $2"
}

both_figures() { # FORK READ PERF-READ
	printf '%s\n' 'side perf' 'program read' "read/4 $3" 'side perfmon' \
		'program userread' 'read-user/1 skip no access'
	takeover_figures "$1" "$2"
}

# Forgets the outputs; then each argument is those of one start.
outputs() {
	local n=0 changes
	rm -f "$DIR"/out.* "$DIR"/args.*
	both_figures 3200 1400 3000 >"$DIR/out.both"
	echo 0 >"$DIR/starts"
	for changes; do
		n=$((n + 1))
		# shellcheck disable=SC2086 # a list of words
		figures $changes >"$DIR/out.$n"
	done
}

run_bench() {
	selftests/bench/run "$@" >"$DIR/output" 2>"$DIR/errors"
}

starts() {
	[ "$(cat "$DIR/starts")" = "$1" ]
}

result() { # NAME STATUS
	TESTS=$((TESTS + 1))
	if [ "$2" = 0 ]; then
		echo "ok $TESTS $1"
		return
	fi
	BAD=1
	echo "not ok $TESTS $1"
	sed 's/^/# /' "$DIR/output" "$DIR/errors"
}

check() { # NAME COMMAND...: the rest of the arguments is true
	local name=$1
	shift
	"$@"
	result "$name" $?
}

# The check passes after so many boots.
passes() { # BOOTS CHANGES...
	local boots=$1
	shift
	outputs "$@"
	run_bench --check && starts "$boots" && ! grep -q '^not ok' "$DIR/output" &&
		grep -q '^1\.\.11$' "$DIR/output"
}

# And it fails for one figure alone.
fails() { # FIGURE CHANGES...
	local figure=$1
	shift
	outputs "$@"
	! run_bench --check && [ "$(grep -c '^not ok' "$DIR/output")" = 1 ] &&
		grep -q "^not ok [0-9]* $figure:" "$DIR/output"
}

# In each of three measurements, of which two are in the second boot.
fails_always() { # FIGURE=VALUE
	outputs "$1" "$1"
	figures "$1" >>"$DIR/out.2"
	! run_bench --check && starts 2 &&
		[ "$(grep -c '^not ok' "$DIR/output")" = 1 ] &&
		grep -q "^not ok [0-9]* ${1%=*}: ${1#*=} (of ${1#*=} ${1#*=} ${1#*=})" \
			"$DIR/output"
}

stores() { # NAME MEDIAN SPREAD
	grep -q "^    \"$1\": \[$2, $3\],\{0,1\}$" "$BASELINE"
}

skips_without_baseline() {
	outputs ''
	KERNEL=$1 run_bench --check && grep -q '^1\.\.0 # SKIP' "$DIR/output"
}

# A baseline of these, which differ in one figure: KERNEL=VALUE...
stored() {
	local kernel
	{
		echo "{"
		for kernel; do
			printf '%s  "%s": {\n    "read/4": [%s, 0]' "$comma" "${kernel%=*}" "${kernel#*=}"
			printf ',\n    "%s": [%s, 0]' read-user/1 34 switch/others 61 switch/one/4 160 \
				fork/none 100000 fork/4 3000 sample/default/100000 900 \
				takeover/fork/4 3200 takeover/read/4 1400
			printf '\n  }'
			comma=$',\n'
		done
		printf '\n}\n'
	} >"$BASELINE"
}

# Another's baseline counts, and that is said: KERNEL THE-OTHER
compares_with() {
	local comma=
	cp "$BASELINE" "$DIR/kept"
	stored 6.1.0-9-arm64=500 6.1.0-56-arm64=1000 6.10.2=600 6.12.1=700
	outputs ''
	KERNEL=$1 run_bench --check
	set -- "$@" $?
	cp "$DIR/kept" "$BASELINE"
	[ "$3" = 0 ] && grep -q '^ok 1 read/4: 1000, was 1000$' "$DIR/output" &&
		grep -qxF "# no baseline for kernel $1: compared with that of $2" \
			"$DIR/output"
}

# Its own is not the newest one.
own_baseline() {
	local comma=
	cp "$BASELINE" "$DIR/kept"
	stored 6.1.0-9-arm64=1000 6.1.0-56-arm64=500
	outputs ''
	KERNEL=6.1.0-9-arm64 run_bench --check
	set -- $?
	cp "$DIR/kept" "$BASELINE"
	[ "$1" = 0 ] && ! grep -q '^# no baseline' "$DIR/output"
}

# And is one to fail by.
fails_for_series() {
	outputs read/4=1200 read/4=1200
	figures read/4=1200 >>"$DIR/out.2"
	! KERNEL=5.5.7 run_bench --check && grep -q '^# no baseline' "$DIR/output" &&
		grep -q '^not ok [0-9]* read/4: 1200 ' "$DIR/output"
}

other_kernels_stay() {
	outputs '' '' '' '' ''
	KERNEL=5.6 run_bench --update && grep -q '"5.5": {' "$BASELINE" &&
		grep -q '"5.6": {' "$BASELINE" && stores fork/4 3000 500 &&
		stores fork/4 3000 0 &&
		python_reads_it
}

# Where there is one.
python_reads_it() {
	command -v python3 >/dev/null || return 0
	python3 -m json.tool "$BASELINE" >/dev/null
}

second_is() { # WORD...: the programs of the second boot
	[ "$(cat "$DIR/args.2")" = "--icount --timeout 3600 -- selftests/bench/each perfmon $*" ]
}

one_of_three() {
	outputs fork/4=3700 ''
	figures >>"$DIR/out.2"
	run_bench --check && starts 2 && second_is fork fork
}

two_of_three() {
	outputs fork/4=3700 fork/4=3750
	figures >>"$DIR/out.2"
	! run_bench --check && grep -q '^not ok [0-9]* fork/4: 3700 ' "$DIR/output"
}

two_programs() {
	outputs 'fork/4=3700 read/4=2000' ''
	run_bench --check && second_is read fork read fork
}

not_measured() {
	outputs ''
	sed -i '/^read\/4/d' "$DIR/out.1"
	! run_bench --check && grep -q '^not ok [0-9]* read/4: .*not measured' "$DIR/output"
}

skipped() {
	outputs ''
	sed -i 's/^read\/4.*/read\/4 skip no access/' "$DIR/out.1"
	! run_bench --check && [ "$(grep -c '^not ok' "$DIR/output")" = 1 ] &&
		grep -q '^not ok [0-9]* read/4: was 1000, not measured now (no access)$' \
			"$DIR/output"
}

new_figure() {
	outputs ''
	echo 'fork/6 4000' >>"$DIR/out.1"
	! run_bench --check && [ "$(grep -c '^not ok' "$DIR/output")" = 1 ] &&
		grep -q '^not ok [0-9]* fork/6: 4000, not in the baseline$' "$DIR/output"
}

# Those with takeover=1 are measured again in a guest of that kind.
takeover_worse() {
	outputs ''
	both_figures 3900 1400 3000 >"$DIR/out.both"
	{
		takeover_figures 3950 1400
		takeover_figures 3800 1400
	} >"$DIR/out.takeover"
	! run_bench --check && starts 1 && [ "$(grep -c '^not ok' "$DIR/output")" = 1 ] &&
		grep -q '^not ok [0-9]* takeover/fork/4: 3900 (of 3900 3950 3800), was 3200' \
			"$DIR/output" &&
		[ "$(cat "$DIR/args.takeover")" = "--icount --no-modules --timeout 7200 -- selftests/bench/each takeover fork fork" ]
}

takeover_worse_once() {
	outputs ''
	both_figures 3900 1400 3000 >"$DIR/out.both"
	{
		takeover_figures 3200 1400
		takeover_figures 3210 1400
	} >"$DIR/out.takeover"
	run_bench --check && starts 1
}

slow_programs() {
	grep -q -- '--no-modules .*/each both read userread .* setswitch cgroup scale sets registers make$' \
		"$DIR/args.both"
}

# TARGETS-LINE WORD...: what is said of the target of a read, and whether it fails.
target_is() {
	local line=$1 status=$2 text=$3
	shift 3
	echo "$line" >"$TARGETS"
	outputs ''
	[ $# = 0 ] || both_figures "$@" >"$DIR/out.both"
	{
		takeover_figures 3200 1400
		takeover_figures 3200 1400
	} >"$DIR/out.takeover"
	run_bench --check
	[ $? = "$status" ] && grep -q "^$text\$" "$DIR/output"
	set -- $?
	usual_targets
	return "$1"
}

# In one of three measurements.
target_missed_once() {
	echo 'read/4 1085 1410' >"$TARGETS"
	outputs ''
	both_figures 3200 1420 3000 >"$DIR/out.both"
	{
		takeover_figures 3200 1400
		takeover_figures 3200 1405
	} >"$DIR/out.takeover"
	run_bench --check && grep -q '^ok [0-9]* target of read/4: 1405, target 1410$' "$DIR/output"
	set -- $?
	usual_targets
	return "$1"
}

# The stored figures stay when a boot lacks some.
update_fails() {
	cp "$BASELINE" "$DIR/kept"
	outputs '' '' '' ''
	! run_bench --update && cmp -s "$BASELINE" "$DIR/kept"
}

usual_targets() {
	printf '%s\n' 'read/4 1085 1450' 'read-user/1 3 40' 'fork/4 - -' >"$TARGETS"
}

guest_fails() {
	outputs
	! run_bench --check && grep -q '^not ok [0-9]* the guest that measures first failed$' "$DIR/output" &&
		grep -q '^not ok [0-9]* read/4: .*not measured' "$DIR/output"
}

echo "TAP version 13"
echo "1..40"
usual_targets
outputs fork/4=2800 fork/4=3100 fork/4=3300 fork/4=2900 fork/4=3000
check "five boots make a baseline" run_bench --update
check "which is of all five" starts 5
check "with median and spread of what varies" stores fork/4 3000 500
check "and of what does not" stores read/4 1000 0
check "figures as they were pass" passes 1 ''
check "better ones pass" passes 1 'read/4=500 fork/4=100'
check "5 % more passes" passes 1 read/4=1050
check "more than 5 % of a read fails" fails_always read/4=1051
check "of a switch" fails_always switch/one/4=169
check "of a switch that costs next to nothing" fails_always switch/others=65
check "of a sample" fails_always sample/default/100000=946
check "of what is large" fails_always fork/none=105001
check "what varies may do so: 21 % more passes" passes 1 fork/4=3655
check "more than it varies fails" fails_always fork/4=3656
check "a figure that was worse once in three measurements passes" one_of_three
check "twice fails" two_of_three
check "all programs with such figures are measured again" two_programs
check "a failure of one figure is told of that one" fails read/4 read/4=1200 \
	'read/4=1200 fork/4=9999'
check "a figure that is not measured any more fails" not_measured
check "one that is skipped as well" skipped
check "one that the baseline does not have as well" new_figure
check "with takeover=1 the slow programs are measured, too" slow_programs
check "a figure with takeover=1 that is worse fails" takeover_worse
check "and passes if it was so once" takeover_worse_once
check "a target that is missed fails" target_is 'read/4 1085 1250' 1 \
	'not ok [0-9]* target of read/4: 1400, target 1250'
check "one that is missed once in three measurements does not" target_missed_once
check "one that is met does not" target_is 'read/4 1085 1400' 0 \
	'ok [0-9]* target of read/4: 1400, target 1400'
check "a part of perf's figure is a target" target_is 'read/4 1085 P/3' 1 \
	'not ok [0-9]* target of read/4: 1400, target 1000'
check "a miss that is known passes" target_is 'read/4 1085 1250 1390' 0 \
	'ok [0-9]* target of read/4: 1400, target 1250, known miss 1390'
check "but may not rise" target_is 'read/4 1085 1250 1330' 1 \
	'not ok [0-9]* target of read/4: 1400, target 1250, known miss 1330'
check "targets of user-level reads are for those of the first guest" target_is \
	'read-user/1 3 30' 1 'not ok [0-9]* target of read-user/1: 34, target 30'
check "a guest that fails is a failure" guest_fails
check "and with it nothing is stored" update_fails
check "a kernel whose series has no baseline is skipped" skips_without_baseline 5.6
check "a series is all of its number" skips_without_baseline 5.50
check "the newest of the series counts without an own baseline" compares_with \
	6.1.0-60-arm64 6.1.0-56-arm64
check "for older ones as well" compares_with 6.1.0-7-arm64 6.1.0-56-arm64
check "the own one comes first" own_baseline
check "what is worse than another's fails" fails_for_series
check "a baseline for another kernel is added" other_kernels_stay
[ $BAD = 0 ]
