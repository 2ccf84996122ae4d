#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 'pfmon top' of programs that run: of a process with what it creates, of all CPUs, on a terminal, and of a process
# that ends. As root, from the repository's folder.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

skip_all() {
	echo "1..0 # SKIP $*"
	exit 4
}

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	skip_all "needs root and pfmon"
fi
need_modules
command -v cc >/dev/null || skip_all "no compiler for the program that is sampled"
have_hardware || skip_all "no counters"
load_module perfmon_nway || skip_all "no module perfmon_nway"
cc -O1 -o "$DIR/three" selftests/pfmon/progs/three.c -pthread || bail_out 'the program that is sampled does not build'

# Runs a command on a terminal of its own, and copies what appears there.
cat >"$DIR/terminal.c" <<'C'
#include <pty.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	char text[4096];
	int fd, status;
	ssize_t length;

	if (!forkpty(&fd, NULL, NULL, &size)) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	while ((length = read(fd, text, sizeof(text))) > 0)
		fwrite(text, 1, length, stdout);
	wait(&status);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}
C
cc -o "$DIR/terminal" "$DIR/terminal.c" -lutil || bail_out 'the terminal does not build'

# Each run takes some milliseconds, so a table has many.
begin() {
	sh -c 'while :; do "$0" 100000; done' "$DIR/three" &
	PID=$!
}

# Per cents of a function in the last table.
share_of() { # FUNCTION
	awk -v name="$1" '/pfmon itself/ { share = 0 }
		!/^#/ && substr($0, length($0) - length(name) + 1) == name { sub("%", "", $1); share += $1 }
		END { print share + 0 }' "$DIR/out"
}

is_between() { # VALUE FROM TO
	awk -v value="$1" -v from="$2" -v to="$3" 'BEGIN { exit !(value >= from && value <= to) }'
}

# The rows of each table, with those for which there was no room, have the samples of its title.
sums_are_exact() {
	awk '
		function finish() { if (tables && sum != want) bad = 1 }
		/^# [0-9]+ samples, / { finish(); want = $2; sum = 0; tables++ }
		/^# [0-9]+ more rows: / { sum += $6 }
		/^ +[0-9.]+% / { sum += $2 }
		END { finish(); exit !tables || bad }' "$DIR/out"
}

set -- -u -e cycles -c 100003

begin
run pfmon top "$@" -p $PID -n 2 -d 200ms
sed 's/^/# /' "$DIR/out" | grep -v '^# *$'
check 'a process: what it creates is followed, and named while it runs' 'status 0' '[ "$(grep -c "pfmon itself" "$DIR/out")" = 2 ]' \
	'is_between "$(share_of "three    burnt::most(unsigned long)")" 40 65' '! out "(sh|pid-[0-9]+|dash) +(burnt|some|few)"' \
	'is_between "$(share_of " some")" 20 35' sums_are_exact
run pfmon top "$@" -n 2 -d 200ms --by=program
check 'all CPUs' 'status 0' 'out "^# cycles:u of all CPUs, "' 'is_between "$(share_of " three")" 30 100' sums_are_exact
run pfmon top -n 1 -d 200ms
check 'without options' 'status 0' 'out "^# cycles:uk of all CPUs, "' 'out " three "' sums_are_exact
TERM=xterm run "$DIR/terminal" pfmon top -p $PID -n 2 -d 200ms
check 'on a terminal' 'status 0' 'grep -q "$(printf "\033\[?1049h")" "$DIR/out"' \
	'tr "\r" "\n" <"$DIR/out" | grep -q " three  *burnt::most"' 'grep -q "$(printf "\033\[?1049l")" "$DIR/out"'

# The output of the run before has the text that is waited for.
: >"$DIR/out"
pfmon top "$@" -p $PID -d 200ms >"$DIR/out" 2>"$DIR/err" </dev/null &
TOP=$!
until_true 'out "pfmon itself" || ! kill -0 $TOP 2>/dev/null'
kill $PID
wait $TOP
STATUS=$?
check 'a process that ends has a table of its rest' 'status 0' '[ "$(grep -c "pfmon itself" "$DIR/out")" -ge 2 ]' sums_are_exact
finish
