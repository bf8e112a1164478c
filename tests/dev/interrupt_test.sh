#!/bin/bash
# interrupt_test.sh TESSERA: Ctrl-C at any moment of what the command does: it ends soon, with a code that is
# documented, and each file is the old one or whole. DELAYS is how many moments are tried of each.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

tessera=$(readlink -f "$1")
delays=${DELAYS:-6}
cd "$folder"
export OMP_NUM_THREADS=1 OMP_PROC_BIND=false
timeout --foreground 1 env --default-signal=INT true 2> /dev/null || {
  echo "skipped: timeout and env of GNU coreutils 8.32 are needed"
  exit 77
}

# interrupted SECONDS COMMAND...: the command's status, with the signal after that time; 137 where it goes on
interrupted() {
  local seconds=$1 status=0
  shift
  timeout --foreground --preserve-status --kill-after=60 --signal=INT "$seconds" \
    env --default-signal=INT "$@" > .out 2> .err || status=$?
  echo $status
}
# is_whole FILE LINES: it ends as its kind, or that of a temporary file, does
is_whole() {
  case $1 in
    *.json*) [ "$(tail -n 1 "$1" | tail -c 2)" = '}' ] ;;
    *.gz*) gzip -t < "$1" 2> /dev/null ;;
    *) [ "$(wc -l < "$1")" = "$2" ] ;;
  esac
}

# each WHAT CODES FILE LINES COMMAND...: at moments over the time that the command takes
each() {
  local what=$1 codes=$2 file=$3 lines=$4 started took i seconds status=0 left found=()
  shift 4
  rm -f "$file"
  started=${EPOCHREALTIME/[^0-9]/}
  "$@" > /dev/null || status=$?
  [[ " $codes " = *" $status "* ]] || wrong "$what: returns $status by itself"
  took=$((${EPOCHREALTIME/[^0-9]/} - started))
  is_whole "$file" "$lines" || wrong "$what: $file does not end as expected"
  for ((i = 0; i < delays; ++i)); do
    echo old > "$file"
    # Beyond the end as well: what takes its time may take less of it.
    printf -v seconds '%d.%06d' $((took * (2 * i + 1) / (2 * delays - 2) / 1000000)) \
      $((took * (2 * i + 1) / (2 * delays - 2) % 1000000))
    status=$(interrupted "$seconds" "$@")
    found+=("$status")
    case " $codes " in
      *" $status "*) ;;
      *) wrong "$what: after $seconds s it returned $status, and said '$(cat .err)'" ;;
    esac
    if [ "$(head -c 3 "$file" | tr -d '\0')" = old ]; then
      [ "$status" = 130 ] || wrong "$what: returned $status without its file"
    else
      is_whole "$file" "$lines" || wrong "$what: half of $file after $seconds s"
    fi
    for left in "${file%/*}"/.[!.]*.tmp; do # just before it takes its place
      [ ! -e "$left" ] || is_whole "$left" "$lines" || wrong "$what: half of a file is left as $left"
      rm -f "$left"
    done
  done
  [ "$(ls -A "${file%/*}")" = "${file##*/}" ] || wrong "$what: left $(ls -A "${file%/*}")"
  echo "$what: ${found[*]}"
}

mkdir out
"$tessera" gallery poisson2d --n 250 -o matrix.mtx > /dev/null
each 'many iterations' '0 2 130' out/x.mtx $((100 * 100 + 2)) "$tessera" solve --problem poisson2d --n 100 \
  -p preconditioner=none -p solver.name=cg --quiet -o out/x.mtx
rm out/*
each 'setups and solves' '0 2 130' out/r.json 0 "$tessera" solve --problem poisson3d --n 24 --repeat 2 \
  -p preconditioner=amg --report out/r.json
rm out/*
each 'a matrix is read' '2 130' out/x.mtx $((250 * 250 + 2)) "$tessera" solve matrix.mtx --quiet \
  -p preconditioner=none -p solver.max_iterations=1 -o out/x.mtx
rm out/*
each 'a matrix is written' '0 130' out/a.mtx.gz 0 "$tessera" gallery poisson2d --n 250 -o out/a.mtx.gz

# What a stopped solve leaves says so. The setup is over once the hierarchy is printed.
rm .out
env --default-signal=INT "$tessera" solve --problem poisson2d --n 700 -p preconditioner=none -p solver.name=cg \
  -o x.mtx --report r.json > .out 2> .err &
until [ -s .out ] || ! kill -0 $! 2> /dev/null; do sleep 0.05; done
kill -INT $!
status=0
wait $! || status=$?
equal 'a long solve' "$status" 2
is_whole x.mtx $((700 * 700 + 2)) || wrong "a long solve: x is not there"
grep -q '"status": "interrupted"' r.json || wrong "a long solve: the report does not say how it ended"

# A pipe that says nothing: there is nothing to wait for.
mkfifo silent
exec 3<> silent
for words in 'solve silent' 'solve matrix.mtx --rhs silent' 'info silent' 'solve matrix.mtx --config silent'; do
  # shellcheck disable=SC2086
  status=$(interrupted 0.5 "$tessera" $words)
  equal "$words" "$status" 130
done
exit $failed
