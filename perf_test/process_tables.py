# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of iterations by the number of processes, counted by process_iterations.py, for docs/performance_tables.py."""
from table_cells import ratio, table

NOW = "process_iterations-xeon-2026-11-30.json.xz"
DEFAULTS = "process_iterations-epyc-2026-11-29.json.xz"  # before process 0 had factors
MANY = "process_iterations-many-epyc-2026-11-29.json.xz"
WITH_FACTORS = "process_iterations-fallback-epyc-2026-11-29.json.xz"
BY_JACOBI = "process_iterations-jacobi-epyc-2026-11-29.json"
BY_REDUCTION = "process_iterations-reduction-epyc-2026-11-29.json.xz"
REAL_BY_REDUCTION = "process_iterations-reduction-real-epyc-2026-11-29.json.xz"
SOLUTIONS = "process_iterations-solutions-epyc-2026-11-29.json.xz"
KINDS = {
    "symmetric": "gallery, symmetric", "convection": "gallery, convection", "vortex, upwind": "vortex, upwind",
    "vortex, central": "vortex, central differences", "real, definite": "real, definite", "real, others": "real, others",
}


def counts(case):
    return [run["iterations"] for run in case["runs"]]


def is_solved(case):
    return all(run["status"] in ("converged", "least_squares") for run in case["runs"])


def by_name(record):
    return {case["system"]: case for case in record["results"]}


def title(name):
    return f"`{name}`" if " " not in name else name.replace("^2", "²").replace("Peclet", "Péclet")


@table(NOW)
def process_iterations_equal(record):
    """What takes as many on any number."""
    rows = []
    for kind, words in KINDS.items():
        own = [case for case in record["results"] if case["kind"] == kind]
        solved = [case for case in own if is_solved(case)]
        equal = [case for case in solved if len(set(counts(case))) == 1]
        cell = "; ".join(f"{title(case['system'])} {counts(case)[0]}" for case in equal)
        rows.append([words, len(own), len(own) - len(solved), len(solved) - len(equal), cell])
    return ["systems", "number", "not solved", "iterations differ", "the same iterations on any number of processes"], rows


@table(NOW, MANY, BY_JACOBI)
def process_iterations_differ(record, many, by_jacobi):
    """What depends on the shares, and by Jacobi's method, which relaxes all rows."""
    more, jacobi = by_name(many), by_name(by_jacobi)
    rows = []
    for case in record["results"]:
        if not is_solved(case) or len(set(counts(case))) == 1:
            continue
        name, own = case["system"], counts(case)
        further = ", ".join(map(str, counts(more[name])[2:])) if name in more else ""
        others = counts(jacobi[name])[0] if name in jacobi else ""
        rows.append([title(name), case["runs"][0].get("smoother", "factors after it"), ", ".join(map(str, own)), ratio(max(own) / own[0]), further, others])
    numbers = ", ".join(str(run["processes"]) for run in record["results"][0]["runs"])
    return ["system", "smoother", numbers, "most over one's", "16, 32", "by Jacobi, on any"], rows


@table(DEFAULTS)
def process_iterations_unsolved(record):
    rows = []
    for case in record["results"]:
        if is_solved(case):
            continue
        runs = case["runs"]
        residuals = ", ".join(f"{run['true_relative_residual']:.1e}" for run in (runs[0], runs[-1]))
        statuses = " / ".join(dict.fromkeys(f"`{run['status']}`" for run in runs))
        rows.append([title(case["system"]), statuses, ", ".join(map(str, counts(case))), residuals])
    return ["system", "ends as", "iterations", "true residual on 1 and 8"], rows


@table(DEFAULTS, WITH_FACTORS)
def process_iterations_fallback(before, since):
    """What factors of process 0 have changed, on the numbers of processes that were run again."""
    old = by_name(before)
    rows = []
    for case in since["results"]:
        numbers = [run["processes"] for run in case["runs"]]
        runs = [run for run in old[case["system"]]["runs"] if run["processes"] in numbers]
        if [run["iterations"] for run in runs] == counts(case):
            continue
        statuses = "" if is_solved({"runs": runs}) else " (" + " / ".join(dict.fromkeys(f"`{run['status']}`" for run in runs)) + ")"
        residual = max(run["true_relative_residual"] for run in case["runs"])
        rows.append([title(case["system"]), ", ".join(str(run["iterations"]) for run in runs) + statuses, ", ".join(map(str, counts(case))),
                     " / ".join(dict.fromkeys(f"`{run['status']}`" for run in case["runs"])), f"{residual:.1e}"])
    numbers = ", ".join(str(run["processes"]) for run in since["results"][0]["runs"])
    return ["system", f"before, on {numbers}", "since", "ends as", "largest true residual"], rows


def ends(runs):
    """Iterations, or how all ended."""
    statuses = dict.fromkeys(run["status"] for run in runs)
    if list(statuses) == ["converged"]:
        return ", ".join(str(run["iterations"]) for run in runs)
    return " / ".join(f"`{status}`" for status in statuses)


@table(BY_REDUCTION, REAL_BY_REDUCTION, DEFAULTS)
def process_iterations_reduction(record, real, defaults):
    """By a reduction, beside what the defaults take."""
    picked = by_name(defaults)
    rows = []
    for case in record["results"] + real["results"]:
        numbers = [run["processes"] for run in case["runs"]]
        usual = [run for run in picked[case["system"]]["runs"] if run["processes"] in numbers]
        levels = "equal" if len({str(run["rows"]) for run in case["runs"]}) == 1 else "differ"
        rows.append([title(case["system"]), ends(case["runs"]), levels, usual[0]["smoother"], ends(usual)])
    numbers = ", ".join(str(run["processes"]) for run in record["results"][0]["runs"])
    return ["system", f"reduction on {numbers}", "rows of levels", "the defaults' smoother", "and iterations"], rows


@table(SOLUTIONS)
def process_solutions(record):
    """How far solutions are from that of one process."""
    rows = []
    for case in record["results"]:
        runs = case["runs"]
        far = [run["distance"] for run in runs if "distance" in run]
        rows.append([title(case["system"]), ends(runs), f"{max(far):.1e}" if far else "", f"{max(run['true_relative_residual'] for run in runs):.1e}"])
    numbers = ", ".join(str(run["processes"]) for run in record["results"][0]["runs"])
    return ["system", f"iterations on {numbers}", "largest distance", "largest true residual"], rows
