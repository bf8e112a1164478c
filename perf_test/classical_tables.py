# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of classical coarsening on a GPU beside hypre's, for docs/performance_tables.py."""
from table_cells import by_name, label, number, ratio, table, times_of

RANDOM = "compare_gpu_hypre-classical-random-h200-2026-11-29.json.xz"
ONES = "compare_gpu_hypre-classical-ones-h200-2026-11-29.json.xz"
NEW_VALUES = "solve-classical-symbolic-h200-2026-11-28.json.xz"
TRIES = "classical_tries-h200-2026-11-29.json.xz"
KERNELS = "classical_kernels-h200-2026-11-30.json.xz"


@table(RANDOM, ONES, NEW_VALUES)
def classical_on_a_gpu(random, ones, setups):
    """Both right-hand sides beside hypre, the operators' complexity, and new values over the first setup."""
    constant, setup_of = by_name(ones), by_name(setups)
    rows = []
    for case in random["results"]:
        name = case["name"]
        rows.append([label(name), times_of(case["tessera"]), times_of(case["hypre"])])
        rows[-1].append(ratio(case["total_ratio"]))
        rows[-1] += counts_and_ratio(constant[name]) if name in constant else ["", ""]
        setup = setup_of[name]
        share = setup["update_ms"] / setup["setup_without_reuse_ms"]
        rows[-1] += [ratio(setup["operator_complexity"]), number(setup["update_ms"]), ratio(share)]
    titles = ["problem", "Tessera: setup + solve = total, ms; iterations", "hypre", "total over hypre's"]
    titles += ["b = A·1: iterations, and hypre's", "total over hypre's", "operator complexity"]
    return [*titles, "new values, ms", "over the first setup"], rows


def counts_and_ratio(case):
    counts = (case[solver]["iterations"] for solver in ("tessera", "hypre"))
    return [", ".join(map(str, counts)), ratio(case["total_ratio"])]


@table(TRIES)
def classical_tries(record):
    """Each way by classical_tries.py: totals over hypre's recorded ones, their mean over the base's, and whether it keeps within the bounds."""
    from classical_tries import HYPRE, keeps_within, share_of

    base = record["ways"][0]["results"]
    names = [case["name"] for case in base]
    rows = []
    for way in record["ways"]:
        if "results" not in way:
            rows.append([way["name"], way["error"], *[""] * (len(names) + 1)])
            continue
        cells = []
        for case in way["results"]:
            over = f", {case['total_ms'] / HYPRE[case['name']][2]:.3f}" if case["name"] in HYPRE else ""
            cells.append(f"{case['iterations']}, {ratio(case['operator_complexity'])}, {number(case['setup_ms'])} + {number(case['solve_ms'])}{over}")
        within = "yes" if keeps_within(way["results"], base) else "no"
        rows.append([way["name"], f"`{way['settings']}`" if way["settings"] else "", *cells, ratio(share_of(way["results"], base)), within])
    return ["way", "settings", *map(label, names), "total over the base's", "within the bounds"], rows


@table(TRIES, names_records=False)
def classical_tries_setups(record):
    """Setups of the ways that were timed with both right-hand sides, on which a setup does not depend, and the means of the totals over the base's."""
    from classical_tries import share_of

    random = {way["name"]: way["results"] for way in record["random"]}
    bases = {"b = A·1": record["ways"][0]["results"], "b at random": random["base"]}
    names = [case["name"] for case in record["ways"][0]["results"]]
    rows = []
    for way in record["ways"]:
        for rhs, base in bases.items():
            results = way["results"] if rhs == "b = A·1" else random.get(way["name"])
            if way["name"] in (*random, "base, again") and results:
                setups = [number(case["setup_ms"]) for case in results]
                rows.append([way["name"], rhs, *setups, ratio(share_of(results, base))])
    return ["way", "right-hand side", *map(label, names), "total over the base's"], rows


@table(KERNELS)
def classical_kernels(record):
    """Setups and solves by each of the kernels that were tried, b = A·1, and totals over hypre's recorded ones."""
    from classical_tries import HYPRE

    names = [case["name"] for case in record["rows"][0]["results"]]
    rows = []
    for row in record["rows"]:
        if row["rhs"] == "random":
            continue
        cells = []
        for case in row["results"]:
            total = case["setup_ms"] + case["solve_ms"]
            over = f", {total / HYPRE[case['name']][2]:.3f}" if case["name"] in HYPRE else ""
            cells.append(f"{number(case['setup_ms'])} + {number(case['solve_ms'])}{over}")
        rows.append([row["tries"].replace(", ", ",").replace(",", ", "), *cells])
    return ["tries", *map(label, names)], rows
