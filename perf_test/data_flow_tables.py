# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of data_flow, setup and cycles on tiles beside rows and in mixed precision beside double, for
docs/performance_tables.py."""
from table_cells import label, number, ratio

DOUBLE, MIXED = ("rows", "tiles"), ("tiles", "tiles, mixed")
TIMED = ("rows", "tiles", "tiles, mixed")
# Lu et al., "AmgT: algebraic multigrid solver on tensor cores", SC 24, sections V.B and V.C, geometric means
# over 16 matrices on an H100: its tiles over hypre on cuSPARSE, and its mixed precision over its double.
PAPER = {
    "total": (1.32, 1.04),
    "setup": (1.53, None),
    "SpGEMM": (2.40, 1.06),
    "solve": (1.13, None),
    "SpMV": (1.19, 1.08),
}


def data_flow_systems(record):
    rows = []
    for system in record["systems"]:
        flows = {flow["flow"]: flow for flow in system["flows"]}
        if not flows:
            continue
        rows.append([label(system["system"]), *facts(system, next(iter(flows.values())))])
        rows[-1] += [times(flows, key) for key in ("setup_ms", "solve_ms")]
        rows[-1].append(", ".join(krylov(flows.get(name)) for name in MIXED))
        conversion = system.get("conversion")
        rows[-1].append(number(conversion["conversion_over_spmv_tiles"]) if conversion else "none")
    flows = "rows, tiles, tiles mixed"
    titles = ["system", "rows", "entries per tile", "levels", f"setup, ms: {flows}"]
    titles += [f"{record['cycles']} cycles, ms: {flows}", "Krylov iterations: double, mixed"]
    return [*titles, "a conversion to tiles over a product on them"], rows


def facts(system, flow):
    return [f"{system['rows']:,}", f"{system['entries_per_tile']:.1f}", len(flow["levels"])]


def times(flows, key):
    return ", ".join(number(flows[name][key]) if name in flows else "none" for name in TIMED)


def krylov(flow):
    """Iterations, with what the solve ended as where it did not converge."""
    if flow is None:
        return "none"
    solve = flow["krylov"]
    end = "" if solve["status"] == "converged" else f" ({solve['status'].replace('_', ' ')})"
    return f"{solve['iterations']}{end}"


def data_flow_means(record):
    rows = []
    for step, published in PAPER.items():
        cells = []
        for (reference, flow), paper in zip((DOUBLE, MIXED), published):
            mean = record["means"].get(f"{flow} over {reference}: {step}")
            cells.append(f"{ratio(mean['geometric_mean'])} of {mean['count']}" if mean else "none")
            cells.append(ratio(paper) if paper else "")
        rows.append([step, *cells])
    titles = ["times as fast, geometric means", "tiles over our rows", "AmgT over hypre on cuSPARSE, H100"]
    return [*titles, "tiles: mixed over double", "AmgT: mixed over double, H100"], rows
