#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The library's own tests, which need no kernel modules: builds them for this
# machine and shows their results as one list. Runs on the host.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1

O=$PWD/build/native/lib
NUMBER=0 BAD=0

# Of one program: its results under the program's name, and its plan kept.
results() { # PROGRAM COMMAND...
	local program=$1 line text status got=0 plan=
	shift
	while IFS= read -r line; do
		case $line in
		ok\ * | 'not ok '*)
			got=$((got + 1)) NUMBER=$((NUMBER + 1))
			text=${line#not }
			text=${text#ok }
			text=${text#* }
			[ "${line#not }" = "$line" ] || BAD=$((BAD + 1))
			echo "${line%%ok *}ok $NUMBER $program: ${text#- }" ;;
		1..*) plan=${line#1..} ;;
		'@@status '*) status=${line#@@status } ;;
		*) echo "$line" ;;
		esac
	done < <("$@" 2>&1; echo "@@status $?")
	NUMBER=$((NUMBER + 1))
	if [ "$got" = "$plan" ] && [ "$got" -gt 0 ] && [ "$status" -le 1 ]; then
		echo "ok $NUMBER $program: ran to its end"
	else
		BAD=$((BAD + 1))
		echo "# $got results, plan '$plan', exit status $status"
		echo "not ok $NUMBER $program: ran to its end"
	fi
}

# Plans that run at the same time build there, too.
mkdir -p build/native
if ! flock build/native/.lock make -s -C lib O="$O" all tests examples; then
	echo "Bail out! library, tests or examples do not build"
	exit 1
fi
for source in lib/tests/*.c; do
	program=$(basename "$source" .c)
	results "$program" "$O/tests/$program"
done
results exports lib/tests/exports.sh "$O/libperfmon.so" lib/libperfmon.map
results exports-compat lib/tests/exports.sh "$O/libperfmon-compat.so" lib/compat/libperfmon-compat.map
export CFLAGS='-Ilib/include -Ilib/compat/include -Iinclude/uapi'
results abi lib/tests/abi.sh check lib/libperfmon.abi lib/libperfmon.map lib/include/perfmon/*.h
results abi-compat lib/tests/abi.sh check lib/compat/libperfmon-compat.abi \
	lib/compat/libperfmon-compat.map lib/compat/include/perfmon/*.h \
	lib/compat/include/perfmon2-compat/perfmon/*.h lib/compat/include/perfmon2-compat/*.h
echo "1..$NUMBER"
[ $BAD = 0 ]
