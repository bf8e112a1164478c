#!/bin/bash
# classical_tries_test.sh SCRIPT: what gains within the bounds is combined, one way of each group, and timed with another right-hand side,
# too. The program is a stand-in.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"
export PYTHONDONTWRITEBYTECODE=1

# A program of 20 ms, by one way each less, more, with other iterations, with another complexity, or not at all.
tool tessera_perf_solve << END
python3 - "\$@" << 'SCRIPT'
import json, sys
words = sys.argv[1:]
print(*words[: words.index("--out")], *[w for w in words if "=" in w], file=open("$folder/calls", "a"))
said = " ".join(words)
if "graph=false" in said:
    sys.exit("no graph here")
ms = 20 - ("max_row_sum=1" in said) * 2 - ("truncation_factor=0.2" in said) * 4 - ("truncation_factor=0.3" in said) * 6
ms += ("truncation_factor=0.1" in said) * 1
its, complexity = 15 if "truncation_factor=0.3" in said else 13, 2.0 if "max_row_entries=3" in said else 2.4
case = {"name": "poisson2d:1024", "setup_ms": ms - 5.0, "solve_ms": 5.0, "total_ms": ms, "iterations": its}
case |= {"operator_complexity": complexity, "true_relative_residual": 1e-9, "hierarchy_bytes": 1}
record = {"results": [case], "run": {"commit": "0123abcd", "gpu": "A GPU", "command": "x"}}
json.dump(record, open(words[words.index("--out") + 1], "w"))
SCRIPT
END
gives 0 "[] row-sums, base: 1.000 of base; 13, 2.40, 15.0 + 5.0 = 0.602
[] row-sums, no graph: ended with 1: no graph here
[] row-sums, weights from 0.1: 1.050 of base; 13, 2.40, 16.0 + 5.0 = 0.633
[] row-sums, weights from 0.2: 0.800 of base; 13, 2.40, 11.0 + 5.0 = 0.482
[] row-sums, weights from 0.3: 0.700 of base, out of bounds; 15, 2.40, 9.0 + 5.0 = 0.422
[] row-sums, weights from 0.2 below level 0: 0.800 of base; 13, 2.40, 11.0 + 5.0 = 0.482
[] row-sums, 3 entries: 1.000 of base, out of bounds; 13, 2.00, 15.0 + 5.0 = 0.602
[] row-sums, 3 entries below level 0: 1.000 of base, out of bounds; 13, 2.00, 15.0 + 5.0 = 0.602
[] row-sums, 3 entries below level 1: 1.000 of base, out of bounds; 13, 2.00, 15.0 + 5.0 = 0.602
[] row-sums, no bound of row sums: 0.900 of base; 13, 2.40, 13.0 + 5.0 = 0.542
[] row-sums, weights from 0.2 + no bound of row sums: 0.700 of base; 13, 2.40, 9.0 + 5.0 = 0.422
[] row-sums, base, again: 1.000 of base; 13, 2.40, 15.0 + 5.0 = 0.602
[] random, base: 1.000 of base; 13, 2.40, 15.0 + 5.0 = 0.602
[] random, weights from 0.2 + no bound of row sums: 0.700 of base; 13, 2.40, 9.0 + 5.0 = 0.422" \
  bash -c "python3 '$1' '$folder/tools/tessera_perf_solve' --out '$folder/made.json' --cases poisson2d:1024 --finals 1 \
    --only 'no graph' weights entries sums | sed 's/^\[[^]]*/[/'"
equal "each way says its base" "$(grep -c 'amg.coarsening=classical amg.smoother.type=l1_jacobi' "$folder/calls")" 14
equal "its table" "$(python3 "$1" --record "$folder/made.json" | sed -n '1,4p;6p')" \
  "| way | settings | 5-point 1024² | total over the base's | within the bounds |
| --- | --- | --- | --- | --- |
| base |  | 13, 2.40, 15.0 + 5.00, 0.602 | 1.00 | yes |
| no graph | ended with 1: no graph here |  |  |
| weights from 0.2 | \`amg.classical.truncation_factor=0.2\` | 13, 2.40, 11.0 + 5.00, 0.482 | 0.80 | yes |"
exit $failed
