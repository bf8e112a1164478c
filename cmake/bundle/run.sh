#!/bin/bash
# Runs the programs of this bundle on the machine at hand, prints a table and writes results.json.
# It needs bash, the usual small tools, and for a CUDA bundle the driver and the CUDA runtime
# libraries.

usage() {
  cat << 'END'
./run.sh [OPTIONS]

  --only REGEX        run the programs whose name matches
  --kind KIND         run one kind: test, example, perf or app
  --out DIR           where results.json and each program's output go (default: results)
  --sanitize TOOL     run under compute-sanitizer: memcheck, racecheck, initcheck or synccheck;
                      each suite of a test program by itself, and none that runs on the host only
  --jobs N            run so many at a time (default: 1; performance programs run alone)
  --timeout SECONDS   stop a program after so long (default: 1800)
  --list              name what would run and end

TESSERA_MATRICES names a folder of Matrix Market files for the tests that read real ones.
The exit status is 0 where all that ran passed, else 1.
END
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
only=. kind=. out=results sanitize='' jobs=1 limit=1800 list=''
while [ $# -gt 0 ]; do
  case $1 in
    --only | --kind | --out | --sanitize | --jobs | --timeout)
      if [ $# -lt 2 ]; then
        echo "run.sh: $1 needs a value" >&2
        exit 64
      fi
      ;;&
    --only) only=$2 && shift ;;
    --kind) kind="^$2\$" && shift ;;
    --out) out=$2 && shift ;;
    --sanitize) sanitize=$2 && shift ;;
    --jobs) jobs=$2 && shift ;;
    --timeout) limit=$2 && shift ;;
    --list) list=1 ;;
    --help | -h)
      usage
      exit
      ;;
    *)
      usage >&2
      exit 64
      ;;
  esac
  shift
done

if ! [[ $jobs =~ ^[1-9][0-9]*$ ]]; then
  echo "run.sh: --jobs is '$jobs', expected a number of at least 1" >&2
  exit 64
fi

prefix=()
if [ -n "$sanitize" ]; then
  case $sanitize in
    memcheck | racecheck | initcheck | synccheck) ;;
    *)
      echo "run.sh: compute-sanitizer has no tool '$sanitize'" >&2
      exit 64
      ;;
  esac
  sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
  if ! [ -x "$sanitizer" ]; then
    echo "run.sh: there is no compute-sanitizer here" >&2
    exit 69
  fi
  prefix=("$sanitizer" --tool "$sanitize" --error-exitcode 99)
fi

cuda=/usr/local/cuda/lib64
[ -d "$cuda" ] || cuda=
export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}${cuda:+:$cuda}
export OMP_PROC_BIND=${OMP_PROC_BIND:-false} OMP_NUM_THREADS=${OMP_NUM_THREADS:-2}
export TESSERA_MATRICES=${TESSERA_MATRICES:-$here/matrices} TESSERA_APP=$here/bin/tessera

# A string as JSON writes it.
quoted() {
  local text=$1
  text=${text//\\/\\\\}
  text=${text//\"/\\\"}
  text=${text//$'\n'/\\n}
  text=${text//$'\t'/\\t}
  printf '"%s"' "${text//[[:cntrl:]]/ }"
}

gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2> /dev/null | head -n 1)
read -r version commit < "$here/version"

# What runs: a kind, a name, a program, the output expected of it, and its arguments.
kinds=() names=() programs=() expected=() arguments=()
add_run() {
  kinds+=("$1") names+=("$2") programs+=("$3") expected+=("$4") arguments+=("$5")
}
# add_suites NAME PROGRAM EXPECT: the suites of a test program that reach a device, one by one; the
# program as a whole where it does not name them, so that its failure shows.
add_suites() {
  local list suite
  if ! list=$("$here/bin/$2" --gtest_list_tests 2> /dev/null); then
    add_run test "$1" "$2" "$3" ''
    return
  fi
  while read -r suite; do
    add_run test "$1.${suite//\//-}" "$2" "$3" "--gtest_filter=$suite.*"
  done < <(sed -n 's/^\([^ ][^ ]*\)\.\( .*\)\{0,1\}$/\1/p' <<< "$list" | grep -v -E 'OpenMP|Serial')
}
while IFS=$'\t' read -r program_kind program expect <&3; do
  name=${program#tessera_}
  if ! [[ $name =~ $only && $program_kind =~ $kind ]]; then
    continue
  fi
  if [ "$program_kind" = app ]; then
    add_run app "$name" "$program" "$expect" "solve --problem poisson3d --n 64"
  elif [ "$program_kind" = test ] && [ -n "$sanitize" ]; then
    add_suites "$name" "$program" "$expect"
  else
    add_run "$program_kind" "$name" "$program" "$expect" ''
  fi
done 3< "$here/programs.tsv"

if [ -n "$list" ]; then
  for index in "${!names[@]}"; do
    echo "${kinds[index]} ${names[index]}"
  done
  exit 0
fi

mkdir -p "$out" || exit 1
out=$(cd "$out" && pwd)

# run_one INDEX: runs it, prints its line and leaves `result<TAB>seconds` beside its log. For the
# background, where a program must be told to stop.
run_one() {
  local name=${names[$1]} expect=${expected[$1]} words result=passed
  local log=$out/$name.log
  read -r -a words <<< "${arguments[$1]}"
  local begin=${EPOCHREALTIME/./}
  cd "$out" || return
  timeout "$limit" "${prefix[@]}" "$here/bin/${programs[$1]}" "${words[@]}" > "$log" 2>&1 &
  trap 'kill %1 2> /dev/null' INT TERM
  wait %1
  local status=$?
  local microseconds=$((${EPOCHREALTIME/./} - begin))
  local seconds
  seconds=$(printf '%d.%03d' $((microseconds / 1000000)) $((microseconds / 1000 % 1000)))
  if [ $status = 124 ]; then
    result=timeout
  elif [ $status -ge 128 ]; then
    result="signal $((status - 128))"
  elif [ $status != 0 ]; then
    result="exit $status"
  elif [ -n "$expect" ] && ! [[ $(< "$log") =~ $expect ]]; then
    result=output
  fi
  printf '%s\t%s\n' "$result" "$seconds" > "$out/$name.result"
  local lines
  lines=$(printf '%-*s %-10s %9s' "$width" "$name" "$result" "$seconds")
  if [ "$result" != passed ]; then
    lines+=$(grep -aE '^\[  FAILED  \]|ERROR SUMMARY|[Ee]rror' "$log" | head -n 5 | sed 's/^/\n    /')
  fi
  echo "$lines"  # at once, so that those of others do not come between
}

width=44
for name in "${names[@]}"; do
  rm -f "$out/$name.result"
  if [ ${#name} -gt "$width" ]; then
    width=${#name}
  fi
done
stopped=
trap 'stopped=1; kill $(jobs -rp) 2> /dev/null' INT TERM
printf '%-*s %-10s %9s\n' "$width" name result seconds
previous=
for index in "${!names[@]}"; do
  at_once=$jobs
  if [ "${kinds[index]}" = perf ] || [ "$previous" = perf ]; then
    at_once=1
  fi
  previous=${kinds[index]}
  while [ "$(jobs -rp | wc -l)" -ge "$at_once" ]; do
    wait -n
  done
  if [ -n "$stopped" ]; then
    break
  fi
  run_one "$index" &
done
while [ -n "$(jobs -rp)" ]; do
  wait
done

passed=0 failed=0
{
  printf '{\n  "version": %s,\n  "commit": %s,\n' "$(quoted "$version")" "$(quoted "$commit")"
  printf '  "gpu": %s,\n  "sanitizer": %s,\n' "$(quoted "$gpu")" "$(quoted "$sanitize")"
  printf '  "date": %s,\n  "results": [' "$(quoted "$(date -u +%Y-%m-%dT%H:%M:%SZ)")"
  separator=
  for name in "${names[@]}"; do
    if ! IFS=$'\t' read -r result seconds 2> /dev/null < "$out/$name.result"; then
      result='not run' seconds=0
    fi
    rm -f "$out/$name.result"
    if [ "$result" = passed ]; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
    fi
    printf '%s\n    {"name": %s, "result": %s, "seconds": %s}' "$separator" \
      "$(quoted "$name")" "$(quoted "$result")" "$seconds"
    separator=,
  done
  printf '\n  ]\n}\n'
} > "$out/results.json"

echo "$passed passed, $failed failed; ${gpu:-no GPU}; $out/results.json"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
