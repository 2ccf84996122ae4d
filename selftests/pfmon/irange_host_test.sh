#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of --irange that need no kernel module: which functions are found, and how the table is
# printed.  fake_kernel.c makes up the counts.
# shellcheck disable=SC2016,SC2034,SC2317 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh

export FAKE_CALLS=$DIR/calls
PROG=$DIR/prog
LIB=$DIR/libranges.so

# A program with a library, two static functions of one name, and a function that is chosen at start.
build_ranges() {
	cat >"$DIR/lib.c" <<-'C'
		int in_library(int n) { return n + 1; }
		int in_both(int n) { return n + 2; }
	C
	cat >"$DIR/twin.c" <<-'C'
		static __attribute__((noinline, noclone)) int twin(int n) { asm volatile(""); return n + 3; }
		int calls_twin(int n) { return twin(n) + 1; }
	C
	cat >"$DIR/prog.c" <<-'C'
		int in_library(int n);
		int calls_twin(int n);
		int in_both(int n) { return n + 4; }
		static __attribute__((noinline, noclone)) int twin(int n) { asm volatile(""); return n + 5; }
		__attribute__((noinline, noclone)) int init_tab(int n) { asm volatile(""); return twin(n) + 6; }
		static int one(int n) { return n; }
		static int (*choose(void))(int) { return one; }
		int chosen(int n) __attribute__((ifunc("choose")));
		int main(int argc, char **argv)
		{
			return init_tab(argc) + in_library(argc) + in_both(argc) + calls_twin(argc) + chosen(argc) == 0;
		}
	C
	cat >"$DIR/exits.S" <<-'ASM'
		#define FUNCTION(name) .globl name; .type name, %function; .balign 16; name:
		#define END(name) .size name, . - name
		#ifdef __aarch64__
		FUNCTION(returns)
			cbz	x0, 1f
			mov	x1, x0
			ret
		1:	b	2f
		2:	ret
		END(returns)
		FUNCTION(hands_over)
			mov	x1, x0
			b	returns
		END(hands_over)
		FUNCTION(jumps)
			cbz	x0, 1f
			br	x1
		1:	ret
		END(jumps)
		FUNCTION(only_return)
			ret
		END(only_return)
		#else
		FUNCTION(returns)
			test	%rdi, %rdi
			je	1f
			mov	%rdi, %rax
			rep ret
		1:	jmp	2f
		2:	ret
		END(returns)
		FUNCTION(hands_over)
			mov	%rdi, %rax
			jmp	returns
		END(hands_over)
		FUNCTION(jumps)
			test	%rdi, %rdi
			je	1f
			notrack jmp *%rax
		1:	ret
		END(jumps)
		FUNCTION(only_return)
			ret
		END(only_return)
		#endif
			.section .note.GNU-stack, "", %progbits
	ASM
	"$CC" -O1 -shared -fPIC -o "$LIB" "$DIR/lib.c" &&
		"$CC" -O1 -o "$PROG" "$DIR/prog.c" "$DIR/twin.c" "$DIR/exits.S" -L"$DIR" -lranges -Wl,-rpath,"$DIR"
}

# Offset in the file of a function, hexadecimal: that is its address in a part that is mapped as it is.
offset() { # FILE FUNCTION
	python3 - "$1" "$((16#$(nm "$1" | awk -v name="$2" '$3 == name { print $1; exit }')))" <<-'PYTHON'
		import struct, sys
		data, address = open(sys.argv[1], "rb").read(), int(sys.argv[2])
		at, size, count = struct.unpack_from("<Q", data, 32)[0], *struct.unpack_from("<HH", data, 54)
		for i in range(count):
		    kind, flags, offset, vaddr, _, filesz = struct.unpack_from("<IIQQQQ", data, at + i * size)
		    if kind == 1 and vaddr <= address < vaddr + filesz:
		        print(hex(address - vaddr + offset))
	PYTHON
}

asked() { # FILE FLAGS START END
	grep -qxF "range $1 $2 $3 $4" "$FAKE_CALLS"
}

irange() { # VALUE OPTION...
	local value=$1
	shift
	rm -f "$FAKE_CALLS"
	run_pfmon --irange="$value" "$@" -- "$PROG"
}

no_irange() { # NAME VALUE MESSAGE
	irange "$2"
	check "$1" 'status 125' "err '$3'"
}

# Exits of a function: lines of its file with the flag, behind its own.
exits() { # FUNCTION
	awk -v start="$(offset "$PROG" "$1")" '$1 == "range" && $3 != 4 { own = $4 == start } own && $3 == 4 { n++ } END { print n + 0 }' \
		"$FAKE_CALLS"
}

exit_tests() {
	irange returns
	check 'each return' 'status 0' '[ "$(exits returns)" = 2 ]' '! err "not all places"'
	irange hands_over
	check 'a jump to another function' 'status 0' '[ "$(exits hands_over)" = 1 ]'
	irange jumps
	check 'a jump to what a register says' 'status 0' '[ "$(exits jumps)" = 0 ]' 'err "not all places are known"'
	irange only_return
	check 'a function that is nothing but its return' 'status 0' '[ "$(exits only_return)" = 0 ]' 'err "not all places"'
}

find_tests() {
	irange init_tab
	check 'a function of the program' 'status 0' 'asked "$PROG" 0 "$(offset "$PROG" init_tab)" 0x0'
	irange in_library,init_tab
	check 'a function of a library' 'status 0' 'asked "$LIB" 0 "$(offset "$LIB" in_library)" 0x0' \
		'asked "$PROG" 0 "$(offset "$PROG" init_tab)" 0x0'
	irange in_both
	check 'the program comes before its libraries' 'status 0' 'asked "$PROG" 0 "$(offset "$PROG" in_both)" 0x0' \
		'! asked "$LIB" 0 "$(offset "$LIB" in_both)" 0x0'
	irange libranges.so:in_both
	check 'FILE:FUNCTION' 'status 0' 'asked "$LIB" 0 "$(offset "$LIB" in_both)" 0x0' \
		'results "^ +libranges.so:in_both +cycles:u +20 "'
	irange twin
	check 'two functions of one name' 'status 0' '[ "$(results "^ +twin@0x"; grep -c "^ *twin@0x" "$DIR/results")" = 2 ]' \
		'[ "$(grep -c "^range $PROG 0 " "$FAKE_CALLS")" = 2 ]'
	irange "0x$(nm "$PROG" | awk '$3 == "init_tab" { print $1 }')-0x$(nm "$PROG" | awk '$3 == "main" { print $1 }')"
	check 'START-END' 'status 0' 'asked "$PROG" 1 "$(offset "$PROG" init_tab)" "$(offset "$PROG" main)"'
	irange init_tab
	check 'the end of longjmp in the C library' 'grep -qE "^range .*/libc.so.6 2 0x" "$FAKE_CALLS"'
}

wrong_tests() {
	no_irange 'no such function' nowhere "no such function in .$PROG. and the [0-9]+ libraries"
	no_irange 'one of them' init_tab,nowhere 'nowhere: there is no such function'
	no_irange 'a function that is chosen at start' chosen 'is chosen when the program starts'
	no_irange 'no such library' libother.so:init_tab 'no such function'
	no_irange 'no such library of a range' libother.so:0x10-0x20 'has no such library'
	no_irange 'an empty name' init_tab, 'a name is empty'
	no_irange 'a range that ends before it begins' 0x20-0x10 'ends before it begins'
	no_irange 'addresses without code' 0x7fffffff0000-0x7fffffff0010 'has no code at one of these addresses'
	printf '#!/bin/sh\ntrue\n' >"$DIR/script"
	chmod +x "$DIR/script"
	run_pfmon --irange=main -- "$DIR/script"
	check 'a script' 'status 125' 'err "is no program but a script"'
	run_pfmon --irange=main -- "$DIR/nothing"
	check 'no such program' 'status 125' 'err "cannot find the program"'
	FAKE=noranges irange init_tab
	check 'modules that are older' 'status 125' 'err "kernel modules are older"'
	FAKE=noprobes irange init_tab
	check 'no right' 'status 125' 'err "takes CAP_PERFMON"'
	FAKE=badprobe irange init_tab
	check 'no probe can be there' 'status 125' 'err "cannot have a probe at one of the functions"'
}

combination_tests() {
	refused '--irange, CPUs' 'a thread is in a function, not a CPU' --irange=f --system-wide -t 1
	refused '--irange, a cgroup' 'for one command or process' --irange=f --cgroup=/ -t 1
	refused '--irange, processes' 'for one command or process' --irange=f --attach-task=1,2
	refused '--irange, samples' 'samples tell the share' --irange=f --long-smpl-periods=1000 -- true
	refused '--irange, event sets' 'a call may be shorter' --irange=f --switch-timeout=1 -- true
	refused '--irange twice' 'irange' --irange=f --irange=g -- true
	refused '--irange without a name' 'needs names of functions' --irange= -- true
}

table_tests() {
	irange init_tab -e cycles,instructions
	check 'the table' 'status 0' 'results "^# counted in these functions only"' \
		'results "^# range +event +calls +count +a call +min +max +empty call$"' \
		'results "^ +init_tab +cycles:u +20 +32000 +1600.0 +320 +2880 +33$"' \
		'results "^ +init_tab +instructions:u +20 +1000 +50.0 +10 +90 +2$"'
	cp "$PROG" "$DIR/foo"
	PATH=$DIR:$PATH run_pfmon --us-c --irange=init_tab -e l2_misses -- foo
	check 'as the original was called' 'status 0' 'results "^71,967 l2_misses:u$"' \
		'results "^ +init_tab +l2_misses:u +20 +[0-9]+ "'
	PATH=$DIR:$PATH run_pfmon –us-c –irange=init_tab -e l2_misses – foo
	check 'with the dashes of a typeset page' 'status 0' 'results "^ +init_tab +l2_misses:u +20 +[0-9]+ "'
	irange init_tab,in_library -e instructions
	check 'calls that did not return' 'status 0' \
		'results "^# range +event +calls +outermost +returned +left +cut +missed +count +a call +min +max +not returned +empty call$"' \
		'results "^ +in_library +instructions:u +20 +10 +7 +2 +1 +3 +10000 +1428.6 +100 +900 +555 +2$"'
	irange init_tab,in_library -e instructions --json
	check 'JSON' 'status 0' 'valid "$DIR/results"' 'json "len(d[\"ranges\"]) == 2"' \
		'json "d[\"ranges\"][0][\"range\"] == \"init_tab\" and d[\"ranges\"][0][\"file\"].endswith(\"/prog\")"' \
		'json "d[\"ranges\"][0][\"sum\"] == 1000 and d[\"ranges\"][0][\"mean\"] == 50 and d[\"ranges\"][0][\"left\"] == 0"' \
		'json "d[\"ranges\"][1][\"rest\"] == 555 and d[\"ranges\"][1][\"missed\"] == 3 and d[\"ranges\"][1][\"empty\"] == 2"'
	irange in_library,init_tab -e instructions --csv
	check 'CSV' 'status 0' 'results "^range,in_library/calls,20,"' 'results "^range,in_library/instructions:u/sum,1000,"' \
		'results "^range,init_tab/left,2,"' 'results "^range,init_tab/instructions:u/rest,555,"'
	run_pfmon -e instructions --json -- "$PROG"
	check 'no table without the option' 'status 0' 'json "\"ranges\" not in d"'
}

triggered() { # OPTION...
	rm -f "$FAKE_CALLS"
	run_pfmon "$@" -- "$PROG"
}

trigger_tests() {
	triggered --trigger-code-start-addresses=init_tab -e cycles
	check 'a trigger' 'status 0' 'asked "$PROG" 24 "$(offset "$PROG" init_tab)" 0x0' '! results "^# range"'
	triggered --trigger-code-start-address=init_tab --trigger-code-stop-address=main --trigger-code-repeat
	check 'with a stop, again and again' 'status 0' \
		'asked "$PROG" 8 "$(offset "$PROG" init_tab)" "$(offset "$PROG" main)"'
	triggered --trigger-code-start-addresses="0x$(nm "$PROG" | awk '$3 == "main" { print $1 }')"
	check 'at an address' 'status 0' 'asked "$PROG" 24 "$(offset "$PROG" main)" 0x0'
	triggered --trigger-code-start-addresses=in_library
	check 'in a library' 'status 0' 'asked "$LIB" 24 "$(offset "$LIB" in_library)" 0x0'
	triggered --trigger-code-start-addresses=main --trigger-code-follow --follow-all
	check 'in tasks that are followed' 'status 0'
	refused 'a trigger without follow' 'need --trigger-code-follow' --trigger-code-start-addresses=main --follow-all -- true
	refused 'a stop without a start' 'needs --trigger-code-start-addresses' --trigger-code-stop-addresses=main -- true
	refused 'a trigger and --irange' 'cannot be combined' --irange=f --trigger-code-start-addresses=main -- true
	refused 'a trigger of one address' 'the same address' --trigger-code-start-addresses=f --trigger-code-stop-addresses=f -- true
	refused 'a trigger, CPUs' 'a thread is in a function, not a CPU' --trigger-code-start-addresses=f --system-wide -t 1
	triggered --trigger-code-start-addresses=nowhere
	check 'no such place' 'status 125' 'err "no such function or address"'
	triggered --trigger-code-start-addresses=main --trigger-code-stop-addresses=libranges.so:in_both
	check 'places in two files' 'status 125' 'err "two addresses of one file"'
}

build_or_bail
build_ranges >"$DIR/log" 2>&1 || bail_out "the program does not build: $(head -n 1 "$DIR/log")"
find_tests
exit_tests
wrong_tests
combination_tests
table_tests
trigger_tests
finish
