#!/bin/bash
# bundle_run_test.sh RUN: the bundle's run.sh tells what passed from what did not, side by side too,
# and splits test programs under the sanitizer.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/bin" "$folder/tools"
cp "$1" "$folder/run.sh"
echo "0.1 abc" > "$folder/version"

# add KIND NAME EXPECT BODY: a program of the bundle.
add() {
  printf '#!/bin/bash\n%s\n' "$4" > "$folder/bin/tessera_$2"
  chmod +x "$folder/bin/tessera_$2"
  printf '%s\ttessera_%s\t%s\n' "$1" "$2" "$3" >> "$folder/programs.tsv"
}
# shellcheck disable=SC2016
suites='if [ "${1:-}" = --gtest_list_tests ]; then
  printf "%s\n" "Typed/double_OpenMP.  # TypeParam = a.b" "  Holds" "Typed/double_Cuda.  # TypeParam = a.b" \
    "  Holds" "Plain." "  Holds"
  exit
fi
echo "arguments: $*"'
add test test_good '' "$suites"
add test test_bad '' "$suites"$'\necho "[  FAILED  ] Plain.Holds"; exit 3'
add test test_broken '' 'exit 127'
add example example_silent 'says this' 'echo something else'
add perf perf_quick 'speed' 'touch perf_runs; sleep 1; rm perf_runs; echo speed'
add app beside_perf '' '[ ! -e perf_runs ]'
add app late '' 'sleep 60'
# A sanitizer that runs what it is given, after its four own arguments.
# shellcheck disable=SC2016
printf '#!/bin/bash\nshift 4\nexec "$@"\n' > "$folder/tools/compute-sanitizer"
chmod +x "$folder/tools/compute-sanitizer"

failed=0
# expect CODE RESULTS ARGUMENT...: run.sh returns CODE, and results.json holds `name=result` of all.
expect() {
  local code=$1 results=$2 found=0 there
  shift 2
  PATH=$folder/tools:$PATH "$folder/run.sh" --out "$folder/out" "$@" > "$folder/log" 2>&1 || found=$?
  there=$(sed -n 's/.*"name": "\([^"]*\)", "result": "\([^"]*\)".*/\1=\2/p' "$folder/out/results.json" |
    paste -sd' ')
  if [ "$found" != "$code" ] || [ "$there" != "$results" ]; then
    echo "run.sh $*: returned $found, '$there'; expected $code, '$results'"
    cat "$folder/log"
    failed=1
  fi
}

expect 0 "test_good=passed perf_quick=passed" --only good\|quick
expect 1 "test_good=passed test_bad=exit 3" --only 'test_(good|bad)'
expect 0 "perf_quick=passed beside_perf=passed" --only perf --jobs 4
expect 1 "example_silent=output perf_quick=passed" --only silent\|quick --jobs 4
expect 1 "late=timeout" --only late --timeout 1
expect 1 "test_good.Typed-double_Cuda=passed test_good.Plain=passed test_bad.Typed-double_Cuda=exit 3 \
test_bad.Plain=exit 3 test_broken=exit 127" --kind test --sanitize memcheck --jobs 3
grep -q 'filter=Typed/double_Cuda\.\*' "$folder/out/test_good.Typed-double_Cuda.log" ||
  { echo "the suite was not picked"; failed=1; }
for wrong in "--jobs 0" "--sanitize leakcheck" "--only" "--unknown"; do
  found=0
  # shellcheck disable=SC2086
  "$folder/run.sh" $wrong > "$folder/log" 2>&1 || found=$?
  [ $found = 64 ] || { echo "run.sh $wrong: returned $found, expected 64"; failed=1; }
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
  echo "stopped: returned $found"
  cat "$folder/log"
  failed=1
fi
exit $failed
