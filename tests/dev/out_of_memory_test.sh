#!/bin/bash
# out_of_memory_test.sh COMMAND: the n-th request for memory is refused (tests/support/refusing_command.cpp), for n
# over all of what a command does: it ends with the code of that, says in which step and what helps, and each file
# is the old one or whole. POINTS is how many n are tried of each command (`./dev check faults` tries ten times as
# many). Without JSON: where nlohmann's objects are freed they ask for memory, and end the program if there is none.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

command=$(readlink -f "$1")
points=${POINTS:-250}
cd "$folder"
export OMP_NUM_THREADS=1 OMP_PROC_BIND=false TESSERA_TEST_REQUESTS=$folder/requests
ulimit -c 0

# refused N ARGUMENTS...: sets `status`, and what became of the requests
refused() {
  local n=$1
  shift
  status=0
  echo 0 0 0 > requests
  TESSERA_TEST_REFUSE=$n "$command" "$@" > said 2> .err || status=$?
  read -r all was_refused was_optional < requests
}
# is_whole FILE: whether it ends as its kind does
is_whole() {
  case $1 in
    *.html) tail -n 1 "$1" | grep -q '</html>' ;;
    *) cmp -s "$1" "reference/${1##*/}" ;;
  esac
}
# each WHAT FILES ARGUMENTS...: `points` numbers over the command's requests, in strides and not in step with them
each() {
  local what=$1 files=$2 i n file requests ran_out=0 went_on=0
  shift 2
  mkdir out
  refused 0 "$@"
  equal "$what" "$status" 0
  requests=$all
  [ "$requests" -gt "$points" ] || wrong "$what: it asked for memory $requests times"
  [ -z "$files" ] || cp out/* reference/
  for ((i = 0; i < points; ++i)); do
    n=$((1 + i * requests / points + i * 7919 % (requests / points)))
    for file in $files; do
      echo old > "out/$file"
    done
    refused $n "$@"
    if [ "$status" = 5 ]; then
      ran_out=$((ran_out + 1))
      grep -qE '^tessera: .*: (memory ran out|no memory for).*; free some, or raise the limit on it$' .err && [ "$(wc -l < .err)" = 1 ] ||
        wrong "$what: without request $n it said '$(cat .err)'"
    elif [ "$status" = 0 ]; then
      went_on=$((went_on + was_refused))
    else
      wrong "$what: without request $n it returned $status, and said '$(cat .err)'"
    fi
    for file in $files; do
      if [ "$(head -c 3 "out/$file" | tr -d '\0')" = old ]; then
        [ "$status" != 0 ] || wrong "$what: it returned 0 without $file"
      else
        is_whole "out/$file" || wrong "$what: half of $file without request $n"
      fi
    done
    equal "$what: left" "$(ls -A out | xargs)" "$files"
  done
  # What it does without: a second try, the processor's name.
  [ $((went_on * 10)) -lt "$points" ] || wrong "$what: it went on without memory $went_on times"
  echo "$what: memory ran out in $ran_out of $points, of $requests requests; it went on without in $went_on"
  rm -r out
}

mkdir reference
"$command" gallery poisson2d --n 30 -o a.mtx > /dev/null
"$command" gallery convdiff2d --n 20 -o c.mtx > /dev/null
each 'a solve' 'r.html x.mtx' solve a.mtx -p preconditioner=amg -o out/x.mtx --html out/r.html
each 'a solve by factors' 'x.mtx.gz' solve --problem convdiff2d --n 20 -p preconditioner=direct --quiet -o out/x.mtx.gz
each "a matrix's properties" '' info a.mtx
each "a nonsymmetric matrix's properties" '' info c.mtx
each 'a problem' 'a.mtx.gz b.mtx' gallery poisson2d --n 30 -o out/a.mtx.gz --rhs out/b.mtx
exit $failed
