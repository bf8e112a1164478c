#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Redraws figures 8 to 14 of Mille-feuille (Yang et al., SC'24) from records of mille_feuille.

Reads its JSON files, in which ways and preconditioners may have been run apart. Ratios of times are
of ways of one file; of a system that several files hold the last one with both ways counts. Figures
go into the folder of --out, and one whose data are not in the records is left out, with a message:

- 8, rates: rates of CG and BiCGSTAB by entries, and how many times as fast as the vendor's
- 9, ways: how many times as fast as every other way of the records
- 10, preconditioners: the same as both with preconditioners, two rows of panels each
- 11, tile_work: shares of tile work by precision ("tile_work" of falling tiles) and what they gain
- 12, residuals: residual histories ("history" of a way)
- 13, memory: memory of a way's matrix ("bytes") over that of CSR
- 14, setup: the share of setup in setup and 100 iterations

The paper's times are of 100 iterations; here they are times per iteration of whole solves, whose start
and last check they include. Rates count two operations per entry and product. The tables are Markdown:
geometric means, setups, and the paper's table II beside our rows.

    perf_test/plot_mille_feuille.py RECORD.json … -o docs/images --suffix h200 --tables tables.md
"""
import argparse
import os
import sys

from mille_feuille_figures import FIGURES, Book, NoData
from mille_feuille_records import (
    BASE,
    VENDOR,
    means_table,
    read_records,
    setup_table,
    table_2,
    time_of,
    ways_of,
)

WORDS = {
    8: "rates",
    9: "ways",
    10: "preconditioners",
    11: "tile_work",
    12: "residuals",
    13: "memory",
    14: "setup",
}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", help="JSON files of mille_feuille")
    parser.add_argument("-o", "--out", required=True, help="folder for the figures")
    parser.add_argument(
        "--suffix", help="names as mille_feuille_rates_SUFFIX.png; without it figure08.png"
    )
    parser.add_argument(
        "--figures", nargs="+", type=int, choices=list(FIGURES), default=list(FIGURES), metavar="N"
    )
    parser.add_argument("--tables", help="Markdown file for the tables; else they are printed")
    arguments = parser.parse_args()
    try:
        systems = read_records(arguments.files)
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"{type(error).__name__}: {error}")
    ways = ways_of(systems)
    if not any(time_of(s, BASE) for s in systems.values()):
        sys.exit(f"nothing was solved by {BASE}: nothing to draw")
    reference = VENDOR if VENDOR in ways else next((w for w in ways if w != BASE), BASE)

    def name(number):
        if arguments.suffix:
            return f"mille_feuille_{WORDS[number]}_{arguments.suffix}.png"
        return f"figure{number:02d}.png"

    os.makedirs(arguments.out, exist_ok=True)
    try:
        book = Book(arguments.out, name)
    except ImportError:
        sys.exit("figures need matplotlib (python3-matplotlib) for this python3")
    for number in arguments.figures:
        try:
            FIGURES[number](book, systems, reference)
        except NoData as missing:
            print(f"figure {number} is left out: {missing}", file=sys.stderr)
    text = "\n\n".join(
        [
            "Times per iteration, over all matrices on which both iterate:",
            means_table(systems, ways),
            "Medians of setup in setup and 100 iterations, and in iterations:",
            setup_table(systems, ways),
            "Table II, iterations: ms (the paper's on an A100):",
            table_2(systems, ways),
        ]
    )
    if arguments.tables:
        with open(arguments.tables, "w", encoding="utf-8") as file:
            file.write(text + "\n")
    else:
        print(text)
    print("\n".join(book.drawn))


if __name__ == "__main__":
    main()
