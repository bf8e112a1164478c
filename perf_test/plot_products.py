#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the speedup of sparse products over a peer, one point a matrix.

Reads the JSON files of compare_cusparse_spmv, compare_eigen_spmv, compare_amgcl_spmv and
compare_cusparse_spgemm. The first panel has the speedup over the number of entries, one colour a
variant, with the geometric mean in the legend (as figure 8 of the AmgT paper compares each product
with cuSPARSE); for SpMV a second panel has what the conversion from CSR costs, in products (as its
figure 10 does). For SpGEMM a point is one product, over the entries of its result.
"""
import argparse
import math
import sys
from collections import defaultdict

from records import read_json, save_figure


def read_points(path):
    """(kernel, peer, [point]) of one file; a point has series, entries, speedup and conversion."""
    data = read_json(path)
    if "products" in data:
        return "SpGEMM", "cusparse", list(spgemm_points(data))
    if data.get("kernel") == "spmv":
        return "SpMV", data["peer"], list(spmv_points(data))
    raise ValueError("neither of a comparison of SpMV nor of one of SpGEMM")


def spmv_points(data):
    for matrix in data["matrices"]:
        for row in matrix.get("results", []):
            if "peer_over_ours" not in row:
                continue
            yield {
                "series": series_of(row),
                "entries": matrix["entries"],
                "speedup": row["peer_over_ours"],
                "conversion": row["conversion_in_spmvs"],
            }


def series_of(row):
    """The variant with its scalars; the automatic choice is one series whatever was chosen."""
    variant = row["variant"].split(":")[0]
    storage = row.get("storage", "double")
    vectors = row.get("vectors", storage)
    scalars = storage if storage == vectors else f"{storage} in {vectors}"
    return f"{variant}, {scalars}"


def spgemm_points(data):
    for product in data["products"]:
        for row in product.get("variants", []):
            if "peer_over_ours" in row:
                yield {
                    "series": row["variant"],
                    "entries": row["entries"],
                    "speedup": row["peer_over_ours"],
                }


def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))


def draw_panel(axes, series, key, ylabel):
    markers = "osD^v<>PX*hp"
    for index, (name, points) in enumerate(sorted(series.items())):
        drawn = [point for point in points if point.get(key, 0) > 0]
        if not drawn:
            continue
        mean = geometric_mean([point[key] for point in drawn])
        axes.scatter(
            [point["entries"] for point in drawn],
            [point[key] for point in drawn],
            marker=markers[index % len(markers)],
            color=f"C{index % 10}",
            label=f"{name} ({mean:.2f})",
            s=28,
        )
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_ylabel(ylabel)
    axes.grid(True, which="both", linewidth=0.3)
    axes.legend(
        fontsize=7,
        title="geometric mean in brackets",
        title_fontsize=7,
        loc="center left",
        bbox_to_anchor=(1.01, 0.5),
    )


def draw(kernel, peer, points, out):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    series = defaultdict(list)
    for point in points:
        series[point["series"]].append(point)
    with_conversion = any(point.get("conversion", 0) > 0 for point in points)
    panels = 2 if with_conversion else 1
    figure, axes = pyplot.subplots(panels, 1, figsize=(10, 4.5 * panels), sharex=True, squeeze=False)
    draw_panel(axes[0][0], series, "speedup", f"speedup over {peer}")
    axes[0][0].axhline(1, color="black", linewidth=0.8)
    axes[0][0].set_title(f"{kernel} beside {peer}")
    if with_conversion:
        draw_panel(axes[1][0], series, "conversion", "conversion from CSR, in products")
    axes[-1][0].set_xlabel("entries of the result" if kernel == "SpGEMM" else "entries")
    figure.tight_layout()
    save_figure(figure, out)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", help="JSON files of one kernel beside one peer")
    parser.add_argument("-o", "--out", required=True, help="the figure: .svg, .png or .pdf")
    parser.add_argument("--series", nargs="+", help="only series whose name contains one of these")
    arguments = parser.parse_args()

    kinds, points = set(), []
    for path in arguments.files:
        try:
            kernel, peer, found = read_points(path)
        except (OSError, ValueError, KeyError) as error:
            sys.exit(f"{path}: {error}")
        kinds.add((kernel, peer))
        points += found
    if len(kinds) > 1:
        sys.exit(f"the files are of more than one comparison: {sorted(kinds)}")
    if arguments.series:
        points = [p for p in points if any(part in p["series"] for part in arguments.series)]
    if not points:
        sys.exit("no result to draw")
    draw(*kinds.pop(), points, arguments.out)


if __name__ == "__main__":
    main()
