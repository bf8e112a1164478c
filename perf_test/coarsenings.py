#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""coarsenings.py TESSERA --out FILE [--matrices FOLDER]: multigrid by each coarsening, system by system.

Solves model problems, meshes that scripts of this folder write, and the matrices of FOLDER (FILE.mtx,
FILE.mtx.xz with an INDEX.tsv) that the defaults solve by multigrid, with the command TESSERA and each of
WAYS; everything that a way does not name is left to the defaults. Of each system its properties are
written down, and of each way the iterations, the operator complexity and the processor's milliseconds of setup
and solve: those of the process less what one takes that only reads the system, the least of several rounds, in
each of which all ways take turns, on one thread. So other programs may run beside. A way that is far off runs once,
and a reduction is not tried on symmetric matrices, where it takes ten times as long. With --out of an earlier run its systems are kept, and not solved again.
"""
import argparse
import datetime
import json
import lzma
import math
import os
import pathlib
import resource
import shlex
import subprocess
import sys
import tempfile

import score_by_halves

WAYS = {
    "auto": "",
    "smoothed_aggregation": "amg.coarsening=smoothed_aggregation",
    "mis2": "amg.coarsening=smoothed_aggregation amg.smoothed_aggregation.aggregation=mis2",
    "pairwise": "amg.coarsening=pairwise amg.cycle=k amg.pairwise.passes=2",
    "classical": "amg.coarsening=classical",
    "fronts": "amg.coarsening=classical amg.classical.splitting=advancing_front",
    "aggressive": "amg.coarsening=classical amg.classical.aggressive_levels=1",
    "reduction": "amg.coarsening=reduction",
    "smoothed_aggregation, jacobi": "amg.coarsening=smoothed_aggregation amg.smoother.type=jacobi",
    "classical, jacobi": "amg.coarsening=classical amg.smoother.type=jacobi",
    "classical, chebyshev": "amg.coarsening=classical amg.smoother.type=chebyshev",
}
PROBLEMS = (
    "poisson2d:n=400 poisson2d9:n=300 poisson3d:n=48 poisson3d27:n=36 jump2d:n=400,contrast=1e3 "
    "jump2d:n=400,contrast=1e6 jump3d:n=48,contrast=1e6 anisotropic2d:n=300,epsilon=1e-3,theta=0 "
    "anisotropic2d:n=300,epsilon=1e-2,theta=0.2618 anisotropic2d:n=300,epsilon=1e-2,theta=0.5236 "
    "anisotropic2d:n=300,epsilon=1e-4,theta=0.5236 anisotropic2d:n=300,epsilon=1e-3,theta=0.7854 "
    "anisotropic3d:n=36,epsilon=1e-2,theta=0.5236 anisotropic3d:n=36,epsilon=1e-3,theta=0.7854 "
    "unstructured2d:n=300,epsilon=1 unstructured2d:n=300,epsilon=1e-2,theta=0.5236 "
    "unstructured2d:n=300,epsilon=1e-3,theta=0.7854 unstructured2d:n=250,epsilon=0.1,theta=0.2618 "
    "unstructured2d:n=250,epsilon=1e-4,theta=0.2618 unstructured2d:n=250,epsilon=1e-2,theta=0 unstructured3d:n=36,epsilon=1 "
    "unstructured3d:n=36,epsilon=1e-2,theta=0.5236 unstructured3d:n=36,epsilon=1e-3,theta=0 "
    "lshape:order=1,refine=8 lshape:order=3,refine=5 beam:order=2,refine=2 graph:n=250 "
    "elasticity2d:n=100 elasticity3d:n=14 unstructured_elasticity3d:n=16 "
    "convdiff2d:n=300,peclet=1e2 convdiff2d:n=300,peclet=1e4 convdiff2d:n=300,peclet=1e8 "
    "convdiff3d:n=32,peclet=1e2 convdiff3d:n=32,peclet=1e6"
).split()
MESHES = {
    "quadrilaterals": "quadrilaterals.py 90",
    "quadrilaterals_e3": "quadrilaterals.py 90 --epsilon 1e-3",
    "quadrilaterals_e1": "quadrilaterals.py 80 --epsilon 0.1",
    "quadrilaterals_45": "quadrilaterals.py 90 --epsilon 1e-3 --degrees 45",
    "vortex_1e1_shuffled": "vortex.py 160 1e1 --shuffle",
    "vortex_1e2": "vortex.py 250 1e2",
    "vortex_1e4": "vortex.py 250 1e4",
    "vortex_1e6": "vortex.py 250 1e6",
    "vortex_1e2_shuffled": "vortex.py 160 1e2 --shuffle",
    "vortex_1e3_shuffled": "vortex.py 200 1e3 --shuffle",
    "vortex_1e5_shuffled": "vortex.py 200 1e5 --shuffle",
    "vortex_1e8_shuffled": "vortex.py 200 1e8 --shuffle",
    "vortex_1e4_shuffled": "vortex.py 160 1e4 --shuffle",
    "vortex_1e6_shuffled": "vortex.py 160 1e6 --shuffle",
}
# Ways of which more than one run is made take less than so many times as long as the fastest.
FAR_OFF = 2.5
LIMITS = "solver.max_iterations=1000"
HERE = pathlib.Path(__file__).resolve().parent


def processor_ms():
    """Of all processes that have ended so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1e3


def named_problem(name):
    """`poisson2d:n=400` as the command's words."""
    problem, _, settings = name.partition(":")
    pairs = [pair.split("=") for pair in settings.split(",") if pair]
    return ["--problem", problem, *(w for key, value in pairs for w in ("--" + key.replace("_", "-"), value))]


def written_mesh(words, scratch):
    script, *arguments = words.split()
    path = scratch / "mesh.mtx"
    flags = [a for a in arguments if a.startswith("--")]
    at = arguments.index(flags[0]) if flags else len(arguments)
    subprocess.run([sys.executable, HERE / script, *arguments[:at], path, *arguments[at:]], check=True)
    return [str(path)]


def written_matrix(name, folder, scratch):
    plain = folder / f"{name}.mtx"
    if plain.is_file():
        return [str(plain)]
    path = scratch / "matrix.mtx"
    path.write_bytes(lzma.decompress((folder / f"{name}.mtx.xz").read_bytes()))
    return [str(path)]


def real_matrices(folder, min_rows):
    """Names of the square matrices with values of that many rows and more."""
    lines = (folder / "INDEX.tsv").read_text(encoding="utf-8").splitlines()[1:]
    for name, _, rows, columns, _, _, definite, *_ in (line.split("\t") for line in lines):
        if rows == columns and int(rows) >= min_rows and "pattern" not in definite and definite != "P":
            yield name


def report_of(program, system, settings, options, scratch):
    """The report of the command, or why there is none."""
    path = scratch / "report.json"
    path.unlink(missing_ok=True)
    words = [program, "solve", *system, "--threads", "1", "--rhs", "random", "--quiet", "--report", str(path)]
    words += [w for s in [*LIMITS.split(), *settings] for w in ("-p", s)]
    before = processor_ms()
    try:
        ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=options.limit_s)
    except subprocess.TimeoutExpired:
        return {"status": f"more than {options.limit_s:g} s"}
    if not path.is_file():
        return {"status": f"exit {ended.returncode}: {ended.stderr.strip()[-200:]}"}
    return {**json.loads(path.read_text(encoding="utf-8")), "processor_ms": processor_ms() - before}


def properties_of(program, system, scratch):
    """What `tessera info` finds that a choice may go by."""
    path = system[0]
    if system[0] == "--problem":
        path = str(scratch / "problem.tsr")
        subprocess.run([program, "gallery", *system[1:], "-o", path], check=True, capture_output=True)
    ended = subprocess.run([program, "info", path, "--json"], capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        return {}
    found = json.loads(ended.stdout)
    kept = "rows entries symmetric positive_couplings dominant_rows strictly_dominant_rows zero_sum_rows".split()
    lengths = {f"{what}_row": found["row_length"][what] for what in ("longest", "standard_deviation")}
    advice = [picked["setting"] + ": " + picked["reason"] for picked in found["recommended"]]
    return {**{key: found[key] for key in kept}, **lengths, "recommended": advice}


def shortened(report, beside_ms):
    """`beside_ms`: what the process takes to read or make its system."""
    if "iterations" not in report:
        return report
    levels = report["levels"] or [{}]
    return {
        "status": report["status"],
        "iterations": report["iterations"],
        "ms": round(max(report["processor_ms"] - beside_ms, 0), 1),
        "setup_share": round(report["setup_ms"] / (report["setup_ms"] + report["solve_ms"]), 3),
        "complexity": round(report["operator_complexity"], 3),
        "levels": len(levels),
        "aggregation": levels[0].get("aggregation"),
        "smoother": report["parameters"]["amg"]["smoother"]["type"],
        "coarsening": report["parameters"]["amg"]["coarsening"],
    }


def total_ms(way):
    return way["ms"] if way["status"] == "converged" else math.inf


def systems_of(options, scratch):
    """(name, source, words of the command) one after the other; files are gone with the next."""
    for name in PROBLEMS * (not options.without_problems):
        yield name, "gallery", lambda name=name: named_problem(name)
    for name, words in MESHES.items() if not options.without_problems else ():
        yield name, "mesh", lambda words=words: written_mesh(words, scratch)
    for name in real_matrices(options.matrices, options.min_rows) if options.matrices else ():
        yield name, "matrix", lambda name=name: written_matrix(name, options.matrices, scratch)


def measured(entry, system, options, scratch):
    """Adds to `entry` those of the ways that it has not."""
    program = options.program
    if "properties" not in entry:
        entry["properties"] = properties_of(program, system, scratch)
        usual = report_of(program, system, [], options, scratch)
        entry["preconditioner"] = usual.get("preconditioner", usual["status"])
    if entry["preconditioner"] != "amg":
        return
    ways = entry.setdefault("ways", {})
    is_symmetric = entry["properties"].get("symmetric", False)
    tried = [way for way in options.ways if not (is_symmetric and way == "reduction") and way not in ways]
    bare = ["preconditioner=none", "solver.max_iterations=1"]
    beside_ms = math.inf
    for number in range(options.rounds):
        best_ms = min(map(total_ms, ways.values()), default=math.inf)
        beside_ms = min(beside_ms, report_of(program, system, bare, options, scratch)["processor_ms"])
        for way in tried:
            if number > 0 and total_ms(ways[way]) > FAR_OFF * best_ms:
                continue
            settings = ["preconditioner=amg", *WAYS[way].split()]
            found = shortened(report_of(program, system, settings, options, scratch), beside_ms)
            ways[way] = min(ways.get(way, found), found, key=total_ms)


def run_of(options):
    """What a record says of the run that made it."""
    said = subprocess.run([options.program, "--version"], capture_output=True, text=True, check=False).stdout
    return {
        "command": shlex.join(["OMP_NUM_THREADS=1", *sys.argv]),
        "date": f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%dT%H:%M:%SZ}",
        "version": said.strip(),
    }


def cell(way):
    """`18, 162`: iterations and milliseconds."""
    if way is None:
        return ""
    if way["status"] != "converged":
        return way["status"] if "iterations" in way else "–"
    return f"{way['iterations']}, {way['ms']:.0f}"


def print_table(systems):
    """What stands in a record, in Markdown; in bold where less than a tenth is lost to the fastest."""
    solved = [s for s in systems if "ways" in s]
    ways = [way for way in WAYS if way != "auto" and any(way in s["ways"] for s in solved)]
    print("| system | rows | `auto` | " + " | ".join(ways) + " |\n| --- | ---: |" + " --- |" * (len(ways) + 1))
    for system in solved:
        best = min(map(total_ms, system["ways"].values()))
        cells = []
        for way in ways:
            found = system["ways"].get(way)
            is_good = found is not None and total_ms(found) <= 1.1 * best
            cells.append(f"**{cell(found)}**" if is_good else cell(found))
        picked = system["ways"].get("auto", {}).get("coarsening", "")
        print(f"| {system['name']} | {system['properties']['rows']} | {picked} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", help="the command tessera")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="JSON file, rewritten after each system")
    parser.add_argument("--matrices", type=pathlib.Path, help="folder of real matrices")
    parser.add_argument("--min-rows", type=int, default=2001, help="of the folder, matrices of so many rows")
    parser.add_argument("--without-problems", action="store_true", help="the folder's matrices alone")
    parser.add_argument("--only", nargs="+", help="systems whose name contains one of these")
    parser.add_argument("--ways", nargs="+", default=list(WAYS), choices=list(WAYS))
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--limit-s", type=float, default=60, help="seconds for the runs of one way")
    parser.add_argument("--table", action="store_true", help="print what FILE holds, and solve nothing")
    options = parser.parse_args()
    if options.table:
        return print_table(json.loads(options.out.read_text(encoding="utf-8"))["systems"])
    os.environ["OMP_NUM_THREADS"] = "1"
    record = {"comparison": "coarsenings", "ways": WAYS, "runs": [], "systems": []}
    if options.out.is_file():
        record = json.loads(options.out.read_text(encoding="utf-8"))
    record["runs"].append(run_of(options))
    known = {system["name"]: system for system in record["systems"]}
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        for name, source, words in systems_of(options, scratch):
            if options.only and not any(part in name for part in options.only):
                continue
            entry = known.get(name)
            if entry is None:
                entry = {"name": name, "source": source, "half": score_by_halves.half_of(name)}
                record["systems"].append(entry)
            measured(entry, words(), options, scratch)
            options.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
            ways = entry.get("ways", {})
            print(name, entry["preconditioner"], "; ".join(f"{w}: {cell(ways[w])}" for w in ways), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
