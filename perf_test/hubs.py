#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""What multigrid's setup takes where a few rows reach everything.

    hubs.py build/openmp/bin/tessera --out hubs.json

A square grid with vertices that are tied to all of its points, an arrow, and a graph whose degrees follow a power law,
as the test `Hubs` has them: setup by preconditioner=amg, the least and the median of --repeat. Exits with 1 where the
least of a setup of up to 50,000 rows takes longer than --max-ms: other programs only add to it.
"""
import argparse
import datetime
import json
import pathlib
import random
import statistics
import sys
import tempfile

from compare_results import processor
from hard_systems import Way
from matrix_file import write_matrix
from power_laws import attachment

MOST_ROWS = 50000


def grid_with_hubs(n, weights, among=0.0):
    """{(row, column): coupling} of n by n points and a vertex for each weight, grounded by 0.01."""
    couplings = {(v + 1, v): 1.0 for v in range(n * n) if (v + 1) % n}
    couplings |= {(v + n, v): 1.0 for v in range(n * n - n)}
    ground = [0.0] * (n * n)
    for v in range(n * n):  # Dirichlet boundaries: a point has four neighbours
        ground[v] = float((v % n in (0, n - 1)) + (v // n in (0, n - 1)))
    for hub, weight in enumerate(weights, start=n * n):
        couplings |= {(hub, v): weight for v in range(n * n)}
        ground.append(0.01)
        if among and hub > n * n:
            couplings[hub, hub - 1] = among
    return couplings, ground


def arrow(n):
    return {(v, 0): 1.0 for v in range(1, n)}, [1.0] * n


def power_law(n):
    _, edges = attachment(n, 4, random.Random(5))
    return {(max(edge), min(edge)): 1.0 for edge in edges}, [0.01] * n


SYSTEMS = {
    "200², a hub of 1e-6": lambda: grid_with_hubs(200, [1e-6]),
    "200², a hub of 1e-2": lambda: grid_with_hubs(200, [1e-2]),
    "200², a hub of 1": lambda: grid_with_hubs(200, [1.0]),
    "200², a hub of 1e3": lambda: grid_with_hubs(200, [1e3]),
    "200², ten hubs of 1e-2": lambda: grid_with_hubs(200, [1e-2] * 10),
    "200², two hubs, tied by 1e3": lambda: grid_with_hubs(200, [1e-2] * 2, 1e3),
    "an arrow": lambda: arrow(20000),
    "a power law": lambda: power_law(20000),
    "1000², a hub of 1e-2": lambda: grid_with_hubs(1000, [1e-2]),
}


def write(path, couplings, ground):
    """The Laplacian of the couplings, and what ties each vertex to the ground."""
    diagonal = list(ground)
    entries = []
    for (i, j), weight in couplings.items():
        diagonal[i] += weight
        diagonal[j] += weight
        entries.append((i, j, -weight))
    entries += [(i, i, value) for i, value in enumerate(diagonal)]
    write_matrix(path, len(diagonal), entries, "symmetric")
    return len(diagonal)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tessera", help="the program `tessera`")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--max-ms", type=float, default=300)
    parser.add_argument("--time-limit-s", type=int, default=60, help="of a solve")
    parser.add_argument("--out", type=pathlib.Path, help="write the record here, as JSON")
    asked = parser.parse_args()
    results, commit, too_long = [], "unknown", 0
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        for name, make in SYSTEMS.items():
            rows = write(scratch / "A.mtx", *make())
            way = Way("preconditioner=amg")
            setups = []
            for _ in range(asked.repeat):
                way.solve(asked, scratch / "A.mtx", scratch)
                setups.append(way.report["setup_ms"])
            report = way.report
            commit = report["build"]["commit"]
            least, median = min(setups), statistics.median(setups)
            results.append({"system": name, "rows": rows, "status": report["status"],
                            "iterations": report["iterations"], "min_setup_ms": least,
                            "median_setup_ms": median, "setups_ms": setups})
            too_long += rows <= MOST_ROWS and least > asked.max_ms
            print(f"{name}: {rows} rows, {report['status']}, {report['iterations']} iterations, "
                  f"setup {least} ms, median {median} ms", flush=True)
    if asked.out:
        record = {"comparison": "setups where a few rows reach everything",
                  "command": f"hubs.py tessera --threads {asked.threads} --repeat {asked.repeat}",
                  "commit": commit, "processor": processor(), "threads": asked.threads,
                  "date": datetime.date.today().isoformat(), "results": results}
        asked.out.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main())
