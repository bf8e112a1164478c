#!/bin/bash
# probe_test.sh SOURCE: `./dev` looks whether the host's own libraries will do, and Ctrl-C leaves nothing of that.
# CMake is a stand-in.
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
tool cmake << 'END_OF_TOOL'
touch "$CALLS"
exec sleep 60
END_OF_TOOL
set -m # a group of its own, as a terminal has it, and SIGINT reaches it
env --default-signal=INT "$folder/clone/dev" shell true > "$folder/out" 2>&1 &
until [ -e "$CALLS" ] || ! kill -0 $! 2> /dev/null; do sleep 0.05; done
[ -n "$(ls "$TMPDIR")" ] || wrong "the host is not looked at in a folder of its own"
kill -INT -- "-$!"
status=0
wait $! 2> /dev/null || status=$?
set +m
equal "Ctrl-C while the host is looked at: $(cat "$folder/out")" "$status" 130
equal "left behind by Ctrl-C" "$(ls "$TMPDIR")" ""
exit $failed
