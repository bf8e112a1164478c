# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of restrictions by local solves beside those by polynomials, for docs/performance_tables.py."""
from table_cells import geometric_mean, number, ratio, table

RESTRICTIONS = "local_restrictions-xeon-2026-11-30.json.xz"
BASE = "AIRG"
FLOWS = {"straight2d": "straight, {}²", "vortex2d": "vortex, {}²", "straight3d": "straight, {}³", "vortex3d": "vortex, {}³"}


def flow_of(name):
    """`vortex2d:n=128,peclet=1e2` as (flow and size, Péclet number)."""
    flow, _, settings = name.partition(":")
    values = dict(pair.split("=") for pair in settings.split(","))
    return FLOWS[flow].format(values["n"]), values["peclet"]


def reads_of(found):
    return found["iterations"] * found["cycle"]


def work_of(found):
    return sum(found["setup"].values())


def has_ended(found):
    return found["status"] == "converged"


@table(RESTRICTIONS)
def restrictions_by_local_solves(record):
    """Iterations of all ways, a row for each flow and size and a column for each Péclet number; empty where a problem was not run."""
    flows, numbers = {}, []
    for system in record["systems"]:
        flow, peclet = flow_of(system["name"])
        numbers += [peclet] * (peclet not in numbers)
        counts = (str(found["iterations"]) if has_ended(found) else "–" for found in map(system["ways"].get, record["ways"]))
        flows.setdefault(flow, {})[peclet] = ", ".join(counts)
    return ["flow", *numbers], [[flow, *(cells.get(peclet, "") for peclet in numbers)] for flow, cells in flows.items()]


@table(RESTRICTIONS, names_records=False)
def setups_of_local_restrictions(record):
    """Multiplications of Horner's steps, of R and of R A P, the means over the Péclet numbers."""
    flows = {}
    for system in record["systems"]:
        flows.setdefault(flow_of(system["name"])[0], []).append(system["ways"])
    rows = []
    for flow, systems in flows.items():
        cells = []
        for way in record["ways"]:
            ended = [ways[way]["setup"] for ways in systems if has_ended(ways[way])]
            parts = [geometric_mean([max(setup[part], 1) for setup in ended]) for part in ("inverse", "restriction", "product")] if ended else []
            cells.append(" + ".join(number(part) if part > 1 else "0" for part in parts) or "not made")
        rows.append([flow, *cells])
    return ["flow", *record["ways"]], rows


@table(RESTRICTIONS, names_records=False)
def local_restrictions_beside_airg(record):
    """Geometric means over what the base takes, on the systems that both solve."""
    rows = []
    for way in record["ways"]:
        for dimension, title in (("2d", "plane"), ("3d", "space")):
            systems = [s["ways"] for s in record["systems"] if f"{dimension}:" in s["name"]]
            pairs = [(ways[way], ways[BASE]) for ways in systems if has_ended(ways[way]) and has_ended(ways[BASE])]
            if not pairs or way == BASE:
                continue
            rows.append([way, title, f"{len(pairs)} of {len(systems)}"])
            for value in (lambda f: f["iterations"], lambda f: f["complexity"], lambda f: f["entries_of_R"], reads_of, work_of):
                rows[-1].append(ratio(geometric_mean([value(found) / value(base) for found, base in pairs])))
    return ["restriction", "flows", "problems", "iterations", "complexity", "entries of R", "entries read", "multiplications of a setup"], rows
