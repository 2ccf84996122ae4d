#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of selftests/bench/run: what it makes of the figures of its guests, which guests it
# starts, the table and the JSON; and that no guest outlives it. The guest is a
# stand-in that prints made-up figures.
set -u
cd "$(dirname "$0")/../.." || exit 1

DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT
export GUEST=$DIR/guest JSON=$DIR/bench.json DIR
TESTS=0 BAD=0

# Its own name is what is behind "each", a side; or "ibs", if that is all it measures. With $DIR/hang it does not end.
cat >"$GUEST" <<'GUEST_END'
#!/bin/bash
side=$(sed 's/.*each \([a-z]*\) .*/\1/' <<<"$*")
[[ $* != *" ibs" ]] || side=ibs
echo "$*" >"$DIR/args.$side"
echo "each: $side begins" >&2
echo "kernel 5.5"
cat "$DIR/out.$side" || exit
! grep -q '^failed ' "$DIR/out.$side" || exit 1
if [ -e "$DIR/hang" ]; then
	sleep 300 &
	echo $! >"$DIR/sleep.$side"
	wait
fi
GUEST_END
chmod 755 "$GUEST"

cat >"$DIR/out.perf" <<-FIGURES
	program userread
	read-user/1 60
	program read
	read/4 2800
	program switch
	switch/same/4 40
	program make
	make/followed-ppm 20000
FIGURES
cat >"$DIR/out.own" <<-FIGURES
	program read
	read/4 1400
	program switch
	switch/same/4 150
	program scale
	scale/read/10 1200
	scale/read/100 1240
	scale/read/1000 1300
	program make
	make/followed-ppm 4500
FIGURES
{
	echo "side perf"
	cat "$DIR/out.perf"
	echo "side perfmon"
	echo "program userread"
	echo "read-user/1 skip the \"shared\" PMU"
	cat "$DIR/out.own"
} >"$DIR/out.both"

{
	echo "side perf"
	echo "program ibs"
	echo "ibs/op/48000 2600"
	echo "side perfmon"
	echo "program ibs"
	echo "ibs/op/48000 1200"
} >"$DIR/out.ibs"

run_bench() {
	rm -f "$DIR"/args.*
	selftests/bench/run "$@" >"$DIR/output" 2>"$DIR/errors"
}

check() { # NAME COMMAND...: the rest of the arguments is true
	local name=$1
	shift
	TESTS=$((TESTS + 1))
	if "$@"; then
		echo "ok $TESTS $name"
		return
	fi
	BAD=1
	echo "not ok $TESTS $name"
	sed 's/^/# /' "$DIR/output" "$DIR/errors"
}

row() { # WORD...: a line of the table
	tr -s ' ' <"$DIR/output" | sed 's/ $//' | grep -xF -e "$*" >/dev/null
}

guests() { # SIDE...
	[ "$(cd "$DIR" && echo args.*)" = "$*" ]
}

one_boot() {
	echo "read-user/1 32" >"$DIR/out.perfmon"
	run_bench && guests args.both args.perfmon &&
		grep -q -e '--no-modules .* selftests/bench/each both read userread ' "$DIR/args.both" &&
		grep -q -e ' selftests/bench/each perfmon userread$' "$DIR/args.perfmon"
}

second_guest_is_marked() {
	row "read-user/1 * 32 60 0.53 3 60 met" && grep -q '^\* ours from a second guest' \
		"$DIR/output"
}

rows() {
	row "read/4 1400 2800 0.50 1085 1250 miss" &&
		row "switch/same/4 150 40 3.75 0 200 met"
}

growth() {
	row "scale/read/100 1240 - - 1085 1260 met" &&
		row "scale/read/1000 1300 - - 1085 1260 grows"
}

in_json() {
	grep -qF '{"name": "read/4", "ours": 1400, "perf": 2800, "ratio": 0.50, "floor": 1085, "target": 1250, "verdict": "miss", "skip": null, "guest": 1}' "$JSON" &&
		grep -qF '"verdict": "met", "skip": null, "guest": 2}' "$JSON" &&
		python_reads_it
}

# Where there is one.
python_reads_it() {
	command -v python3 >/dev/null || return 0
	python3 -m json.tool "$JSON" >/dev/null
}

skips() {
	echo 'read-user/1 skip the "shared" PMU' >"$DIR/out.perfmon"
	run_bench && row 'read-user/1 - 60 - 3 60 the "shared" PMU' &&
		grep -qF '"verdict": null, "skip": "the \"shared\" PMU"' "$JSON" &&
		python_reads_it
}

two_guests() {
	cp "$DIR/out.own" "$DIR/out.perfmon"
	run_bench --two-guests && guests args.perf args.perfmon &&
		row "read/4 1400 2800 0.50 1085 1250 miss" &&
		! grep -q '^\*' "$DIR/output"
}

# As in Documentation/trust/costs.rst.
cat >"$DIR/costs.rst" <<-TABLE
	The ratios::

	    kernel 5.4, instructions
	                    ours      perf  ratio  floor  target
	    read-user/1 *     30        60   0.50      3      60  met
	    read/4          1000      2500   0.40   1085    1250  met
	    switch/same/4     20       100   0.20      0     200  met

	    switch/same/4    900       100   9.00      0     200  of another table
TABLE
cat >"$DIR/targets" <<-TARGETS
	read/4			694	P/2
	switch/same/4		-	P/2	150
	make/followed-ppm	-	-
TARGETS

run_x86_64() {
	ARCH=x86_64 ARM64_TABLE=$DIR/costs.rst TARGETS=$DIR/targets run_bench "$@"
}

x86_64() {
	run_x86_64 && guests args.both args.ibs &&
		grep -q -e '--arch x86_64 ' "$DIR/args.both" &&
		grep -q -e '--pmu zen4 ' "$DIR/args.ibs" &&
		row "ibs/op/48000 * 1200 2600 0.46 - - -" &&
		grep -q '^\* ours from a second guest, an AMD processor' "$DIR/output" &&
		row "read/4 1400 2800 0.50 0.40 694 1400 met" &&
		row "switch/same/4 150 40 3.75 0.20 - 20 miss; worse" &&
		row "make/followed-ppm 4500 20000 0.23 - - -" &&
		grep -qF '"ratio": 0.50, "arm64": 0.40,' "$JSON" && python_reads_it
}

x86_64_check() {
	run_x86_64 --check && row "ok 1 target of read/4: 1400, target 1400" &&
		row "ok 2 ratio of read/4: 0.50, arm64 0.40" &&
		row "ok 4 ratio of switch/same/4: 3.75, arm64 0.20, known to be worse"
}

x86_64_fails() { # TARGETS-LINE RESULT
	cp "$DIR/targets" "$DIR/kept"
	echo "$1" >>"$DIR/targets"
	! run_x86_64 --check
	set -- "$@" $?
	cp "$DIR/kept" "$DIR/targets"
	[ "$3" = 0 ] && [ "$(grep -c '^not ok' "$DIR/output")" = 1 ] &&
		grep -q "^not ok [0-9]* $2" "$DIR/output"
}

# guest_fails SIDE ROW: the row is one of those that the other guest measured.
guest_fails() {
	local status
	echo "read-user/1 32" >"$DIR/out.perfmon"
	mv "$DIR/out.$1" "$DIR/away"
	run_bench
	status=$?
	mv "$DIR/away" "$DIR/out.$1"
	[ $status = 1 ] && row "$2" && grep -q '^failed: .*guest$' "$DIR/output" &&
		grep -q "^bench: the guest that measures .* failed\$" "$DIR/errors"
}

no_guest_works() {
	local status
	mkdir "$DIR/away.d"
	mv "$DIR"/out.* "$DIR/away.d/"
	run_bench
	status=$?
	mv "$DIR/away.d"/* "$DIR/"
	rmdir "$DIR/away.d"
	[ $status = 1 ] && ! grep -q '^[a-z-]*/' "$DIR/output"
}

# The figures of the other programs of the guest stay.
program_fails() {
	local status
	cp "$DIR/out.both" "$DIR/away"
	echo "failed registers" >>"$DIR/out.both"
	run_bench
	status=$?
	cp "$DIR/away" "$DIR/out.both"
	[ $status = 1 ] && row "read/4 1400 2800 0.50 1085 1250 miss" &&
		row "failed: perfmon: registers" &&
		grep -q '^not measured: registers/switch/0, registers/switch/3,' "$DIR/output" &&
		grep -q '^bench: program registers .* failed$' "$DIR/errors" && python_reads_it
}

program_fails_check() {
	local status
	cp "$DIR/out.both" "$DIR/away"
	echo "failed registers" >>"$DIR/out.both"
	run_x86_64 --check
	status=$?
	cp "$DIR/away" "$DIR/out.both"
	[ $status = 1 ] && [ "$(grep -c '^not ok' "$DIR/output")" = 1 ] &&
		grep -q '^not ok [0-9]* program registers .* failed$' "$DIR/output" &&
		row "ok 1 target of read/4: 1400, target 1400"
}

usage() { # ARGUMENT...
	run_bench "$@"
	[ $? = 2 ] && [ ! -s "$DIR/output" ] && grep -q '^run \[--two-guests' "$DIR/errors" &&
		guests 'args.*'
}

help() {
	run_bench --help && grep -q '^run \[--two-guests' "$DIR/output" &&
		[ ! -s "$DIR/errors" ]
}

gone() { # PID
	local i
	for ((i = 0; i < 600; i++)); do
		kill -0 "$1" 2>/dev/null || return 0
		sleep 0.1
	done
	return 1
}

# Ends it in the middle; the guests have processes of their own.  Who runs the tests
# in the background may have them ignore SIGINT, and they would inherit that.
interrupted() { # SIGNAL STATUS
	local pid status i
	rm -f "$DIR"/sleep.*
	: >"$DIR/hang"
	set -m
	env --default-signal=INT selftests/bench/run >"$DIR/output" 2>"$DIR/errors" &
	pid=$!
	set +m
	# A process of its own tells what the guests say, at any time.
	for ((i = 0; i < 600; i++)); do
		[ ! -s "$DIR/sleep.both" ] || [ ! -s "$DIR/sleep.perfmon" ] ||
			! grep -q 'both begins$' "$DIR/errors" || break
		sleep 0.1
	done
	kill "-$1" $pid
	wait $pid
	status=$?
	rm "$DIR/hang"
	[ $status = "$2" ] && gone "$(cat "$DIR/sleep.both")" &&
		gone "$(cat "$DIR/sleep.perfmon")" &&
		grep -q 'both begins$' "$DIR/errors"
}

echo "TAP version 13"
echo "1..22"
check "both are measured in one guest, user-level reads in another" one_boot
check "what is from the other one is marked" second_guest_is_marked
check "ours, perf's, ratio, floor and target" rows
check "what grows is told" growth
check "the same is in the JSON" in_json
check "and why something was not measured" skips
check "--two-guests has one for each" two_guests
check "x86_64 has arm64's ratios beside its own, and a guest for IBS" x86_64
check "--check passes with known misses" x86_64_check
check "a ratio that is worse fails" x86_64_fails "switch/same/4 - -" "ratio of switch/same/4"
check "a target that is missed fails" x86_64_fails "read/4 - 1300" "target of read/4"
check "and so does one that was not measured" x86_64_fails "gone/1 - 100" \
	"target of gone/1: not measured"
check "if the first guest fails, the figures of the second are in the table" guest_fails both \
	"read-user/1 * 32 - - 3 60 met"
check "and the other way round" guest_fails perfmon "read/4 1400 2800 0.50 1085 1250 miss"
check "no table if both fail" no_guest_works
check "a program that fails is named below the figures of the others" program_fails
check "with --check it is a failure of its own" program_fails_check
check "a wrong option is told how it is used" usage --same
check "and so is one too many" usage --check --update
check "--help" help
check "Ctrl-C ends the guests, and it was told what they did" interrupted INT 130
check "SIGTERM as well" interrupted TERM 143
[ $BAD = 0 ]
