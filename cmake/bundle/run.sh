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
                      no suites of tests that run on the host only
  --share N           of tests with many cases run one case in N (default: 1), other ones for each
                      scalar type, and leave large problems out: a sanitizer slows small kernels
                      down 15 to 50 times
  --types N           under a sanitizer run each test of several types in N of them, other ones from
                      test to test (default: all)
  --jobs N            run so many at a time (default: 1; performance programs run alone), on the
                      machine's GPUs in turn; under a sanitizer divide each test program into N.
                      More than one on a GPU wait for one another's time slices: tests of small
                      kernels get slower, not faster
  --timeout SECONDS   stop a program after so long (default: 1800)
  --list              name what would run and end

TESSERA_MATRICES names a folder of Matrix Market files for the tests that read real ones.
The exit status is 0 where all that ran passed, else 1.
END
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
only=. kind=. out=results sanitize='' share=1 types=all jobs=1 limit=1800 list=''
while [ $# -gt 0 ]; do
  case $1 in
    --only | --kind | --out | --sanitize | --share | --types | --jobs | --timeout)
      if [ $# -lt 2 ]; then
        echo "run.sh: $1 needs a value" >&2
        exit 64
      fi
      ;;&
    --only) only=$2 && shift ;;
    --kind) kind="^$2\$" && shift ;;
    --out) out=$2 && shift ;;
    --sanitize) sanitize=$2 && shift ;;
    --share) share=$2 && shift ;;
    --types) types=$2 && shift ;;
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

for option in jobs share types; do
  if ! [[ ${!option} =~ ^[1-9][0-9]*$ || $option:${!option} = types:all ]]; then
    echo "run.sh: --$option is '${!option}', expected a number of at least 1" >&2
    exit 64
  fi
done

if [ "$types" != all ] && [ -z "$sanitize" ]; then
  echo "run.sh: --types divides what a sanitizer runs: give --sanitize too" >&2
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
export TESSERA_TEST_SHARE=$share

# A string as JSON writes it.
quoted() {
  local text=$1
  text=${text//\\/\\\\}
  text=${text//\"/\\\"}
  text=${text//$'\n'/\\n}
  text=${text//$'\t'/\\t}
  printf '"%s"' "${text//[[:cntrl:]]/ }"
}

mapfile -t gpus < <(nvidia-smi --query-gpu=name --format=csv,noheader 2> /dev/null)
gpu=${gpus[0]:-}
read -r version commit < "$here/version"

# filter_of PROGRAM: what the sanitizer runs of it: no suites of tests that run on the host only, and
# of tests of several types $types of these.
filter_of() {
  local filter='-*OpenMP*:*Serial*' line suite='' test=0 type
  if [ "$types" = all ] || [ -n "$list" ]; then
    echo "$filter"
    return
  fi
  local -a lines
  local -A num_types=() type_of=()
  mapfile -t lines < <("$here/bin/$1" --gtest_list_tests "--gtest_filter=$filter" 2> /dev/null)
  for line in "${lines[@]}"; do
    if [[ $line =~ ^([^ ]+)/([^ .]+)\.\ *\#\ TypeParam ]]; then
      suite=${BASH_REMATCH[1]}
      type_of[$suite/${BASH_REMATCH[2]}]=${num_types[$suite]:-0}
      num_types[$suite]=$((${num_types[$suite]:-0} + 1))
    fi
  done
  for line in "${lines[@]}"; do
    if [[ $line =~ ^([^ ]+)\.( |$) ]]; then
      suite=${BASH_REMATCH[1]} test=0
    elif [[ -n ${type_of[$suite]:-} && $line =~ ^\ \ ([^ ]+) ]]; then
      local of=${num_types[${suite%/*}]}
      type=$(((type_of[$suite] + of - test * types % of) % of))
      [ $type -lt "$types" ] || filter+=":$suite.${BASH_REMATCH[1]}"
      test=$((test + 1))
    fi
  done
  echo "$filter"
}

# What runs: a kind, a name, a program, the output expected of it, its arguments, and which part of
# its tests (of $jobs, the first is 0; empty for all).
kinds=() names=() programs=() expected=() arguments=() parts=()
add_run() {
  kinds+=("$1") names+=("$2") programs+=("$3") expected+=("$4") arguments+=("$5") parts+=("${6:-}")
}
while IFS=$'\t' read -r program_kind program expect <&3; do
  name=${program#tessera_}
  if ! [[ $name =~ $only && $program_kind =~ $kind ]]; then
    continue
  fi
  if [ "$program_kind" = app ]; then
    add_run app "$name" "$program" "$expect" "solve --problem poisson3d --n 64"
  elif [ "$program_kind" = test ] && [ -n "$sanitize" ]; then
    filter=--gtest_filter=$(filter_of "$program")
    if [ "$jobs" = 1 ]; then
      add_run test "$name" "$program" "$expect" "$filter"
    else
      for ((part = 0; part < jobs; ++part)); do
        add_run test "$name.$((part + 1))of$jobs" "$program" "$expect" "$filter" "$part"
      done
    fi
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

# run_one INDEX: runs it, prints its line and leaves `result<TAB>seconds` beside its log.
run_one() {
  local name=${names[$1]} expect=${expected[$1]} part=${parts[$1]} words result=passed
  local log=$out/$name.log
  read -r -a words <<< "${arguments[$1]}"
  if [ -n "$part" ]; then
    export GTEST_TOTAL_SHARDS=$jobs GTEST_SHARD_INDEX=$part
  fi
  local begin=${EPOCHREALTIME/./}
  cd "$out" || return
  timeout "$limit" "${prefix[@]}" "$here/bin/${programs[$1]}" "${words[@]}" > "$log" 2>&1 &
  wait $!
  local status=$?
  unset GTEST_TOTAL_SHARDS GTEST_SHARD_INDEX
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
    lines+=$(grep -avE '^(\[( RUN |  +OK |-----)|Note: )' "$log" |
      grep -aE '^\[  FAILED  \]|(ERROR|RACECHECK) SUMMARY|[Ee]rror|: Race' | head -n 5 | sed 's/^/\n    /')
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
claims=$(mktemp -d) || exit 1
trap 'rm -rf "$claims"' EXIT
stopped=
# worker NUMBER PERF: runs, one after the other, what no other worker has begun; the performance
# programs where PERF is `yes`, all else where it is `no`.
worker() {
  trap 'stopped=1; kill $(jobs -rp) 2> /dev/null' INT TERM
  local index perf
  if [ ${#gpus[@]} -gt 1 ] && [ "$jobs" != 1 ]; then
    export CUDA_VISIBLE_DEVICES=$(($1 % ${#gpus[@]}))
  fi
  for index in "${!names[@]}"; do
    perf=no
    [ "${kinds[index]}" != perf ] || perf=yes
    if [ -n "$stopped" ]; then
      return
    elif [ $perf = "$2" ] && mkdir "$claims/$index" 2> /dev/null; then
      run_one "$index"
    fi
  done
}
trap 'stopped=1; kill $(jobs -rp) 2> /dev/null' INT TERM
printf '%-*s %-10s %9s\n' "$width" name result seconds
for ((number = 0; number < jobs; ++number)); do
  worker "$number" no &
done
while [ -n "$(jobs -rp)" ]; do
  wait
done
if [ -z "$stopped" ]; then
  worker 0 yes &
  while [ -n "$(jobs -rp)" ]; do
    wait
  done
fi

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
