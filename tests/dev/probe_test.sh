#!/bin/bash
# probe_test.sh SOURCE: how `./dev` calls CMake: to look whether the host's own libraries will do, of which
# Ctrl-C leaves nothing, and with the arguments of TESSERA_CMAKE_ARGS. CMake is a stand-in.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

clone "$1" "$folder/clone"
mkdir "$folder/temporary"
export CALLS=$folder/calls TMPDIR=$folder/temporary TESSERA_CACHE=$folder/cache PATH=$folder/tools:$PATH
unset TESSERA_INSIDE_ROOT TESSERA_ENVIRONMENT TESSERA_CMAKE_ARGS CXX
tool c++ <<< ''

# While the host is looked at.
env --default-signal=INT true 2> /dev/null || {
  echo "skipped: env of GNU coreutils 8.32 is needed"
  exit 77
}
tool ninja <<< ''
tool cmake << 'END_OF_TOOL'
echo "$*" > "$CALLS.new" && mv "$CALLS.new" "$CALLS"
exec sleep 60
END_OF_TOOL
unset CMAKE_GENERATOR
set -m # a group of its own, as a terminal has it, and SIGINT reaches it
env --default-signal=INT "$folder/clone/dev" shell true > "$folder/out" 2>&1 &
until [ -e "$CALLS" ] || ! kill -0 $! 2> /dev/null; do sleep 0.05; done
[ -n "$(ls "$TMPDIR")" ] || wrong "the host is not looked at in a folder of its own"
kill -INT -- "-$!"
status=0
wait $! 2> /dev/null || status=$?
set +m
equal "Ctrl-C while the host is looked at: $(cat "$folder/out")" "$status" 130
grep -q -e '-G Ninja' "$CALLS" || wrong "CMake looks for make where there is Ninja: $(cat "$CALLS")"
equal "left behind by Ctrl-C" "$(ls "$TMPDIR")" ""

# What CMake is called with beyond the arguments of `./dev` itself, a line each.
tool cmake <<< 'printf "%s\n" "$@" > "$CALLS"; exit 1'
# arguments TEXT LINES
arguments() {
  rm -f "$CALLS"
  TESSERA_ENVIRONMENT=host TESSERA_CMAKE_ARGS=$1 "$folder/clone/dev" run > "$folder/out" 2>&1 || true
  equal "TESSERA_CMAKE_ARGS=$1" "$(sed '1,/^-DTESSERA_MATRICES/d' "$CALLS")" "$2"
}
arguments '' ''
arguments '  ' ''
arguments '-DA=1  -DB=x' $'-DA=1\n-DB=x'
arguments $'-DA=1\n-DB=x' $'-DA=1\n-DB=x'
arguments "-DFLAGS='-g -O1' \"-DNAME=it's\" -DC=a\\ b" $'-DFLAGS=-g -O1\n-DNAME=it\'s\n-DC=a b'
# shellcheck disable=SC2016
arguments '-DA=$HOME -DB=* -DC=`false`' $'-DA=$HOME\n-DB=*\n-DC=`false`'
rm "$CALLS"
TESSERA_ENVIRONMENT=host TESSERA_CMAKE_ARGS="-DA='1 -DB=2" "$folder/clone/dev" run > "$folder/out" 2>&1 &&
  wrong "a quote without an end is taken"
has "dev: TESSERA_CMAKE_ARGS is '-DA='1 -DB=2'; a quote in it has no end"
[ ! -e "$CALLS" ] || wrong "CMake is called for it"
exit $failed
