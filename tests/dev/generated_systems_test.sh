#!/bin/bash
# generated_systems_test.sh SCRIPT: each system is made and solved by each choice, what starting takes is not counted, and
# hypre's columns are read from the table of the program that has them. The commands are stand-ins.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

# A tessera that takes 0.15 s to start, and 0.05 s more with a preconditioner; it is refused with `ilu`.
cat > "$folder/tessera" << END
#!/usr/bin/env python3
import json, pathlib, sys, time
words = sys.argv[1:]
with open("$folder/calls", "a") as calls:
    print(*words[2:words.index("--report")], file=calls)
if "amg.smoother.type=ilu" in words:
    sys.exit("tessera: refused")
while time.process_time() < (0.15 if "preconditioner=none" in words else 0.2):
    pass
report = {"status": "converged", "iterations": 7, "preconditioner": "amg"}
pathlib.Path(words[words.index("--report") + 1]).write_text(json.dumps(report))
END
cat > "$folder/hypre" << 'END'
#!/bin/bash
echo '| system, rows | `auto` | hypre: PMIS, l1-Jacobi | hypre: HMIS, Gauss-Seidel |'
echo '| --- | --- | --- | --- |'
echo '| A, 39601 | 25, 90 | 30, 97 | – |'
END
chmod +x "$folder/tessera" "$folder/hypre"

python3 "$1" "$folder/tessera" half --commit abc --hypre "$folder/hypre" --out "$folder/made.json" > "$folder/printed"
equal "lines" "$(wc -l < "$folder/printed")" 2
equal "by the defaults" "$(grep -c '^--rhs random --threads 1 -p solver.max_iterations=500$' "$folder/calls")" 2
equal "by classical coarsening" "$(grep -c 'preconditioner=amg -p amg.coarsening=classical -p solver.max_iterations=500$' "$folder/calls")" 2
equal "in the record" "$(python3 -c "
import json
record = json.load(open('$folder/made.json'))
first, second = record['sets']['half']
ways = first['ways']
print(record['commit'], first['rows'], len(ways), second['words'])
print(ways['\`auto\`']['iterations'], 20 < ways['\`auto\`']['ms'] < 120, ways['\`ilu\`']['status'])
print(ways['hypre: PMIS, l1-Jacobi'], ways['hypre: HMIS, Gauss-Seidel'])")" \
  "abc 39601 21 200 --order 1 --degrees 19 --half --epsilon 1e-2
7 True refused
{'status': 'converged', 'iterations': 30, 'ms': 97.0} {'status': 'not converged'}"
exit $failed
