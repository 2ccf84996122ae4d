#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# On x86 the switch of contexts accesses the counters by instructions of its own: the machine
# code of the objects that have x86_restore() and pfm_sched_switch() has no indirect call. Such
# a call would be a function pointer, or rdmsr and wrmsr of the kernel's paravirtualization.
# Runs on the host, which needs a disassembler for x86_64.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

MODULES=build/x86_64-stock/modules/kernel
OBJDUMP=x86_64-linux-gnu-objdump NM=x86_64-linux-gnu-nm
[ -x "$(command -v $OBJDUMP)" ] || bail_out "$OBJDUMP is not there: install binutils-x86-64-linux-gnu"

# The object that was compiled from the file of a function; modules are made of such objects.
object_of() { # FUNCTION
	find "$MODULES" -mindepth 2 -name '*.o' ! -name 'perfmon*' -print0 |
		xargs -0 "$NM" --print-file-name --defined-only |
		sed -n "s/^\([^:]*\):[0-9a-f]* T $1\$/\1/p"
}

code() { # OBJECT
	"$OBJDUMP" --disassemble --reloc --no-show-raw-insn "$1"
}

# Functions of an object that call through a register or memory.
indirect() { # OBJECT
	code "$1" | awk '/^[0-9a-f]+ <.*>:$/ { name = $2 }
		/__x86_indirect_thunk|(call|jmp)q? +\*/ { print name }' | sort -u
}

run selftests/qemu/build --arch x86_64 --modules
check 'the modules are built' 'status 0'
OPS=$(object_of x86_restore) SWITCH=$(object_of pfm_sched_switch)
check 'the objects are found' '[ -f "$OPS" ]' '[ -f "$SWITCH" ]'
run code "$OPS"
check 'counters are read and written by instructions' 'out "[[:space:]]rdpmc"' 'out "[[:space:]]wrmsr"'
# The one that does find one shows that the search works.
run indirect "$OPS"
check 'a program is prepared, once, by the function of the vendor' \
	'status 0' '[ "$(cat "$DIR/out")" = "<x86_prepare>:" ]'
run code "$SWITCH"
check 'the probe of the switch is there' 'status 0' 'out "<pfm_sched_switch>:"'
run indirect "$SWITCH"
check 'it has none' 'status 0' 'empty out'
finish
