#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The readers of pfmon and the library with the inputs in selftests/fuzz/corpus/, which have those that
# once failed, and with mutations of them. Needs no clang.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh
RUNS=300

run selftests/fuzz/run --gcc --runs $RUNS --seed "${1:-1}"
[ "$STATUS" != 2 ] || bail_out "the readers do not build: $(head -n 1 "$DIR/err")"
cp "$DIR/out" "$DIR/table"

# The inputs of the corpus are executed as well.
executed() { # READER
	local inputs=(selftests/fuzz/corpus/"$1"/*)
	echo $((RUNS + ${#inputs[@]}))
}

for file in selftests/fuzz/*.c; do
	reader=${file##*/}
	reader=${reader%.c}
	# Its line, and what is indented below.
	awk -v reader="$reader" '/^[^ ]/ { mine = $1 == reader } mine' "$DIR/table" >"$DIR/out"
	check "$reader: no finding" "out '^$reader +$(executed "$reader") +- +0 '"
done
run grep -L -e 'LLVMFuzzerTestOneInput' selftests/fuzz/*.c
check 'each source file is a reader' 'empty out'
run selftests/fuzz/run nonesuch
check 'refused: no such reader' 'status 2' 'err "no reader .nonesuch.; there are counts data"'
run selftests/fuzz/run --runs
check 'refused: no number' 'status 2' 'err "^selftests/fuzz/run: --runs needs a number$"'
finish
