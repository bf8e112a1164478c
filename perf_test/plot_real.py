#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws which solver of compare_real is how close to the fastest, and tells who failed where.

Reads the JSON files of compare_real; of a system and a solver in several files the last counts, so
that a solver that was run apart joins the others. The figures are performance profiles (E. Dolan,
J. Moré, "Benchmarking optimization software with performance profiles", Math. Program. 91, 2002): the
share of systems that a solver solves within a factor of the fastest one's time, setup and solve
together; a panel for the symmetric positive definite systems and one for all, side by side for several
right-hand sides. At factor 1 a curve has the share of systems on which its solver is the fastest, at its
right end that which it solves at all. Systems that no solver solved are left out and counted.

The first figure has all ways of solving, and dashed the peers with factors by their own libraries where
iterations do not do. The second one has iterative methods alone: of each solver what it does without
factors or an inverse of the whole matrix; a system that it solves by these all the same it does not
solve there. The tables are Markdown, in this order for each right-hand side.
"""
import argparse
import sys

from records import read_json, save_figure

# Ends that are no solution. An error is one that the solver itself reports before it ends.
FAILURES = ("not converged", "time limit", "error", "crashed")
# Methods that have the whole matrix factored or inverted.
WHOLE = ("direct", "fallback", "dense")
RHS = {"random": "b of random numbers", "ones": "b = A times ones"}


def read_all(paths):
    """{rhs: {name: {definite, rows, entries, results: {solver: result}}}} and {solver: its entry}."""
    systems, solvers = {}, {}
    for path in paths:
        data = read_json(path)
        if data.get("comparison") != "real":
            raise ValueError("not a record of compare_real")
        for solver in data["solvers"]:
            solvers.setdefault(solver["name"], solver)
        for system in data["systems"]:
            if "error" in system:
                continue
            same_rhs = systems.setdefault(system.get("rhs", "random"), {})
            known = same_rhs.setdefault(system["name"], dict(system, results={}))
            known["results"].update((r["solver"], r) for r in system["results"])
    return systems, solvers


def read_systems(paths, rhs="random"):
    """The systems of one right-hand side by their names, and the solvers' order."""
    systems, solvers = read_all(paths)
    return systems.get(rhs, {}), list(solvers)


def all_ways(systems, solvers):
    """Without the variants that leave factors alone."""
    names = [name for name, solver in solvers.items() if solver.get("variant") != "iterative"]
    kept = [
        dict(system, results={name: r for name, r in system["results"].items() if name in names})
        for system in systems
    ]
    return kept, names


def iterative_alone(systems, solvers):
    """Of each solver what it does without factors or an inverse of the whole matrix, by its name."""
    names = [name for name, solver in solvers.items() if "of" not in solver]
    without = {s["of"]: name for name, s in solvers.items() if s.get("variant") == "iterative"}
    kept = []
    for system in systems:
        results = {}
        for name in names:
            found = system["results"].get(without.get(name), system["results"].get(name))
            if found is not None:
                results[name] = dict(found, status="direct") if is_whole(found) else found
        kept.append(dict(system, results=results))
    return kept, names


def is_whole(result):
    return result.get("method") in WHOLE


def says_methods(systems):
    return any("method" in result for system in systems for result in system["results"].values())


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
    if not solved:
        return
    colors = [solver for solver in solvers if not solver.endswith("-direct")]
    for solver in solvers:
        ratios = ratios_of(solved, solver)
        shares = [(i + 1) / len(solved) for i in range(len(ratios))]
        axes.step(
            [1, *ratios, right],
            [0, *shares, shares[-1] if shares else 0],
            where="post",
            color=f"C{colors.index(solver.removesuffix('-direct')) % 10}",
            linewidth=2.2 if solver == "tessera" else 1.2,
            linestyle="--" if solver.endswith("-direct") else "-",
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


def panels_of(systems):
    definite = [system for system in systems if system["definite"]]
    return [(definite, "symmetric positive definite"), (systems, "all systems")]


def draw(groups, solvers, out):
    """`groups`: {title: systems}, side by side."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    columns = [panels_of(systems) for systems in groups.values()]
    rows = [
        i for i in range(2) if any(best_time(s) is not None for panels in columns for s in panels[i][0])
    ]
    every = [system for systems in groups.values() for system in systems]
    largest = max(max(ratios_of(every, solver), default=1) for solver in solvers)
    figure, axes = pyplot.subplots(
        len(rows),
        len(columns),
        figsize=(7.5 * len(columns), 3.6 * len(rows)),
        sharex=True,
        squeeze=False,
    )
    for column, (group, panels) in enumerate(zip(groups, columns)):
        for place, number in enumerate(rows):
            chosen, title = panels[number]
            title = f"{group}: {title}" if len(groups) > 1 else title
            draw_profile(axes[place][column], chosen, solvers, title, 1.3 * largest)
        axes[-1][column].set_xlabel("time over that of the fastest solver")
    figure.tight_layout()
    save_figure(figure, out)


def row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(titles, rows):
    return "\n".join([row(titles), row(["---"] * len(titles)), *map(row, rows)])


def solved_results(systems):
    return [r for s in systems for r in s["results"].values() if r["status"] == "solved"]


def summary_table(systems, solvers):
    rows = []
    methods = WHOLE if any(map(is_whole, solved_results(systems))) else ()
    failures = FAILURES
    if any(r["status"] == "direct" for s in systems for r in s["results"].values()):
        failures = ("direct", *FAILURES)
    for solver in solvers:
        results = [s["results"][solver] for s in systems if solver in s["results"]]
        ways = [r["status"] for r in results]
        by_method = [r.get("method") for r in results if r["status"] == "solved"]
        fastest = sum(
            time_of(s, solver) is not None and time_of(s, solver) == best_time(s) for s in systems
        )
        counts = [ways.count(failure) for failure in failures]
        whole = [by_method.count(method) for method in methods]
        rows.append([solver, len(results), ways.count("solved"), *whole, fastest, *counts])
    titles = ["solver", "systems", "solved", *methods, "fastest", *failures]
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


def tables_of(systems, solvers, worst):
    return [
        summary_table(systems, solvers),
        "Systems that not all solved:",
        failure_table(systems, solvers),
        "Where Tessera is furthest behind the fastest:",
        worst_table(systems, worst),
    ]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", help="JSON files of compare_real")
    parser.add_argument("-o", "--out", help="the figure of all ways: .svg, .png or .pdf")
    parser.add_argument("--iterative", help="the figure of iterative methods alone")
    parser.add_argument("--rhs", nargs="+", choices=RHS, help="of these right-hand sides [all]")
    parser.add_argument("--tables", help="Markdown file for the tables; else they are printed")
    parser.add_argument("--worst", type=int, default=10, help="rows of the last table")
    arguments = parser.parse_args()

    try:
        by_rhs, entries = read_all(arguments.files)
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"{arguments.files}: {error}")
    groups = {
        RHS[rhs]: list(by_rhs[rhs].values()) for rhs in arguments.rhs or RHS if rhs in by_rhs
    }
    systems = [system for group in groups.values() for system in group]
    if all(best_time(system) is None for system in systems):
        sys.exit("no system was solved: nothing to draw")
    profiles = [("all ways", all_ways, arguments.out)]
    if says_methods(systems):
        profiles.append(("iterative methods alone", iterative_alone, arguments.iterative))
    elif arguments.iterative:
        sys.exit("the records do not say by which methods systems were solved")
    lines = []
    for title, select, figure in profiles:
        selected = {group: select(members, entries) for group, members in groups.items()}
        names = select([], entries)[1]
        if figure:
            draw({group: chosen for group, (chosen, _) in selected.items()}, names, figure)
        for group, (chosen, _) in selected.items():
            if len(profiles) > 1 or len(groups) > 1:
                lines.append(f"## {group}, {title}")
            lines += tables_of(chosen, names, arguments.worst)
    tables = "\n\n".join(lines)
    if arguments.tables:
        with open(arguments.tables, "w", encoding="utf-8") as file:
            file.write(tables + "\n")
    else:
        print(tables)


if __name__ == "__main__":
    main()
