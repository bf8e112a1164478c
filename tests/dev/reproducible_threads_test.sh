#!/bin/bash
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
# reproducible_threads_test.sh MPIEXEC FLAG [ARGUMENT...] PROGRAM: with `reproducible` solves by two processes have the
# same bits with one thread of either process as with two.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

mpiexec=$1
flag=$2
program=${*: -1}
more=("${@:3:$#-3}")
filter='--gtest_filter=*Reproducible.PrintsItsBits/*'

# bits FIRST SECOND: what is printed with so many threads of each process; not if they have others
bits() {
  local out=$folder/$1_$2.out
  timeout 35 "$mpiexec" "$flag" 1 "${more[@]}" env OMP_NUM_THREADS="$1" "$program" "$filter" : \
    "$flag" 1 "${more[@]}" env OMP_NUM_THREADS="$2" "$program" "$filter" > "$out" 2>&1 ||
    wrong "with $1 and $2 threads:" "$(tail -n 40 "$out")"
  sed -n "s/^reproducible: threads $1 $2: //p" "$out" > "$folder/$1_$2"
  [ -s "$folder/$1_$2" ] || wrong "nothing is printed of $1 and $2 threads:" "$(tail -n 20 "$out")"
}

bits 1 1
for threads in '1 2' '2 1'; do
  # shellcheck disable=SC2086
  bits $threads
  equal "bits with $threads threads" "$(cat "$folder/${threads/ /_}")" "$(cat "$folder/1_1")"
done
exit $failed
