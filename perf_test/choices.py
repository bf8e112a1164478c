#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""choices.py STEP: multigrid by each coarsening, by each smoother, or on each flow, and how its iterations grow, many solves a process, for GPUs.

    choices.py prepare --systems FOLDER [--matrices FOLDER] [--command TESSERA]
    choices.py {coarsenings,smoothers,convection,simplices,advection,fewest,space,reductions,growth} --systems FOLDER --library LIBTESSERA_C --out RECORD [--limit-s S]

`prepare` writes what does not come from the gallery into FOLDER, as compressed rows: flows of vortex.py and simplex_flow.py, meshes, real matrices
(NAME.mtx, .mtx.xz or .mtx.gz of --matrices), and grids numbered by chance (by the command TESSERA). The others solve each system by each
way, all in one process through the C interface (solver_process.py); with --command in place of --library each way is a process of
the command's. Right-hand sides are `--rhs random` of the command. A way that ends with an error, a crash or beyond its limit
says so. Times are medians of --repeats after a run that is not counted; a way that takes far longer than the best one so far has
one. The record is written again after each system, and gone on with where it is there; after --limit-s no further system begins.
choices_tables.py makes tables of it.
"""
import argparse
import concurrent.futures
import datetime
import json
import math
import pathlib
import platform
import shlex
import subprocess
import sys
import tempfile
import time

import quadrilaterals
import simplex_flow
import vortex
from choices_ways import FLOWS, STEPS
from csr_file import Csr, read_csr, read_matrix_market, write_csr
from score_by_halves import half_of
from solver_process import CommandSolves, Solves, gallery_words

FAR_OFF = 2.5
SIMPLICES = {"triangles": 2, "tetrahedra": 3}  # and their dimension


def tiny(name):
    """The same problem of few unknowns, to try this script on; matrices as they are."""
    problem, settings = gallery_words(name)
    sizes = {"n": 16 if "3d" in problem or problem == "tetrahedra" else 40, "order": 2, "refine": 2}
    words = (f"{key}={min(int(value[0]), sizes[key])}" if key in sizes else "=".join([key, *value]) for key, *value in settings)
    return problem + ":" * bool(settings) + ",".join(words)


def file_of(name, folder):
    """Where a system lies that is none of the gallery's, or None."""
    problem, _, settings = name.partition(":")
    in_gallery = settings and problem not in ("vortex", "recirculating3d", "quadrilaterals", *SIMPLICES) and "shuffled" not in settings
    return None if in_gallery else folder / (name.replace(":", "_").replace(",", "_").replace("=", "") + ".tsr")


def made_matrix(name, options):
    """The compressed rows of a system that is none of the gallery's."""
    problem, settings = gallery_words(name)
    values = dict(s for s in settings if len(s) == 2)
    if problem == "vortex":
        n = int(values["n"])
        A = Csr.of_entries(n * n, vortex.entries(n, float(values["peclet"])))
    elif problem == "recirculating3d":
        n = int(values["n"])
        A = Csr.of_entries(n**3, vortex.entries_in_space(n, float(values["peclet"])))
    elif problem in SIMPLICES:
        n, dimension = int(values["n"]), SIMPLICES[problem]
        A = Csr.of_entries((n - 1) ** dimension, simplex_flow.entries(n, float(values["peclet"]), dimension, ("vortex",) in settings))
    elif problem == "quadrilaterals":
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "mesh.mtx"
            more = [w for key in ("epsilon", "degrees") if key in values for w in ("--" + key, values[key])]
            subprocess.run([sys.executable, quadrilaterals.__file__, values["n"], path, *more], check=True)
            A = read_matrix_market(path)
    elif settings:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "problem.tsr"
            more = [w for key, value in values.items() for w in ("--" + key, value)]
            subprocess.run([options.command, "gallery", problem, *more, "-o", path], check=True, capture_output=True)
            A = read_csr(path)
    else:
        paths = (options.matrices / (name + ending) for ending in (".mtx", ".mtx.xz", ".mtx.gz"))
        A = read_matrix_market(next(path for path in paths if path.is_file()))
    return A.shuffled() if ("shuffled",) in settings else A


def prepared(name, options):
    path = file_of(name, options.systems)
    if path is None or path.is_file():
        return name, "was there"
    begin = time.monotonic()
    try:
        part = path.with_suffix(".part")
        write_csr(part, made_matrix(name, options))
        part.rename(path)
        return name, f"{time.monotonic() - begin:.1f} s"
    except (StopIteration, OSError, TypeError, ValueError, subprocess.CalledProcessError) as error:
        return name, f"not made: {error!r}"


def prepare(options):
    options.systems.mkdir(parents=True, exist_ok=True)
    names = list(dict.fromkeys(name for step in STEPS.values() for name in step[0]))
    names = [options.sized(name) for name in names if chosen(name, options)]
    names = [name for name in dict.fromkeys(names) if file_of(name, options.systems)]
    # What takes longest begins first.
    names.sort(key=lambda name: -int(dict(s for s in gallery_words(name)[1] if len(s) == 2).get("n", 300)))
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for name, said in pool.map(prepared, names, [options] * len(names)):
            print(name, said, flush=True)


def chosen(name, options):
    return not options.only or any(part in name for part in options.only)


def total_ms(way):
    return way.get("total_ms", math.inf) if way["status"] == "converged" else math.inf


def run_of(machine):
    """What a record says of the run that made it."""
    build, device = (machine or {}).get("build", {}), (machine or {}).get("device", {})
    run = {"command": shlex.join(["choices.py", *sys.argv[1:]]), "commit": build.get("commit", "unknown")}
    run |= {"date": f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%dT%H:%M:%SZ}", "space": device.get("space", "unknown")}
    run |= {key: build[key] for key in ("version", "compiler", "kokkos") if key in build}
    run["processor" if run["space"] in ("openmp", "serial", "threads") else "gpu"] = device.get("name", platform.processor())
    return run


def settings_of(way, ways, most, options):
    return f"preconditioner=amg solver.max_iterations={most} solver.time_limit_s={options.solve_limit_s:g} {ways[way]}".strip()


def suits(way, ways, name, is_symmetric):
    """Reduction takes ten times as long on symmetric matrices, and fsai and polynomials are for these."""
    if "coarsening=reduction" in ways[way]:
        return not is_symmetric or name.startswith(FLOWS)
    return is_symmetric or "fsai" not in way


def measured(solves, name, step, options):
    """One system by each way, or why it is not there."""
    _, ways, most, repeats = STEPS[step]
    path = file_of(name, options.systems)
    if path is not None and not path.is_file():
        return {"name": name, "error": f"{path.name} was not prepared"}
    begin = time.monotonic()
    entry = {"name": name, "source": "matrix" if ":" not in name else "gallery" if path is None else "mesh", "half": half_of(name)}
    loaded = solves.load(name if path is None else str(path))
    if "error" in loaded or loaded.get("status"):
        return {**entry, **loaded}
    entry |= loaded
    usual = solves.once(f"solver.max_iterations={most} solver.time_limit_s={options.solve_limit_s:g}")
    entry["by_default"] = {key: usual[key] for key in ("status", "solver", "preconditioner", "iterations") if key in usual}
    is_symmetric = usual.get("solver", "cg") == "cg"
    entry["symmetric"], entry["ways"] = is_symmetric, {}
    for way in ways:
        if not suits(way, ways, name, is_symmetric):
            continue
        best_ms = min(map(total_ms, entry["ways"].values()), default=math.inf)
        found = solves.measured(settings_of(way, ways, most, options), options.repeats or repeats, FAR_OFF * best_ms)
        # What score_by_halves.py reads.
        entry["ways"][way] = {**found, "ms": found["total_ms"]} if "total_ms" in found else found
    entry.setdefault("rows", solves.rows)
    entry["seconds"] = round(time.monotonic() - begin, 2)
    return entry


def run_step(options):
    begin = time.monotonic()
    systems, ways, most, repeats = STEPS[options.step]
    make = Solves if options.of_c else CommandSolves
    solves = make(options.of_c or options.command, options.threads, options.each_s)
    record = {"comparison": options.step, "ways": {way: settings_of(way, ways, most, options) for way in ways}, "tolerance": 1e-8, "rhs": "random"}
    record |= {"repeats": options.repeats or repeats, "by": "library" if options.of_c else "command", "systems": []}
    if options.out.is_file():
        record = json.loads(options.out.read_text(encoding="utf-8"))
    known = {entry["name"] for entry in record["systems"] if "ways" in entry}
    record["systems"] = [entry for entry in record["systems"] if "ways" in entry]
    left = []
    for name in map(options.sized, (name for name in systems if chosen(name, options))):
        if name in known:
            continue
        if options.limit_s and time.monotonic() - begin > options.limit_s:
            left.append(name)
            continue
        entry = measured(solves, name, options.step, options)
        record["systems"].append(entry)
        record["run"] = run_of(solves.machine)
        record["seconds"], record["processes"] = round(time.monotonic() - begin, 1), solves.starts
        options.out.with_suffix(".part").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        options.out.with_suffix(".part").rename(options.out)
        said = ", ".join(f"{way}: {found.get('iterations', '')} {found.get('total_ms', found['status'])}"
                         for way, found in entry.get("ways", {}).items())
        print(f"[{record['seconds']} s] {name} ({entry.get('rows')}): {said or entry.get('error')}", flush=True)
    solves.close()
    if left:
        print(f"{len(left)} left at the limit of {options.limit_s:g} s: {' '.join(left)}", flush=True)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["prepare", *STEPS])
    parser.add_argument("--systems", required=True, type=pathlib.Path, help="folder of what `prepare` makes")
    parser.add_argument("--matrices", type=pathlib.Path, help="folder of real matrices, for `prepare`")
    parser.add_argument("--library", dest="of_c", metavar="FILE", type=pathlib.Path, help="libtessera_c.so")
    parser.add_argument("--command", type=pathlib.Path, help="the command tessera")
    parser.add_argument("--out", type=pathlib.Path, help="the record")
    parser.add_argument("--only", nargs="+", help="systems whose name contains one of these")
    parser.add_argument("--repeats", type=int, help="runs that count of each way [by the step, 3 or 5]")
    parser.add_argument("--limit-s", type=float, default=0, help="begin no further system after that many seconds")
    parser.add_argument("--solve-limit-s", type=float, default=5, help="the solver's own limit, of all but its setup [%(default)g]")
    parser.add_argument("--each-s", type=float, default=20, help="the most that one solve may take")
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--jobs", type=int, help="processes of `prepare` [one for each core]")
    parser.add_argument("--tiny", action="store_true", help="problems of few unknowns, to try the script")
    options = parser.parse_args()
    options.sized = tiny if options.tiny else str
    if options.step == "prepare":
        return prepare(options)
    if not (options.of_c or options.command) or not options.out:
        parser.error(f"{options.step} needs --out, and --library or --command")
    return run_step(options)


if __name__ == "__main__":
    sys.exit(main())
