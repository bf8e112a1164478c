#!/bin/bash
# one_answer_test.sh SCRIPT: what the device took is asked of the host, by the parameters that the device ended with,
# and what differs is told. The command is a stand-in.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

# A tessera that takes as many iterations as a matrix has rows, and $MORE others, and as its near-nullspace says.
cat > "$folder/tessera" << END
#!/usr/bin/env python3
import json, os, pathlib, sys
words = sys.argv[1:]
rows = int(pathlib.Path(words[1]).read_text().splitlines()[1].split()[0])
told = words[words.index("--config") + 1] if "--config" in words else None
parameters = json.loads(pathlib.Path(told).read_text()) if told else {"picked": rows}
if "--near-nullspace" in words:
    rows += int(pathlib.Path(words[words.index("--near-nullspace") + 1]).read_text())
print(rows, "told" if told else "picks", parameters.get("picked"), file=open("$folder/calls", "a"))
if rows == 1:
    sys.exit("tessera: no")
iterations = rows + (int(os.environ["MORE"]) if told else 100)
report = {"status": "converged", "iterations": iterations, "device": {"name": os.environ.get("NAME", "GPU")}, "problem": {"rows": rows},
          "parameters": parameters}
pathlib.Path(words[words.index("--report") + 1]).write_text(json.dumps(report))
END
chmod +x "$folder/tessera"
mkdir "$folder/matrices"
for rows in 1 5 7; do
  printf '%%%%MatrixMarket matrix coordinate real general\n%d %d 0\n' $rows $rows > "$folder/matrices/m$rows.mtx"
done
echo 2 > "$folder/matrices/m7.modes.mtx"
script=(python3 "$1" "$folder/tessera" --matrices "$folder/matrices" --gallery)

MORE=0 gives 0 "" "${script[@]}" --out "$folder/device.json"
equal "solves" "$(sort "$folder/calls")" '1 picks 1
5 picks 5
5 told 5
9 picks 7
9 told 7'
rm "$folder/calls"
MORE=1 gives 0 "2 systems: 2 alike, 2 of them converged, 0 the same to the iteration" \
  "${script[@]}" --as "$folder/device.json" --out "$folder/both.json"
equal "solves on the host" "$(sort "$folder/calls")" '5 told 5
9 told 7'
NAME=CPU MORE=2 gives 1 "m5: on the device converged 5, on a host converged 7
m7: on the device converged 9, on a host converged 11
2 systems: 0 alike, 0 of them converged, 0 the same to the iteration" \
  "${script[@]}" --as "$folder/device.json" --out "$folder/both.json"
equal "in the record" "$(python3 -c "
import json
record = json.load(open('$folder/both.json'))
print(*record['on'])
for result in record['results']:
    print(result['system'], result['device']['iterations'], result['host']['iterations'], result['agree'])")" 'CPU GPU
m5 5 7 False
m7 9 11 False'
exit $failed
