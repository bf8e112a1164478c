#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""preconditioners.py TESSERA --matrices FOLDER --out FILE RECORD...: what the command solves with.

Solves each system that Tessera solves in RECORDs of compare_real with the command TESSERA, and writes
down which preconditioner the solve ended with, by its report: times are not looked at, so that the
machine may be busy. Matrices of FOLDER are FILE.mtx or FILE.mtx.xz.
"""
import argparse
import datetime
import json
import lzma
import pathlib
import shlex
import subprocess
import sys
import tempfile

import plot_real

OPTIONS = "--rhs random --threads 1 -p solver.max_iterations=10000".split()


def system_arguments(system, matrices, scratch):
    """The words by which the command finds a system of a record."""
    name = system["name"]
    if system["source"] == "gallery":
        problem, _, settings = name.partition(":")
        words = [pair.split("=") for pair in settings.split(",") if pair]
        options = [w for key, value in words for w in ("--" + key.replace("_", "-"), value)]
        return ["--problem", problem, *options]
    plain = matrices / f"{name}.mtx"
    if not plain.is_file():
        packed = plain.with_name(plain.name + ".xz")
        plain = scratch / plain.name
        plain.write_bytes(lzma.decompress(packed.read_bytes()))
    return [str(plain)]


def solved(program, system, matrices):
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        report = scratch / "report.json"
        words = system_arguments(system, matrices, scratch)
        words = [program, "solve", *words, *OPTIONS, "--quiet", "--report", str(report)]
        ended = subprocess.run(words, capture_output=True, text=True, check=False)
        if not report.is_file():
            sys.exit(f"{shlex.join(words)}: {ended.stderr.strip()}")
        return json.loads(report.read_text(encoding="utf-8"))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", help="the command tessera")
    parser.add_argument("records", nargs="+", help="of one system in several the last counts")
    parser.add_argument("--matrices", required=True, type=pathlib.Path, help="folder of the matrices")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="JSON file")
    options = parser.parse_args()
    ends, report = [], {}
    for system in plot_real.read_systems(options.records)[0].values():
        if plot_real.time_of(system, "tessera") is None:
            continue
        report = solved(options.program, system, options.matrices)
        end = {key: report[key] for key in ("preconditioner", "status", "iterations")}
        ends.append({"name": system["name"], **end})
        print(f"{system['name']:40} {end['preconditioner']:10} {end['iterations']:6}", flush=True)
    run = {
        "command": shlex.join(sys.argv),
        "commit": report["build"]["commit"],
        "date": f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%dT%H:%M:%SZ}",
        "processor": report["device"]["name"],
    }
    options.out.write_text(json.dumps({"run": run, "systems": ends}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
