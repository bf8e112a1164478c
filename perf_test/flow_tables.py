# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of convection on a GPU beside hypre: a vortex, discontinuous elements, and on these a reduction
beside what is picked, for docs/performance_tables.py."""
from table_cells import by_name, label, number, ratio, table, times_of

ELEMENTS = (
    "compare_gpu_hypre-dg-squares-h200-2026-11-29.json.xz",
    "compare_gpu_hypre-dg-tetrahedra-h200-2026-11-29.json.xz",
)
ELEMENTS_ON_H100 = (
    "compare_gpu_hypre-dg-squares-h100-2026-11-28.json.xz",
    "compare_gpu_hypre-dg-tetrahedra-h100-2026-11-28.json.xz",
)
# Of the first of ELEMENTS: other work had the GPU, too, as the page says.
DISTURBED = "dg_squares:n=256,order=1,peclet=1e2"
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


@table("compare_gpu_hypre-vortex-h200-2026-11-29.json.xz")
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


@table(*ELEMENTS, ELEMENTS_ON_H100[0])
def discontinuous_elements(squares, tetrahedra, squares_on_h100):
    """What was disturbed is of the record on an H100."""
    rows = {**beside_hypre(squares), **beside_hypre(tetrahedra)}
    rows[DISTURBED] = beside_hypre(squares_on_h100)[DISTURBED]
    rows[DISTURBED][0] += ", on an H100"
    return TITLES, list(rows.values())


@table(*ELEMENTS_ON_H100, *REDUCTION)
def reduction_of_elements(squares, tetrahedra, *reductions):
    """What is picked on the same GPU, and reductions of what there is one of."""
    picked = {**by_name(squares), **by_name(tetrahedra)}
    reduced = [by_name(record) for record in reductions]
    rows = []
    for name, case in picked.items():
        if not any(name in solves for solves in reduced):
            continue
        rows.append([label(name), ended(case["tessera"], squares["tolerance"])])
        for record, solves in zip(reductions, reduced):
            rows[-1].append(ended(solves[name], record["tolerance"]) if name in solves else "")
    shares = [record["settings"][1].split("=")[1] for record in reductions]
    return ["problem", "picked: blocks", *(f"reduction, `converted_share` {s}" for s in shares)], rows
