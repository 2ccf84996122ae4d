#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Command lines of the original pfmon: each row of the tables in Documentation/use/from-pfmon.rst does what
# the row says, and lists of samples are what they were, byte for byte. Runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail

PAGE=Documentation/use/from-pfmon.rst
HERE=selftests/pfmon/original
export PFMON_METRICS=$PWD/metrics FAKE_CALLS=$DIR/calls FAKE_SAMPLES
KERNEL_SAMPLES=0x400d26:6,0xffffffff80000010:2

# The options of pfmon 3, as its users knew them.
NAMES=(-h --help -V --version -I --info -l --show-events -L --long-show-events -i --event-info -S
	--smpl-module-info --check-events-only --print-syms -v --verbose --debug -e --events -u -3 --user-level -k
	-0 --kernel-level -1 -2 --priv-levels --switch-timeout -t --session-timeout --system-wide --cpu-list
	--cpu-mask --cpu-set-relative --pin-command --aggregate-results -p --attach-task --dont-start
	--trigger-start-delay --no-una-detect --overflow-block --follow-fork --follow-vfork --follow-pthread
	--follow-exec --follow-exec-exclude --follow-all --exec-split-results --trigger-code-start-addresses
	--trigger-code-stop-addresses --trigger-code-repeat --trigger-code-follow --trigger-data-start-addresses
	--trigger-data-stop-addresses --trigger-data-repeat --trigger-data-follow --trigger-data-ro
	--trigger-data-wo --outfile --append --with-header --us-counter-format --eu-counter-format
	--hex-counter-format --show-time --print-interval --no-cmd-output --long-smpl-periods
	--short-smpl-periods --smpl-periods-random --smpl-entries --smpl-module --smpl-outfile
	--smpl-print-counts --saturate-smpl-buffer --reset-non-smpl-periods --extra-smpl-pmds
	--resolve-addresses --symbol-file --sysmap-file --demangle-cpp --demangle-java --smpl-show-top
	--smpl-per-function --smpl-ignore-pids --smpl-cum-threshold --smpl-eager-save --smpl-raw --smpl-compact
	--restart-wait --counter-mask --inv-mask --edge-mask --guest-mask --host-mask --anythr-mask
	--anythread-mask --occ-mask --ld-lat-threshold --event-thresholds --opc-match8 --opc-match9
	--opc-match32 --opc-match34 --btb-tm-tk --etb-ds --irange --drange --checkpoint-func --excl-intr --intr-only)

# Prints the rows of the page, a line each: command line, state, what is here, with tabs between them.
rows() { # FILE
	awk '
	function cell(from, to) {
		text = substr($0, from, to)
		gsub(/^ +| +$/, "", text)
		return text
	}
	function finish() {
		if (state != "")
			printf "%s\t%s\t%s\t%s\n", line, option, state, here
		state = ""
	}
	match($0, /``pfmon .*``/) && /stands for a row/ { line = substr($0, RSTART + 2, RLENGTH - 4) }
	/^=+ +=+ +=+$/ {
		split($0, width, / +/)
		first = length(width[1]) + 3
		second = first + length(width[2]) + 2
		finish()
		ruler = (ruler + 1) % 3
		next
	}
	ruler == 2 && cell(first, second - first) != "" {
		finish()
		option = cell(1, first - 1)
		state = cell(first, second - first)
		here = cell(second, 200)
		next
	}
	ruler == 2 {
		more = cell(1, first - 1)
		if (more != "")
			option = option " " more
		here = here " " cell(second, 200)
	}' "$1"
}

# The texts between double backquotes, a line each
literals() {
	grep -oE '(not )?``[^`]+``' <<<"$1" | sed 's/``//g'
}

squeezed() {
	tr -s ' \t\n' ' '
}

# Types a row: leaves STATUS and, in $DIR/said, all that was written anywhere.
type_row() { # LINE OPTION
	local words=${1/OPTION/$2} file=$DIR/file
	words=${words//FILE/$file} words=${words//PID/$$} words=${words//SYSMAP/$DIR/sysmap}
	words=${words//PROGRAM/$DIR/pfmon/pfmon}
	rm -f "$file" "$FAKE_CALLS"
	FAKE=tell FAKE_SAMPLES=$KERNEL_SAMPLES eval "run $words"
	: >"$DIR/said"
	for file in "$DIR/out" "$DIR/err" "$file" "$FAKE_CALLS"; do
		case $(head -c 8 "$file" 2>/dev/null | tr -d '\000') in
		PFMONRAW) echo "PFMONRAW with $(stat -c %s "$file") bytes" ;;
		*) cat "$file" 2>/dev/null ;;
		esac >>"$DIR/said"
	done
	squeezed <"$DIR/said" >"$DIR/squeezed"
}

says() {
	grep -qaF -e "$(squeezed <<<"$1" | sed 's/ $//')" "$DIR/squeezed"
}

# Numbers of processes and times differ between two runs, those of CPUs do not.
compared() {
	LC_ALL=C sed -E 's/CPU([0-9])/CPU#\1/g; :a; s/(^|[^#0-9])[0-9]+/\1N/g; ta' "$DIR/said"
}

accepted() { # LINE OPTION HERE
	local text
	type_row "$1" "$2"
	while read -r text; do
		case $text in
		'') echo "'$2' promises nothing" ;;
		not\ *) ! says "${text#not }" || echo "'$2' has '${text#not }'" ;;
		*) says "$text" || echo "'$2' has no '$text'" ;;
		esac
	done < <(literals "$3")
	case $3 in
	elsewhere*) [ "$STATUS" = 125 ] || echo "'$2' has status $STATUS" ;;
	*) [ "$STATUS" = 0 ] || echo "'$2' has status $STATUS" ;;
	esac
	[[ $3 = *'``'* || $3 = 'prints nothing'* && ! -s $DIR/said || $3 = 'prints nothing'* && ! -s $DIR/out ]] ||
		echo "'$2' promises nothing that can be checked"
}

mapped() { # LINE OPTION HERE
	local status
	type_row "$1" "$2"
	status=$STATUS
	compared >"$DIR/first"
	type_row "$1" "$(literals "$3" | head -n 1)"
	compared | diff "$DIR/first" - | sed "s/^/$2: /"
	[ "$status" = "$STATUS" ] || echo "'$2' has status $status, not $STATUS"
}

refuses() { # LINE OPTION HERE
	type_row "$1" "$2"
	[ "$STATUS" = 125 ] || echo "'$2' has status $STATUS"
	says "$3" || echo "'$2' says $(head -n 1 "$DIR/err")"
	says "there is no" || echo "'$2' is there"
}

try_row() { # LINE OPTIONS STATE HERE
	local option
	while read -r option; do
		case $3 in
		accepted) accepted "$1" "$option" "$4" ;;
		mapped) mapped "$1" "$option" "$4" ;;
		refused) refuses "$1" "$option" "$4" ;;
		*) echo "'$option' is '$3'" ;;
		esac
	done < <(literals "$2") >"$DIR/wrong"
}

# Options of pfmon 3 that no row has.
without_row() {
	local name
	for name in "${NAMES[@]}"; do
		cut -f2 "$DIR/rows" | tr '`' ' ' | tr -s ' ' '\n' | grep -qE -e "^$name(=|\$)" ||
			{ [[ $name != --* ]] && cut -f2 "$DIR/rows" | tr '`' '\n' | grep -qE -e "^$name"; } || echo "$name"
	done
}

page_tests() {
	local line option state here
	printf '%s\n' 'ffffffff80000000 T sys_read' 'ffffffff80001000 T sys_write' >"$DIR/sysmap"
	rows $PAGE >"$DIR/rows"
	check 'the page has a row for each option' '[ "$(wc -l <"$DIR/rows")" -ge 90 ]'
	run without_row
	check 'each option of pfmon 3 is in the page' 'empty out'
	while IFS=$'\t' read -r line option state here; do
		try_row "$line" "$option" "$state" "$here"
		sed 's/^/# /' "$DIR/wrong"
		check "${option//\`/} is $state" 'empty wrong'
	done <"$DIR/rows"
}

# Rows that say what is not so are noticed.
drift_tests() {
	local name='pfmon OPTION -- true'
	try_row "$name" '``-k``' accepted 'prints ``cycles:u``'
	check 'a promise that is not kept' '! empty wrong'
	try_row "$name" '``-k``' accepted 'not ``cycles:k``'
	check 'a promise of nothing that is kept' '! empty wrong'
	try_row "$name" '``-k``' accepted 'as always'
	check 'a row without a promise' '! empty wrong'
	try_row "$name" '``--system-wide --cpu-mask=1``' mapped '``--system-wide --cpu-list=1``'
	check 'a map to something else' '! empty wrong'
	try_row "$name" '``--drange=0x1-0x2``' refused 'it takes breakpoints'
	check 'another reason' '! empty wrong'
	try_row "$name" '``-k``' refused 'it'
	check 'an option that is there' '! empty wrong'
	try_row "$name" '``--drange=0x1-0x2``' accepted 'prints ``--drange``'
	check 'an option that is not' '! empty wrong'
}

# Makes a buffer of the default format of lines of original/entries, for FAKE_ENTRIES.
pack() {
	python3 -c '
import struct, sys
entries = []
for line in sys.stdin:
    if line.startswith("#"):
        continue
    pid, tid, cpu, time, pmd, period, number, ip, *values = (int(word, 0) for word in line.split())
    entries.append(struct.pack("<IHHQQQHHI", tid, pmd, 0, 2**64 - period, ip, time, cpu, number, pid))
    entries.append(struct.pack("<%dQ" % len(values), *values))
    count = len(entries) // 2
body = b"".join(entries)
sys.stdout.buffer.write(struct.pack("<QQ112x", count, 128 + len(body)) + body)' >"$DIR/entries"
}

list_samples() {
	FAKE_SAMPLES='' FAKE_ENTRIES=$DIR/entries run_pfmon "$@"
}

same() { # FILE
	cmp "$DIR/results" $HERE/"$1" >"$DIR/out"
}

list_tests() {
	local form words=(-e 'r8,r3' --long-smpl-periods=100000 --extra-smpl-pmds=256)
	pack <$HERE/entries
	for form in compact detailed; do
		list_samples "${words[@]}" --smpl-module=$form -- true
		check "$form: byte for byte" 'status 0' 'empty err' "same $form"
		list_samples "${words[@]}" --smpl-output=$form -- true
		check "$form by --smpl-output" 'status 0' "same $form"
	done
	list_samples "${words[@]}" --smpl-compact -- true
	check '--smpl-compact' 'status 0' 'same compact'
	list_samples "${words[@]}" --smpl-output=detailed-old --smpl-periods-random=0xff:5 -- true
	check 'detailed-old: byte for byte' 'status 0' 'same detailed-old'
	list_samples "${words[@]}" --smpl-module=detailed-old -- true
	check 'detailed-old without random periods' 'status 0' 'diff <(grep -v "last reset" $HERE/detailed-old) "$DIR/results"'
	list_samples "${words[@]}" --smpl-module=detailed --with-header -- true
	check 'the header tells which event a register counts' 'results "^#	PMD1: r3 = u$"' \
		'diff <(grep -v "^#" "$DIR/results") $HERE/detailed'
	list_samples "${words[@]}" --smpl-raw --smpl-outfile="$DIR/raw" -- true
	check 'raw: the entries as they were' 'cmp <(tail -c +129 "$DIR/entries") <(tail -c $((5 * 56)) "$DIR/raw")'

	# The two samples that the slides of 2004 show.
	for ((form = 0; form < 2000; form++)); do
		echo "608 608 0 $form 31 1000 0 0x10"
	done >"$DIR/lines"
	echo '608 608 0 0xfe3e1212e5 31 1000 0 0x4000000000000990' >>"$DIR/lines"
	pack <"$DIR/lines"
	list_samples --smpl-module=detailed-old --long-smpl-periods=1000 -- true
	check 'a sample of the slides' 'lines results 2001' \
		'[ "$(tail -n 1 "$DIR/results")" = "entry 2000 PID:608 CPU:0 STAMP:0xfe3e1212e5 IIP:0x4000000000000990" ]'
	head -n 231 "$DIR/lines" | sed 's/^608/673/' >"$DIR/fewer"
	echo '673 673 0 0x12957325ac49 31 1004 0 0x40000000000004d0' >>"$DIR/fewer"
	pack <"$DIR/fewer"
	list_samples --smpl-module=detailed-old --long-smpl-periods=1000 --smpl-periods-random=5:0xff -- true
	check 'and one with a random period' '[ "$(tail -n 2 "$DIR/results")" = \
"entry 231 PID:673 CPU:0 STAMP:0x12957325ac49 IIP:0x40000000000004d0
   last reset : 1004" ]'
}

option_tests() {
	local p=--long-smpl-periods=1000 mask
	for mask in x 0 -1 0x 1x 0x1ffffffffffffffff ''; do
		refused "--cpu-mask=$mask" 'is not a mask of CPUs; .*--cpu-list' --system-wide --cpu-mask="$mask"
	done
	refused '--cpu-mask without --system-wide' '--cpu-mask needs --system-wide' --cpu-mask=1 -- true
	refused '--cpu-set-relative alone' '--cpu-set-relative needs --system-wide' --cpu-set-relative -- true
	refused 'a CPU behind the set' 'there is no such CPU among those on which pfmon may run' \
		--system-wide --cpu-set-relative --cpu-list=0,8000
	if taskset -c 1 true 2>"$DIR/log"; then
		run pfmon --system-wide --cpu-mask=0x2 -- true
		check '--cpu-mask: bit 1 is CPU 1' 'status 0' 'err "^CPU1 "' '! err "^CPU0 "'
		run taskset -c 1 env LD_LIBRARY_PATH="$DIR/lib" LD_PRELOAD="$DIR/fake_kernel.so" "$DIR/pfmon/pfmon" \
			--system-wide --cpu-set-relative --cpu-list=0 -- true
		check '--cpu-set-relative: the first CPU of the set' 'status 0' 'err "^CPU1 "' '! err "^CPU0 "'
		run taskset -c 1 env LD_LIBRARY_PATH="$DIR/lib" LD_PRELOAD="$DIR/fake_kernel.so" "$DIR/pfmon/pfmon" \
			--system-wide --cpu-set-relative -- true
		check 'and without a list all of the set' 'status 0' 'err "^CPU1 "' '! err "^CPU0 "'
	else
		skip '--cpu-mask: bit 1 is CPU 1' 'needs two CPUs'
		skip '--cpu-set-relative: the first CPU of the set' 'needs two CPUs'
		skip 'and without a list all of the set' 'needs two CPUs'
	fi
	refused 'two lists' 'contradicts .raw.' $p --smpl-raw --smpl-compact -- true
	refused 'a list of stacks' 'contradict each other' $p --smpl-output=compact --smpl-module=callstack -- true
	refused 'a list and a format' 'contradict each other' $p --smpl-module=reservoir --smpl-raw -- true
	refused 'raw on a terminal' 'name a file' $p --smpl-raw -- true
	refused 'a list without periods' '--smpl-compact needs sampling' --smpl-compact -- true
	run pfmon $p --smpl-output=detailed --smpl-module=detailed -- true
	check 'said twice' 'status 0'
	for mask in inst-hist detailed detailed-old compact raw callstack ibs; do
		run real -S $mask
		check "-S $mask" 'status 0' 'empty err' "out '^Name    : $mask$'" 'lines out 5'
	done
	run real -S raw-old
	check '-S of an old name' 'status 0' "out '^Name    : raw$'"
	run real -S dear-hist
	check '-S of a module that is gone' 'status 125' 'empty out' "err 'pfmon mem'"
	run real -S nosuch
	check '-S of none' 'status 125' 'empty out' "err 'pfmon formats nosuch'" "err 'inst-hist, detailed'"
	refused '-S as JSON' 'cannot be combined with' -S raw --json
	refused '-S without a module' 'requires an argument' -S
	run pfmon -m itanium2-stalls,ipc --pmu=neoverse-v1 -- true
	check '-m: among other metrics' 'status 0' 'err "Backend bound"' 'err "^ *ipc|Instructions per"'
	for mask in metrics/*.json; do
		case ${mask##*/} in
		*.schema.json) continue ;;
		zen3.json)
			run real --list-metrics=Topdown_L1 --pmu=zen3
			check 'zen3 has no tree, and so no itanium2-stalls' 'status 125' 'err "no metric of AMD Zen 3 matches"'
			continue
			;;
		esac
		run real --list-metrics=Topdown_L1 --pmu="$(basename "$mask" .json)"
		check "${mask##*/} has the place of itanium2-stalls" 'status 0' 'out .'
	done
}

page_tests
drift_tests
list_tests
option_tests
finish
