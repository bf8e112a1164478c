# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""The records of mille_feuille, for plot_mille_feuille: how they are read, ratios, and tables."""
import json
import math

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


def read_records(paths):
    """{(matrix, method, preconditioner): {rows, entries, csr_bytes, ways: {way: result}}}"""
    systems = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        if data.get("comparison") != "mille_feuille":
            raise ValueError(f"{path} is no record of mille_feuille")
        for matrix in data["matrices"]:
            key = matrix["matrix"], matrix["method"], matrix["preconditioner"]
            known = systems.setdefault(key, dict(matrix, ways={}))
            for result in matrix["results"]:
                if "error" not in result:
                    known["ways"][result["way"]] = result
    return systems


def chosen(systems, method, preconditioner):
    return [s for (_, m, p), s in systems.items() if m == method and p == preconditioner]


def time_of(system, way):
    return system["ways"].get(way, {}).get("us_per_iteration")


def ratios(systems, way, reference):
    """(entries, ratio) of times per iteration, over systems on which both iterate."""
    pairs = []
    for system in systems:
        own, other = time_of(system, way), time_of(system, reference)
        if own and other:
            pairs.append((system["entries"], other / own))
    return pairs


def geometric_mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else None


def ways_of(systems):
    names = []
    for system in systems.values():
        names += [way for way in system["ways"] if way not in names]
    return names


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
                values = [r for _, r in ratios(found, way, reference)]
                if way != reference and values:
                    mean, most = geometric_mean(values), max(values)
                    cells = [method, preconditioner, way, reference, len(values)]
                    rows.append([*cells, f"{mean:.2f}", f"{most:.2f}"])
    titles = ["method", "preconditioner", "way", "over", "matrices", "geometric mean", "most"]
    return table(titles, rows)


def table_2(systems, ways):
    rows = []
    for matrix, (iterations, ms, own_iterations, own_ms) in TABLE_2.items():
        for method in METHODS:
            system = systems.get((matrix, method, "none"))
            if system is None:
                continue
            cells = []
            for way in ways:
                result = system["ways"].get(way)
                if result is None:
                    cells.append("")
                    continue
                failed = "" if result["met_tolerance"] else f" ({result['end']})"
                cells.append(f"{result['iterations']}: {result['ms']:.3g}{failed}")
            rows.append([matrix, f"{iterations}: {ms}", f"{own_iterations}: {own_ms}", *cells])
    titles = ["matrix", "paper's cuSPARSE", "paper's Mille-feuille", *ways]
    return table(titles, rows) if rows else "None of table II's matrices is in the records."
