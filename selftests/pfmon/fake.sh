# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2016
#
# For tests of pfmon on the made-up kernel (fake_kernel.c); tap.sh comes first.

# shellcheck source=json.sh
. selftests/pfmon/json.sh

CC=${CC:-cc}

# Builds what is tested, away from the tree.
build() {
	build_native &&
		"$CC" -shared -fPIC -O2 -Wall -D_GNU_SOURCE -Iinclude/uapi \
			-o "$DIR/fake_kernel.so" selftests/pfmon/fake_kernel.c -ldl
}

build_or_bail() {
	build >"$DIR/log" 2>&1 && return
	sed 's/^/# /' "$DIR/log"
	echo "Bail out! pfmon does not build"
	exit 1
}

# pfmon without a kernel side.
real() {
	LD_LIBRARY_PATH=$DIR/lib "$DIR/pfmon/pfmon" "$@"
}

# pfmon on the made-up kernel; modes are in FAKE, what /sys says is below ROOT.
# In the background of a script SIGINT is ignored, so it is made to work again.
fake_words() {
	WORDS=(env --default-signal=INT "FAKE_PERFMON=${FAKE:-}" "FAKE_LOG=$DIR/log.loads"
		"LD_LIBRARY_PATH=$DIR/lib" "LD_PRELOAD=$DIR/fake_kernel.so")
	[ -z "${ROOT:-}" ] || WORDS+=("FAKE_ROOT=$ROOT")
	WORDS+=("$DIR/pfmon/pfmon")
}

pfmon() {
	fake_words
	"${WORDS[@]}" "$@"
}

# A usage error: status 125, a hint, nothing on standard output.
refused() { # NAME MESSAGE OPTION...
	local name=$1 message=$2
	shift 2
	run real "$@"
	check "refused: $name" 'status 125' "err '$message'" 'err "pfmon --help"' 'empty out'
}

# Starts pfmon in the background and waits until it says that it is ready: -v
# makes it do so.
begin() { # OPTION...
	rm -f "$DIR/results"
	: >"$DIR/err"
	fake_words
	"${WORDS[@]}" -v -o "$DIR/results" "$@" >"$DIR/out" 2>"$DIR/err" </dev/null &
	PID=$!
	until_true 'err "ends the session|session to end|executes" || ! kill -0 $PID 2>/dev/null'
}

ended() {
	wait "$PID" 2>/dev/null
	STATUS=$?
}

# Runs a command on a terminal of its own; when TEXT appears there, KEYS are
# typed.
on_terminal() { # TEXT KEYS COMMAND...
	cat >"$DIR/terminal.py" <<-'PYTHON'
		import os, pty, sys
		text, keys = sys.argv[1].encode(), sys.argv[2].encode().decode("unicode_escape").encode()
		pid, fd = pty.fork()
		if not pid:
		    os.execvp(sys.argv[3], sys.argv[3:])
		seen, sent = b"", False
		while True:
		    try:
		        data = os.read(fd, 1000)
		    except OSError:
		        break
		    if not data:
		        break
		    seen += data
		    if text in seen and not sent:
		        os.write(fd, keys)
		        sent = True
		status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
		print(seen.decode().replace("\r", ""))
		sys.exit(status)
	PYTHON
	timeout 60 python3 "$DIR/terminal.py" "$@"
}
