#!/bin/sh
# SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#
# abi.sh print HEADER...: what the headers declare, as the compiler sees it: a line for each
# function, type and constant that a program may have been built with.
# abi.sh check STORED MAP HEADER...: this is what STORED has, and the functions are those of the
# library's map. CC and CFLAGS as usual.
set -u

# The version of the library is none of its interface.
print() {
	for header; do
		# shellcheck disable=SC2086 # options
		${CC:-cc} ${CFLAGS:-} -E -dD "$header" || exit
	done | awk '
	/^# [0-9]+ "/ {
		here = $3 ~ /\/perfmon\/[a-z0-9_-]+\.h"$/ && $3 !~ /\/linux\//
		next
	}
	!here || /^#undef/ { next }
	/^#define/ {
		if (NF > 2 && $2 !~ /\(|_API$|^PFM_LIB_VERSION$/) {
			gsub(/[ \t]+/, " ")
			print
		}
		next
	}
	{ text = text " " $0 }
	END {
		gsub(/extern "C"|__attribute__ *\(\(visibility\("default"\)\)\)/, " ", text)
		gsub(/[ \t]+/, " ", text)
		gsub(/\( /, "(", text)
		gsub(/\* /, "*", text)
		depth = 0
		for (i = 1; i <= length(text); i++) {
			c = substr(text, i, 1)
			line = line c
			depth += (c == "{") - (c == "}")
			if (depth || c != ";")
				continue
			sub(/^ /, "", line)
			# The program has its own copy of a static function, so it is no part of the library.
			if (line !~ /^static /)
				print line
			line = ""
		}
	}' | LC_ALL=C sort -u
}

result() { # NUMBER NAME STATUS
	if [ "$3" = 0 ]; then
		echo "ok $1 - $2"
	else
		echo "not ok $1 - $2"
		failures=1
	fi
}

# The names of functions among the declarations.
functions() {
	sed -n '/^#\|^typedef\|^struct\|^enum/!s/^[^(]*[ *]\([a-z0-9_]*\)(.*;$/\1/p' | LC_ALL=C sort
}

command=$1
shift
case $command in
print)
	print "$@"
	exit
	;;
check) ;;
*)
	echo "usage: abi.sh print HEADER... | abi.sh check STORED MAP HEADER..." >&2
	exit 2
	;;
esac

stored=$1
map=$2
shift 2
failures=0
folder=$(mktemp -d) || exit 2
trap 'rm -r "$folder"' EXIT
print "$@" >"$folder/now"
functions <"$folder/now" >"$folder/functions"
sed -n 's/^	\([a-z0-9_]*\);$/\1/p' "$map" | LC_ALL=C sort >"$folder/listed"

diff "$folder/listed" "$folder/functions" >"$folder/diff"
status=$?
sed 's/^/# /' "$folder/diff"
result 1 'the headers declare the functions that the map lists' $status

# A line that is gone is an interface that programs lose: the SONAME changes. A new one is not.
diff "$stored" "$folder/now" >"$folder/diff"
status=$?
sed 's/^/# /' "$folder/diff"
[ $status = 0 ] || echo "# is this meant? 'make -C lib abi' stores it; a line less needs a new SONAME"
result 2 'the interface is the one that is stored' $status
echo 1..2
exit $failures
