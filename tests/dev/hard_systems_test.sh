#!/bin/bash
# hard_systems_test.sh SCRIPT: each way is solved in turn, slow ones once, the best one that converges is what the
# defaults are measured by, and what they leave unsolved fails. The command is a stand-in.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

# A tessera that takes MS milliseconds by the defaults, 40 by `none`, 1 by `jacobi`, which does not converge.
cat > "$folder/tessera" << END
#!/usr/bin/env python3
import json, os, pathlib, sys
words = sys.argv[1:]
if words == ["--version"]:
    sys.exit(print("tessera 0.1.0"))
rows = pathlib.Path(words[1]).read_text().splitlines()[1].split()
choice = next((word for word in words if word.startswith("preconditioner=")), "")
with open("$folder/calls", "a") as calls:
    print(rows[0], choice, file=calls)
ms = {"": float(os.environ["MS"]), "preconditioner=none": 40.0, "preconditioner=direct": 4000.0}.get(choice, 1.0)
status = "stagnated" if "jacobi" in choice else os.environ.get("STATUS", "converged")
report = {"status": status, "iterations": 7, "setup_ms": ms / 4, "solve_ms": 3 * ms / 4}
pathlib.Path(words[words.index("--report") + 1]).write_text(json.dumps(report))
END
chmod +x "$folder/tessera"

ways=(--choices preconditioner=direct preconditioner=none preconditioner=jacobi)
MS=50 gives 0 "skew-symmetric and 0.001, 10,000 rows: converged, 7 iterations, 50.0 ms, 1.25 of 40.0 ms by preconditioner=none" \
  python3 "$1" "$folder/tessera" --only skew --repeat 3 --out "$folder/hard.json" "${ways[@]}"
equal "solves of each" "$(sort "$folder/calls" | uniq -c | sed 's/^ *//')" '3 10000 
1 10000 preconditioner=direct
1 10000 preconditioner=jacobi
3 10000 preconditioner=none'
equal "in the record" "$(python3 -c "
import json
(result,) = json.load(open('$folder/hard.json'))['results']
print(result['best'], result['over_best'], result['ways'][1]['times_ms'])")" 'preconditioner=none 1.25 [4000.0]'
MS=50 STATUS=diverged gives 1 "biharmonic, 10,000 rows: diverged, 7 iterations, 50.0 ms" \
  python3 "$1" "$folder/tessera" --only "biharmonic, 10" --repeat 1 "${ways[@]}"
exit $failed
