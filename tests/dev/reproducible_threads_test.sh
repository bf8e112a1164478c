#!/bin/bash
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
# reproducible_threads_test.sh MPIEXEC FLAG [ARGUMENT...] PROGRAM: with `reproducible` solves by two processes have the
# same bits with one thread of the second process as with two.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

mpiexec=$1
flag=$2
program=${*: -1}
more=("${@:3:$#-3}")
filter='--gtest_filter=*Reproducible.PrintsItsBits/*'

# bits THREADS: what is printed with so many threads of the second process; not if it has others
bits() {
  timeout 50 "$mpiexec" "$flag" 1 "${more[@]}" env OMP_NUM_THREADS=1 "$program" "$filter" : \
    "$flag" 1 "${more[@]}" env OMP_NUM_THREADS="$1" "$program" "$filter" > "$folder/$1.out" 2>&1 ||
    wrong "with 1 and $1 threads:" "$(tail -n 40 "$folder/$1.out")"
  sed -n "s/^reproducible: threads 1 $1: //p" "$folder/$1.out" > "$folder/$1"
  [ -s "$folder/$1" ] || wrong "nothing is printed of 1 and $1 threads:" "$(tail -n 20 "$folder/$1.out")"
}

bits 1
bits 2
equal "bits with 1 and 2 threads" "$(cat "$folder/2")" "$(cat "$folder/1")"
exit $failed
