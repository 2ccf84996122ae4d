#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of the files that pfmon writes results to, without any kernel module: a file
# keeps what it holds until there are results, and stays the same file.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh

KEEP=$DIR/folder/keep
NEW=$DIR/folder/new
SAMPLING='--long-smpl-periods=1000'

# A file with results of before, alone in its folder.
prepare() {
	rm -rf "$DIR/folder"
	mkdir "$DIR/folder"
	echo precious >"$KEEP"
}

kept() {
	[ "$(cat "$KEEP")" = precious ]
}

alone() {
	[ "$(ls -A "$DIR/folder")" = keep ]
}

# pfmon does not get as far as results: neither file is touched.
unchanged() { # NAME STATUS OPTION...
	local name=$1 status=$2 file
	shift 2
	prepare
	for file in "$KEEP" "$NEW"; do
		run pfmon -o "$file" "$@"
		check "$name: ${file##*/}" "status $status" kept alone
	done
	run pfmon --append -o "$KEEP" "$@"
	check "$name: --append" "status $status" kept alone
}

no_results_tests() {
	unchanged 'no such command' 127 -- nosuchcmd
	unchanged 'no program' 126 -- /
	unchanged 'CSV' 127 --csv -- nosuchcmd
	unchanged 'followed' 127 --follow-all -- nosuchcmd
	unchanged 'machine' 127 --system-wide --cpu-list=0 -- nosuchcmd
	unchanged 'intervals' 127 --system-wide --cpu-list=0 --print-interval=10 -- nosuchcmd
	unchanged 'unknown event' 125 -e nosuchevent -- true
	unchanged 'no such task' 125 -p 4000000
	FAKE=norights unchanged 'no right' 125 -- true
	FAKE=held unchanged 'held by another' 125 -p $$
	local form
	for form in text folded pprof; do
		prepare
		run pfmon $SAMPLING --smpl-output=$form --smpl-outfile="$KEEP" -- nosuchcmd
		check "samples, $form" 'status 127' kept alone
	done
	prepare
	run pfmon $SAMPLING --smpl-outfile="$NEW" -o "$DIR/folder/other" -- nosuchcmd
	check 'new files for samples and counts' 'status 127' alone
	prepare
	run pfmon --system-wide --cpu-list=0 --textfile="$KEEP" -- nosuchcmd
	check '--textfile' 'status 127' kept alone
}

same_file_tests() {
	local inode
	prepare
	chmod 640 "$KEEP"
	ln "$KEEP" "$DIR/folder/hard"
	inode=$(stat -c %i "$KEEP")
	ln -s keep "$DIR/folder/link"
	run pfmon -o "$DIR/folder/link" -- true
	check 'links, permission and file stay' 'status 0' '[ -L "$DIR/folder/link" ]' \
		'[ "$(stat -c "%i %a" "$KEEP")" = "'"$inode"' 640" ]' \
		'grep -q "^[0-9]* cycles:u$" "$DIR/folder/hard"' '[ "$(wc -l <"$KEEP")" = 2 ]'
	ln -s later "$DIR/folder/dangling"
	run pfmon -o "$DIR/folder/dangling" -- true
	check 'a link to a file that is not there' 'status 0' '[ -L "$DIR/folder/dangling" ]' \
		'grep -q cycles "$DIR/folder/later"'
	prepare
	run pfmon $SAMPLING --smpl-outfile="$KEEP" -o "$NEW" --smpl-print-counts -- true
	check 'samples and counts' 'status 0' '! grep precious "$KEEP"' 'grep -q "no samples" "$KEEP"' \
		'grep -q cycles "$NEW"'
	mkdir "$DIR/folder/closed"
	echo precious >"$DIR/folder/closed/file"
	chmod 666 "$DIR/folder/closed/file"
	chmod 555 "$DIR/folder/closed"
	fake_words
	run setpriv --reuid=65534 --regid=65534 --clear-groups "${WORDS[@]}" \
		-o "$DIR/folder/closed/file" -- true
	check 'a file in a folder that one may not change' 'status 0' \
		'grep -q cycles "$DIR/folder/closed/file"'
}

special_tests() {
	prepare
	mkfifo "$DIR/fifo"
	timeout 60 cat "$DIR/fifo" >"$DIR/read" &
	run pfmon -o "$DIR/fifo" -- true
	wait
	check 'a FIFO' 'status 0' 'grep -q cycles "$DIR/read"'
	run pfmon -o /dev/stderr -- sh -c 'echo first >&2'
	check '/dev/stderr that is a file' 'status 0' '[ "$(head -n 1 "$DIR/err")" = first ]' \
		'err "^[0-9]+ cycles:u$"' 'lines err 3'
	run pfmon -o /dev/stdout -- echo first
	check '/dev/stdout that is a file' 'status 0' '[ "$(head -n 1 "$DIR/out")" = first ]' \
		'out "^[0-9]+ cycles:u$"' 'lines out 3'
	run pfmon -o - -- echo first
	check '- is standard output' 'status 0' '[ "$(head -n 1 "$DIR/out")" = first ]' \
		'out "^[0-9]+ cycles:u$"' 'lines out 3' 'empty err' '[ ! -e ./- ]'
	run pfmon $SAMPLING --smpl-outfile=- -- true
	check '- for samples' 'status 0' 'out "no samples"' 'empty err' '[ ! -e ./- ]'
	pfmon -o - -- true >/dev/full 2>"$DIR/err"
	STATUS=$?
	check '- is full' 'status 125' 'err "written to standard output: No space left"'
	run pfmon -o "$DIR/out" -- echo first
	check 'its own standard output by name' 'status 0' '[ "$(head -n 1 "$DIR/out")" = first ]' \
		'out "^[0-9]+ cycles:u$"' 'lines out 3'
	pfmon -o /dev/stderr -- true 2>&1 >/dev/null | cat >"$DIR/out"
	check '/dev/stderr that is a pipe' 'out "^[0-9]+ cycles:u$"'
	run python3 -c 'import socket, subprocess, sys
ours, theirs = socket.socketpair()
status = subprocess.call(sys.argv[1:], stderr=theirs)
theirs.close()
sys.stdout.write(ours.makefile().read())
sys.exit(status)' "${WORDS[@]}" -o /dev/stderr -- true
	check '/dev/stderr that is a socket' 'status 0' 'out "^[0-9]+ cycles:u$"'
	run pfmon -o /dev/null -- true
	check '/dev/null' 'status 0' 'empty err' '[ -c /dev/null ]'
	run pfmon -o "$DIR/folder" -- true
	check 'a folder' 'status 125' 'err "directory"'
	refused 'one file for samples and counts' 'two files' $SAMPLING -o x --smpl-outfile=x -- true
}

# Output that is longer than a buffer fails while it is written, not when the file is closed.
full_tests() {
	local option
	for option in --csv --json --with-header; do
		run pfmon --follow-all -o /dev/full $option -e cycles,instructions,free-memory \
			-- true "$(head -c 20000 /dev/zero | tr '\0' x)"
		check "no space left: $option" 'status 125' 'err "No space left"' 'lines err 1'
	done
	for option in text folded pprof; do
		run pfmon $SAMPLING --smpl-output=$option --smpl-outfile=/dev/full -- true
		check "no space left: $option" 'status 125' 'err "No space left"'
	done
	run pfmon --system-wide --cpu-list=0 -o /dev/full -t 50ms --print-interval=10
	check 'no space left: intervals' 'status 125' 'err "No space left"' 'lines err 1'
	for option in -l -L -I --help; do
		pfmon $option >/dev/full 2>"$DIR/err"
		STATUS=$?
		check "no space left: $option" 'status 125' 'err "No space left"'
	done
}

killed_tests() {
	prepare
	fake_words
	"${WORDS[@]}" -v -o "$KEEP" -- sh -c ': >"'"$DIR"'/ready"; sleep 1' 2>"$DIR/err" &
	PID=$!
	until_true '[ -e "$DIR/ready" ]'
	kill -KILL $PID
	ended
	check 'killed: the old results stay, and nothing else' kept alone
	fake_words
	"${WORDS[@]}" --system-wide --cpu-list=0 --print-interval=1 -o "$NEW" \
		--textfile="$DIR/folder/x.prom" 2>"$DIR/err" &
	PID=$!
	until_true '[ -s "$NEW" ] && [ -e "$DIR/folder/x.prom" ]'
	kill -KILL $PID
	ended
	check 'killed between intervals: what was printed stays' 'grep -q "^# interval" "$NEW"'
}

build_or_bail
no_results_tests
same_file_tests
special_tests
full_tests
killed_tests
finish
