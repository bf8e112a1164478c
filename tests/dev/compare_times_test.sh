#!/bin/bash
# compare_times_test.sh SCRIPT: two commands take turns on what is to be solved, the least time counts, what
# differs is said, and a record is gone on with. The commands are stand-ins.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

# command NAME MS...: a tessera whose solves take these milliseconds, one after another; 0: it does not converge.
command_named() {
  local name=$1
  shift
  printf '%s\n' "$@" > "$folder/$name.times"
  cat > "$folder/$name" << END
#!/usr/bin/env python3
import json, pathlib, sys
words = sys.argv[1:]
times = pathlib.Path("$folder/$name.times")
ms, *rest = times.read_text().split()
times.write_text("\n".join(rest))
with open("$folder/calls", "a") as calls:
    print("$name", pathlib.Path(words[1]).name, words[words.index("--rhs") + 1], file=calls)
pathlib.Path(words[words.index("--report") + 1]).write_text(json.dumps({
    "status": "converged" if float(ms) else "max_iterations", "iterations": 7, "setup_ms": float(ms), "solve_ms": 1000}))
END
  chmod +x "$folder/$name"
}

mkdir "$folder/matrices"
printf 'name\trows\tcols\tnnz_expanded\tSPD\n' > "$folder/matrices/INDEX.tsv"
# matrix NAME ROWS ENTRIES SPD
matrix() {
  printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$2" "$3" "$4" >> "$folder/matrices/INDEX.tsv"
  echo "$1" > "$folder/matrices/$1.mtx"
}
matrix grid 2000 9000 yes
matrix few 900 9000 yes
matrix diagonal 2000 2000 yes
matrix pattern 2000 9000 'n/a(pattern)'

command_named old 1000 1000 1000
command_named new 1500 1300 0
gives 0 "grid (random): converged 7 2000.0 ms, now converged 7 2300.0 ms, 1.15
1 systems: 1 solved before, 1 now; 1 slower by more than a tenth, 0 quicker" \
  python3 "$1" "$folder/old" "$folder/new" --matrices "$folder/matrices" --rhs random --repeat 1 --out "$folder/both.json"
equal "the commands ran as" "$(cat "$folder/calls")" 'old matrix.mtx random
new matrix.mtx random
new matrix.mtx random
old matrix.mtx random'
gives 0 "grid (ones): converged 7 2000.0 ms, now max_iterations 7 1000.0 ms, 0.50
2 systems: 2 solved before, 1 now; 1 slower by more than a tenth, 1 quicker" \
  python3 "$1" "$folder/old" "$folder/new" --matrices "$folder/matrices" --repeat 0 --out "$folder/both.json"
exit $failed
