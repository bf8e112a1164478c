#!/bin/bash
# many_choices_test.sh SCRIPT [LIBTESSERA_C]: all pairs come once, an end that may not be is found, and so is a residual that is too large; the
# library, where it is given, solves a small matrix by pairs of its coarsenings and smoothers.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"
export PYTHONDONTWRITEBYTECODE=1

gives 0 "all pairs of each matrix, none twice: True
of ends found: crash, more than 20 s, error: error_internal: no, not finite, too large, unknown
0.0 times for the solution, more than 1 for another: True" python3 -c "
import array, sys
sys.path[:0] = ['$(dirname "$1")']
import many_choices as tried
from csr_file import Csr
first = tried.first_pairs()
print('all pairs of each matrix, none twice:',
      all(sorted(first + tried.further_pairs(k)) == list(range(len(tried.PAIRS))) for k in range(200)))
fine = {'status': 'converged', 'is_finite': True, 'excess': 0.5}
replies = {'crash': {'status': 'crash', 'error': 'the process ended with -11'}, 'more than 20 s': {'status': 'more than 20 s'},
           'error: error_internal: no': {'status': 'error', 'error': 'error_internal: no'}, 'not finite': {**fine, 'is_finite': False},
           'too large': {**fine, 'excess': 2.0}, 'unknown': {**fine, 'status': 'other'}, 'fine': fine,
           'refused': {'status': 'error', 'error': 'error_configuration: no'}, 'limit': {'status': 'max_iterations', 'is_finite': True}}
print('of ends found:', ', '.join(name for name, reply in replies.items() if tried.finding_of(reply)[1]))
library = tried.CheckedLibrary.__new__(tried.CheckedLibrary)
library.owned = Csr.of_entries(2, [(0, 0, 2.0), (0, 1, -1.0), (1, 1, 3.0)])
library.rows = list(zip(library.owned.offsets, library.owned.offsets[1:]))
library.b, library.norm = array.array('d', [1.0, 3.0]), 10**0.5
print(library.excess([1.0, 1.0]), 'times for the solution, more than 1 for another:', library.excess([1.0, 1.0 + 1e-6]) > 1)"

if [ $# -gt 1 ]; then
  mkdir "$folder/matrices"
  python3 - "$folder/matrices/line.mtx" << 'END'
import sys
n = 300
entries = [(i, i, 2) for i in range(1, n + 1)] + [(i + 1, i, -1) for i in range(1, n)]
print("%%MatrixMarket matrix coordinate real symmetric", f"{n} {n} {len(entries)}", *(f"{i} {j} {v}" for i, j, v in entries),
      sep="\n", file=open(sys.argv[1], "w"))
END
  gives 0 "1 matrices, 1 of them by each coarsening and each smoother; 285 solves, 0 pairs not run: 0 found" bash -c "
    python3 '$1' '$2' --matrices '$folder/matrices' --scratch '$folder/rows' --out '$folder/made.json' --limit-s 100 | sed 's/run: .*; /run: /'"
  equal "letters of pairs that converge" "$(python3 -c "
import json
print(json.load(open('$folder/made.json'))['matrices'][0]['ends'].count('c') > 200)")" True
fi
exit $failed
