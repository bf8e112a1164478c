# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of systems that scripts make, solved by generated_systems.py, for docs/performance_tables.py."""
from table_cells import table

RECORD = "generated_systems-epyc-2026-11-29.json.xz"
# Of parameters, as they are written there.
VALUES = ("jacobi", "ilu", "chebyshev", "fsai", "direct")


def cell(way):
    """Iterations and processor time; a star where these were not enough."""
    if "iterations" not in way:
        return "–"
    star = "" if way["status"] in ("converged", "least_squares") else "*"
    return f"{way['iterations']}{star}, {way['ms']:.0f}"


def by_words(systems, with_rows):
    ways = list(systems[0]["ways"])
    rows = []
    for system in systems:
        size = [f"{system['rows']:,}"] if with_rows else []
        rows.append([f"`{system['words']}`", *size, *(cell(system["ways"][way]) for way in ways)])
    names = ["`auto`" if way == "defaults" else f"`{way}`" if way in VALUES else way for way in ways]
    return ["words", *(["rows"] if with_rows else []), *names], rows


@table(RECORD)
def power_law_graphs(record):
    return by_words(record["sets"]["graphs"], True)


@table(RECORD)
def long_graphs(record):
    return by_words(record["sets"]["long graphs"], True)


@table(RECORD)
def uneven_elements(record):
    return by_words(record["sets"]["elements"], False)


@table(RECORD)
def uneven_half(record):
    """A row for each choice: there are more of them than systems."""
    systems = record["sets"]["half"]
    rows = [[way, *(cell(system["ways"][way]) for system in systems)] for way in systems[0]["ways"]]
    return ["choice", *(f"`--epsilon {system['words'].split()[-1]}`" for system in systems)], rows


@table(RECORD)
def species(record):
    return by_words(record["sets"]["species"], False)


@table("scaling_tries-epyc-2026-11-29.json")
def scaling_tries(record):
    factors = {"none": "none", "diagonal": "1/√a_ii on both sides",
               "ruiz": "Ruiz's: 30 times divided by the roots of the rows' and columns' largest entries"}
    rows = []
    for case in record["results"]:
        iterations = case["iterations"]
        if case["status"] != "converged":
            iterations = f"more than {iterations}, true relative residual {case['true_relative_residual']:.1f}"
        rounded = ", rounded to powers of two" if case["rounded"] else ""
        apart = f"2^{case['powers_of_two']:.1f}" if case["powers_of_two"] else "1"
        rows.append([case["matrix"], factors[case["factors"]] + rounded, apart, iterations])
    return ["matrix", "factors", "neighbours' two couplings differ by up to", "iterations"], rows
