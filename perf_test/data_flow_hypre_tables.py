# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of compare_gpu_hypre_flow, AmgT's flow beside the peer that the paper has, hypre on cuSPARSE, for
docs/performance_tables.py."""
from data_flow_tables import PAPER, mean_of, systems_of, up_to
from table_cells import label, number, table

BESIDE_HYPRE = "compare_gpu_hypre_flow-h200-2026-12-01.json.xz"
BASELINE = "hypre on cuSPARSE"
# As the record has them, and as a title does.
OTHERS = {"rows": "Tessera, rows", "tiles": "Tessera, tiles", "hypre's own kernels": "hypre's own kernels"}
STEPS = ("total", "setup", "solve")


@table(BESIDE_HYPRE)
def data_flow_hypre(record):
    """How many times as fast as the paper's baseline, over the systems that both ran on."""
    rows = []
    for step in STEPS:
        cells = [mean_of(record, f"{name} over {BASELINE}: {step}") for name in OTHERS]
        rows.append([step, *cells, up_to(*PAPER[step][0])])
    titles = [f"times as fast as {BASELINE}, geometric means and largest, {systems_of(record)}"]
    return [*titles, *OTHERS.values(), "AmgT, tiles"], rows


@table(BESIDE_HYPRE, names_records=False)
def data_flow_hypre_systems(record):
    """What each took and left by system, in the order of `names`."""
    names = (BASELINE, "hypre's own kernels", "rows", "tiles")
    rows = []
    for system in record["systems"]:
        flows = {flow["flow"]: flow for flow in system["flows"]}
        if not flows:
            continue
        cells = [label(system["system"]), levels_of(flows, BASELINE), levels_of(flows, "rows")]
        for key in ("setup_ms", "solve_ms"):
            cells.append(", ".join(number(flows[name][key]) if name in flows else "none" for name in names))
        cells.append(", ".join(left(flows.get(name)) for name in (BASELINE, "rows")))
        rows.append(cells)
    order = "cuSPARSE, hypre's own, rows, tiles"
    titles = ["system", "levels and operator complexity: hypre", "Tessera", f"setup, ms: {order}"]
    titles += [f"{record['cycles']} cycles, ms: {order}", "relative residual then: hypre, Tessera"]
    return titles, rows


def levels_of(flows, name):
    if name not in flows:
        return "none"
    flow = flows[name]
    smoothed = "" if flow["coarsest_is_direct"] else ", the last one smoothed"
    return f"{flow['levels']}, {flow['operator_complexity']:.2f}{smoothed}"


def left(flow):
    if flow is None:
        return "none"
    residual = flow["relative_residual"]
    return "no number" if residual is None else f"{residual:.0e}"
