# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of convection on a GPU beside hypre: a vortex, and discontinuous elements with reduction beside
what is picked, for docs/performance_tables.py."""
from table_cells import by_name, label, number, ratio, table, times_of

ELEMENTS = (
    "compare_gpu_hypre-dg-squares-h100-2026-11-28.json.xz",
    "compare_gpu_hypre-dg-tetrahedra-h100-2026-11-28.json.xz",
)
REDUCTION = tuple(f"solve-dg-reduction-{share}-h100-2026-11-28.json.xz" for share in (4, 6))


def ended(result, tolerance):
    """Times and iterations, with the residual that is left where it is above the tolerance."""
    residual = result["true_relative_residual"]
    left = "" if residual <= tolerance else f", leaves {residual:.0e}"
    return times_of(result) + left


def beside_hypre(record):
    """{problem: its cells of a table}; no ratio where a solver does not converge."""
    rows = {}
    for case in record["results"]:
        solves = [case[name] for name in ("tessera", "hypre")]
        cells = [ended(solve, record["tolerance"]) for solve in solves]
        own_converges = solves[0]["true_relative_residual"] <= record["tolerance"]
        cells.append(ratio(case["total_ratio"]) if own_converges else "")
        rows[case["name"]] = [label(case["name"]), f"{case['rows']:,}", *cells]
    return rows


TITLES = ["problem", "rows", "Tessera: setup + solve = total, ms; iterations", "hypre"]
TITLES.append("Tessera's total over hypre's")


@table("compare_gpu_hypre-vortex-h200-2026-11-28.json.xz")
def vortex(record):
    return TITLES, list(beside_hypre(record).values())


@table("solve-flows-ways-h200-2026-11-28.json.xz")
def flows_on_device(record):
    """Each way of multigrid on each flow: setup + solve, iterations."""
    rows = {}
    for way in record["ways"]:
        for solve in way["results"]:
            times = [number(solve[key]) for key in ("setup_ms", "solve_ms")]
            cell = f"{times[0]} + {times[1]}, {solve['iterations']}"
            rows.setdefault(solve["name"], [label(solve["name"])]).append(cell)
    return ["flow", *(way["name"] for way in record["ways"])], list(rows.values())


@table(*ELEMENTS, *REDUCTION)
def discontinuous_elements(squares, tetrahedra, *reductions):
    rows = {**beside_hypre(squares), **beside_hypre(tetrahedra)}
    for record in reductions:
        solves = by_name(record)
        for name, row in rows.items():
            row.append(ended(solves[name], record["tolerance"]) if name in solves else "")
    shares = [record["settings"][1].split("=")[1] for record in reductions]
    return [*TITLES, *(f"reduction, `converted_share` {s}" for s in shares)], list(rows.values())
