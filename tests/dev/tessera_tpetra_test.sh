#!/bin/bash
# tessera_tpetra_test.sh PROGRAM MPIEXEC FLAG NUMBER...: the command on the processes that MPIEXEC
# starts, its exit codes, which are those of all of them, and what it writes.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

program=$1
shift
mpiexec=("$@")

# expect CODE TEXT ARGUMENT...: the command ends with CODE, in time, and says TEXT.
expect() {
  local code=$1 text=$2 output status=0
  shift 2
  output=$(timeout 120 "${mpiexec[@]}" "$program" "$@" 2>&1) || status=$?
  [ $status = "$code" ] || wrong "tessera-tpetra $*: ended with $status, expected $code" "$output"
  grep -q -e "$text" <<< "$output" || wrong "tessera-tpetra $*: does not say '$text'" "$output"
}
# holds FILE PATTERN: a line of what was written
holds() { grep -q -e "$2" "$folder/$1" || wrong "$1 lacks $2:" "$(cat "$folder/$1")"; }
# matrix NAME KIND LINE...: a file of Matrix Market
matrix() {
  printf '%%%%MatrixMarket matrix %s\n' "$2" > "$folder/$1"
  printf '%s\n' "${@:3}" >> "$folder/$1"
}

matrix A.mtx 'coordinate real symmetric' '4 4 7' '1 1 2' '2 2 2' '3 3 2' '4 4 2' '2 1 -1' '3 2 -1' '4 3 -1'
matrix b.mtx 'array real general' '4 1' 1 0 0 1
matrix wide.mtx 'coordinate real general' '2 3 2' '1 1 1' '2 3 1'
head -n 4 "$folder/A.mtx" > "$folder/damaged.mtx"
matrix indefinite.mtx 'coordinate real symmetric' '4 4 4' '1 1 1' '2 2 -1' '3 3 1' '4 4 -1'

expect 0 'mpirun -np 4 tessera-tpetra solve' solve --help
expect 0 ' processes of 1 thread' solve --problem poisson2d --n 30 --rhs random
expect 0 'converged, ' solve --problem elasticity3d --n 5 -p gather_rows=100 -p precision=float
expect 0 'converged, ' solve --problem convdiff2d --n 30 -p solver.name=bicgstab
expect 0 'gmres with' solve --problem convdiff2d --n 30
expect 0 'converged, ' solve "$folder/A.mtx" --rhs "$folder/b.mtx" -o "$folder/x.mtx" \
  --report "$folder/report.json"
holds report.json '"processes": '
# x = 1 in each row.
[ "$(grep -c -E '^(1(\.0*)?(e\+00)?|1\.0000000[0-9]*(e\+00)?|9\.99999999[0-9]*e-01)$' "$folder/x.mtx")" = 4 ] ||
  wrong "x is not 1 in each row:" "$(cat "$folder/x.mtx")"
echo '{"solver": {"tolerance": 1e-4}, "gather_rows": 50}' > "$folder/settings.json"
echo '{"solver": {"tolerence": 1e-4}}' > "$folder/wrong.json"
echo 'no JSON' > "$folder/broken.json"
expect 0 'converged, ' solve --problem poisson2d --n 30 --nrhs 3 --config "$folder/settings.json" \
  -p amg.smoother.sweeps=2 --html "$folder/report.html" --report "$folder/report.json"
for text in '"num_rhs": 3' '"tolerance": 0.0001' '"gather_rows": 50' '"sweeps": 2'; do
  holds report.json "$text"
done
holds report.html '</html>'
# -p wins over the file.
expect 0 'converged, ' solve --problem poisson2d --n 30 --config "$folder/settings.json" \
  -p solver.tolerance=1e-9 --report "$folder/report.json"
holds report.json '"tolerance": 1e-09'
expect 0 'converged, ' solve "$folder/A.mtx" --rhs "$folder/b.mtx" --nrhs 2 -p solver.name=bicgstab \
  -o "$folder/two.mtx"
holds two.mtx '^ *4 2 *$'
expect 64 'has 1 columns\|1024' solve "$folder/A.mtx" --nrhs 0
expect 64 'would overwrite' solve "$folder/A.mtx" --config "$folder/settings.json" \
  --html "$folder/settings.json"
expect 78 'broken.json' solve "$folder/A.mtx" --config "$folder/broken.json"
expect 78 "did you mean 'solver.tolerance'" solve "$folder/A.mtx" --config "$folder/wrong.json"
expect 74 'cannot' solve --problem poisson2d --n 10 --html "$folder/none/report.html"
expect 2 'NOT converged' solve --problem poisson2d --n 60 -p solver.max_iterations=2
expect 2 'the time limit came first' solve --problem poisson2d --n 60 -p solver.time_limit_s=1e-9
expect 0 '3 columns: [0-9]* iterations each\|3 columns: [0-9]* to [0-9]* iterations each' \
  solve --problem poisson2d --n 30 --nrhs 3
# Symmetric, and nothing for CG.
expect 0 'gmres with' solve "$folder/indefinite.mtx" -p preconditioner=jacobi
expect 4 'BREAKDOWN: cg' solve "$folder/indefinite.mtx" -p preconditioner=none -p solver.name=cg
expect 78 "'solver.side' is 'left'" solve --problem poisson2d --n 10 -p solver.side=left
expect 78 "'solver.tiles' is 'dynamic'" solve --problem poisson2d --n 10 -p solver.tiles=dynamic
expect 64 'a matrix file or --problem' solve
expect 64 'did you mean' solve --problem poison2d
expect 64 'expected one of: tessera, muelu' solve --problem poisson2d --setup other
expect 65 'no_such.mtx' solve "$folder/no_such.mtx"
expect 65 'wide.mtx' solve "$folder/wide.mtx"
expect 65 'damaged.mtx' solve "$folder/damaged.mtx"
expect 74 'cannot' solve --problem poisson2d --n 10 -o "$folder/none/x.mtx"
expect 78 'amg.smoother.type' solve --problem poisson2d --n 10 -p amg.smother.type=jacobi
# A K-cycle is not linear: what is left open tolerates that, and what does not is told of.
iterations_by() {
  expect 0 "$1" solve --problem poisson2d --n 120 -p amg.cycle=k -p "solver.name=$2" --report "$folder/$2.json"
  iterations=$(grep -m 1 -o -E '"iterations": [0-9]+' "$folder/$2.json" | grep -o -E '[0-9]+')
}
iterations_by ' fgmres with' auto
holds auto.json 'solver fgmres: the K-cycle is not linear'
flexible=$iterations
for method in cg gmres; do
  iterations_by "K-cycle under $method: .* solver.name=fgmres does not" $method
done
[ "$flexible" -le 16 ] && [ "$flexible" -lt "$iterations" ] ||
  wrong "a K-cycle takes $flexible iterations with the method left open, $iterations by gmres"
if "${mpiexec[@]}" "$program" solve --problem poisson2d --n 10 --setup muelu > /dev/null 2>&1; then
  expect 0 "MueLu's levels" solve --problem poisson3d --n 14 --setup muelu -p amg.smoother.type=chebyshev
  expect 0 ' fgmres with' solve --problem poisson3d --n 14 --setup muelu -p amg.cycle=k
  expect 78 'amg.smoothed_aggregation.aggregation' solve --problem poisson3d --n 10 --setup muelu \
    -p amg.smoothed_aggregation.aggregation=mis2
fi

# The same system on any number of processes: without a preconditioner that depends on it, CG takes
# as many iterations, but for roundings of its sums.
same() {
  local number found iterations expected='' expected_iterations=0
  for number in 1 2 3 4; do
    timeout 120 "${mpiexec[0]}" "${mpiexec[1]}" "$number" "${mpiexec[@]:3}" "$program" solve "$@" -q \
      -p preconditioner=jacobi -p solver.name=cg --report "$folder/same.json" > "$folder/same.log" 2>&1 ||
      wrong "tessera-tpetra $* on $number processes fails" "$(cat "$folder/same.log")"
    found=$(grep -o -E '"(rows|entries)": [0-9]+' "$folder/same.json" | head -n 2)
    iterations=$(grep -m 1 -o -E '"iterations": [0-9]+' "$folder/same.json" | grep -o -E '[0-9]+')
    if [ "$number" = 1 ]; then
      expected=$found expected_iterations=$iterations
    elif [ "$found" != "$expected" ] || [ "$iterations" -gt $((expected_iterations + 2)) ] ||
      [ "$iterations" -lt $((expected_iterations - 2)) ]; then
      wrong "tessera-tpetra $* on $number processes: $found, $iterations iterations; on one: $expected, $expected_iterations iterations"
    fi
  done
}
same --problem graph --n 30
same --problem lshape --order 3 --refine 2
same --problem unstructured3d --n 13
same --problem unstructured_elasticity3d --n 7
same --problem elasticity3d --n 5 --numbering unknowns
exit $failed
