# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of messages beside hypre's, counted by compare_hypre_messages, for docs/performance_tables.py."""
from table_cells import number, table

PROCESSES = (2, 4, 8)
MESSAGES = tuple(f"compare_hypre_messages-{p}processes-xeon-2026-11-30.json.xz" for p in PROCESSES)
PEERS = {
    "hypre, PMIS, l1-Jacobi": "PMIS, l1-Jacobi",
    "hypre, HMIS, l1-Gauss-Seidel": "HMIS, l1-Gauss-Seidel",
    "hypre, the same, 0.25, one aggressive level": "HMIS, one aggressive level",
}
OURS = {
    "Tessera": "Tessera",
    "Tessera, precision=float": "in float",
    "Tessera, precision=float,gather_rows=500": "in float, `gather_rows` = 500",
}
BY = {**OURS, **PEERS}


def by_problem(record):
    """{problem: {whose: its row}}"""
    found = {}
    for row in record["results"]:
        found.setdefault(row["problem"], {})[row["by"]] = row
    return found


def kilobytes(count):
    return number(1e-3 * count)


@table(MESSAGES[-1])
def messages_in_short(record):
    rows = []
    for problem, measured in by_problem(record).items():
        cells = [
            f"{measured[by]['cycle']['messages']}, {kilobytes(measured[by]['cycle']['bytes'])}, "
            f"{measured[by]['iterations']}"
            for by in (*list(OURS)[:2], *PEERS)
        ]
        rows.append([f"`{problem}`", *cells])
    return ["problem", "Tessera", "Tessera in float", *(f"hypre, {name}" for name in PEERS.values())], rows


@table(*MESSAGES)
def messages(*records):
    opened = [by_problem(record) for record in records]
    rows = []
    for problem in opened[0]:
        for by, name in BY.items():
            found = [measured[problem][by] for measured in opened]
            last = found[-1]["cycle"]
            cells = [
                "; ".join(str(row["iterations"]) for row in found),
                "; ".join(str(row["cycle"]["messages"]) for row in found),
                "; ".join(kilobytes(row["cycle"]["bytes"]) for row in found),
                f"{last['max_messages']}, {kilobytes(last['max_bytes'])}",
                f"{last['collectives']}",
                f"{found[-1]['setup']['messages']:,}, {found[-1]['setup']['collectives']}",
            ]
            rows.append(["" if by != "Tessera" else f"`{problem}`", name, *cells])
    titles = ["problem", "by", "iterations", "messages", "kB", "of one process of 8: messages, kB"]
    return [*titles, "collectives", "setup on 8: messages, collectives"], rows
