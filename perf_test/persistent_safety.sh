#!/bin/sh
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
# Solves within one launch, many of them, by one process and by two at once, and under
# compute-sanitizer where that is found. Ends with 0 where all went well.
#   usage: persistent_safety.sh PATH/TO/tessera_test_kernels_persistent [SOLVES]
# TYPE: one of the program's, or '*' for all; without it, double on the device. LIMIT_S: of each run
# of many solves. TOOLS: of compute-sanitizer.
program=${1:?"the path of tessera_test_kernels_persistent is missing"}
solves=${2:-10000}
type=${TYPE:-$("$program" --gtest_list_tests |
  sed -nE 's,^PersistentSafetyTest/(double_(Cuda|HIP)_32)\..*,\1,p' | head -n 1)}
type=${type:-*}
failed=0

report() {
  echo "$1: exit code $2"
  [ "$2" -eq 0 ] || failed=1
}
# 124 is a hang.
many() {
  TESSERA_SOLVES=$solves timeout "${LIMIT_S:-900}" "$program" --gtest_brief=1 \
    --gtest_filter="*SafetyTest/$type.ManySolvesAllEndWell"
}

many
report "$solves solves of $type" $?

many &
first=$!
many &
second=$!
wait "$first"
report "the first of two processes" $?
wait "$second"
report "the second of two processes" $?

timeout 600 "$program" --gtest_brief=1 \
  --gtest_filter="*SafetyTest/$type.*:PersistentEndTest/$type.*-*.ManySolvesAllEndWell"
report "systems out of the ordinary" $?

# As many as reach each shape of group, preconditioner and precision of tiles by both methods: the
# tools slow a kernel down a hundred times.
if command -v compute-sanitizer >/dev/null; then
  for tool in ${TOOLS:-synccheck racecheck memcheck}; do
    TESSERA_SOLVES=28 timeout "${LIMIT_S:-900}" compute-sanitizer --tool "$tool" --error-exitcode 9 \
      "$program" --gtest_filter="*SafetyTest/$type.ManySolvesAllEndWell"
    report "$tool" $?
  done
else
  echo "compute-sanitizer is not installed: not run"
fi
exit $failed
