#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws which solver of compare_real is how close to the fastest, and tells who failed where.

Reads the JSON files of compare_real; of a system and a solver in several files the last counts, so
that a solver that was run apart joins the others. The figure is a performance profile (E. Dolan,
J. Moré, "Benchmarking optimization software with performance profiles", Math. Program. 91, 2002): the
share of systems that a solver solves within a factor of the fastest one's time, setup and solve
together; one panel for the symmetric positive definite systems and one for all. At factor 1 a curve has
the share of systems on which its solver is the fastest, at its right end that which it solves at all.
Systems that no solver solved are left out and counted. The tables are Markdown.
"""
import argparse
import sys

from records import read_json, save_figure

# Ends that are no solution. An error is one that the solver itself reports before it ends.
FAILURES = ("not converged", "time limit", "error", "crashed")


def read_systems(paths):
    """{name: {definite, rows, entries, results: {solver: result}}} and the solvers' order."""
    systems, solvers = {}, []
    for path in paths:
        data = read_json(path)
        if data.get("comparison") != "real":
            raise ValueError("not a record of compare_real")
        solvers += [s["name"] for s in data["solvers"] if s["name"] not in solvers]
        for system in data["systems"]:
            if "error" in system:
                continue
            known = systems.setdefault(system["name"], dict(system, results={}))
            known["results"].update((r["solver"], r) for r in system["results"])
    return systems, solvers


def time_of(system, solver):
    """Milliseconds of setup and solve; None where the system was not solved."""
    result = system["results"].get(solver)
    return result["total_ms"] if result and result["status"] == "solved" else None


def best_time(system):
    times = [time_of(system, solver) for solver in system["results"]]
    return min((time for time in times if time is not None), default=None)


def ratios_of(systems, solver):
    """A solver's times over the best ones, ascending; systems it did not solve have none."""
    ratios = []
    for system in systems:
        time = time_of(system, solver)
        if time is not None:
            ratios.append(time / best_time(system))
    return sorted(ratios)


def draw_profile(axes, systems, solvers, title, right):
    solved = [system for system in systems if best_time(system) is not None]
    for index, solver in enumerate(solvers):
        ratios = ratios_of(solved, solver)
        shares = [(i + 1) / len(solved) for i in range(len(ratios))]
        axes.step(
            [1, *ratios, right],
            [0, *shares, shares[-1] if shares else 0],
            where="post",
            color=f"C{index % 10}",
            linewidth=2.2 if solver == "tessera" else 1.2,
            zorder=3 if solver == "tessera" else 2,
            label=f"{solver} ({len(ratios)} of {len(solved)})",
        )
    unsolved = len(systems) - len(solved)
    axes.set_title(title + (f"; {unsolved} more that no solver solved" if unsolved else ""))
    axes.set_xscale("log")
    axes.set_xlim(1, right)
    axes.set_ylim(0, 1)
    axes.set_ylabel("share of systems")
    axes.grid(True, which="both", linewidth=0.3)
    axes.legend(
        fontsize=7,
        title="systems solved in brackets",
        title_fontsize=7,
        loc="center left",
        bbox_to_anchor=(1.01, 0.5),
    )


def draw(systems, solvers, out):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    definite = [system for system in systems if system["definite"]]
    panels = [
        (chosen, title)
        for chosen, title in ((definite, "symmetric positive definite"), (systems, "all systems"))
        if any(best_time(system) is not None for system in chosen)
    ]
    largest = max(max(ratios_of(systems, solver), default=1) for solver in solvers)
    figure, axes = pyplot.subplots(
        len(panels), 1, figsize=(10, 4.5 * len(panels)), sharex=True, squeeze=False
    )
    for (chosen, title), panel in zip(panels, axes[:, 0]):
        draw_profile(panel, chosen, solvers, title, 1.3 * largest)
    axes[-1][0].set_xlabel("time over that of the fastest solver")
    figure.tight_layout()
    save_figure(figure, out)


def row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(titles, rows):
    return "\n".join([row(titles), row(["---"] * len(titles)), *map(row, rows)])


def summary_table(systems, solvers):
    rows = []
    for solver in solvers:
        results = [s["results"][solver] for s in systems if solver in s["results"]]
        ways = [r["status"] for r in results]
        fastest = sum(
            time_of(s, solver) is not None and time_of(s, solver) == best_time(s) for s in systems
        )
        counts = [ways.count(w) for w in ("solved", *FAILURES)]
        rows.append([solver, len(results), counts[0], fastest, *counts[1:]])
    titles = ["solver", "systems", "solved", "fastest", *FAILURES]
    return table(titles, rows)


def failure_text(result):
    if result is None:
        return "not run"
    if result["status"] == "solved":
        return ""
    residual = result.get("true_relative_residual")
    if result["status"] == "not converged" and residual is not None:
        return f"residual {residual:.0e}"
    return result["status"]


def failure_table(systems, solvers):
    rows = []
    for system in systems:
        cells = [failure_text(system["results"].get(solver)) for solver in solvers]
        if any(cells):
            rows.append([system["name"], system["rows"], "yes" if system["definite"] else "no", *cells])
    return table(["system", "rows", "definite", *solvers], rows)


def worst_table(systems, count):
    """Where Tessera is furthest behind the fastest solver; where it fails, first of all."""
    rows = []
    for system in systems:
        best = best_time(system)
        if best is None or "tessera" not in system["results"]:
            continue
        own = time_of(system, "tessera")
        fastest = next(s for s in system["results"] if time_of(system, s) == best)
        ratio = float("inf") if own is None else own / best
        if ratio > 1:
            rows.append((ratio, own, best, fastest, system))
    rows.sort(key=lambda entry: -entry[0])
    cells = []
    for ratio, own, best, fastest, system in rows[:count]:
        iterations = [
            system["results"][solver].get("iterations", "") for solver in ("tessera", fastest)
        ]
        cells.append(
            [
                system["name"],
                system["rows"],
                failure_text(system["results"]["tessera"]) if own is None else f"{own:.1f}",
                iterations[0],
                fastest,
                f"{best:.1f}",
                iterations[1],
                "–" if own is None else f"{ratio:.2f}",
            ]
        )
    titles = ["system", "rows", "Tessera, ms", "iterations", "fastest", "ms", "iterations", "ratio"]
    return table(titles, cells)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", help="JSON files of compare_real")
    parser.add_argument("-o", "--out", required=True, help="the figure: .svg, .png or .pdf")
    parser.add_argument("--tables", help="Markdown file for the tables; else they are printed")
    parser.add_argument("--worst", type=int, default=10, help="rows of the last table")
    arguments = parser.parse_args()

    try:
        by_name, solvers = read_systems(arguments.files)
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"{arguments.files}: {error}")
    systems = list(by_name.values())
    if all(best_time(system) is None for system in systems):
        sys.exit("no system was solved: nothing to draw")
    draw(systems, solvers, arguments.out)
    tables = "\n\n".join(
        [
            summary_table(systems, solvers),
            "Systems that not all solved:",
            failure_table(systems, solvers),
            "Where Tessera is furthest behind the fastest:",
            worst_table(systems, arguments.worst),
        ]
    )
    if arguments.tables:
        with open(arguments.tables, "w", encoding="utf-8") as file:
            file.write(tables + "\n")
    else:
        print(tables)


if __name__ == "__main__":
    main()
