#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""plot_data_flow.py RECORD -o FOLDER [--suffix SUFFIX]: figures 7, 8 and 10 of the AmgT paper.

Lu et al., "AmgT: algebraic multigrid solver on tensor cores", SC 24. Reads a record of data_flow. Three flows
have a colour each: rows, in place of the paper's hypre on cuSPARSE, tiles, and tiles in mixed precision.

- data_flow_times (figure 7): on the left setup and cycles over those of rows, the part of setup that
  sparse products take hatched; on the right products with vectors over those of rows. Products are timed
  in another run with a wait after each. Those with vectors are so short that their sum is then longer
  than the cycles that they are part of, for which reason they have a panel of their own.
- data_flow_products (figure 8): of some systems, above each sparse product in the order of setup, below
  the mean time of a product with A, R and P on each level. The paper has each product with a vector.
- data_flow_conversion (figure 10): the conversion of the finest matrix to tiles, and a product with it.
  The paper has cuSPARSE's conversion to BSR beside it.

Its figure 9, eight GPUs, needs another record. Without --out the values of the first figure are printed.
"""
import argparse
import os
import sys

from records import read_json, save_figure
from table_cells import geometric_mean, label, number, ratio

FLOWS = ("rows", "tiles", "tiles, mixed")
COLORS = ("C0", "C1", "C3")
SPARSE = ("spgemm_AP", "spgemm_RAP")
WITH_VECTORS = {"spmv_A": "A", "spmv_R": "R", "spmv_P": "P"}


def complete_systems(record):
    """{its name: {"system": all of it, "flows": {name: flow}}} of those that have all three flows."""
    found = {}
    for system in record["systems"]:
        flows = {flow["flow"]: flow for flow in system["flows"]}
        if all(name in flows for name in FLOWS):
            found[system["system"]] = {"system": system, "flows": flows}
    return found


def plain(name):
    return label(name).replace("`", "")


def shares(flows):
    """Of each flow, over rows: setup, cycles and sparse products over setup and cycles together, and
    products with vectors."""
    rows = flows["rows"]
    total, vectors = rows["setup_ms"] + rows["solve_ms"], rows["spmv"]["ms"]
    return {
        name: {
            "setup": flow["setup_ms"] / total,
            "cycles": flow["solve_ms"] / total,
            "SpGEMM": flow["spgemm"]["ms"] / total,
            "SpMV": flow["spmv"]["ms"] / vectors,
        }
        for name, flow in ((name, flows[name]) for name in FLOWS)
    }


def print_shares(systems):
    print("| system | rows: setup and cycles, ms | flow | setup | of it SpGEMM | cycles | SpMV |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, found in systems.items():
        rows = found["flows"]["rows"]
        for flow, share in shares(found["flows"]).items():
            values = (share[key] for key in ("setup", "SpGEMM", "cycles", "SpMV"))
            total = number(rows["setup_ms"] + rows["solve_ms"])
            print("| " + " | ".join([label(name), total, flow, *map(ratio, values)]) + " |")


def mean_speedup(systems, time):
    """How many times as fast each flow but rows is, for the legends."""
    return {
        name: geometric_mean(
            [time(found["flows"]["rows"]) / time(found["flows"][name]) for found in systems.values()]
        )
        for name in FLOWS[1:]
    }


def with_mean(name, means):
    return f"{name} ({means[name]:.2f})" if name in means else name


def places(count, flow):
    """Of the bars of a flow: a group a system, from the top."""
    return [system + 0.27 * (flow - 1) for system in range(count)]


def list_systems(axes, names):
    axes.set_yticks(range(len(names)), names, fontsize=7)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(True, axis="x", linewidth=0.3)
    axes.set_axisbelow(True)


def figure_of_times(pyplot, systems, record):
    each = [shares(found["flows"]) for found in systems.values()]
    figure, axes = pyplot.subplots(
        1, 2, figsize=(8.6, 0.9 + 0.27 * len(each)), width_ratios=(3, 2), sharey=True
    )
    total = mean_speedup(systems, lambda flow: flow["setup_ms"] + flow["solve_ms"])
    vectors = mean_speedup(systems, lambda flow: flow["spmv"]["ms"])
    for index, (name, color) in enumerate(zip(FLOWS, COLORS)):
        at = places(len(each), index)
        setup, cycles, sparse, products = (
            [share[name][key] for share in each] for key in ("setup", "cycles", "SpGEMM", "SpMV")
        )
        axes[0].barh(at, setup, 0.27, color=color, label=with_mean(name, total))
        axes[0].barh(at, cycles, 0.27, left=setup, color=color, alpha=0.5)
        hatched = {"color": "none", "edgecolor": "white", "hatch": "/////", "linewidth": 0}
        axes[0].barh(at, sparse, 0.27, **hatched)
        axes[1].barh(at, products, 0.27, color=color, label=with_mean(name, vectors))
    names = []
    for name, found in systems.items():
        rows = found["flows"]["rows"]
        names.append(f"{plain(name)}  {number(rows['setup_ms'] + rows['solve_ms'])} ms")
    cycles = f"{record['cycles']} cycles (pale)"
    axes[0].set_xlabel(f"setup (SpGEMM hatched), {cycles}; over rows", fontsize=8)
    axes[1].set_xlabel("products with vectors, over rows", fontsize=8)
    for panel in axes:
        list_systems(panel, names)
        panel.tick_params(axis="x", labelsize=7)
        panel.axvline(1, color="black", linewidth=0.8)
        panel.legend(
            fontsize=7,
            title="geometric mean, times as fast as rows",
            title_fontsize=7,
            ncol=3,
            columnspacing=1,
            loc="lower center",
            bbox_to_anchor=(0.5, 1),
        )
    return figure


def sparse_products(flow):
    """Times in the order of setup: A P and R (A P) of each level."""
    levels = [[level[step] for step in SPARSE if step in level] for level in flow["levels"]]
    return [product["ms"] / product["calls"] for level in levels for product in level]


def products_with_vectors(flow, title):
    """Levels on which A, R or P is multiplied by vectors, and the mean time of a product there."""
    step = next(step for step, known in WITH_VECTORS.items() if known == title)
    found = [(depth, level[step]) for depth, level in enumerate(flow["levels"])]
    found = [(depth, product) for depth, product in found if product["calls"]]
    return [depth for depth, _ in found], [p["ms"] / p["calls"] for _, p in found]


def figure_of_products(pyplot, systems, _):
    figure, axes = pyplot.subplots(
        2, len(systems), figsize=(2.1 * len(systems) + 0.4, 4.2), squeeze=False
    )
    for column, (name, found) in enumerate(systems.items()):
        above, below = axes[0][column], axes[1][column]
        for flow, color in zip(FLOWS, COLORS):
            times = sparse_products(found["flows"][flow])
            above.plot(range(1, len(times) + 1), times, ".-", color=color, linewidth=0.8, label=flow)
            for place, (title, marker) in enumerate(zip(WITH_VECTORS.values(), "os^")):
                levels, times = products_with_vectors(found["flows"][flow], title)
                at = [level + 0.25 * (place - 1) for level in levels]
                style = {"color": color, "markersize": 3.5, "markerfacecolor": "none"}
                below.plot(at, times, marker, label=title, **style)
        above.set_title(plain(name), fontsize=8)
        above.set_xlabel("sparse product of setup", fontsize=7)
        below.set_xlabel("level", fontsize=7)
        for panel in (above, below):
            panel.set_ylim(bottom=0)
            panel.grid(True, linewidth=0.3)
            panel.tick_params(labelsize=6)
            panel.xaxis.get_major_locator().set_params(integer=True)
    axes[0][0].set_ylabel("ms", fontsize=7)
    axes[1][0].set_ylabel("ms per product with a vector", fontsize=7)
    axes[0][0].legend(fontsize=6)
    handles, titles = axes[1][0].get_legend_handles_labels()
    count = len(WITH_VECTORS)
    axes[1][0].legend(handles[:count], titles[:count], fontsize=6)
    return figure


def figure_of_conversion(pyplot, systems, _):
    drawn = {n: f["system"]["conversion"] for n, f in systems.items() if "conversion" in f["system"]}
    bars = {
        "conversion to tiles": ("conversion_ms", "C2"),
        "product on tiles": ("spmv_tiles_ms", "C1"),
        "product in rows": ("spmv_rows_ms", "C0"),
    }
    figure, axes = pyplot.subplots(figsize=(6.4, 0.9 + 0.25 * len(drawn)))
    for index, (title, (key, color)) in enumerate(bars.items()):
        times = [conversion[key] for conversion in drawn.values()]
        axes.barh(places(len(drawn), index), times, 0.27, color=color, label=title)
    list_systems(axes, list(map(plain, drawn)))
    axes.tick_params(axis="x", labelsize=7)
    axes.set_xscale("log")
    axes.set_xlabel("ms, finest matrix in double", fontsize=8)
    axes.legend(fontsize=7, framealpha=1, loc="lower right")
    return figure


FIGURES = {
    "times": figure_of_times,
    "products": figure_of_products,
    "conversion": figure_of_conversion,
}


def draw(systems, chosen, record, arguments):
    try:
        import matplotlib
    except ImportError:
        sys.exit("figures need matplotlib (python3-matplotlib) for this python3")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    os.makedirs(arguments.out, exist_ok=True)
    for name in arguments.figures:
        figure = FIGURES[name](pyplot, chosen if name == "products" else systems, record)
        figure.tight_layout(pad=0.5)
        words = ["data_flow", name, *([arguments.suffix] if arguments.suffix else [])]
        save_figure(figure, os.path.join(arguments.out, "_".join(words) + ".png"))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("record", help="JSON file of data_flow")
    parser.add_argument("-o", "--out", help="folder for the figures")
    parser.add_argument("--suffix", help="at the end of their names")
    parser.add_argument("--figures", nargs="+", choices=FIGURES, default=list(FIGURES))
    parser.add_argument("--systems", nargs="+", help="of data_flow_products, by name [the largest]")
    arguments = parser.parse_args()
    try:
        record = read_json(arguments.record)
        systems = complete_systems(record)
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"{arguments.record}: {type(error).__name__}: {error}")
    if not systems:
        sys.exit(f"{arguments.record}: no system has all of {'; '.join(FLOWS)}")
    names = arguments.systems or largest(systems, 4)
    unknown = [name for name in names if name not in systems]
    if unknown:
        sys.exit(f"{arguments.record}: not there with all flows: {' '.join(unknown)}")
    if arguments.out:
        draw(systems, {name: systems[name] for name in names}, record, arguments)
    else:
        print_shares(systems)


def largest(systems, count):
    return sorted(systems, key=lambda name: -systems[name]["system"]["entries"])[:count]


if __name__ == "__main__":
    main()
