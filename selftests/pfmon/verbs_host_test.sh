#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Verbs: which words are verbs, what each of them runs, their help, and the pager.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail

# Programs that are called like verbs, and one that is not.
mkdir "$DIR/bin"
for name in stat top record list frobnicate; do
	printf '#!/bin/sh\necho "program %s $*"\n' $name >"$DIR/bin/$name"
done
chmod +x "$DIR/bin"/*
PATH=$DIR/bin:$PATH

run pfmon frobnicate list
check 'a word that is no verb is a command' 'status 0' 'out "^program frobnicate list$"' 'err " cycles:u"'
run pfmon -- list x
check 'behind -- there is a command' 'status 0' 'out "^program list x$"'
run pfmon -e cycles list x
check 'behind an option, too' 'status 0' 'out "^program list x$"'
run pfmon -- top
check 'a command that has the name of a verb' 'status 0' 'out "^program top $"'

run pfmon statt true
check 'a misspelled verb' 'status 127' 'err "cannot execute .statt." "a verb is spelled .stat."'
run pfmon zyzzyva true
check 'a command that does not exist, and is like no verb' 'status 127' '! err "a verb"'

run pfmon help
cp "$DIR/out" "$DIR/verbs"
check 'help: the verbs' 'status 0' 'empty err' 'out "^  list  "' 'out "^  report  "' 'out "^  record"' 'out "^  annotate"' \
	'[ "$(wc -l <"$DIR/out")" -le 24 ]'
check 'help fits a terminal of 80 columns' '! out "^.{81}"'
while read -r verb; do
	run pfmon help "$verb"
	check "help $verb" 'status 0' 'empty err' "out '^[Uu]sage: pfmon $verb'"
	case $verb in
	report | ibs) continue ;; # They are pages of their own, in the form of --help.
	esac
	check "help $verb: fits a terminal" '[ "$(wc -l <"$DIR/out")" -le 24 ]' '! out "^.{81}"'
	cp "$DIR/out" "$DIR/help"
	run pfmon "$verb" --help
	check "$verb --help: the same" 'status 0' 'cmp -s "$DIR/out" "$DIR/help"'
done < <(sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p' "$DIR/verbs")
run pfmon help frobnicate
check 'help: no such verb' 'status 125' 'err "no verb .frobnicate." "pfmon help"' 'empty out'

run pfmon version
cp "$DIR/out" "$DIR/version"
run pfmon --version
check 'version' 'status 0' 'cmp -s "$DIR/out" "$DIR/version"' 'out "^pfmon [0-9]"'
run pfmon --doctor --json
cp "$DIR/out" "$DIR/doctor"
run pfmon doctor --json
check 'doctor' 'out "\"checks\"|\"findings\"|\{"' 'lines out "$(wc -l <"$DIR/doctor")"'
run pfmon list inst_ret
check 'list' 'status 0' 'out "^  INST_RETIRED "' '! out "^  CPU_CYCLES"'
export PFMON_METRICS=$PWD/metrics
run pfmon --list-metrics=ipc --pmu=skylake
cp "$DIR/out" "$DIR/list"
run pfmon list metrics ipc --pmu=skylake
check 'list: metrics' 'cmp -s "$DIR/out" "$DIR/list"' '[ -s "$DIR/out" ]'
run pfmon report --help
check 'report has its own options' 'status 0' 'out "pfmon report --html"'
run pfmon ibs decode --help
check 'and so has ibs' 'status 0' 'out "pfmon ibs"'

# On a terminal.
cat >"$DIR/bin/page" <<-'PAGE'
	#!/bin/sh
	echo "page begins"
	cat
	echo "page ends"
PAGE
chmod +x "$DIR/bin/page"
fake_words
on_terminal none '' env PAGER=page "${WORDS[@]}" help list >"$DIR/out" 2>"$DIR/err"
check 'help goes through the pager' 'out "^page begins$"' 'out "^[Uu]sage: pfmon list"' 'out "^page ends$"'
on_terminal none '' env PAGER=page "${WORDS[@]}" list inst_ret >"$DIR/out" 2>"$DIR/err"
check 'a list, too' 'out "^page begins$"' 'out "^  INST_RETIRED "' 'out "^page ends$"'
on_terminal none '' env PAGER= "${WORDS[@]}" help list >"$DIR/out" 2>"$DIR/err"
check 'an empty PAGER means none' '! out "page"' 'out "^Usage: pfmon list"'
PAGER=page run pfmon help list
check 'without a terminal there is no pager' '! out "page begins"' 'out "^Usage: pfmon list"'
on_terminal none '' env PAGER=page "${WORDS[@]}" list nosuchevent >"$DIR/out" 2>"$DIR/err"
check 'an error needs no pager' 'out "no event matches"' '! out "^page"'
finish
