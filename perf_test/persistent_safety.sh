#!/bin/sh
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
# Solves within one launch, many of them, by one process and by two at once, and under
# compute-sanitizer where that is found. Ends with 0 where all went well.
#   usage: persistent_safety.sh PATH/TO/tessera_test_kernels_persistent [SOLVES]
program=${1:?"the path of tessera_test_kernels_persistent is missing"}
solves=${2:-10000}
failed=0

report() {
  echo "$1: exit code $2"
  [ "$2" -eq 0 ] || failed=1
}
# 124 is a hang.
many() {
  TESSERA_SOLVES=$solves timeout "${LIMIT_S:-900}" "$program" --gtest_brief=1 \
    --gtest_filter='PersistentSafetyTest/*.ManySolvesAllEndWell'
}

many
report "$solves solves of each type" $?

many &
first=$!
many &
second=$!
wait "$first"
report "the first of two processes" $?
wait "$second"
report "the second of two processes" $?

timeout 600 "$program" --gtest_brief=1 \
  --gtest_filter='PersistentSafetyTest/*-*.ManySolvesAllEndWell:PersistentEndTest/*'
report "systems out of the ordinary" $?

if command -v compute-sanitizer >/dev/null; then
  # One type, few solves: the tools slow a kernel down a hundred times.
  type=${TYPE:-double_Cuda_32}
  for tool in racecheck synccheck memcheck; do
    TESSERA_SOLVES=40 timeout 900 compute-sanitizer --tool "$tool" --error-exitcode 9 "$program" \
      --gtest_filter="PersistentSafetyTest/$type.ManySolvesAllEndWell:PersistentSafetyTest/$type.SystemsOutOfTheOrdinaryEnd"
    report "$tool" $?
  done
else
  echo "compute-sanitizer is not installed: not run"
fi
exit $failed
