# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Coarsenings beside hypre's BoomerAMG on a host, from records of tessera_perf_compare_hypre_coarsenings, for
docs/performance_tables.py."""
import math
import re

from table_cells import table

BESIDE_HYPRE = "compare_hypre_coarsenings-epyc-2026-11-29.json.xz"
BY_ANGLE = "compare_hypre_coarsenings-angles-epyc-2026-11-29.json.xz"
IN_SPACE = "compare_hypre_coarsenings-space-xeon-2026-12-01.json.xz"
ELEMENTS = {
    "anisotropic2d": "squares, {}²",
    "unstructured2d": "triangles, {}²",
    "anisotropic3d": "bricks, {}³",
    "unstructured3d": "tetrahedra, {}³",
}


def iterations(solve):
    return str(solve["iterations"]) if solve["converged"] else "–"


def heading(way):
    return f"`{way}`" if way == "auto" else way


@table(BESIDE_HYPRE)
def coarsenings_beside_hypre(record):
    """Iterations, and the processor's ms of setup and solve."""
    rows = []
    for result in record["results"]:
        cells = [f"{iterations(solve)}, {solve['processor_ms']:.0f}" if solve["converged"] else "–" for solve in result["solves"]]
        rows.append([f"{result['system']}, {result['rows']:,}", *cells])
    return ["system, rows", *(heading(solve["way"]) for solve in record["results"][0]["solves"])], rows


def settings_of(system):
    """("unstructured2d", {"n": 150.0, ...}) of `unstructured2d:n=150,...`"""
    kind, settings = system.split(":")
    return kind, {key: float(value) for key, value in re.findall(r"(\w+)=([^,]+)", settings)}


@table(BY_ANGLE, names_records=False)
def anisotropy_by_angle(record):
    """Iterations of `auto` and of hypre's two choices."""
    found, angles = {}, []
    for result in record["results"]:
        kind, settings = settings_of(result["system"])
        angle = f"{round(math.degrees(settings['theta']))}°"
        angles += [angle] if angle not in angles else []
        row = f"{ELEMENTS[kind].format(int(settings['n']))}, {settings['epsilon']:.0e}".replace("e-0", "e-")
        found.setdefault(row, {})[angle] = ", ".join(map(iterations, result["solves"]))
    order = [shape.split(",")[0] for shape in ELEMENTS.values()]
    return ["elements, ratio", *angles], [[row, *(cells[angle] for angle in angles)] for row, cells in sorted(found.items(), key=lambda named: order.index(named[0].split(",")[0]))]


@table(IN_SPACE)
def coarsenings_in_space(record):
    """The same at angles in space, and where coefficients jump on irregular meshes."""
    return coarsenings_beside_hypre(record)
