# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""The table of compare_stratimikos, Tessera beside MueLu by name in Stratimikos, for docs/performance_tables.py."""
from table_cells import number, ratio, table

STRATIMIKOS = tuple(
    f"compare_stratimikos-{told}-2processes-epyc-2026-12-01.json" for told in ("defaults", "told")
)

# Solves by either on 1 to 4 processes.
ITERATIONS = "compare_stratimikos-iterations-epyc-2026-12-01.json.xz"


def pairs(record):
    """(problem, Tessera's solve, MueLu's)"""
    cases = {}
    for case in record["solves"]:
        cases.setdefault(case["problem"], {})[case["preconditioner"]] = case
    return [(problem, case["Tessera"], case["MueLu"]) for problem, case in cases.items()]


def total(case):
    return case["setup_ms"] + case["solve_ms"]


@table(*STRATIMIKOS)
def stratimikos(*records):
    rows = []
    for record, told in zip(records, ("nothing", "nodes, rigid body modes")):
        for problem, own, peer in pairs(record):
            cells = [f"{number(own[key])}, {number(peer[key])}" for key in ("setup_ms", "min_setup_ms", "solve_ms")]
            shares = [ratio(own["setup_ms"] / peer["setup_ms"]), ratio(total(own) / total(peer))]
            iterations = f"{own['iterations']}, {peer['iterations']}"
            rows.append([problem, told, iterations, *cells, *shares])
    titles = ["problem", "both are given", "iterations", "setup, ms", "shortest setup, ms", "solve, ms"]
    return [*titles, "Tessera's setup over MueLu's", "setup and solve over MueLu's"], rows


@table(ITERATIONS)
def stratimikos_iterations(record):
    """Iterations on each number of processes in turn, by problem and by what both are given."""
    runs = sorted(record["runs"], key=lambda run: run["processes"])
    counts = {}
    for given in (False, True):
        for run in (run for run in runs if run["told"] == given):
            for problem, own, peer in pairs(run):
                cells = counts.setdefault((problem, given), ([], []))
                cells[0].append(str(own["iterations"]))
                cells[1].append(str(peer["iterations"]))
    rows = [
        [problem, "nodes, rigid body modes" if given else "nothing", ", ".join(own), ", ".join(peer)]
        for (problem, given), (own, peer) in counts.items()
    ]
    processes = ", ".join(str(number) for number in sorted({run["processes"] for run in runs}))
    return ["problem", "both are given", f"Tessera on {processes} processes", "MueLu"], rows


def stratimikos_in_short(records):
    shares = [total(own) / total(peer) for record in records for _, own, peer in pairs(record)]
    text = f"{ratio(min(shares))} to {ratio(max(shares))} of its time"
    return ["setup and solve by name in Stratimikos, two processes", "MueLu", text]
