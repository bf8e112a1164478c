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
  --sanitize TOOL     run under compute-sanitizer: memcheck, racecheck, initcheck or synccheck
  --timeout SECONDS   stop a program after so long (default: 1800)
  --list              name the programs and end

TESSERA_MATRICES names a folder of Matrix Market files for the tests that read real ones.
The exit status is 0 where every program passed, else 1.
END
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
only=. kind=. out=results sanitize='' limit=1800 list=''
while [ $# -gt 0 ]; do
  case $1 in
    --only | --kind | --out | --sanitize | --timeout)
      if [ $# -lt 2 ]; then
        echo "run.sh: $1 needs a value" >&2
        exit 64
      fi
      ;;&
    --only) only=$2 && shift ;;
    --kind) kind="^$2\$" && shift ;;
    --out) out=$2 && shift ;;
    --sanitize) sanitize=$2 && shift ;;
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
names=() results=() times=()
failures=0
mkdir -p "$out" || exit 1
out=$(cd "$out" && pwd)

[ -n "$list" ] || printf '%-44s %-10s %9s\n' name result seconds
while IFS=$'\t' read -r program_kind program expect <&3; do
  name=${program#tessera_}
  if ! [[ $name =~ $only && $program_kind =~ $kind ]]; then
    continue
  fi
  if [ -n "$list" ]; then
    echo "$program_kind $name"
    continue
  fi
  arguments=()
  if [ "$program_kind" = app ]; then
    arguments=(solve --problem poisson3d --n 64)
  fi
  log=$out/$name.log
  begin=${EPOCHREALTIME/./}
  (cd "$out" && timeout "$limit" "${prefix[@]}" "$here/bin/$program" "${arguments[@]}") > "$log" 2>&1
  status=$?
  microseconds=$((${EPOCHREALTIME/./} - begin))
  seconds=$(printf '%d.%03d' $((microseconds / 1000000)) $((microseconds / 1000 % 1000)))
  result=passed
  if [ $status = 124 ]; then
    result=timeout
  elif [ $status -ge 128 ]; then
    result="signal $((status - 128))"
  elif [ $status != 0 ]; then
    result="exit $status"
  elif [ -n "$expect" ] && ! [[ $(< "$log") =~ $expect ]]; then
    result=output
  fi
  if [ "$result" != passed ]; then
    failures=$((failures + 1))
  fi
  names+=("$name")
  results+=("$result")
  times+=("$seconds")
  printf '%-44s %-10s %9s\n' "$name" "$result" "$seconds"
  if [ "$result" != passed ]; then
    grep -aE '^\[  FAILED  \]|ERROR SUMMARY|[Ee]rror' "$log" | head -n 5 | sed 's/^/    /'
  fi
done 3< "$here/programs.tsv"
[ -z "$list" ] || exit 0

{
  printf '{\n  "version": %s,\n  "commit": %s,\n' "$(quoted "$version")" "$(quoted "$commit")"
  printf '  "gpu": %s,\n  "sanitizer": %s,\n' "$(quoted "$gpu")" "$(quoted "$sanitize")"
  printf '  "date": %s,\n  "results": [' "$(quoted "$(date -u +%Y-%m-%dT%H:%M:%SZ)")"
  separator=
  for index in "${!names[@]}"; do
    printf '%s\n    {"name": %s, "result": %s, "seconds": %s}' "$separator" \
      "$(quoted "${names[index]}")" "$(quoted "${results[index]}")" "${times[index]}"
    separator=,
  done
  printf '\n  ]\n}\n'
} > "$out/results.json"

echo "$((${#names[@]} - failures)) passed, $failures failed; ${gpu:-no GPU}; $out/results.json"
[ "$failures" = 0 ] && [ ${#names[@]} -gt 0 ]
