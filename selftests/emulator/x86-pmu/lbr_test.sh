#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# lbr_test.sh RECORDS MISPREDICT [cycles] [calls]: the emulated branch records judged by the
# kernel's own perf: each record of a program whose branches are known is the branch that must
# have come before the next one, and the sample is behind the youngest. RECORDS is the number of
# records a sample, each MISPREDICT-th time a branch is mispredicted (option lbr-mispredict).
# cycles: records have them; calls: the processor has call stacks. Runs in a guest with --pmu.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -u
cd "$(dirname "$0")/../../.." || exit 1
. selftests/pfmon/tap.sh

RECORDS=$1 MISPREDICT=$2 OPTIONS=" ${*:3} "
PROGRAM=${BRANCHES:-build/guest/selftests/progs/branches}
# A prime, so that samples are at all instructions of the 13 of a round
PERIOD=50021

# The nine branches in their order: address, target, whether it is predicted, and the cycles
# since the one before
branches() {
	local label='s/^0*\([0-9a-f]*\) . branches_\(.*\)/\2 \1/p'
	nm "$PROGRAM" | sed -n "$label" | awk '
		{ at[$1] = $2 }
		END {
			split("leaf back1 on outer inner back5 back4 last round", to)
			split("0 1 0 1 0 1 1 1 1", predicted)
			split("1 1 1 2 1 2 1 2 2", cycles)
			for (i = 1; i <= 9; i++)
				print at[i], at[to[i]], predicted[i], cycles[i]
		}'
}

# The samples in $DIR/data, their stacks compared: prints the numbers of samples,
# of bad ones, of records, of those with the right cycles, of predicted branches, of mispredicted ones.
# Those of the branches with the numbers NUMBERS are recorded, the others are not. A sample is bad
# if its records are not RECORDS branches of the program in their order; if a branch that is not
# predicted was mispredicted; or if its cycles are others. WHERE: the sample must be behind its
# youngest record, before the next branch.
compare() { # NUMBERS WHERE
	perf script -i "$DIR/data" -F ip,brstack 2>/dev/null | awk \
		-v numbers="$1" -v where="$2" -v records="$RECORDS" \
		-v cycles="$([[ $OPTIONS != *' cycles '* ]] || echo 1)" -v branches="$(branches | xargs)" '
		# The addresses are below 2^32 and of as many digits, so strings compare as they do.
		function bad(why) {
			if (!wrong[NR]++)
				print NR ": " why ": " substr($0, 1, 200) >"/dev/stderr"
		}
		BEGIN {
			n = split(branches, word)
			for (i = 1; i <= n / 4; i++) {
				from[i] = word[4 * i - 3]
				number[from[i]] = i
				to[i] = word[4 * i - 2]
				predicted[i] = word[4 * i - 1]
				distance[i] = word[4 * i]
			}
			kinds = split(numbers, kind)
			for (k = 1; k <= kinds; k++) {
				i = kind[k]
				older[i] = kind[k > 1 ? k - 1 : kinds]
				# Cycles are since the record before, so those of branches between add up.
				since[i] = 0
				for (j = i; j != older[i]; j = j > 1 ? j - 1 : 9)
					since[i] += distance[j]
				if (kinds == 1)
					since[i] = 13
			}
		}
		{
			samples++
			if (NF - 1 != records)
				bad(NF - 1 " records")
			previous = 0
			for (f = 2; f <= NF; f++) {
				split($f, part, "/")
				sub("^0x", "", part[1])
				sub("^0x", "", part[2])
				i = number[part[1]]
				if (!i || to[i] != part[2] || !(i in older)) {
					bad("no branch")
					break
				}
				if (previous && older[previous] != i)
					bad("the order")
				if (f == 2 && where && !($1 "" >= to[i] "" && $1 "" <= from[i % 9 + 1] ""))
					bad("the place")
				if (part[3] == "M" && !predicted[i])
					bad("mispredicted")
				# An interrupt was recorded as well, and perf has left it out.
				if (cycles && part[6] != since[i] && part[6] > since[i])
					bad("the cycles")
				exact += part[6] == since[i]
				total++
				candidates += predicted[i]
				missed += part[3] == "M"
				previous = i
			}
		}
		END {
			for (i in wrong)
				count++
			print samples + 0, count + 0, total + 0, exact + 0, candidates + 0, missed + 0
		}' 2>"$DIR/err"
}

recorded() { # FILTER NUMBERS
	local filter=$1 numbers=$2
	run perf record -q -e instructions:u -c $PERIOD -j "$filter,u" -o "$DIR/data" "$PROGRAM" 100000
	read -r samples bad total exact candidates missed < <(compare "$numbers" \
		"$([ "$filter" != any ] || echo 1)")
	check "perf record -j $filter,u: $samples samples, $total records, $bad samples are wrong" \
		'status 0' '[ "$samples" = $((1300000 / PERIOD)) ]' '[ "$bad" = 0 ]'
	if [[ $OPTIONS = *' cycles '* ]]; then
		check "and $exact records have the cycles since the one before" \
			'[ $((100 * exact)) -ge $((95 * total)) ]'
	fi
	[ "$MISPREDICT" != 0 ] || check "none is mispredicted" '[ "$missed" = 0 ]'
}

# The callers that each sample must have, a line a sample that is in a function: from the addresses
# of the samples. perf shows where the innermost function begins, and places in the file: within a
# page the last three digits are the same.
wanted_stacks() {
	perf script -D -i "$DIR/data" 2>/dev/null |
		sed -n 's/.*PERF_RECORD_SAMPLE.*: 0x\([0-9a-f]*\) period.*/\1/p' |
		awk -v branches="$(branches | xargs)" '
			function place(address) {
				return substr(address, length(address) - 2)
			}
			BEGIN {
				split(branches, word)
				leaf = place(word[2]) " " place(word[1])
				outer = place(word[14]) " " place(word[13])
				inner = place(word[18]) " " place(word[17]) " " place(word[13])
				stack[word[5]] = leaf
				stack[word[14]] = stack[word[25]] = outer
				stack[word[18]] = stack[word[21]] = inner
			}
			$1 in stack { print stack[$1] }'
}

# The call stacks that perf shows. With an empty one perf 6.1 shows the next sample's address.
shown_stacks() {
	perf script -i "$DIR/data" -F pid,ip 2>/dev/null | awk '
		function show() {
			if (stack ~ / /)
				print stack
			stack = ""
		}
		/^\t/ {
			stack = stack (stack == "" ? "" : " ") substr($1, length($1) - 2)
			next
		}
		NF { show() }
		END { show() }'
}

dmesg >"$DIR/out"
check "the driver has $RECORDS records" 'out "Performance Events: .*\b$RECORDS-deep LBR"'
check "and complains of nothing" '! out "[Uu]nchecked MSR|perfevents: |Dazed|Uhhuh"'
echo 0 >/proc/sys/kernel/nmi_watchdog
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
recorded any '1 2 3 4 5 6 7 8 9'
[ "$MISPREDICT" = 0 ] || check "$missed of $candidates predicted branches are mispredicted, each $MISPREDICT-th" \
	'[ "$missed" -ge $((candidates * 8 / 10 / MISPREDICT)) ]' \
	'[ "$missed" -le $((candidates * 12 / 10 / MISPREDICT + 1)) ]'
recorded any_call '1 4 5'
recorded any_ret '2 6 7'
recorded cond 9
recorded ind_jmp 8
if [[ $OPTIONS = *' calls '* ]]; then
	run perf record -q -e instructions:u -c $PERIOD --call-graph lbr -o "$DIR/data" "$PROGRAM" 100000
	wanted_stacks >"$DIR/wanted"
	shown_stacks >"$DIR/out"
	check "perf record --call-graph lbr: the callers of $(wc -l <"$DIR/wanted") samples" 'status 0' \
		'[ -s "$DIR/wanted" ]' 'cmp -s "$DIR/wanted" "$DIR/out"'
fi
run perf record -q -e instructions -b -c $PERIOD -o "$DIR/data" "$PROGRAM" 10000
perf script -i "$DIR/data" -F brstack >"$DIR/out" 2>/dev/null
kernel=$(grep -o '0xffff[0-9a-f]*/0xffff' "$DIR/out" | wc -l)
user=$(grep -o '0x40[0-9a-f]*/0x40' "$DIR/out" | wc -l)
check "perf record -b: branches of the kernel ($kernel) and of the program ($user)" 'status 0' \
	'[ "$kernel" -ge 32 ]' '[ "$user" -gt 10 ]'
dmesg >"$DIR/out"
check "no NMI is unknown" '! out "Uhhuh|Dazed|perfevents: irq loop"'
finish
