#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Redraws figures 8 to 14 of Mille-feuille (Yang et al., SC'24) from records of mille_feuille.

Reads its JSON files; of a matrix, a method, a preconditioner and a way in several files the last
counts, so that ways and preconditioners that were run apart join the others. A figure is drawn where
its data are there, into the folder of --out:

- figure08.svg: rates of CG and BiCGSTAB by entries, and how many times as fast as the vendor's
- figure09.svg: the same against every other way of the records
- figure10.svg: the same with preconditioners, a row of panels each
- figure11.svg: shares of tile work by precision ("tile_work" of a way) and what they gain over double
- figure12.svg: residual histories ("history" of a way)
- figure13.svg: memory of a way's matrix ("bytes") over that of CSR
- figure14.svg: the share of setup in setup and 100 iterations

The paper's times are of 100 iterations; here they are times per iteration of whole solves, whose start
and last check they include. Rates count two operations an entry and product. The tables are Markdown:
geometric means, and the paper's table II beside our rows.
"""
import argparse
import os
import sys

from mille_feuille_records import (
    BASE,
    METHODS,
    VENDOR,
    chosen,
    geometric_mean,
    means_table,
    ratios,
    read_records,
    table_2,
    time_of,
    ways_of,
)

PRECISIONS = ("fp64", "fp32", "fp16", "bf16", "fp8", "bypassed")


def rate(system, way):
    """Thousand million operations a second."""
    us = time_of(system, way)
    products = 1 if system["method"] == "cg" else 2
    return 2e-3 * products * system["entries"] / us if us else None


def draw_rates(axes, systems, ways):
    for index, way in enumerate(ways):
        points = [(s["entries"], rate(s, way)) for s in systems if rate(s, way)]
        axes.scatter(*zip(*points), s=9, color=f"C{index}", label=way) if points else None
    axes.set(xscale="log", yscale="log", xlabel="entries", ylabel="Gflop/s of products")
    axes.legend(fontsize=7)
    axes.grid(True, which="both", linewidth=0.3)


def draw_ratios(axes, systems, way, references):
    for index, reference in enumerate(references):
        points = ratios(systems, way, reference)
        if not points:
            continue
        mean = geometric_mean([r for _, r in points])
        most = max(r for _, r in points)
        label = f"over {reference}: {mean:.2f}, at most {most:.2f}"
        axes.scatter(*zip(*points), s=9, color=f"C{index + 1}", label=label)
        axes.axhline(mean, color=f"C{index + 1}", linewidth=0.8)
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set(xscale="log", yscale="log", xlabel="entries", ylabel=f"{way}: times as fast")
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=7)
    axes.grid(True, which="both", linewidth=0.3)


class Book:
    """The figures, each saved where something is on it."""

    def __init__(self, folder):
        import matplotlib

        matplotlib.use("Agg")
        # The same files from the same records.
        matplotlib.rcParams["svg.hashsalt"] = "plot_mille_feuille"
        from matplotlib import pyplot

        self.pyplot = pyplot
        self.folder = folder
        self.drawn = []

    def new(self, rows, columns, height=3.6):
        figure, axes = self.pyplot.subplots(
            rows, columns, figsize=(5.4 * columns, height * rows), squeeze=False
        )
        return figure, axes

    def save(self, figure, number, title):
        figure.suptitle(title)
        figure.tight_layout()
        path = os.path.join(self.folder, f"figure{number:02d}.svg")
        figure.savefig(path, metadata={"Date": None})
        self.pyplot.close(figure)
        self.drawn.append(path)


def figure_8(book, systems, ways, reference):
    figure, axes = book.new(2, 2)
    for column, method in enumerate(METHODS):
        found = chosen(systems, method, "none")
        draw_rates(axes[0][column], found, [way for way in (BASE, reference) if way in ways])
        draw_ratios(axes[1][column], found, BASE, [reference])
        axes[0][column].set_title(f"{method}, {len(found)} matrices")
    book.save(figure, 8, f"{BASE} and {reference}, time per iteration")


def figure_9(book, systems, ways, reference):
    others = [way for way in ways if way not in (BASE, reference)]
    if not others:
        return
    figure, axes = book.new(1, 2)
    for column, method in enumerate(METHODS):
        draw_ratios(axes[0][column], chosen(systems, method, "none"), BASE, others)
        axes[0][column].set_title(method)
    book.save(figure, 9, f"{BASE} over the other ways, time per iteration")


def figure_10(book, systems, ways):
    kinds = sorted({p for _, _, p in systems if p != "none"})
    if not kinds:
        return
    figure, axes = book.new(len(kinds), 2)
    for row, kind in enumerate(kinds):
        for column, method in enumerate(METHODS):
            references = [way for way in ways if way != BASE]
            draw_ratios(axes[row][column], chosen(systems, method, kind), BASE, references)
            axes[row][column].set_title(f"{method}, {kind}")
    book.save(figure, 10, "With preconditioners, time per iteration")


def figure_11(book, systems):
    shares = []
    for (matrix, method, preconditioner), system in systems.items():
        # The last of the ways that have tiles is that of falling precision.
        ways = [way for way, result in system["ways"].items() if result.get("tile_work")]
        if preconditioner != "none" or not ways:
            continue
        work = system["ways"][ways[-1]]["tile_work"]
        total, base, us = sum(work.values()), time_of(system, BASE), time_of(system, ways[-1])
        if total > 0 and base and us:
            parts = [work.get(p, 0) / total for p in PRECISIONS]
            shares.append((f"{matrix} ({method})", parts, base / us))
    if not shares:
        return
    shares.sort(key=lambda entry: entry[2])
    figure, axes = book.new(2, 1, 4)
    figure.set_figwidth(max(8, 0.24 * len(shares)))
    places, bottoms = range(len(shares)), [0.0] * len(shares)
    for index, precision in enumerate(PRECISIONS):
        heights = [parts[index] for _, parts, _ in shares]
        axes[0][0].bar(places, heights, bottom=bottoms, label=precision, color=f"C{index}")
        bottoms = [b + h for b, h in zip(bottoms, heights)]
    axes[0][0].set(ylabel="share of tile work", xticks=[])
    axes[0][0].legend(
        fontsize=7, ncols=len(PRECISIONS), loc="lower center", bbox_to_anchor=(0.5, 1)
    )
    axes[1][0].plot(places, [gain for _, _, gain in shares], "o", markersize=3)
    axes[1][0].axhline(1, color="black", linewidth=0.8)
    axes[1][0].set(ylabel=f"times as fast as {BASE}")
    axes[1][0].set_xticks(list(places), [name for name, _, _ in shares], rotation=90, fontsize=5)
    book.save(figure, 11, "Tile work by precision, and what it gains")


def figure_12(book, systems):
    kept = [
        (key, system)
        for key, system in systems.items()
        if any("history" in result for result in system["ways"].values())
    ]
    if not kept:
        return
    columns = min(3, len(kept))
    rows = -(-len(kept) // columns)
    figure, axes = book.new(rows, columns)
    for index, ((matrix, method, preconditioner), system) in enumerate(kept):
        panel = axes[index // columns][index % columns]
        for way, result in system["ways"].items():
            if "history" in result:
                panel.semilogy([max(r, 1e-20) for r in result["history"]], label=way, linewidth=1)
        panel.set(title=f"{matrix}, {method}, {preconditioner}", xlabel="iteration")
        panel.legend(fontsize=7)
    for index in range(len(kept), rows * columns):
        axes[index // columns][index % columns].set_axis_off()
    book.save(figure, 12, "Relative residuals")


def figure_13(book, systems, ways):
    found = {}
    for way in ways:
        for (matrix, _, _), system in systems.items():
            stored = system["ways"].get(way, {}).get("bytes")
            if stored:
                found.setdefault(way, {})[matrix] = (system["entries"], stored / system["csr_bytes"])
    if not found:
        return
    figure, axes = book.new(1, 1)
    for index, (way, points) in enumerate(found.items()):
        mean = sum(r for _, r in points.values()) / len(points)
        label = f"{way}: {mean:.3f} on average"
        axes[0][0].scatter(*zip(*points.values()), s=9, color=f"C{index}", label=label)
    axes[0][0].axhline(1, color="black", linewidth=0.8)
    axes[0][0].set(xscale="log", xlabel="entries", ylabel="bytes over those of CSR")
    axes[0][0].legend(fontsize=7)
    book.save(figure, 13, "Memory of the matrix")


def figure_14(book, systems, ways):
    figure, axes = book.new(1, 2)
    any_drawn = False
    for column, method in enumerate(METHODS):
        for index, way in enumerate(ways):
            points = []
            for system in chosen(systems, method, "none"):
                us, setup = time_of(system, way), system["ways"].get(way, {}).get("setup_ms")
                if us and setup is not None:
                    points.append((system["entries"], 100 * setup / (setup + 0.1 * us)))
            if points:
                any_drawn = True
                axes[0][column].scatter(*zip(*points), s=9, color=f"C{index}", label=way)
        axes[0][column].set(xscale="log", xlabel="entries", title=method, ylabel="% of setup")
    if any_drawn:
        axes[0][0].legend(fontsize=7)
        book.save(figure, 14, "Setup in setup and 100 iterations")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", help="JSON files of mille_feuille")
    parser.add_argument("-o", "--out", required=True, help="folder for the figures")
    parser.add_argument("--tables", help="Markdown file for the tables; else they are printed")
    arguments = parser.parse_args()
    try:
        systems = read_records(arguments.files)
    except (OSError, ValueError, KeyError) as error:
        sys.exit(str(error))
    ways = ways_of(systems)
    if not any(time_of(s, BASE) for s in systems.values()):
        sys.exit(f"nothing was solved by {BASE}: nothing to draw")
    reference = VENDOR if VENDOR in ways else next((w for w in ways if w != BASE), BASE)
    os.makedirs(arguments.out, exist_ok=True)
    book = Book(arguments.out)
    figure_8(book, systems, ways, reference)
    figure_9(book, systems, ways, reference)
    figure_10(book, systems, ways)
    figure_11(book, systems)
    figure_12(book, systems)
    figure_13(book, systems, ways)
    figure_14(book, systems, ways)
    text = "\n\n".join(
        [
            "Times per iteration, over all matrices on which both iterate:",
            means_table(systems, ways),
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
