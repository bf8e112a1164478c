# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Figure 9 of AmgT, its flows on several GPUs, from runs of tessera_perf_scaling, for
docs/performance_tables.py. Each problem is run by `FLOWS`, which differ in what levels are stored in."""
from data_flow_tables import up_to
from table_cells import geometric_mean, label, number, table

SEVERAL_GPUS = "data_flow-gpus-h200-2026-11-29.json.xz"
FLOWS = ("rows", "tiles", "tiles, mixed")
# Lu et al., section V.F, geometric means and largest over 16 matrices on eight A100s, of the whole time.
PAPER = {("tiles", "rows"): (1.35, 1.84), ("tiles, mixed", "tiles"): (1.06, 1.11)}


def flow_of(result):
    """By the storage that the run was told."""
    settings = result["settings"]
    if not any(setting.endswith("format=mbsr") for setting in settings):
        return "rows"
    return "tiles, mixed" if any(setting.endswith("scalar=half") for setting in settings) else "tiles"


def flows_by_problem(record):
    """{(problem, processes): {flow: result}} of those that have all flows."""
    found = {}
    for run in record["runs"]:
        for result in run["results"]:
            settings = result.get("settings", record.get("settings", []))
            flow = flow_of({**result, "settings": settings})
            found.setdefault((result["problem"], result["processes"]), {})[flow] = result
    return {key: flows for key, flows in found.items() if all(name in flows for name in FLOWS)}


def ended(result):
    end = "" if result["status"] == "converged" else f" ({result['status'].replace('_', ' ')})"
    return f"{result['iterations']}{end}"


@table(SEVERAL_GPUS)
def flows_on_several_gpus(record):
    rows = []
    for (problem, processes), flows in flows_by_problem(record).items():
        results = [flows[name] for name in FLOWS]
        cells = [", ".join(number(r[key]) for r in results) for key in ("setup_ms", "solve_ms")]
        iterations = ", ".join(map(ended, results))
        rows.append([label(problem), processes, f"{results[0]['rows']:,}", *cells, iterations])
    flows = ", ".join(FLOWS)
    titles = ["system", "GPUs", "rows", f"setup, ms: {flows}", "solve, ms", "iterations"]
    return titles, rows


@table(SEVERAL_GPUS, names_records=False)
def flow_means_on_several_gpus(record):
    """How many times as fast, above 1 being a gain."""
    rows = []
    for (ours, theirs), paper in PAPER.items():
        cells = [f"{ours} over {theirs}"]
        for keys in (("setup_ms",), ("solve_ms",), ("setup_ms", "solve_ms")):
            ratios = [
                sum(flows[theirs][key] for key in keys) / sum(flows[ours][key] for key in keys)
                for flows in flows_by_problem(record).values()
            ]
            cells.append(up_to(geometric_mean(ratios), max(ratios)))
        rows.append([*cells, up_to(*paper)])
    return ["times as fast, geometric means and largest", "setup", "solve", "total", "AmgT, total"], rows
