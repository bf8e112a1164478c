#!/bin/bash
# default_iterations_test.sh SCRIPT: each way is solved as often as asked, the worst of a group stands in its table beside the
# figure asked for, and what the defaults leave unsolved fails. The command is a stand-in.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

# A tessera that takes 7 iterations by the defaults, 30 by incomplete factors, which are quicker, and keeps the files it reads.
cat > "$folder/tessera" << END
#!/usr/bin/env python3
import json, os, pathlib, shutil, sys
words = sys.argv[1:]
if words == ["--version"]:
    sys.exit(print("tessera 0.1.0 (unknown)"))
is_ilu = "preconditioner=ilu" in words
rhs = words[words.index("--rhs") + 1]
shutil.copy(words[1], "$folder/matrix.mtx")
if rhs != "random":
    shutil.copy(rhs, "$folder/rhs.mtx")
with open("$folder/calls", "a") as calls:
    print(pathlib.Path(words[1]).read_text().splitlines()[1].split()[0], "ilu" if is_ilu else "", file=calls)
report = {"status": "converged" if is_ilu else os.environ.get("STATUS", "converged"), "iterations": 30 if is_ilu else 7,
          "setup_ms": 1.0, "solve_ms": 2.0 if is_ilu else 3.0, "solver": "gmres", "preconditioner": "ilu" if is_ilu else "direct",
          "notes": ["solver gmres: the matrix is not symmetric", "preconditioner direct: after 6 iterations"],
          "parameters": {"equilibration": "none", "amg": {"coarsening": "pairwise", "smoother": {"type": "jacobi"}}}}
pathlib.Path(words[words.index("--report") + 1]).write_text(json.dumps(report))
END
chmod +x "$folder/tessera"

shown() { grep "${which:-^vortex}"; }
gives 0 "vortex, upwind, 150^2, Peclet 1e2: 7 iterations, 4.0 ms, by factors (gmres direct); \
multigrid 7 iterations, 4.0 ms, by factors; ilu 30 iterations, 3.0 ms" \
  python3 "$1" "$folder/tessera" --only "vortex, upwind, 150^2, Peclet 1e2" --repeat 2 --commit 0123abcd --out "$folder/made.json"
equal "solves of each" "$(sort "$folder/calls" | uniq -c | sed 's/^ *//;s/ *$//')" '4 22500
2 22500 ilu'
equal "in the record" "$(python3 -c "
import json
record = json.load(open('$folder/made.json'))
(result,) = record['results']
print(record['version'], result['parameters'], result['defaults']['fallbacks'], result['ilu']['sparse_factors'])")" \
  "tessera 0.1.0 (0123abcd) {'scheme': 'upwind', 'n': 150, 'peclet': 100.0} ['preconditioner direct: after 6 iterations'] False"
which='^| vortex' gives 0 "| vortex, central | defaults | 1 | 7 | 25 | vortex, central, 150^2, Peclet 1e2 | 1 | 0 |  |
| vortex, central | multigrid | 1 | 7 | 25 | vortex, central, 150^2, Peclet 1e2 | 1 | 0 | 0 |
| vortex, central | ilu | 1 | 30 | 25 | vortex, central, 150^2, Peclet 1e2 | 0 | 0 | 1 |" \
  python3 "$1" "$folder/tessera" --only "vortex, central, 150^2, Peclet 1e2" --repeat 1
which='^A' STATUS=stagnated gives 1 "A, 24^3: stagnated after 7 (gmres direct)" python3 "$1" "$folder/tessera" --only "A, 24"

# D A D is symmetric to the last bit, and b has a number for each row.
which='^D' gives 0 "D A D, k = 8, 100^2: 7 iterations, 4.0 ms, by factors (gmres direct)" \
  python3 "$1" "$folder/tessera" --only "D A D, k = 8, 100"
equal "D A D" "$(python3 -c "
entries = [line.split() for line in open('$folder/matrix.mtx').read().splitlines()[2:]]
made = {(i, j): value for i, j, value in entries}
print(len(made), all(made[j, i] == value for (i, j), value in made.items()), len(open('$folder/rhs.mtx').read().splitlines()))")" \
  "49600 True 10002"

# A constant is in the kernel of the rows of cells inside, and diffusion is symmetric.
equal "elements: rows, those that sum to zero, largest difference of diffusion from its transpose" \
  "$(PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$(dirname "$1") python3 -c "
import discontinuous_elements as elements
for name, n, order in ('squares', 3, 1), ('squares', 3, 3), ('tetrahedra', 3, 1), ('tetrahedra', 1, 2), ('tetrahedra', 1, 3):
    rows, parts = elements.ELEMENTS[name](n, order)
    sums, sizes = [[0.0, 0.0] for _ in range(rows)], [0.0] * rows
    for i, j, *values in parts:
        sums[i] = [a + b for a, b in zip(sums[i], values)]
        sizes[i] = max(sizes[i], *map(abs, values))
    diffusion = {(i, j): value for i, j, _, value in parts}
    uneven = max(abs(value - diffusion[j, i]) / max(sizes[i], sizes[j]) for (i, j), value in diffusion.items())
    inside = sum(all(abs(s) < 1e-12 * size for s in own) for own, size in zip(sums, sizes))
    print(name, order, rows, inside if n > 1 else '', uneven < 1e-12)")" \
  "squares 1 36 4 True
squares 3 144 16 True
tetrahedra 1 648 288 True
tetrahedra 2 60  True
tetrahedra 3 120  True"
exit $failed
