#!/bin/bash
# plot_real_test.sh SCRIPT: tables of a small record, for each right-hand side by all ways and by iteration alone.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

python3 - "$folder" << 'END'
import json, pathlib, sys

folder = pathlib.Path(sys.argv[1])
solvers = [{"name": "tessera"}, {"name": "tessera-iterative", "of": "tessera", "variant": "iterative"},
           {"name": "petsc"}, {"name": "petsc-direct", "of": "petsc", "variant": "direct"}, {"name": "amgcl"}]

def system(name, rhs, *results):
    """Results are (method, ms), ms None where it does not converge."""
    found = [{"solver": solver["name"], "method": method, "iterations": 9, "total_ms": ms or 9.0,
              "status": "solved" if ms else "not converged", "true_relative_residual": 1e-9 if ms else 0.5}
             for solver, (method, ms) in zip(solvers, results)]
    return {"name": name, "rhs": rhs, "rows": 2000, "definite": True, "results": found}

easy = ("iterative", 10), ("iterative", 10), ("iterative", 20), ("iterative", 20), ("direct", 5)
hard = ("direct", 10), ("iterative", 40), ("iterative", None), ("fallback", 50), ("iterative", None)
systems = [system("easy", "random", *easy), system("hard", "random", *hard), system("easy", "ones", *easy)]
record = {"comparison": "real", "solvers": solvers, "systems": systems}
(folder / "record.json").write_text(json.dumps(record), encoding="utf-8")
for old in systems:
    del old["rhs"]
    for result in old["results"]:
        del result["method"]
(folder / "old.json").write_text(json.dumps(dict(record, systems=systems[:1])), encoding="utf-8")
END

# Without blank lines and those below titles.
shown() { grep -v '^$\|^| ---'; }
gives 0 '## b of random numbers, all ways
| solver | systems | solved | direct | fallback | dense | fastest | not converged | time limit | error | crashed |
| tessera | 2 | 2 | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 0 |
| petsc | 2 | 1 | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 0 |
| petsc-direct | 2 | 2 | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 0 |
| amgcl | 2 | 1 | 1 | 0 | 0 | 1 | 1 | 0 | 0 | 0 |
Systems that not all solved:
| system | rows | definite | tessera | petsc | petsc-direct | amgcl |
| hard | 2000 | yes |  | residual 5e-01 |  | residual 5e-01 |
Where Tessera is furthest behind the fastest:
| system | rows | Tessera, ms | iterations | fastest | ms | iterations | ratio |
| easy | 2000 | 10.0 | 9 | amgcl | 5.0 | 9 | 2.00 |
## b of random numbers, iterative methods alone
| solver | systems | solved | fastest | direct | not converged | time limit | error | crashed |
| tessera | 2 | 2 | 2 | 0 | 0 | 0 | 0 | 0 |
| petsc | 2 | 1 | 0 | 0 | 1 | 0 | 0 | 0 |
| amgcl | 2 | 0 | 0 | 1 | 1 | 0 | 0 | 0 |
Systems that not all solved:
| system | rows | definite | tessera | petsc | amgcl |
| easy | 2000 | yes |  |  | direct |
| hard | 2000 | yes |  | residual 5e-01 | residual 5e-01 |
Where Tessera is furthest behind the fastest:
| system | rows | Tessera, ms | iterations | fastest | ms | iterations | ratio |' \
  python3 "$1" "$folder/record.json" --rhs random
equal "headings" "$(python3 "$1" "$folder/record.json" | grep '^##')" '## b of random numbers, all ways
## b = A times ones, all ways
## b of random numbers, iterative methods alone
## b = A times ones, iterative methods alone'

# A record of before has one right-hand side, and no methods.
equal "an old record" "$(python3 "$1" "$folder/old.json" | sed -n 1p)" \
  '| solver | systems | solved | fastest | not converged | time limit | error | crashed |'
gives 1 "the records do not say by which methods systems were solved" \
  python3 "$1" "$folder/old.json" --iterative "$folder/figure.svg"
exit $failed
