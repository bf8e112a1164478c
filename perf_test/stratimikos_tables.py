# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""The table of compare_stratimikos, Tessera beside MueLu by name in Stratimikos, for docs/performance_tables.py."""
from table_cells import number, ratio, table

STRATIMIKOS = tuple(
    f"compare_stratimikos-{told}-2processes-epyc-2026-11-30.json" for told in ("defaults", "told")
)


@table(*STRATIMIKOS)
def stratimikos(*records):
    rows = []
    for record, told in zip(records, ("nothing", "nodes, rigid body modes")):
        cases = {}
        for case in record["solves"]:
            cases.setdefault(case["problem"], {})[case["preconditioner"]] = case
        for problem, case in cases.items():
            own, peer = case["Tessera"], case["MueLu"]
            cells = [f"{number(own[key])}, {number(peer[key])}" for key in ("setup_ms", "min_setup_ms", "solve_ms")]
            totals = [sum(c[key] for key in ("setup_ms", "solve_ms")) for c in (own, peer)]
            shares = [ratio(own["setup_ms"] / peer["setup_ms"]), ratio(totals[0] / totals[1])]
            iterations = f"{own['iterations']}, {peer['iterations']}"
            rows.append([problem, told, iterations, *cells, *shares])
    titles = ["problem", "both are told", "iterations", "setup, ms", "shortest setup, ms", "solve, ms"]
    return [*titles, "Tessera's setup over MueLu's", "setup and solve over MueLu's"], rows
