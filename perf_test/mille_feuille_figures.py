# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Figures 8 to 14 of Mille-feuille for plot_mille_feuille, each a function of book and systems.

A figure whose data are not there is left out, by raising NoData with what is missing.
"""
import math
import os
import statistics

from mille_feuille_records import (
    BASE,
    FALLING,
    METHODS,
    WAYS,
    chosen,
    geometric_mean,
    ratios,
    run_with,
    setup_shares,
    time_of,
    ways_of,
)
from records import save_figure

PRECISIONS = ("fp64", "fp32", "fp16", "bf16", "fp8", "bypassed")
# More bars than this have no names below them.
MOST_NAMED = 100
STYLES = ("-", "--", "-.", ":")


class NoData(Exception):
    pass


class Book:
    """The figures, each saved as a file of its own."""

    def __init__(self, folder, name):
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot, ticker

        self.pyplot, self.ticker = pyplot, ticker
        self.folder, self.name = folder, name
        self.drawn = []

    def new(self, rows, columns, height=3.6):
        size = 5.4 * columns, height * rows
        return self.pyplot.subplots(rows, columns, figsize=size, squeeze=False)

    def scatter(self, axes, points, way, label):
        color = f"C{WAYS.index(way)}" if way in WAYS else "black"
        axes.scatter(*zip(*points), s=9, alpha=0.8, linewidths=0, color=color, label=label)
        return color

    def by_entries(self, axes, ylabel, log=True):
        """Axes, grid and legend of a panel; one without points says so."""
        if not axes.get_legend_handles_labels()[0]:
            axes.set_axis_off()
            axes.text(0.5, 0.5, "not in the records", ha="center", transform=axes.transAxes)
            return
        axes.set(xscale="log", xlabel="entries", ylabel=ylabel)
        if log:
            axes.set_yscale("log")
            low, high = axes.get_ylim()
            if high < 100 * low:
                axes.yaxis.set_major_locator(self.ticker.LogLocator(subs=(1, 2, 5)))
                axes.yaxis.set_minor_formatter(self.ticker.NullFormatter())
            axes.yaxis.set_major_formatter(self.ticker.FuncFormatter(lambda y, _: f"{y:g}"))
        axes.legend(fontsize=7)
        axes.grid(True, which="both", linewidth=0.3)

    def save(self, figure, number, title):
        height = figure.get_figheight()
        figure.suptitle(title, y=1 - 0.1 / height, va="top").set_in_layout(False)
        figure.tight_layout(rect=(0, 0, 1, 1 - 0.35 / height))
        path = os.path.join(self.folder, self.name(number))
        save_figure(figure, path)
        self.pyplot.close(figure)
        self.drawn.append(path)


def rate(system, us):
    """Thousand million operations a second."""
    products = 1 if system["method"] == "cg" else 2
    return 2e-3 * products * system["entries"] / us


def draw_rates(book, axes, systems, reference):
    """Of both ways in one run, where there is one."""
    for way in dict.fromkeys((BASE, reference)):
        points = []
        for system in systems:
            run = run_with(system, BASE, reference)
            us = run[way]["us_per_iteration"] if run else time_of(system, way)
            if us:
                points.append((system["entries"], rate(system, us)))
        if points:
            book.scatter(axes, points, way, way)
    book.by_entries(axes, "Gflop/s of products")


def draw_ratios(book, axes, systems, references):
    for reference in references:
        points = ratios(systems, BASE, reference)
        if points:
            points = [point[:2] for point in points]
            mean, most = geometric_mean([r for _, r in points]), max(r for _, r in points)
            label = f"over {reference}: {mean:.2f}, at most {most:.2f} ({len(points)})"
            color = book.scatter(axes, points, reference, label)
            axes.axhline(mean, color=color, linewidth=0.8)
            axes.axhline(1, color="black", linewidth=0.8)
    book.by_entries(axes, f"{BASE}: times as fast")


def figure_8(book, systems, reference):
    if not any(chosen(systems, method, "none") for method in METHODS):
        raise NoData("no system without a preconditioner")
    figure, axes = book.new(2, 2)
    for column, method in enumerate(METHODS):
        found = chosen(systems, method, "none")
        draw_rates(book, axes[0][column], found, reference)
        draw_ratios(book, axes[1][column], found, [reference] if reference != BASE else [])
        axes[0][column].set_title(f"{method}, {len(found)} matrices")
    book.save(figure, 8, f"{BASE} and {reference}, time per iteration")


def figure_9(book, systems, reference):
    others = [way for way in ways_of(systems) if way not in (BASE, reference)]
    found = {method: chosen(systems, method, "none") for method in METHODS}
    if not any(ratios(found[method], BASE, way) for method in METHODS for way in others):
        raise NoData(f"no way but {BASE} and {reference} without a preconditioner")
    figure, axes = book.new(1, 2, 4.2)
    for column, method in enumerate(METHODS):
        draw_ratios(book, axes[0][column], found[method], others)
        axes[0][column].set_title(method)
    book.save(figure, 9, f"{BASE} over the other ways, time per iteration")


def figure_10(book, systems, reference):
    kinds = [p for p in sorted({p for _, _, p in systems}) if p != "none"]
    if not kinds:
        raise NoData("no system with a preconditioner")
    figure, axes = book.new(2 * len(kinds), 2, 3.2)
    others = [way for way in ways_of(systems) if way != BASE]
    for index, kind in enumerate(kinds):
        for column, method in enumerate(METHODS):
            found = chosen(systems, method, kind)
            draw_rates(book, axes[2 * index][column], found, reference)
            draw_ratios(book, axes[2 * index + 1][column], found, others)
            axes[2 * index][column].set_title(f"{method}, {kind}, {len(found)} systems")
    book.save(figure, 10, "With preconditioners, time per iteration")


def tile_shares(systems):
    """(name, share of each precision, times as fast as in FP64), the slowest first."""
    shares = []
    for (matrix, method, preconditioner), system in systems.items():
        run = run_with(system, BASE, FALLING)
        work = run[FALLING].get("tile_work") if run else None
        if preconditioner != "none" or not work or sum(work.values()) <= 0:
            continue
        parts = [work.get(p, 0) / sum(work.values()) for p in PRECISIONS]
        gain = run[BASE]["us_per_iteration"] / run[FALLING]["us_per_iteration"]
        shares.append((f"{matrix} ({method})", parts, gain))
    return sorted(shares, key=lambda entry: entry[2])


def figure_11(book, systems, _):
    shares = tile_shares(systems)
    if not shares:
        raise NoData(f"no system with tile_work of {FALLING} and {BASE} in one record")
    figure, axes = book.new(2, 1, 4)
    figure.set_figwidth(min(22, max(8, 0.24 * len(shares))))
    places, bottoms = range(len(shares)), [0.0] * len(shares)
    for index, precision in enumerate(PRECISIONS):
        heights = [parts[index] for _, parts, _ in shares]
        axes[0][0].bar(places, heights, bottom=bottoms, label=precision, color=f"C{index}")
        bottoms = [b + h for b, h in zip(bottoms, heights)]
    axes[0][0].set(ylabel="share of tile work", xticks=[], ylim=(0, 1))
    axes[0][0].legend(
        fontsize=7, ncol=len(PRECISIONS), loc="lower center", bbox_to_anchor=(0.5, 1)
    )
    axes[1][0].plot(places, [gain for _, _, gain in shares], "o", markersize=3)
    axes[1][0].axhline(1, color="black", linewidth=0.8)
    axes[1][0].set(ylabel=f"times as fast as {BASE}")
    for panel in axes[:, 0]:
        panel.set_xlim(-1, len(shares))
    if len(shares) <= MOST_NAMED:
        axes[1][0].set_xticks(list(places))
        axes[1][0].set_xticklabels([name for name, _, _ in shares], rotation=90, fontsize=5)
    else:
        axes[1][0].set(xticks=[], xlabel=f"{len(shares)} matrices")
    book.save(figure, 11, f"Tile work by precision, {FALLING}, and what it gains")


def figure_12(book, systems, _):
    kept = []
    for key, system in systems.items():
        histories = {way: result.get("history", []) for way, result in system["ways"].items()}
        found = {way: history for way, history in histories.items() if len(history) > 2}
        if found:
            kept.append((key, found))
    if not kept:
        raise NoData("no result with a history of two iterations and more")
    columns = min(3, len(kept))
    rows = -(-len(kept) // columns)
    figure, axes = book.new(rows, columns)
    panels = axes.flatten()
    for panel, ((matrix, method, preconditioner), found) in zip(panels, kept):
        for index, way in enumerate(way for way in WAYS if way in found):
            # A residual that is no number is null in JSON.
            values = [math.nan if r is None else max(r, 1e-20) for r in found[way]]
            style = STYLES[index % len(STYLES)]
            label = f"{way}: {len(values) - 1}"
            color = f"C{WAYS.index(way)}"
            panel.semilogy(values, style, color=color, label=label, linewidth=2 - 0.3 * index)
        panel.set(title=f"{matrix}, {method}, {preconditioner}", xlabel="iteration")
        panel.legend(fontsize=7)
    for panel in panels[len(kept) :]:
        panel.set_axis_off()
    book.save(figure, 12, "Relative residuals")


def figure_13(book, systems, _):
    found = {}
    for way in ways_of(systems):
        points = {}
        for (matrix, _, _), system in systems.items():
            stored = system["ways"].get(way, {}).get("bytes")
            if stored:
                points[matrix] = (system["entries"], stored / system["csr_bytes"])
        # Ways whose matrices are the same share their points.
        same = next((names for names, known in found.items() if known == points), None)
        if same:
            found[same + (way,)] = found.pop(same)
        elif points:
            found[(way,)] = points
    if not found:
        raise NoData("no result with bytes")
    figure, axes = book.new(1, 1)
    for names, points in found.items():
        mean = statistics.mean(r for _, r in points.values())
        label = f"{', '.join(names)}: {mean:.3f} on average, {len(points)} matrices"
        book.scatter(axes[0][0], points.values(), names[0], label)
    axes[0][0].axhline(1, color="black", linewidth=0.8)
    book.by_entries(axes[0][0], "bytes over those of CSR", log=False)
    book.save(figure, 13, "Memory of the matrix")


def figure_14(book, systems, _):
    kinds = sorted({p for _, _, p in systems}, key=lambda kind: (kind != "none", kind))
    panels = []
    for kind in kinds:
        for method in METHODS:
            shares = {w: setup_shares(chosen(systems, method, kind), w) for w in ways_of(systems)}
            found = {w: [(n, 100 * share) for n, share, _ in s] for w, s in shares.items() if s}
            panels.append((f"{method}, {kind}", found))
    if not any(found for _, found in panels):
        raise NoData("no result with setup_ms")
    figure, axes = book.new(len(kinds), len(METHODS), 3.2)
    for panel, (title, found) in zip(axes.flatten(), panels):
        for way, points in found.items():
            median = statistics.median(share for _, share in points)
            book.scatter(panel, points, way, f"{way}: median {median:.2g} %")
        panel.set_title(title)
        book.by_entries(panel, "% of setup")
    book.save(figure, 14, "Setup in setup and 100 iterations")


FIGURES = {
    8: figure_8,
    9: figure_9,
    10: figure_10,
    11: figure_11,
    12: figure_12,
    13: figure_13,
    14: figure_14,
}
