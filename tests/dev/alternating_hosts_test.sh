#!/bin/bash
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
# alternating_hosts_test.sh TESSERA PROGRAM ALTERNATING MPIEXEC FLAG [ARGUMENT...]: the command PROGRAM beside ALTERNATING,
# the same where ranks alternate between two hosts: processes go by hosts there, and shares, levels, iterations and x
# are those of ranks that do so from the start.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

tessera=$1
program=$2
alternating=$3
mpiexec=$4
flag=$5
shift 5
more=("$@")
cd "$folder"

# solve NAME PROGRAM NUMBER ARGUMENT...: into NAME.json, NAME.mtx and NAME.out
solve() {
  timeout 120 "$mpiexec" "$flag" "$3" "${more[@]}" "$2" solve "${@:4}" -p solver.tolerance=1e-11 \
    --report "$1.json" -o "$1.mtx" > "$1.out" 2>&1
}
# alike NUMBER ARGUMENT...: both on so many processes; from three on ranks that alternate are out of order
alike() {
  solve one_host "$program" "$@" || wrong "tessera-mpi solve on $*" "$(cat one_host.out)"
  solve two_hosts "$alternating" "$@" || wrong "with alternating hosts, tessera-mpi solve on $*" "$(cat two_hosts.out)"
  python3 - "$1" << 'END' || wrong "tessera-mpi solve on $*: ranks in another order give another solve"
import json, sys
number = int(sys.argv[1])
one, two = (json.load(open(name + ".json")) for name in ("one_host", "two_hosts"))
renumbered = [any(note.startswith("processes are numbered by host and GPU") for note in report["notes"])
              for report in (one, two)]
assert renumbered == [False, number > 2], renumbered
is_by_graph = one["problem"].get("partition") == "graph"  # in which PT-Scotch's parts vary from run to run
assert abs(one["iterations"] - two["iterations"]) <= 2 * is_by_graph, (one["iterations"], two["iterations"])
if is_by_graph:
    assert two["problem"]["cut"] <= 1.2 * one["problem"]["cut"], (one["problem"], two["problem"])
for key in () if is_by_graph else ("rows", "entries", "ghost_rows"):
    shares = [[process[key] for process in report["processes"]] for report in (one, two)]
    assert shares[0] == shares[1], (key, shares)
x, y = ([float(v) for v in [l for l in open(name + ".mtx") if not l.startswith("%")][1:]] for name in ("one_host", "two_hosts"))
assert len(x) == len(y) and max(abs(a - b) for a, b in zip(x, y)) <= 1e-7 * max(map(abs, y))
END
}

"$tessera" gallery unstructured3d --n 9 -o any.mtx > /dev/null
"$tessera" gallery poisson2d --n 40 -o binary.tsr > /dev/null
gzip -k any.mtx
alike 2 any.mtx
alike 3 any.mtx --balance entries --rhs random
alike 4 any.mtx.gz --nrhs 2
alike 3 binary.tsr
alike 5 --problem poisson3d --n 14 --rhs random
if solve one_host "$program" 2 any.mtx --partition graph; then
  alike 3 any.mtx --partition graph --rhs random
  alike 5 any.mtx --partition graph --balance entries
fi
# Levels that move.
alike 4 --problem poisson3d --n 20 -p gather_rows=20 -p rows_per_process=400
grep -q 'level 1 on 2 of 4 processes, 2 of 2 hosts' two_hosts.out || wrong 'level 1 is elsewhere' "$(cat two_hosts.out)"
exit $failed
