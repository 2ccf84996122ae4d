# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
#
# For tests of what a browser shows; tap.sh comes first.

CHROMIUM=$(command -v chromium-headless-shell || command -v chromium || :)

# The page as a browser has it after its scripts: $DIR/out has elements and text, not
# scripts and data; $DIR/err is empty, since it says only that there is no session bus
# and the like.
browse_url() { # URL
	# A browser that hangs or dies shows nothing about the page.
	for _ in 1 2 3; do
		run timeout 120 "$CHROMIUM" --headless --no-sandbox --disable-gpu \
			--disable-background-networking --host-resolver-rules='MAP * ~NOTFOUND' \
			--user-data-dir="$DIR/chromium" --window-size=1200,800 \
			--virtual-time-budget=5000 --dump-dom "$1"
		[ $STATUS != 0 ] || break
	done
	python3 -c 'import re, sys
print(re.sub(r"<(script|style).*?</\1>", "", sys.stdin.read(), flags=re.S))' \
		<"$DIR/out" >"$DIR/shown"
	mv "$DIR/shown" "$DIR/out"
	: >"$DIR/err"
}
