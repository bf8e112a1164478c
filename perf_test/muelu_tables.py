# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tessera, MueLu and the cycle of one over the levels of the other on several processes, measured by
compare_muelu_distributed.cpp, for docs/performance_tables.py."""
from table_cells import number, table

PROCESSES = ("1process", "2processes", "4processes")
DISTRIBUTED = tuple(f"compare_muelu_distributed-{n}-epyc-2026-11-22.json" for n in PROCESSES)


@table(*DISTRIBUTED)
def distributed(*records):
    rows = {}
    for record in records:
        for case in record["solves"]:
            if "(" in case["preconditioner"]:  # in mixed precision
                continue
            cell = f"{number(case['setup_ms'])} + {number(case['solve_ms'])}, {case['iterations']}"
            rows.setdefault((case["problem"], case["preconditioner"]), []).append(cell)
    titles = [f"{r['processes']} process{'es' if r['processes'] > 1 else ''}" for r in records]
    return ["problem", "preconditioner", *titles], [[*key, *cells] for key, cells in rows.items()]
