#!/bin/bash
# bundle_run_test.sh RUN: the bundle's run.sh tells what passed from what did not, side by side too,
# and divides test programs under the sanitizer.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

mkdir -p "$folder/bin"
cp "$1" "$folder/run.sh"
echo "0.1 abc" > "$folder/version"

# add KIND NAME EXPECT BODY: a program of the bundle.
add() {
  printf '#!/bin/bash\n%s\n' "$4" > "$folder/bin/tessera_$2"
  chmod +x "$folder/bin/tessera_$2"
  printf '%s\ttessera_%s\t%s\n' "$1" "$2" "$3" >> "$folder/programs.tsv"
}
# shellcheck disable=SC2016
says='echo "arguments: $* part ${GTEST_SHARD_INDEX:-} of ${GTEST_TOTAL_SHARDS:-} share $TESSERA_TEST_SHARE"
echo "gpu ${CUDA_VISIBLE_DEVICES:-any}"; sleep 0.1'
add test test_good '' "$says"
add test test_bad '' "$says"$'\necho "Note: filter = Plain.AnError"; echo "[  FAILED  ] Plain.Holds"; exit 3'
add test test_broken '' 'exit 127'
add example example_silent 'says this' 'echo something else'
add perf perf_quick 'speed' 'touch perf_runs; sleep 1; rm perf_runs; echo speed'
add app beside_perf '' '[ ! -e perf_runs ]'
add app late '' 'sleep 60'
# A sanitizer that runs what it is given, after its four own arguments.
tool compute-sanitizer << 'END'
shift 4
exec "$@"
END
# A machine of two GPUs.
tool nvidia-smi <<< 'echo One; echo Two'

# expect CODE RESULTS ARGUMENT...: run.sh returns CODE, and results.json holds `name=result` of all.
expect() {
  local code=$1 results=$2 found=0 there
  shift 2
  PATH=$folder/tools:$PATH "$folder/run.sh" --out "$folder/out" "$@" > "$folder/log" 2>&1 || found=$?
  there=$(sed -n 's/.*"name": "\([^"]*\)", "result": "\([^"]*\)".*/\1=\2/p' "$folder/out/results.json" |
    paste -sd' ')
  if [ "$found" != "$code" ] || [ "$there" != "$results" ]; then
    wrong "run.sh $*: returned $found, '$there'; expected $code, '$results'" "$(cat "$folder/log")"
  fi
}

expect 0 "test_good=passed perf_quick=passed" --only good\|quick
expect 1 "test_good=passed test_bad=exit 3" --only 'test_(good|bad)'
if ! grep -q 'FAILED.*Plain.Holds' "$folder/log" || grep -q AnError "$folder/log"; then
  wrong "a failed program's line does not say what failed"
fi
expect 0 "perf_quick=passed beside_perf=passed" --only perf --jobs 4
expect 1 "example_silent=output perf_quick=passed" --only silent\|quick --jobs 4
expect 1 "late=timeout" --only late --timeout 1
expect 1 "test_good=passed test_bad=exit 3 test_broken=exit 127" --kind test --sanitize memcheck
grep -q 'filter=-\*OpenMP\*:\*Serial\* part  of  share 1' "$folder/out/test_good.log" ||
  wrong "not all but the host's suites ran"
expect 1 "test_good.1of2=passed test_good.2of2=passed test_bad.1of2=exit 3 test_bad.2of2=exit 3 \
test_broken.1of2=exit 127 test_broken.2of2=exit 127" --kind test --sanitize memcheck --jobs 2 --share 8
for number in 1 2; do
  grep -q "part $((number - 1)) of 2 share 8" "$folder/out/test_good.${number}of2.log" ||
    wrong "the part or the share is wrong"
done
[ "$(cat "$folder"/out/test_*of2.log | grep '^gpu' | sort -u | paste -sd' ')" = "gpu 0 gpu 1" ] ||
  wrong "not every GPU was used"

# Three types of two tests, and a suite without types.
# shellcheck disable=SC2016
add test test_typed '' 'case $1 in
  --gtest_list_tests)
    for type in double float half; do
      printf "Sums/%s_Cuda.  # TypeParam = %s\n  OfNothing\n  OfMany\n" $type $type
    done
    printf "Plain.\n  Holds\nEach/Plain.\n  Holds/0  # GetParam() = 1\n" ;;
  *) echo "arguments: $*" ;;
esac'
expect 0 "test_typed=passed" --only typed --sanitize memcheck --types 1
[ "$(cat "$folder/out/test_typed.log")" = "arguments: --gtest_filter=-*OpenMP*:*Serial*:\
Sums/double_Cuda.OfMany:Sums/float_Cuda.OfNothing:Sums/half_Cuda.OfNothing:Sums/half_Cuda.OfMany" ] ||
  wrong "not one type of each test ran" "$(cat "$folder/out/test_typed.log")"
for wrong in "--jobs 0" "--share x" "--types 0 --sanitize memcheck" "--types 1" "--sanitize leakcheck" "--only" "--unknown"; do
  found=0
  # shellcheck disable=SC2086
  "$folder/run.sh" $wrong > "$folder/log" 2>&1 || found=$?
  [ $found = 64 ] || wrong "run.sh $wrong: returned $found, expected 64"
done

# Stopped, it ends what it began and says what did not run.
rm -rf "$folder/out"
"$folder/run.sh" --only 'late|quick' --out "$folder/out" > "$folder/log" 2>&1 &
runner=$!
until [ -e "$folder/out/late.log" ]; do
  sleep 0.1
done
kill -TERM $runner
found=0
wait $runner || found=$?
if [ $found != 1 ] || ! grep -q '"late", "result": "signal 15"' "$folder/out/results.json"; then
  wrong "stopped: returned $found" "$(cat "$folder/log")"
fi
exit $failed
