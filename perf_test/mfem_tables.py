# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of MFEM's problems beside BoomerAMG, measured by compare_mfem, for docs/performance_tables.py."""
from table_cells import number, ratio, table

PROCESSES = (1, 2, 4)
MFEM = tuple(f"compare_mfem-{p}process{'es' if p > 1 else ''}-epyc-2026-11-27.json" for p in PROCESSES)


def by_problem(record):
    """{problem: {preconditioner: its row}}"""
    found = {}
    for row in record["results"]:
        found.setdefault(row["name"], {})[row["preconditioner"]] = row
    return found


def total(row):
    return row["setup_ms"] + row["solve_ms"]


@table(MFEM[0])
def mfem(record):
    rows = []
    for problem, measured in by_problem(record).items():
        for name, row in measured.items():
            times = [number(1e-3 * ms) for ms in (row["setup_ms"], row["solve_ms"], total(row))]
            share = "" if name == "Tessera" else ratio(total(measured["Tessera"]) / total(row))
            rows.append([problem, f"{row['rows']:,}", name, row["iterations"], *times, share])
    titles = ["problem", "unknowns", "preconditioner", "iterations", "setup, s", "solve, s", "both, s"]
    return [*titles, "Tessera's both over this"], rows


@table(*MFEM[1:])
def mfem_processes(*records):
    opened = [by_problem(record) for record in records]
    rows = []
    for problem in opened[0]:
        for name in opened[0][problem]:
            cells = []
            for measured in opened:
                row = measured[problem][name]
                times = " + ".join(number(1e-3 * row[key]) for key in ("setup_ms", "solve_ms"))
                cells += [row["iterations"], times]
            rows.append([problem, f"{opened[0][problem][name]['rows']:,}", name, *cells])
    titles = ["problem", "unknowns", "preconditioner"]
    for processes in PROCESSES[1:]:
        titles += [f"iterations on {processes}", "setup + solve, s"]
    return titles, rows
