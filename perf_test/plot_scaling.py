#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""plot_scaling.py RECORD --out FIGURE: setup and solve over several GPUs, from a record of merge_scaling.py.

On the left weak scaling: the time on one GPU over that on p, of an iteration and of setup. On the right
strong scaling: how many times as fast as one GPU the solve and the setup are. One colour and marker a
problem; solid lines are solves, dashed ones setups, the dotted one what is ideal.
"""
import argparse
import sys

from records import read_json, save_figure
from scaling_tables import iteration_ms, results_of, strong_series, weak_series

MARKERS = "osD^v<>PX*"
IDEAL = {"color": "black", "linestyle": ":", "linewidth": 1.2}


def beside_one(series, time):
    """Numbers of GPUs, and for each the time on one GPU over the time there."""
    return list(series), [time(series[1]) / time(row) for row in series.values()]


def setup_ms(row):
    return row["setup_ms"]


def solve_ms(row):
    return row["solve_ms"]


def draw_series(axes, all_series, time, numbers):
    for name, series in all_series.items():
        style = {"color": f"C{numbers[name] % 10}", "marker": MARKERS[numbers[name] % len(MARKERS)]}
        axes.plot(*beside_one(series, time), linestyle="-", label=name.replace("`", ""), **style)
        axes.plot(*beside_one(series, setup_ms), linestyle="--", markerfacecolor="white", **style)
    counts = sorted({count for series in all_series.values() for count in series})
    axes.set_xscale("log", base=2)
    axes.set_xticks(counts, [str(count) for count in counts])
    axes.set_xlabel("GPUs")
    axes.grid(True, linewidth=0.3)
    return counts


def add_legend(axes, solid):
    """Problems, and what the lines' styles mean, below the panel."""
    from matplotlib.lines import Line2D

    handles, _ = axes.get_legend_handles_labels()
    handles.append(Line2D([], [], color="black", linestyle="-", label=solid))
    handles.append(Line2D([], [], color="black", linestyle="--", label="setup"))
    handles.append(Line2D([], [], **IDEAL, label="ideal"))
    axes.legend(handles=handles, fontsize=8, ncol=2, loc="upper center", bbox_to_anchor=(0.5, -0.13))


def draw_weak(axes, all_series, numbers):
    counts = draw_series(axes, all_series, iteration_ms, numbers)
    axes.plot(counts, [1] * len(counts), **IDEAL)
    axes.set_ylim(bottom=0)
    axes.set_title("the same problem per GPU")
    axes.set_ylabel("time on one GPU over time on all")
    add_legend(axes, "an iteration")


def draw_strong(axes, all_series, numbers):
    counts = draw_series(axes, all_series, solve_ms, numbers)
    axes.plot(counts, counts, **IDEAL)
    axes.set_yscale("log", base=2)
    ticks = [0.125, 0.25, 0.5, *counts]
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_ylim(least(all_series) / 1.2, max(counts) * 1.2)
    axes.set_title("the same problem on all GPUs together")
    axes.set_ylabel("times as fast as one GPU")
    add_legend(axes, "solve")


def least(all_series):
    times = (setup_ms, solve_ms)
    return min(min(beside_one(series, time)[1]) for series in all_series.values() for time in times)


def draw(panels, gpu, out):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(panels), figsize=(5.2 * len(panels), 5.6), squeeze=False)
    numbers = {}
    for all_series, _ in panels:
        for name in all_series:
            numbers.setdefault(name, len(numbers))
    for place, (all_series, draw_panel) in zip(axes[0], panels):
        draw_panel(place, all_series, numbers)
    figure.suptitle(gpu)
    figure.tight_layout()
    save_figure(figure, out)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("record")
    parser.add_argument("--out", required=True, help="the figure: .svg, .png or .pdf")
    options = parser.parse_args()
    record = read_json(options.record)
    rows = results_of(record)
    panels = []
    for all_series, draw_panel in ((weak_series(rows), draw_weak), (strong_series(rows), draw_strong)):
        drawn = {name: series for name, series in all_series.items() if 1 in series}
        if drawn:
            panels.append((drawn, draw_panel))
    if not panels:
        sys.exit("no problem that several numbers of GPUs, one among them, have solved")
    draw(panels, record["run"]["gpu"], options.out)


if __name__ == "__main__":
    main()
