#!/bin/bash
# choices_test.sh SCRIPT [LIBTESSERA_C]: each system is solved by each way that suits it, refusals and late ways are said, a record is
# gone on with, and its tables say which ways are as good as the best. The command is a stand-in; the library, where it is given, is not.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"
export PYTHONDONTWRITEBYTECODE=1

# A tessera that takes 20 iterations, by classical coarsening 10, refuses pairs of rows and does not end by advancing fronts.
cat > "$folder/tessera" << END
#!/usr/bin/env python3
import json, pathlib, sys, time
words = sys.argv[1:]
print(*words, file=open("$folder/calls", "a"))
if "amg.coarsening=pairwise" in words:
    sys.exit("tessera: amg.coarsening=pairwise: nodes of 3 unknowns")
if any("advancing_front" in w for w in words):
    time.sleep(60)
is_classical = "amg.coarsening=classical" in words
report = {"status": "converged", "iterations": 10 if is_classical else 20, "true_relative_residual": 1e-9, "setup_ms": 2.0,
          "solve_ms": 1.0, "solver": "cg", "preconditioner": "amg", "precision": "mixed", "operator_complexity": 1.5,
          "problem": {"rows": 1600}, "levels": [{"aggregation": "mis2"}], "notes": [], "build": {"commit": "0123abcd"},
          "device": {"space": "cuda", "name": "A GPU"}, "date": "2026-01-01T00:00:00Z",
          "repeats": {"setup_ms": [2.0, 9.0, 3.0], "solve_ms": [1.0, 1.0, 1.0] if is_classical else [2.0, 8.0, 1.5]},
          "parameters": {"amg": {"coarsening": "classical" if is_classical else "smoothed_aggregation",
                                 "smoother": {"type": "jacobi", "sweeps": 1}}}}
pathlib.Path(words[words.index("--report") + 1]).write_text(json.dumps(report))
END
chmod +x "$folder/tessera"

measure=(python3 "$1" coarsenings --tiny --systems "$folder" --command "$folder/tessera" --out "$folder/made.json" --each-s 0.6)
equal "of all systems the one that is asked for" "$("${measure[@]}" --only elasticity2d | sed 's/^\[.* s\] //')" \
  "elasticity2d:n=40 (1600): auto: 20 5.0, smoothed_aggregation: 20 5.0, MIS(2): 20 5.0, groups of 4, K-cycle:  error, \
classical: 10 4.0, fronts:  more than 0.6 s, aggressive: 10 4.0, smoothed_aggregation, jacobi: 20 5.0, classical, jacobi: 10 4.0, \
classical, l1_jacobi: 10 4.0, classical, chebyshev: 10 4.0"
equal "no reduction where A is symmetric" "$(grep -c 'coarsening=reduction' "$folder/calls" || true)" 0
equal "what was measured is not measured again" "$("${measure[@]}" --only elasticity2d)" ""
equal "a system that is not there" "$("${measure[@]}" --only add20 | sed 's/^\[.* s\] //')" \
  "add20 (None): add20.tsr was not prepared"
equal "its table" "$(python3 "$(dirname "$1")/choices_tables.py" "$folder/made.json" | sed -n '/elasticity/p;/by_half/,$p')" \
  "| \`elasticity2d:n=40\` | 1,600 | aggregation, jacobi | 20, 3.00 + 2.00 | 20, 3.00 + 2.00 | – | **10, 3.00 + 1.00** | – | \
**10, 3.00 + 1.00** | 20, 3.00 + 2.00 | **10, 3.00 + 1.00** | **10, 3.00 + 1.00** | **10, 3.00 + 1.00** | 1.25 |
<!-- table: coarsenings_on_device_by_half -->
| half | picked | systems | \`auto\`'s total over aggregation's | over the least |
| --- | --- | --- | --- | --- |
| A | aggregation | 1 | 1.00 (1.00 to 1.00) | 1.25 (1.25 to 1.25) |
<!-- end -->"

# Flows and meshes are written as the command reads them, the same entries however they are numbered.
mkdir "$folder/matrices"
printf '%%%%MatrixMarket matrix coordinate real symmetric\n%% a comment\n3 3 4\n1 1 2\n2 2 3\n3 3 4\n3 1 -1\n' > "$folder/matrices/add20.mtx"
equal "prepared" "$(python3 "$1" prepare --tiny --systems "$folder/systems" --matrices "$folder/matrices" --jobs 2 \
  --only vortex:n=512,peclet=1e4 vortex:n=256,peclet=1e4,shuffled add20 | sed 's/ [0-9.]* s$//')" "add20
vortex:n=40,peclet=1e4
vortex:n=40,peclet=1e4,shuffled"
equal "rows, entries, sums of values" "$(cd "$(dirname "$1")" && python3 -c "
import pathlib
from csr_file import read_csr
for path in sorted(pathlib.Path('$folder/systems').glob('*.tsr')):
    A = read_csr(path)
    print(path.name, A.rows, len(A.values), round(sum(A.values), 6), all(i < A.rows for i in A.columns))")" \
  "add20.tsr 3 5 7.0 True
vortex_n40_peclet1e4.tsr 1600 7840 1065.950645 True
vortex_n40_peclet1e4_shuffled.tsr 1600 7840 1065.950645 True"

if [ $# -gt 1 ]; then
  export OMP_NUM_THREADS=1
  equal "by the library" "$(python3 "$1" convection --tiny --systems "$folder/systems" --library "$2" --out "$folder/flows.json" \
    --threads 1 --repeats 1 --only vortex:n=512,peclet=1e4 | sed '2,$d;s/^\[.* s\] //;s/\([0-9]\) [0-9.]*\(,\|$\)/\1\2/g')" \
    "vortex:n=40,peclet=1e4 (1600): auto: 9, smoothed_aggregation: 9, classical: 7, reduction: 7"
fi
exit $failed
