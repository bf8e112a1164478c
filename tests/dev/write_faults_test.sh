#!/bin/bash
# write_faults_test.sh TESSERA: what the command writes is there in whole or not at all, and the old file stays
# until the new one is whole: killed at any moment, on a full disk, at the limit of a file's size, in a folder
# that vanishes, with standard streams closed. ROUNDS is how often each kind of write is killed, and up to four
# times as often, ever sooner, while no kill came before it was whole.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

tessera=$(readlink -f "$1")
rounds=${ROUNDS:-6}
cd "$folder"
export OMP_NUM_THREADS=1 OMP_PROC_BIND=false

# writing FILE: sets `words`, a command that writes it, by its kind
writing() {
  case ${1##*/} in
    a.*) words=("$tessera" gallery poisson3d --n 24 -o "$1") ;;
    b.*) words=("$tessera" gallery poisson3d --n 40 --rhs "$1") ;;
    c.*) words=("$tessera" gallery elasticity2d --n 100 --coordinates "$1") ;;
    x.*) words=("$tessera" solve --problem poisson2d --n 60 --quiet -o "$1") ;;
    two.json) words=("$tessera" compare reference/r.json reference/r.json --quiet --json "$1") ;;
    two.html) words=("$tessera" compare reference/r.json reference/r.json --quiet --html "$1") ;;
    *.json) words=("$tessera" solve --problem poisson2d --n 20 --quiet --report "$1") ;;
    *.html) words=("$tessera" solve --problem poisson2d --n 20 --quiet --html "$1") ;;
  esac
}
kinds=(a.mtx a.mtx.gz a.tsr b.mtx c.mtx x.mtx x.mtx.gz r.json r.html two.json two.html)
# whole FILE KIND: whether it is what is written undisturbed; reports differ by their times
whole() {
  case $2 in
    two.*) cmp -s "$1" "reference/$2" ;;
    *.json) [ "$(tail -n 1 "$1" | tail -c 2)" = '}' ] ;;
    *.html) tail -n 1 "$1" | grep -q '</html>' ;;
    *) cmp -s "$1" "reference/$2" ;;
  esac
}
# expect CODE MESSAGE COMMAND...: what it returns, and says among other things
expect() {
  local code=$1 message=$2 found=0
  shift 2
  "$@" > .out 2> .err || found=$?
  if [ "$found" != "$code" ] || [[ $(cat .err) != *"$message"* ]]; then
    wrong "$*: returned $found, said '$(cat .err)'; expected $code, '$message'"
  fi
}
# untouched WHAT FOLDER KIND: the old file is there, and no other
untouched() {
  [ "$(cat "$2/$3")" = old ] || wrong "$1: the old $3 is gone"
  [ "$(ls -A "$2")" = "$3" ] || wrong "$1: the writing of $3 leaves $(ls -A "$2")"
}

mkdir reference
declare -A took
for kind in "${kinds[@]}"; do
  writing "reference/$kind"
  started=${EPOCHREALTIME/[^0-9]/}
  "${words[@]}" > /dev/null || wrong "$kind is not written"
  took[$kind]=$((${EPOCHREALTIME/[^0-9]/} - started))
  whole "reference/$kind" "$kind" || wrong "$kind does not end as expected"
done

# Killed: the old file or the new one. A second file there is a whole one, just before it takes its place.
for kind in "${kinds[@]}"; do
  new=0
  for ((round = 0; round < rounds || (new == round && round < 4 * rounds); ++round)); do
    mkdir killed
    echo old > "killed/$kind"
    writing "killed/$kind"
    "${words[@]}" > /dev/null 2>&1 &
    # In the second half of the time; most of the first half is the program's start. Sooner, where each was too late.
    [ "$round" -lt "$rounds" ] || took[$kind]=$((took[$kind] * 3 / 4))
    pause=$((took[$kind] * (1024 + RANDOM % 1024) / 2048))
    sleep "$((pause / 1000000)).$(printf %06d $((pause % 1000000)))"
    kill -KILL $! 2> /dev/null || true
    wait $! 2> /dev/null || true
    for file in "killed/$kind" killed/.[!.]*; do
      if [ ! -e "$file" ]; then
        continue
      elif whole "$file" "$kind"; then
        new=$((new + 1))
      elif [ "$file" != "killed/$kind" ] || [ "$(head -c 4 "$file" | tr -d '\0')" != old ]; then
        wrong "killed: half of $kind is left, as $file"
      fi
    done
    rm -r killed
  done
  echo "$kind: killed $round times, $new of them when it was whole"
  [ "$new" -lt "$round" ] || wrong "$kind: none of $round kills came before it was whole"
done

# The limit of a file's size, which would otherwise end the program in the middle.
mkdir limited
for kind in "${kinds[@]}"; do
  echo old > "limited/$kind"
  writing "limited/$kind"
  expect 74 "limited/$kind: cannot be written: File too large; raise the limit" bash -c 'ulimit -f 1; exec "$@"' limited "${words[@]}"
  untouched 'limited' limited "$kind"
  rm "limited/$kind"
done

# A full disk. Not every root has mount(8).
# shellcheck disable=SC2016
mount_small='
  mount_small() {
    mount -t tmpfs -o size=64k tmpfs full 2> /dev/null || python3 -c "
import ctypes, sys
sys.exit(ctypes.CDLL(None).mount(b\"tmpfs\", b\"full\", b\"tmpfs\", 0, b\"size=64k\") != 0)" 2> /dev/null
  }'
mkdir full
if unshare -m bash -c "$mount_small"'; mount_small' 2> /dev/null; then
  for kind in "${kinds[@]}"; do
    writing "full/$kind"
    # shellcheck disable=SC2016
    expect 0 '' unshare -m bash -euc "$mount_small"'
      kind=$1
      shift
      mount_small
      echo old > "full/$kind"
      head -c 1000000 /dev/zero > full/filler 2> /dev/null || true
      found=0
      "$@" > /dev/null 2> .full || found=$?
      grep -q "full/$kind: cannot be written: No space left on device; free some" .full && [ "$found" = 74 ] ||
        { echo "returned $found, said $(cat .full)" >&2; exit 1; }
      rm full/filler
      [ "$(cat "full/$kind")" = old ] && [ "$(ls -A full)" = "$kind" ] ||
        { echo "left $(ls -A full)" >&2; exit 1; }' full "$kind" "${words[@]}"
  done
else
  echo "no file system may be mounted here: a full disk is /dev/full alone"
fi
if [ -e /dev/full ]; then
  writing r.json
  expect 74 '--report /dev/full: cannot be written: No space left on device' "${words[@]::${#words[@]}-1}" /dev/full
fi

# The folder of one output vanishes during the solve: the other outputs are written. Once the pipe is
# opened, the command has checked its outputs.
mkdir vanishing
mkfifo matrix
"$tessera" solve matrix --quiet -o vanishing/x.mtx --report r.json 2> .err &
exec 3> matrix
rmdir vanishing
cat reference/a.mtx >&3
exec 3>&-
found=0
wait $! || found=$?
[ "$found" = 74 ] && grep -qF -e '-o vanishing/x.mtx: cannot be' .err ||
  wrong "a folder that vanishes: returned $found, said '$(cat .err)'"
[ -e r.json ] && whole r.json r.json || wrong "a folder that vanishes takes the report with it"

# Closed standard streams: no file gets what is printed, and /dev/stdout is no file to be replaced.
expect 74 'standard output: cannot be written: Bad file descriptor' \
  bash -c 'exec "$@" >&-' closed "$tessera" gallery poisson3d --n 24 -o closed.mtx
cmp -s closed.mtx reference/a.mtx || wrong "with standard output closed the file is another"
expect 0 '' bash -c 'exec "$@" 2>&- < /dev/null' closed "$tessera" solve reference/a.mtx -o closed.mtx
"$tessera" solve reference/a.mtx --quiet -o open.mtx
cmp -s closed.mtx open.mtx || wrong "with standard error closed the file is another"
expect 74 '/dev/stdout: cannot be written: Bad file descriptor' \
  bash -c 'exec "$@" >&-' closed "$tessera" solve --problem poisson2d --n 4 --quiet --report -
expect 74 '/dev/fd/9: cannot be written: Bad file descriptor' \
  "$tessera" solve --problem poisson2d --n 4 --quiet --report /dev/fd/9
expect 0 '' bash -c 'exec "$@" <&-' closed "$tessera" solve reference/a.mtx --quiet -o closed.mtx
cmp -s closed.mtx open.mtx || wrong "with standard input closed the file is another"
expect 65 /dev/stdin bash -c 'exec "$@" <&-' closed "$tessera" info /dev/stdin

# A device that never ends, in place of parameters.
expect 78 '/dev/zero: it does not end within' "$tessera" solve reference/a.mtx --config /dev/zero
exit $failed
