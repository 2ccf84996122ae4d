#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The documents can be read by docutils, those that are named exist, each source has a
# licence, the folders of pfmon are layers, and no merge left its marks. Runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

# Sphinx has the option, docutils has not.
render() {
	sed '/^ *:caption:/d' "$1" | rst2html --report=info --halt=severe - /dev/null
}

if ! command -v rst2html >/dev/null; then
	skip 'documents' 'needs rst2html (python3-docutils)'
else
	for file in CONTRIBUTING.rst Documentation/*.rst Documentation/*/*.rst; do
		run render "$file"
		# Sections of manual pages may have the same name as an option.
		sed -i '/Duplicate implicit target name/,/^$/d' "$DIR/err"
		check "$file" 'status 0' 'empty err'
	done
fi

# Structures of the kernel's interface without a section of their own in 'make docs', or without one
# of their fields there.
undocumented() {
	local header page name count field
	tools/docs/headers "$DIR/headers" include/uapi/linux/*.h
	for header in include/uapi/linux/*.h; do
		page=$DIR/headers/${header##*/}.rst
		grep -oE '^(struct|union|enum) [a-z0-9_]+ \{' "$header" | tr -d '{' | while read -r name; do
			grep -A1 -x "$name" "$page" | grep -qE '^-+$' || echo "$header: $name"
		done
		sed -n 's/^ \* @\([a-z0-9_]*\): .*/\1/p' "$header" | sort | uniq -c |
			while read -r count field; do
				[ "$(grep -cxF "\`\`$field\`\`" "$page")" = "$count" ] ||
					echo "$header: $field"
			done
	done
}

run undocumented
check 'each structure of the interface has a section, with all its fields' 'empty out' 'empty err'
if command -v rst2html >/dev/null; then
	for file in "$DIR"/headers/*.rst; do
		run render "$file"
		check "page of ${file##*/}" 'status 0' 'empty err'
	done
fi

# Pages that sources and other pages name, from the top of the tree or from Documentation/.
unknown_pages() {
	grep -rohIE --exclude-dir=.git --exclude-dir=build 'Documentation/[a-z]+/?[a-z0-9.-]+\.rst|``[a-z]+/[a-z0-9.-]+\.rst``' . |
		tr -d '`' | sort -u | while read -r page; do
			[ -e "$page" ] || [ -e "Documentation/$page" ] || echo "$page"
		done
}

run unknown_pages
check 'the pages that are named exist' 'empty out'

# In the first two lines, but for data, and what takes no comment.
without_licence() {
	find . \( -name .git -o -name build -o -name node_modules -o -name LICENSES \) -prune -o \
		-type f \( -name '*.[chS]' -o -name '*.sh' -o -name '*.rst' -o -name '*.awk' \
		-o -name Makefile -o -name Kbuild -o -perm /100 \) ! -name '*.mod.c' -print |
		while read -r file; do
			head -n 2 "$file" | grep -q 'SPDX-License-Identifier: ' || echo "$file"
		done
}

# Those that the sources name.
without_text() {
	local name
	grep -rhoE --exclude-dir=build --exclude-dir=.git 'SPDX-License-Identifier: [()A-Za-z0-9][()A-Za-z0-9. -]+' . |
		sed 's/.*: //; s/[()]//g; s/ OR / /g; s/ WITH / /g; s/ -*$//' | tr ' ' '\n' | sort -u |
		while read -r name; do
			[ -z "$name" ] || [ -s "LICENSES/$name.txt" ] || echo "$name"
		done
}

run without_licence
check 'every source says its licence' 'empty out'
run without_text
check 'and the text is there' 'empty out'

# Includes of pfmon's folders that come later in the Makefile's list.
upward() {
	local folder lower=
	while read -r folder; do
		lower="$lower|$folder"
		grep -nE '^#include "[a-z]+/' tools/pfmon/"$folder"/*.[ch] |
			grep -vE "#include \"(${lower#|})/"
	done < <(sed -n 's/^FOLDERS := //p' tools/pfmon/Makefile | tr ' ' '\n')
	[ -n "$lower" ]
}

run upward
check 'a folder of pfmon includes only headers of those before it' 'status 0' 'empty out'

run grep -rnE --exclude-dir=.git --exclude-dir=build '^(<{7}|\|{7}|>{7})( |$)' .
check 'no merge left its marks' 'status 1' 'empty out'
finish
