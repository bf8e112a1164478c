#!/bin/bash
# tessera_mpi_test.sh TESSERA PROGRAM MPIEXEC FLAG [ARGUMENT...]: the command over several processes beside the one
# of one process: files in shares, exit codes, which are those of all processes, and what it writes.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

tessera=$1
program=$2
mpiexec=$3
flag=$4
shift 4
more=("$@")
cd "$folder"

# on NUMBER ARGUMENT...: `tessera-mpi solve` on so many processes, ended where it hangs; what it says is in `out`
on() {
  local number=$1
  shift
  timeout 120 "$mpiexec" "$flag" "$number" "${more[@]}" "$program" "$@" > out 2>&1
}
# expect NUMBER CODE TEXT ARGUMENT...: it ends with CODE and says TEXT, once
expect() {
  local number=$1 code=$2 text=$3 status=0
  shift 3
  on "$number" "$@" || status=$?
  [ $status = "$code" ] || wrong "tessera-mpi $* on $number: ended with $status, expected $code" "$(cat out)"
  [ "$(grep -c -e "$text" out)" = 1 ] || wrong "tessera-mpi $* on $number: does not say '$text' once" "$(cat out)"
}
# number_of KEY FILE: the first number of that name in a report
number_of() { grep -m 1 -o -E "\"$1\": [0-9]+" "$2" | grep -o -E '[0-9]+'; }
# holds FILE PATTERN
holds() { grep -q -e "$2" "$1" || wrong "$1 lacks $2:" "$(cat "$1")"; }
# matrix NAME KIND LINE...: a file of Matrix Market
matrix() {
  printf '%%%%MatrixMarket matrix %s\n' "$2" > "$1"
  printf '%s\n' "${@:3}" >> "$1"
}
# same ARGUMENT...: as many iterations, rows and entries on any number of processes as the command `tessera` takes,
# and x is the same but for its last digits
same() {
  local number key
  "$tessera" solve "$@" -q --precision double -p solver.tolerance=1e-11 -p preconditioner=amg -p solver.name="$method" \
    --report one.json -o one.mtx > one.out 2>&1 || wrong "tessera solve $* fails" "$(cat one.out)"
  for number in "${numbers[@]}"; do
    on "$number" solve "$@" -q -p solver.tolerance=1e-11 -p preconditioner=amg -p solver.name="$method" --report some.json -o some.mtx || {
      wrong "tessera-mpi solve $* on $number fails" "$(cat out)"
      continue
    }
    for key in iterations rows entries num_rhs; do
      equal "$key of $* on $number" "$(number_of $key some.json)" "$(number_of $key one.json)"
    done
    paste -d ' ' one.mtx some.mtx | awk -v what="$* on $number" 'NR == 2 && ($1 != $3 || $2 != $4) { exit 1 }
      NR > 2 { d = $1 - $2; if (d < 0) d = -d; s = $1 < 0 ? -$1 : $1; if (s > most) most = s; if (d > worst) worst = d }
      END { if (worst > 1e-7 * most) { print what ": x differs by " worst " of " most; exit 1 } }' ||
      wrong "x of $* on $number is not that of one process"
  done
}

numbers=(1 2 3 4 8)
method=cg
"$tessera" gallery poisson2d --n 40 -o sorted.mtx --rhs b.mtx > /dev/null
"$tessera" gallery unstructured3d --n 9 -o any.mtx > /dev/null
"$tessera" gallery elasticity3d --n 4 -o elastic.mtx --near-nullspace modes.mtx --coordinates places.mtx > /dev/null
"$tessera" gallery convdiff2d --n 30 -o flow.mtx > /dev/null
"$tessera" gallery poisson2d --n 40 -o binary.tsr > /dev/null
gzip -k any.mtx
# The lower half alone, its lines in no order.
awk 'NR == 1 { print "%%MatrixMarket matrix coordinate real symmetric"; next } !sized { n = $1; sized = 1; next }
  $1 >= $2 { lines[++count] = $0 }
  END { print n, n, count; for (i = 0; i < count; ++i) print lines[(i * 7919) % count + 1] }' any.mtx > half.mtx
same sorted.mtx --rhs b.mtx
numbers=(1 3)
same binary.tsr
numbers=(2 8)
same any.mtx.gz --rhs random --seed 7
same half.mtx --nrhs 3
same elastic.mtx --coordinates places.mtx
same --problem poisson3d --n 14 --rhs random
same --problem graph --n 30
method=bicgstab
numbers=(4)
same flow.mtx --rhs ones -p amg.smoother.type=l1_jacobi # open, one process takes ILU
numbers=(3)
method=cg
same elastic.mtx --near-nullspace modes.mtx --block-size 3

# The shares, by rows and by entries: an arrow's first row has a third of all.
{
  printf '%%%%MatrixMarket matrix coordinate real general\n600 600 1798\n'
  for ((i = 1; i <= 600; ++i)); do
    echo "$i $i 1000"
    ((i == 1)) || printf '1 %d 1\n%d 1 1\n' "$i" "$i"
  done
} > arrow.mtx
shares() { sed -n '/"processes": \[/,/\]/p' "$1" | grep -o -E "\"$2\": [0-9]+" | grep -o -E '[0-9]+' | paste -s -d ' '; }
on 4 solve arrow.mtx --report rows.json --block-size 1 || wrong 'arrow.mtx' "$(cat out)"
equal 'equal rows' "$(shares rows.json rows)" '150 150 150 150'
on 4 solve arrow.mtx --report entries.json --block-size 1 --balance entries || wrong 'arrow.mtx' "$(cat out)"
most=$(shares entries.json entries | tr ' ' '\n' | sort -n | tail -n 1)
((most < 800)) || wrong "--balance entries leaves a process with $most of 1798 entries"
equal 'iterations' "$(number_of iterations entries.json)" "$(number_of iterations rows.json)"

# One row on eight processes, none on three, fewer rows than processes.
matrix one.mtx 'coordinate real general' '1 1 1' '1 1 4'
matrix none.mtx 'coordinate real general' '0 0 0'
matrix three.mtx 'coordinate real symmetric' '3 3 5' '1 1 2' '2 2 2' '3 3 2' '2 1 -1' '3 2 -1'
expect 8 0 'converged, ' solve one.mtx -o x.mtx
[ "$(tail -n 1 x.mtx)" = 0.25 ] || wrong 'x of one row' "$(cat x.mtx)"
expect 3 0 'converged, ' solve none.mtx -o x.mtx
expect 8 0 'converged, ' solve three.mtx -o x.mtx
expect 4 0 'converged, ' solve three.mtx --balance entries

# A row for each process, levels with their processes, and reports.
expect 3 0 '^ *2  *3[0-9]* ' solve sorted.mtx -p gather_rows=100 --report r.json --html r.html --log r.log
holds out '^process  *rows  *entries  *ghost rows'
holds out ' on 3 processes'
holds out '3 processes of '
holds r.log 'converged, '
holds r.html '<h2>Processes</h2>'
holds r.json '"ghost_rows": '
holds r.json '"processes": 3'
holds r.json '"command_line": '
python3 -c 'import json; r = json.load(open("r.json")); assert sum(p["rows"] for p in r["processes"]) == r["problem"]["rows"] == 1600
assert r["levels"][0]["processes"] == 3 and r["levels"][-1]["processes"] == 1 and "device_pointers" not in r["device"]' || wrong 'the report is not as expected'
# Apart from what MPI may say on the other stream.
timeout 120 "$mpiexec" "$flag" 2 "${more[@]}" "$program" solve sorted.mtx -q --report - > report.json 2> errors ||
  wrong 'quiet' "$(cat report.json errors)"
python3 -c 'import json; assert json.load(open("report.json"))["status"] == "converged"' ||
  wrong 'a report on standard output' "$(cat report.json errors)"
expect 2 0 'times are medians of 3 runs' solve sorted.mtx --repeat 3
expect 2 0 'mpirun -n 4 tessera-mpi solve matrix.mtx --rhs' solve --help
expect 2 0 '^tessera ' --version
expect 3 0 'converged, ' solve - < half.mtx
expect 3 0 'converged, ' solve three.mtx --device host --messages device --report p.json # on a host any MPI takes the pointers
holds p.json '"device_pointers": true'

# Rows by the graph: the same x in the file's order, fewer entries in others' columns where the order of the rows is a
# poor one, and parts as even as PT-Scotch makes them.
if on 2 solve three.mtx --partition graph; then
  python3 - << 'END'
import random
random.seed(3)
n = 900
place = list(range(n))
random.shuffle(place)
entries = []
for i in range(30):
    for j in range(30):
        here = place[30 * i + j]
        entries.append((here, here, 4.0 + 0.001 * here))
        if i + 1 < 30: entries.append((max(here, place[30 * i + j + 30]), min(here, place[30 * i + j + 30]), -1.0))
        if j + 1 < 30: entries.append((max(here, place[30 * i + j + 1]), min(here, place[30 * i + j + 1]), -1.0))
with open("shuffled.mtx", "w") as f:
    f.write("%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n" % (n, n, len(entries)))
    f.writelines("%d %d %r\n" % (i + 1, j + 1, v) for i, j, v in entries)
# Pieces without couplings between them, a row by itself among them, and couplings one way only.
with open("pieces.mtx", "w") as f:
    f.write("%%MatrixMarket matrix coordinate real general\n41 41 80\n")
    for p in range(4):
        for i in range(10):
            f.write("%d %d 3\n" % (10 * p + i + 1, 10 * p + i + 1))
            if i < 9: f.write("%d %d -1\n" % (10 * p + i + 1, 10 * p + i + 2))
    f.write("41 41 2\n" + "".join("%d 10 0.5\n" % i for i in (20, 30, 40)))
END
  # as_in_order PERCENT ARGUMENT...: the solution of the same processes in the order of the rows, in about as many
  # iterations; PERCENT is the most that the cut may be of the one in order
  as_in_order() {
    local percent=$1 number
    shift
    for number in "${numbers[@]}"; do
      on $number solve "$@" -q -p solver.tolerance=1e-11 --report order.json -o order.mtx || wrong "$* on $number" "$(cat out)"
      on $number solve "$@" -q -p solver.tolerance=1e-11 --partition graph --report graph.json -o graph.mtx ||
        wrong "--partition graph $* on $number" "$(cat out)"
      python3 - $number $percent << 'END' || wrong "--partition graph $* on $number is not as in order"
import json, sys
number, percent = int(sys.argv[1]), float(sys.argv[2])
graph, order = (json.load(open(name + ".json")) for name in ("graph", "order"))
assert abs(graph["iterations"] - order["iterations"]) <= 2 + order["iterations"] // 10, (graph["iterations"], order["iterations"])
cut, before = graph["problem"]["cut"], graph["problem"]["cut_in_order"]
print(number, "processes: cut", cut, "of", before, "iterations", graph["iterations"], order["iterations"])
assert cut <= percent / 100 * before, (cut, before)
assert "partition" not in order["problem"] and graph["problem"]["partition"] == "graph"
rows = [p["rows"] for p in graph["processes"]] if number > 1 else [graph["problem"]["rows"]]
assert sum(rows) == graph["problem"]["rows"]
if rows[0] and sum(rows) > 500: assert max(rows) <= 1.1 * sum(rows) / number, rows
x, y = ([l for l in open(name + ".mtx") if not l.startswith("%")][1:] for name in ("graph", "order"))
x, y = [float(v) for v in x], [float(v) for v in y]
assert len(x) == len(y) and max(abs(a - b) for a, b in zip(x, y)) <= 1e-7 * max(map(abs, y))
END
    done
  }
  # The same parts whenever it is asked.
  for run in 1 2 3; do
    on 5 solve any.mtx.gz -q --partition graph --report graph.json || wrong "--partition graph any.mtx.gz on 5" "$(cat out)"
    python3 -c 'import json; r = json.load(open("graph.json")); print(r["problem"]["cut"], [p["rows"] for p in r["processes"]])' > parts.$run
  done
  cmp -s parts.1 parts.2 && cmp -s parts.1 parts.3 || wrong "--partition graph gives other parts from run to run" "$(cat parts.[123])"
  numbers=(1 2 3 4)
  as_in_order 30 shuffled.mtx --rhs random
  numbers=(4)
  as_in_order 30 shuffled.mtx --balance entries --nrhs 3 --rhs random
  as_in_order 110 any.mtx.gz --rhs random --seed 7
  as_in_order 110 elastic.mtx --coordinates places.mtx
  numbers=(2)
  as_in_order 110 elastic.mtx --near-nullspace modes.mtx --rhs random
  as_in_order 110 flow.mtx
  numbers=(3)
  as_in_order 110 --problem poisson2d --n 40
  numbers=(2 3 4)
  as_in_order 110 pieces.mtx -p preconditioner=jacobi
  expect 4 0 'entries in columns of other processes, in the order of the rows' solve shuffled.mtx --partition graph
  expect 8 0 'converged, ' solve three.mtx --partition graph -o x.mtx
  expect 3 0 'converged, ' solve none.mtx --partition graph -o x.mtx
  expect 3 0 'converged, ' solve binary.tsr --partition graph
  expect 2 65 'not a multiple' solve sorted.mtx --block-size 7 --partition graph
else
  expect 2 64 'was built without PT-Scotch' solve three.mtx --partition graph
fi
expect 3 0 'converged, ' solve three.mtx --partition order
expect 3 64 'expected one of: order, graph' solve three.mtx --partition metis

# A limit of memory that each process has: what is forecast, what is given up for it, and what nothing fits.
max_forecast() { python3 -c 'import json, sys; print(max(p["peak_forecast_bytes"] for p in json.load(open("r.json"))["processes"]) * float(sys.argv[1]) / 2**20)' "$1"; }
expect 3 0 '^process .*forecast$' solve --problem poisson3d --n 24 -p forecast_memory=true -p preconditioner=jacobi --report r.json
holds r.json '"peak_forecast_bytes": [0-9]'
expect 3 0 'gives up multigrid' solve --problem poisson3d --n 24 -p "max_memory_mb=$(max_forecast 1.05)"
expect 3 5 'on process [0-2] of 3' solve --problem poisson3d --n 24 -p "max_memory_mb=$(max_forecast 0.3)"
expect 3 0 'converged, ' solve --problem poisson3d --n 24 -p max_memory_mb=1000 --report r.json
python3 -c 'import json; r = json.load(open("r.json")); assert r["peak_forecast_bytes"] == sum(p["peak_forecast_bytes"] for p in r["processes"])
assert r["setup_peak_bytes"] <= r["setup_forecast_bytes"] * 1.1' || wrong 'forecasts are not those of all processes'
# Of factors, which process 0 has, where the command has them.
factored=(solve --problem poisson2d --n 60 -p preconditioner=direct)
if on 3 "${factored[@]}"; then
  expect 3 0 '^process .*forecast$' "${factored[@]}" -p forecast_memory=true --report r.json
  python3 -c 'import json; p = [p["peak_forecast_bytes"] for p in json.load(open("r.json"))["processes"]]
assert len(p) == 3 and p[0] > 1.5 * max(p[1:]), p' || wrong 'process 0 is not forecast to have factors'
  enough=$(max_forecast 1.05) half=$(max_forecast 0.5) little=$(max_forecast 0.3)
  expect 3 0 'factors on process 0: ' "${factored[@]}" -p "max_memory_mb=$enough"
  expect 3 5 'what was asked needs more on process 0 of 3: tessera::' "${factored[@]}" -p "max_memory_mb=$half"
  expect 3 5 'gathered_rows takes' "${factored[@]}" -p "max_memory_mb=$little"
fi

# How solves end.
expect 3 2 'NOT converged: the iteration limit' solve sorted.mtx -p solver.max_iterations=2 -p gather_rows=10
expect 3 2 'NOT converged: the time limit' solve sorted.mtx -p solver.time_limit_s=1e-9 -p solver.tolerance=1e-14
matrix indefinite.mtx 'coordinate real symmetric' '4 4 4' '1 1 1' '2 2 -1' '3 3 1' '4 4 -1'
expect 2 4 'BREAKDOWN: cg' solve indefinite.mtx -p preconditioner=none -p solver.name=cg

# What is wrong is said once, by whoever found it, and ends all.
head -n 60 any.mtx > cut.mtx
head -c 2000 any.mtx.gz > cut.mtx.gz
head -c 5000 binary.tsr > cut.tsr
{ cat binary.tsr; } > damaged.tsr
printf '\x01' | dd of=damaged.tsr bs=1 seek=30000 conv=notrunc 2> /dev/null
awk 'NR == 4000 { $3 = "nan" } { print }' any.mtx > nan.mtx
matrix complex.mtx 'coordinate complex general' '1 1 1' '1 1 1 0'
matrix wide.mtx 'coordinate real general' '2 3 2' '1 1 1' '2 3 1'
matrix twice.mtx 'coordinate real general' '3 3 4' '1 1 1' '2 2 1' '3 3 1' '3 3 1'
for number in 1 3; do
  expect $number 65 'cut.mtx: the size line promises' solve cut.mtx
  expect $number 65 'cut.mtx.gz: damaged gzip: it is truncated' solve cut.mtx.gz
  expect $number 65 'cut.tsr: the header promises' solve cut.tsr
  expect $number 65 'damaged.tsr: it is damaged' solve damaged.tsr
  expect $number 65 'nan.mtx:4000: bad value' solve nan.mtx
  expect $number 65 'complex.mtx:1: ' solve complex.mtx
  expect $number 65 'wide.mtx: the matrix is 2 x 3' solve wide.mtx
  expect $number 65 'twice.mtx: entry (3, 3), counted from 1, stands there twice' solve twice.mtx
done
expect 8 65 'nan.mtx:4000: bad value' solve nan.mtx --balance entries
expect 3 0 'converged, ' solve twice.mtx --sum-duplicates
expect 3 65 'no_such.mtx' solve no_such.mtx
expect 3 65 'no_such_rhs' solve one.mtx --rhs no_such_rhs
expect 3 65 '1600 rows; expected 1' solve one.mtx --rhs b.mtx
expect 3 65 'not a multiple' solve sorted.mtx --block-size 7
expect 3 64 'a matrix file or --problem NAME is needed' solve
expect 3 64 'did you mean' solve --problem poison2d
expect 3 64 'did you mean' solve one.mtx --balence rows
expect 3 64 'expected one of: rows, entries' solve one.mtx --balance columns
expect 3 64 'expected one of: host, device' solve one.mtx --messages pinned
expect 3 64 'shared out by rows' solve --problem poisson2d --n 5 --balance entries
expect 3 64 'would overwrite' solve one.mtx -o one.mtx
expect 3 64 'required' --log one
expect 3 74 'cannot' solve one.mtx -o none/x.mtx
expect 3 78 "did you mean 'solver.tolerance'" solve one.mtx -p solver.tolerence=1
expect 3 0 'converged' solve --problem poisson2d --n 120 -p amg.cycle=k
expect 3 78 'no such device' solve one.mtx --device abacus
if [ -c /dev/full ]; then
  expect 3 74 '/dev/full' solve sorted.mtx -q -o /dev/full
fi

# A signal to one process ends the solve on all, which say so and write x; and mpirun's end is theirs.
endless=(solve --problem poisson2d --n 300 -p preconditioner=none -p solver.name=cg -p solver.tolerance=1e-300
  -p solver.max_iterations=100000000 -o x.mtx --report r.json)
# stopped RECEIVER: sends SIGINT once the solve runs; the status of all
stopped() {
  local status=0 receiver started
  rm -f x.mtx r.json
  env --default-signal=INT "$mpiexec" "$flag" 3 "${more[@]}" "$program" "${endless[@]}" > out 2>&1 &
  started=$!
  until grep -q '^method' out || ! kill -0 $started 2> /dev/null; do sleep 0.05; done
  receiver=$started
  [ "$1" = mpirun ] || receiver=$(pgrep -n -f "^$program solve --problem poisson2d --n 300" || true)
  [ -n "$receiver" ] || wrong 'there is no process to be stopped' "$(cat out)"
  kill -INT "$receiver"
  wait $started || status=$?
  echo $status
}
equal 'SIGINT to one process' "$(stopped process)" 2
holds r.json '"status": "interrupted"'
equal 'lines of x' "$(wc -l < x.mtx)" $((300 * 300 + 2))
[ "$(stopped mpirun)" != 0 ] || wrong 'SIGINT to mpirun: ended with 0'
for ((i = 0; i < 100; ++i)); do
  pgrep -f "^$program solve --problem poisson2d --n 300" > /dev/null || break
  sleep 0.1
done
((i < 100)) || wrong 'SIGINT to mpirun: processes go on 10 s later'
exit $failed
