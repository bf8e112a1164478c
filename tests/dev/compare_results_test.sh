#!/bin/bash
# compare_results_test.sh SCRIPT: what differs between two commands is found and said, what cannot be
# compared is counted, and an interrupted run leaves its record. The commands are stand-ins.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

script=$1
mkdir "$folder/matrices"

# command NAME: a tessera that does what $folder/NAME.json says for a problem or matrix: "iterations",
# "history", "x", "code", "status", "sleep_s"; a list of x is for one run after another.
command_named() {
  cat > "$folder/$1" << END
#!/usr/bin/env python3
import json, os, pathlib, sys, time
here = pathlib.Path("$folder")
words = sys.argv[1:]
with open(here / "calls", "a") as calls:
    print("$1", os.environ.get("OMP_NUM_THREADS"), *[w.replace(str(here), "") for w in words], file=calls)
if words[0] == "gallery":
    print((here / "$1.gallery").read_text(), end="")
    sys.exit(0)
name = words[words.index("--problem") + 1] if "--problem" in words else pathlib.Path(words[1]).read_text().strip()
does = json.loads((here / "$1.json").read_text()).get(name, {})
time.sleep(does.get("sleep_s", 0))
if does.get("code", 0) >= 64:
    print("tessera: refused", file=sys.stderr)
    sys.exit(does["code"])
x = does.get("x", "1.5 -2")
if isinstance(x, list):
    count = here / ("$1." + name + ".count")
    at = len(count.read_text()) if count.exists() else 0
    count.write_text("#" * (at + 1))
    x = x[at % len(x)]
numbers = x.split()
pathlib.Path(words[words.index("-o") + 1]).write_text(
    "%%MatrixMarket matrix array real general\n% by $1\n{} 1\n".format(len(numbers)) + "\n".join(numbers) + "\n")
pathlib.Path(words[words.index("--report") + 1]).write_text(json.dumps({
    "status": does.get("status", "converged"), "iterations": does.get("iterations", 3),
    "true_relative_residual": 1e-9, "residual_history": does.get("history", [1.0, 0.5]),
    "levels": [{"rows": 4, "entries": 8}], "problem": {"rows": 2},
    "build": {"commit": "of_$1"}, "setup_ms": time.monotonic()}))
sys.exit(does.get("code", 0))
END
  chmod +x "$folder/$1"
  echo '{}' > "$folder/$1.json"
  printf 'poisson2d   grid\ngraph   edges\n' > "$folder/$1.gallery"
}
command_named old
command_named new

# expect CODE OUTPUT ARGUMENT...
expect() {
  local code=$1 lines=$2
  shift 2
  : > "$folder/calls"
  rm -f "$folder"/*.count
  gives "$code" "$lines" python3 "$script" "$folder/old" "$folder/new" --out "$folder/record.json" "$@"
}
# record PYTHON: an assertion on the record r
record() {
  python3 -c "import json, sys; r = json.load(open(sys.argv[1])); assert $1, r" "$folder/record.json" || failed=1
}

# The same, with each side's names of parameters and of the problems that both have.
printf 'poisson2d   grid\nunstructured_elasticity3d   x\ngraph   edges\n' > "$folder/old.gallery"
printf 'poisson2d   grid\nunheard_of   x\nunstructured_elasticity3da mesh\n' > "$folder/new.gallery"
expect 0 'graph: in the gallery of before alone
unheard_of: in the gallery of now alone
4 solves by each: 4 the same, 0 different' \
  --threads 2 --rename amg.old=amg.new --rename solver.limit=solver.time_limit_s \
  --set 'amg.new.deep=1 amg.newer=2' --set 'a=1 | b="2 3"'
calls='old 2 gallery
new 2 gallery
old 2 --problem poisson2d --n 64 -p solver.limit=20 -p amg.old.deep=1 -p amg.newer=2
new 2 --problem poisson2d --n 64 -p solver.time_limit_s=20 -p amg.new.deep=1 -p amg.newer=2
old 2 --problem poisson2d --n 64 -p solver.limit=20 -p a=1
new 2 --problem poisson2d --n 64 -p solver.time_limit_s=20 -p b=2 3'
there=$(grep -v elasticity "$folder/calls" | sed -E 's/ solve / /; s/ --rhs random --threads 2//; s/ --report .*//')
equal "the commands ran as" "$there" "$calls"
record "r['before']['commit'] == 'of_old' and r['now']['commit'] == 'of_new'"
record "r['run']['threads'] == '2' and r['counts']['same'] == 4 and not r['interrupted']"

# Differences: the last bit of x, a zero's sign, the history, iterations, and an exit code.
command_named old
command_named new
alone=(--set '' --gallery)
echo '{"poisson2d": {"x": "1.5000000000000002 -2"}}' > "$folder/new.json"
expect 1 'poisson2d (defaults): x in 1 of 2 numbers, by up to 2.2e-16 (largest 2.0e+00)
2 solves by each: 1 the same, 1 different' "${alone[@]}" poisson2d graph
record "r['results'][0]['differences'] and r['results'][1]['verdict'] == 'same'"
echo '{"poisson2d": {"x": "1.5 0"}}' > "$folder/old.json"
echo '{"poisson2d": {"x": "1.5 -0"}}' > "$folder/new.json"
expect 1 'poisson2d (defaults): x in 1 of 2 numbers, by up to 0.0e+00 (largest 1.5e+00)
1 solves by each: 0 the same, 1 different' "${alone[@]}" poisson2d
echo '{"poisson2d": {"x": "1.50 0", "iterations": 4, "history": [1.0, 0.25, 0.1]}}' > "$folder/new.json"
expect 1 'poisson2d (defaults): iterations 3, now 4; residual history from entry 1 of 2 and 3
1 solves by each: 0 the same, 1 different' "${alone[@]}" poisson2d
echo '{"poisson2d": {"code": 78}}' > "$folder/new.json"
expect 1 'poisson2d (defaults): exit code 0, now 78 (tessera: refused)
1 solves by each: 0 the same, 1 different' "${alone[@]}" poisson2d

# Nothing is learnt where BEFORE does not repeat itself, from limits of time, and where both refuse.
echo '{"poisson2d": {"x": ["1 2", "1 3"]}, "graph": {"code": 78}, "slow": {"sleep_s": 30},
  "limited": {"status": "time_limit", "code": 2}}' > "$folder/old.json"
echo '{"graph": {"code": 78}, "limited": {"iterations": 2}}' > "$folder/new.json"
expect 2 'poisson2d (defaults): x in 2 of 2 numbers, by up to 4.0e+00 (largest 2.0e+00) [not repeated by BEFORE itself]
4 solves by each: 0 the same, 0 different, 1 not repeated by BEFORE itself, 2 beyond the limit of time, 1 refused by both' \
  "${alone[@]}" poisson2d graph slow limited --process-limit-s 2

# What a wrapper started ends with it.
cat > "$folder/wrapped" << END
#!/bin/bash
"$folder/old" "\$@" & echo \$! >> "$folder/pids"; wait
END
chmod +x "$folder/wrapped"
python3 "$script" "$folder/wrapped" "$folder/new" "${alone[@]}" slow --process-limit-s 2 > "$folder/said" || true
pid=$(head -n 1 "$folder/pids")
if kill -0 "$pid" 2> /dev/null && ! grep -q '^State:.*Z' "/proc/$pid/status"; then
  wrong "process $pid is left behind: $(cat "$folder/said")"
fi

# A folder's matrices, packed or not; those that are not square are left out.
printf 'name\trows\tcols\tnnz_expanded\nplain\t2\t2\t4\nwide\t2\t3\t4\nlarge\t9\t9\t2000000\nzipped\t2\t2\t4\n' \
  > "$folder/matrices/INDEX.tsv"
for name in plain wide large; do echo "$name" > "$folder/matrices/$name.mtx"; done
echo zipped | gzip > "$folder/matrices/zipped.mtx.gz"
python3 -c 'import lzma, sys; lzma.open(sys.argv[1], "wt").write("xzipped\n")' "$folder/matrices/xzipped.mtx.xz"
echo '{"zipped": {"iterations": 9}, "xzipped": {"iterations": 8}}' > "$folder/new.json"
expect 1 'zipped (defaults): iterations 3, now 9
xzipped (defaults): iterations 3, now 8
3 solves by each: 1 the same, 2 different' "${alone[@]}" --matrices "$folder/matrices"
expect 2 "0 solves by each: 0 the same, 0 different
compare_results: $folder/matrices has no wide to solve" "${alone[@]}" --matrices "$folder/matrices" --only wide

# An interrupted run has its record.
echo '{"graph": {"sleep_s": 60}}' > "$folder/new.json"
echo '{}' > "$folder/old.json"
rm -f "$folder/record.json"
: > "$folder/calls"
python3 "$script" "$folder/old" "$folder/new" --out "$folder/record.json" "${alone[@]}" poisson2d graph \
  > "$folder/said" 2>&1 &
for _ in $(seq 300); do
  if grep -q '^new.*graph' "$folder/calls"; then break; fi
  sleep 0.1
done
kill -TERM $!
found=0
wait $! || found=$?
if [ "$found" != 2 ] || ! grep -q 'interrupted$' "$folder/said"; then
  wrong "interrupted: returned $found and printed $(cat "$folder/said")"
fi
record "r['interrupted'] and [s['system'] for s in r['results']] == ['poisson2d']"
exit $failed
