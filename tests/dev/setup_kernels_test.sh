#!/bin/bash
# setup_kernels_test.sh SCRIPT: medians over processes by kernel, step and level, and the table of them. The command
# is a stand-in.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

# A tessera whose kernels take the longer the later it is called; that of level 1 is there in the third call alone.
tool tessera << END
python3 - "\$@" << 'SCRIPT'
import json, pathlib, sys
words = sys.argv[1:]
print(*words[:-1], file=open("$folder/calls", "a"))
count = len(open("$folder/calls").readlines())
if "0" in words:
    sys.exit("tessera: no")
def kernel(name, step, level, ms):
    return {"kernel": name, "step": step, "level": level, "calls": 2, "ms": ms}
kernels = [kernel("spgemm::multiply", "Galerkin product", 0, 10 * count), kernel("inspect", "", None, count),
           kernel("spgemm::multiply", "Galerkin product", 4, 5), kernel("copy", "", None, 0.1)]
if count == 3:
    kernels.append(kernel("late", "strength", 1, 1000))
levels = [{"rows": 9, "entries": 9, "setup_ms": 3 * count}] * 5
report = {"problem": {"rows": 9, "entries": 9}, "iterations": 7, "setup_ms": 20 * count, "levels": levels,
          "kernels": {"setup": kernels}, "device": {"space": "cuda", "name": "a GPU"},
          "build": {"commit": "c", "compiler": "g", "kokkos": "k"}}
pathlib.Path(words[-1]).write_text(json.dumps(report))
SCRIPT
END
table='7-point 20³, 5 levels

| kernel | step | calls | level 0 | level 1 | level 2 | level 3 and below | outside | in all, ms |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| `spgemm::multiply` | Galerkin product | 4 | 20.0 |  |  | 5.00 |  | 25.0 |
| `inspect` |  | 2 |  |  |  |  | 2.00 | 2.00 |
| 2 shorter ones |  | 4 |  |  |  |  | 0.100 | 0.100 |
| all kernels |  | 10 | 20.0 |  |  | 5.00 | 2.10 | 27.1 |
| setup, a wait per step |  |  | 6.00 | 6.00 | 6.00 | 12.0 | 10.0 | 40.0 |'
command=$folder/tools/tessera
gives 0 "$table" python3 "$1" "$command" --cases poisson3d:n=20 --rounds 3 --repeat 2 -p amg.reuse=none --out "$folder/record.json"
equal "calls" "$(uniq -c "$folder/calls" | sed 's/^ *//')" \
  '3 solve --problem poisson3d --n 20 --rhs random --repeat 2 -p amg.reuse=none --quiet --profile --report'
gives 0 "$table" python3 "$1" --record "$folder/record.json"
equal "of the run" "$(python3 -c "
import json
run = json.load(open('$folder/record.json'))['run']
print(run['gpu'], run['space'], run['commit'])")" 'a GPU cuda c'
gives 1 'poisson3d:n=0: tessera: no' python3 "$1" "$command" --cases poisson3d:n=0 --out "$folder/none.json"
exit $failed
