#!/bin/bash
# compare_real_test.sh PROGRAM: one record has both right-hand sides, variants that would repeat a solve have
# its result, a record is gone on with, and that of other settings is not. The solver is a stand-in.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

# Ones for the 16 rows: solved where b is A times ones. Iterations stay away from 200 but for the variant.
tool tessera_real_muelu << END
echo "\$*" >> "$folder/calls"
method=iterative
[[ \$* != *--direct-after* ]] || method=fallback
while [ "\$1" != --out ]; do shift; done
{
  echo '{"version": "1", "setup_ms": 2, "solve_ms": 1, "iterations": 7, "method": "'\$method'"}'
  printf '\0\0\0\0\0\0\360\77%.0s' {1..16}
} > "\$2"
END
# The columns that are the same on each machine.
shown() { sed -E 's/ +/ /g; s/ (ms [0-9]+) [^ ]+ / \1 /; s/(, |: )[^ ]*record.json/\1record.json/'; }
compare() {
  "$1" --gallery poisson2d:n=4 --only poisson2d --programs "$folder/tools" --solvers muelu muelu-iterative muelu-direct \
    "${@:2}"
}
ones='poisson2d:n=4 ones 16 muelu solved 2.0 1.0 3.0 ms 7 iterative
poisson2d:n=4 ones 16 muelu-iterative solved 2.0 1.0 3.0 ms 7 iterative (the same solve)
poisson2d:n=4 ones 16 muelu-direct solved 2.0 1.0 3.0 ms 7 iterative (the same solve)'
random='poisson2d:n=4 random 16 muelu not converged 2.0 1.0 3.0 ms 7 iterative
poisson2d:n=4 random 16 muelu-iterative not converged 2.0 1.0 3.0 ms 7 iterative (the same solve)
poisson2d:n=4 random 16 muelu-direct not converged 2.0 1.0 3.0 ms 7 fallback'

gives 75 "2 systems, 3 solvers, relative residual 1e-08, 60 s per solve
6 solves are missing: time was over; the same command goes on from its record" \
  compare "$1" --seconds 1e-9 --out "$folder/record.json"
gives 0 "1 systems, 3 solvers, relative residual 1e-08, 60 s per solve
$ones" compare "$1" --rhs ones --out "$folder/record.json"
gives 0 "2 systems, 3 solvers, relative residual 1e-08, 60 s per solve
3 of 6 solves are in the record
$random" compare "$1" --out "$folder/record.json"
gives 0 "2 systems, 3 solvers, relative residual 1e-08, 60 s per solve
6 of 6 solves are in the record" compare "$1" --out "$folder/record.json"
equal "solves" "$(wc -l < "$folder/calls")" 3
gives 64 "--out: record.json has another tolerance: name another file, or go on as it was begun" \
  compare "$1" --tolerance 1e-6 --out "$folder/record.json"
gives 64 "--out: record.json has ones, which is not asked for: name another file, or go on as it was begun" \
  compare "$1" --rhs random --out "$folder/record.json"
exit $failed
