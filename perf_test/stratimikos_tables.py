# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""The table of compare_stratimikos, Tessera beside MueLu by name in Stratimikos, for docs/performance_tables.py."""
from table_cells import number, ratio, table

STRATIMIKOS = tuple(
    f"compare_stratimikos-{told}-2processes-epyc-2026-11-27.json" for told in ("defaults", "told")
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
            cells = []
            for key in ("setup_ms", "min_setup_ms", "solve_ms"):
                cells.append(f"{number(own[key])}, {number(peer[key])}")
            share = ratio(own["min_setup_ms"] / peer["min_setup_ms"])
            iterations = f"{own['iterations']}, {peer['iterations']}"
            rows.append([problem, told, iterations, *cells, share])
    titles = ["problem", "both are told", "iterations", "setup, ms", "shortest setup, ms", "solve, ms"]
    return [*titles, "Tessera's shortest setup over MueLu's"], rows
