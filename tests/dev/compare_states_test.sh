#!/bin/bash
# compare_states_test.sh SCRIPT: two programs take turns, medians and ratios are theirs, and a program
# that fails leaves the table of what ran and an exit code. The programs are stand-ins.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

# program NAME SETUP... : writes the next of these times at each run; 'fail' ends with 3.
program() {
  local name=$1
  shift
  printf '%s\n' "$@" > "$folder/$name.times"
  cat > "$folder/$name" << END
#!/bin/bash
echo "$name \$*" | sed 's| --out .*||' >> "$folder/calls"
time=\$(head -n 1 "$folder/$name.times")
sed -i 1d "$folder/$name.times"
if [ "\$time" = fail ]; then
  echo "no such case" >&2
  exit 3
fi
while [ "\$1" != --out ]; do shift; done
echo '{"results": [{"name": "grid:8", "setup_ms": '\$time', "iterations": 7}]}' > "\$2"
END
  chmod +x "$folder/$name"
}

head='| case | setup_ms: before | now | ratio | iterations |
| --- | ---: | ---: | ---: | ---: |'

program old 10 40 10.5
program new 5.5 5 5.1
gives 0 "$head
| \`grid:8\` | 10.5 (10 to 40) | 5.1 | 0.49 | 7 |" \
  python3 "$1" --rounds 3 --now '--fast "a b"' --out "$folder/all.json" "$folder/old" "$folder/new" -- --cases grid:8
calls='old --cases grid:8
new --cases grid:8 --fast a b
new --cases grid:8 --fast a b
old --cases grid:8
old --cases grid:8
new --cases grid:8 --fast a b'
equal "the programs ran as" "$(cat "$folder/calls")" "$calls"
python3 -c "
import json, sys
record = json.load(open(sys.argv[1]))
assert [r['results'][0]['setup_ms'] for r in record['before']] == [10, 40, 10.5]
assert len(record['now']) == 3" "$folder/all.json" || failed=1

program old 10 10
program new 5 fail
gives 1 "$head
| \`grid:8\` | 10 | 5 | 0.50 | 7 |
compare_states: $folder/new ended with 3: no such case" python3 "$1" "$folder/old" "$folder/new"

# A record of tables has a row for each matrix, method and way.
program old 10
program new 5
sed -i 's|{"results": .*}]}|{"tables": [{"matrix": "grid:8", "method": "cg", "results": [{"way": "graph", "ms": \x27\$time\x27, "iterations": 7}]}]}|' \
  "$folder/old" "$folder/new"
gives 0 '| case | ms: before | now | ratio | iterations |
| --- | ---: | ---: | ---: | ---: |
| `grid:8, cg, graph` | 10 | 5 | 0.50 | 7 |' python3 "$1" --rounds 1 "$folder/old" "$folder/new"
exit $failed
