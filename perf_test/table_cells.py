# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the tables of docs/performance share: their registry, and how names and numbers are written.

A table is a function of opened records that returns titles and rows. Times are in milliseconds
unless a title says otherwise."""
import math
import pathlib
import re
import statistics

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
GRIDS = {
    "poisson2d": "5-point {}²",
    "poisson3d": "7-point {}³",
    "poisson3d27": "27-point {}³",
    "poisson2d9": "9-point {}²",
    "blocks3_27pt": "3×3 blocks, 27-point {}³",
}
TABLES = {}


def table(*names, names_records=True):
    """Registers a function of the opened records, in this order, that returns titles and rows. A table
    that repeats what others on its page have does not name its records."""

    def register(function):
        TABLES[function.__name__] = (names, function, names_records)
        return function

    return register


def label(name):
    """`7-point 128³` for `poisson3d` with `:128`, `:n=128` or ` n=128`; others as they are."""
    found = re.fullmatch(r"(\w+)[: ](?:n=)?(\d+)", name)
    if found and found[1] in GRIDS:
        return GRIDS[found[1]].format(found[2])
    return "`" + name.replace("0.7853981633974483", "0.785") + "`"


def number(value, digits=3):
    """With so many significant digits and no exponent; whole parts are kept whole."""
    if value >= 10**digits:
        return f"{value:,.0f}"
    places = max(0, digits - 1 - math.floor(math.log10(value))) if value else 0
    return f"{value:.{places}f}"


def ratio(value):
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"


def times_of(result):
    setup, solve, total = (number(result[key]) for key in ("setup_ms", "solve_ms", "total_ms"))
    return f"{setup} + {solve} = {total}; {result['iterations']}"


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def spread(values):
    """`1.44 (0.28 to 2.01)`: the geometric mean, the least and the most."""
    return f"{ratio(geometric_mean(values))} ({ratio(min(values))} to {ratio(max(values))})"


def by_name(record):
    return {case["name"]: case for case in record["results"]}
