#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Whether a device and a host take the same iterations with the same parameters.

    one_answer.py DEVICE/tessera --matrices FOLDER --out device.json
    one_answer.py HOST/tessera --matrices FOLDER --as device.json --out both.json

The first command solves problems of the gallery and the matrices of a folder by multigrid, on its device where it
has one, and then again with the parameters that it ended with, so that none is picked; the second one takes the same
parameters, on a host. They may run on two machines. The second run prints what differs by more than one iteration, or
in status, and a summary, and fails where something differs; its record has for each system status and iterations of
both.
"""
import argparse
import concurrent.futures
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile

from compare_results import processor
from compared_solves import folder_systems, gallery_system, unpack

GALLERY = ("poisson2d:n=300", "poisson2d9:n=200", "poisson3d:n=48", "poisson3d27:n=32", "neumann2d:n=200",
           "neumann3d:n=32", "unstructured_elasticity3d:n=12", "jump2d:n=200", "jump3d:n=32", "anisotropic2d:n=200",
           "anisotropic3d:n=32", "unstructured2d:n=200", "unstructured3d:n=32", "elasticity2d:n=60", "elasticity3d:n=16",
           "convdiff2d:n=200", "convdiff3d:n=32", "graph:n=200", "lshape:order=1,refine=6",
           "lshape:order=2,refine=5", "lshape:order=3,refine=4", "beam:order=1,refine=4", "beam:order=2,refine=3",
           "beam:order=3,refine=2")
SETTINGS = ("preconditioner=amg", "direct.max_memory_mb=0", "solver.max_iterations=300")


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", metavar="COMMAND")
    parser.add_argument("--matrices", metavar="FOLDER", type=pathlib.Path)
    parser.add_argument("--gallery", nargs="*", default=GALLERY, metavar="NAME:KEY=VALUE,...", help="[a list of its own]")
    parser.add_argument("--max-entries", type=int, default=3_000_000, help="of a matrix of the folder [%(default)s]")
    parser.add_argument("--as", dest="like", metavar="RECORD", type=pathlib.Path, help="record of the device")
    parser.add_argument("--jobs", type=int, default=1, help="solves at a time [%(default)s]")
    parser.add_argument("--time-limit-s", type=float, default=60, help="for a solve [%(default)s]")
    parser.add_argument("--out", metavar="FILE", type=pathlib.Path, required=True)
    return parser.parse_args(argv)


def answer(options, system, scratch, parameters):
    """What the command says of one system with these parameters, or those that it picks."""
    place = scratch / system.name.replace(":", "_")
    place.mkdir()
    where = system.arguments
    if system.file:
        unpack(system.file, place / "matrix.mtx")
        where = [str(place / "matrix.mtx")]
    if system.modes:
        unpack(system.modes, place / "modes.mtx")
        where += ["--near-nullspace", str(place / "modes.mtx")]
    if parameters is None:
        picked = solve(options, where, place, None)
        if "parameters" not in picked:
            return picked
        parameters = picked["parameters"]
    return solve(options, where, place, parameters)


def solve(options, where, place, parameters):
    (place / "report.json").unlink(missing_ok=True)
    call = [options.command, "solve", *where, "--rhs", "random", "--threads", "1", "--report", str(place / "report.json")]
    if parameters is None:
        for setting in SETTINGS:
            call += ["-p", setting]
    else:
        (place / "parameters.json").write_text(json.dumps(parameters), encoding="utf-8")
        call += ["--config", str(place / "parameters.json")]
    try:
        ended = subprocess.run(call, capture_output=True, text=True, errors="replace", timeout=options.time_limit_s)
    except subprocess.TimeoutExpired:
        return {"status": "stopped"}
    if not (place / "report.json").is_file():
        said = (ended.stderr.strip() or ended.stdout.strip()).splitlines()
        return {"status": "error", "message": said[0][:200] if said else ""}
    report = json.loads((place / "report.json").read_text(encoding="utf-8"))
    return {"status": report["status"], "iterations": report["iterations"], "device": report["device"],
            "rows": report["problem"]["rows"], "parameters": report["parameters"]}


def agree(one, other):
    """The same status, and iterations within one of each other."""
    return (one["status"] == other["status"] and
            abs(one.get("iterations", 0) - other.get("iterations", 0)) <= 1)


def joined(name, device, host):
    result = {"system": name, "rows": device.get("rows")}
    for side, found in (("device", device), ("host", host)):
        result[side] = {key: value for key, value in found.items() if key not in ("rows", "parameters", "device")}
    result["agree"] = agree(device, host)
    return result


def compared(device, found):
    """Prints what differs; the results of both."""
    results = [joined(name, device[name], host) for name, host in found.items()]
    for result in results:
        if not result["agree"]:
            sides = [f"{result[side]['status']} {result[side].get('iterations', '')}" for side in ("device", "host")]
            print(f"{result['system']}: on the device {sides[0]}, on a host {sides[1]}")
    same = sum(result["agree"] for result in results)
    equal = sum(result["device"].get("iterations") == result["host"].get("iterations") for result in results)
    solved = sum(result["agree"] and result["device"]["status"] == "converged" for result in results)
    print(f"{len(results)} systems: {same} alike, {solved} of them converged, {equal} the same to the iteration")
    return results


def main(argv):
    options = parse(argv)
    before = json.loads(options.like.read_text(encoding="utf-8"))["results"] if options.like else {}
    systems = [gallery_system(text) for text in options.gallery]
    if options.matrices:
        systems += folder_systems(options.matrices, options.max_entries)
    if options.like:
        systems = [system for system in systems if "parameters" in before.get(system.name, {})]
    with tempfile.TemporaryDirectory(prefix="one_answer.") as scratch, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        work = {system.name: pool.submit(answer, options, system, pathlib.Path(scratch),
                                         before[system.name]["parameters"] if options.like else None)
                for system in systems}
        found = {name: each.result() for name, each in work.items()}
    record = {"comparison": "one answer", "settings": SETTINGS, "processor": processor(),
              "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")}
    record["on"] = sorted({result["device"]["name"] for each in (before, found) for result in each.values()
                           if "device" in result})
    record["results"] = compared(before, found) if options.like else found
    options.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return 0 if not options.like or all(result["agree"] for result in record["results"]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
