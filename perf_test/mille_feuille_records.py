# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""The records of mille_feuille, for plot_mille_feuille: how they are read, ratios, and tables."""
import math
import statistics

from records import read_json

# Table II: iterations and ms with cuSPARSE, and by Mille-feuille, on an A100.
TABLE_2 = {
    "mesh3e1": (36, 3.44, 53, 1.19),
    "Muu": (63, 7.02, 67, 4.91),
    "minsurf": (109, 15.67, 109, 15.34),
    "qa8fm": (69, 15.67, 72, 4.91),
    "thermomech_TC": (86, 18.92, 88, 15.03),
    "m3plates": (38, 4.54, 40, 1.52),
    "CAG_mat72": (80, 14.87, 87, 2.57),
    "arc130": (10, 1.71, 11, 0.36),
    "fs_541_1": (7, 1.60, 10, 0.43),
    "poli": (24, 4.92, 31, 4.92),
    "Hamrle1": (112, 19.50, 165, 4.79),
    "pores_1": (43, 7.29, 43, 1.25),
    "cz308": (100, 17.44, 147, 7.31),
    "majorbasis": (123, 52.91, 140, 51.52),
}
METHODS = ("cg", "bicgstab")
VENDOR = "cuSPARSE + cuBLAS"
BASE = "one kernel"
FALLING = "falling tiles"  # by the paper's ranges, in all records
FALLING_BY_DEFAULT = "falling tiles by default"  # by those of solver.tiles=dynamic
# The order of columns and colours.
WAYS = (BASE, VENDOR, "graph", "launches", "tiles", FALLING, FALLING_BY_DEFAULT, f"{VENDOR} in a graph")


def read_records(paths):
    """{(matrix, method, preconditioner): {matrix, method, rows, entries, csr_bytes, ways, runs}}

    `runs` has a dictionary {way: result} for each file that holds the system, in the order of the
    files; `ways` is their union, in which the last file counts.
    """
    systems = {}
    for path in paths:
        data = read_json(path)
        if data.get("comparison") != "mille_feuille":
            raise ValueError(f"{path} is no record of mille_feuille")
        for matrix in data["matrices"]:
            key = matrix["matrix"], matrix["method"], matrix["preconditioner"]
            results = {r["way"]: r for r in matrix.get("results", []) if "error" not in r}
            if not results:
                continue
            known = systems.setdefault(key, dict(matrix, ways={}, runs=[]))
            known["ways"].update(results)
            known["runs"].append(results)
    return systems


def chosen(systems, method, preconditioner):
    return [s for (_, m, p), s in systems.items() if m == method and p == preconditioner]


def time_of(system, way):
    return system["ways"].get(way, {}).get("us_per_iteration")


def run_with(system, *ways):
    """The results of the last file in which all of these ways iterate, or None: times of different
    runs are not compared."""
    for run in reversed(system["runs"]):
        if all(run.get(way, {}).get("us_per_iteration") for way in ways):
            return run
    return None


def ratios(systems, way, reference):
    """(entries, ratio, matrix) of times per iteration, where both iterate in one run."""
    pairs = []
    for system in systems:
        run = run_with(system, way, reference)
        if run is not None:
            own, other = run[way]["us_per_iteration"], run[reference]["us_per_iteration"]
            pairs.append((system["entries"], other / own, system["matrix"]))
    return pairs


def geometric_mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else None


def ways_of(systems):
    """Those that have results, the known ones in the order of WAYS."""
    names = {way for system in systems.values() for way in system["ways"]}
    return [way for way in WAYS if way in names] + sorted(names - set(WAYS))


def row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(titles, rows):
    return "\n".join([row(titles), row(["---"] * len(titles)), *map(row, rows)])


def means_table(systems, ways):
    rows = []
    for method, preconditioner in sorted({(m, p) for _, m, p in systems}, reverse=True):
        found = chosen(systems, method, preconditioner)
        for way in ways:
            for reference in ways:
                values = sorted((r, matrix) for _, r, matrix in ratios(found, way, reference))
                if way == reference or not values:
                    continue
                mean = geometric_mean([r for r, _ in values])
                ends = [f"{r:.2f} ({matrix})" for r, matrix in (values[0], values[-1])]
                slower = sum(r < 1 for r, _ in values)
                cells = [method, preconditioner, way, reference, len(values), slower]
                rows.append([*cells, f"{mean:.2f}", *ends])
    titles = ["method", "preconditioner", "way", "over", "matrices", "slower on"]
    return table([*titles, "geometric mean", "least", "most"], rows)


def setup_shares(systems, way):
    """(entries, share of setup in setup and 100 iterations, setup in iterations)."""
    shares = []
    for system in systems:
        us, setup = time_of(system, way), system["ways"].get(way, {}).get("setup_ms")
        if us and setup is not None:
            shares.append((system["entries"], setup / (setup + 0.1 * us), 1e3 * setup / us))
    return shares


def setup_table(systems, ways):
    rows = []
    for method, preconditioner in sorted({(m, p) for _, m, p in systems}, reverse=True):
        for way in ways:
            shares = setup_shares(chosen(systems, method, preconditioner), way)
            if shares:
                share, iterations = (statistics.median(s[i] for s in shares) for i in (1, 2))
                cells = [method, preconditioner, way, len(shares)]
                rows.append([*cells, f"{100 * share:.2g} %", f"{iterations:.2g}"])
    return table(["method", "preconditioner", "way", "matrices", "share", "iterations"], rows)


def table_2(systems, ways):
    """Each row is of one run: that with the most ways, the last one of these."""
    rows = []
    for matrix, (iterations, ms, own_iterations, own_ms) in TABLE_2.items():
        for method in METHODS:
            system = systems.get((matrix, method, "none"))
            if system is None:
                continue
            run = max(reversed(system["runs"]), key=len)
            cells = []
            for way in ways:
                result = run.get(way)
                if result is None:
                    cells.append("")
                    continue
                failed = "" if result["met_tolerance"] else f" ({result['end']})"
                cells.append(f"{result['iterations']}: {result['ms']:.3g}{failed}")
            rows.append([matrix, f"{iterations}: {ms}", f"{own_iterations}: {own_ms}", *cells])
    titles = ["matrix", "paper's cuSPARSE", "paper's Mille-feuille", *ways]
    return table(titles, rows) if rows else "None of table II's matrices is in the records."
