#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Which systems of an earlier record the defaults solve now, with several right-hand sides.

    real_defaults.py build/openmp/bin/tessera --matrices FOLDER --like real-defaults.json.xz --out real-defaults.json

Solves each system of the record, a file of the folder or a problem of the gallery, once with each of its right-hand
sides, one thread. Prints how many converge, each that ends otherwise than in the record, and each that takes over a tenth
and one iteration more.
"""
import argparse
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile

from compare_results import processor
from compared_solves import folder_systems, gallery_system, unpack
from records import read_json



def solve(command, arguments, limit_s, scratch):
    """What a record holds of one solve; its status is `killed` where it did not end by itself."""
    report = scratch / "report.json"
    report.unlink(missing_ok=True)
    limit = ["-p", f"solver.time_limit_s={limit_s}"]
    try:
        subprocess.run([command, "solve", *arguments, "--threads", "1", *limit, "--report", report],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=4 * limit_s, check=False)
        return json.loads(report.read_text(encoding="utf-8"))
    except (subprocess.TimeoutExpired, OSError):
        return {"status": "killed"}


def summary(report):
    found = {"status": report["status"]}
    for key in ("iterations", "true_relative_residual", "setup_ms", "solve_ms"):
        if key in report:
            found[key] = report[key]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", type=pathlib.Path, help="the program `tessera`")
    parser.add_argument("--matrices", type=pathlib.Path, required=True, help="a folder of Matrix Market files")
    parser.add_argument("--like", type=pathlib.Path, required=True, help="the record whose systems are solved")
    parser.add_argument("--time-limit-s", type=int, default=30, help="of a solve (default: 30)")
    parser.add_argument("--out", type=pathlib.Path, help="write the record here, as JSON")
    asked = parser.parse_args()
    asked.command = asked.command.resolve()
    files = {system.name: system.file for system in folder_systems(asked.matrices, sys.maxsize)}
    results, converge, commit = [], {}, "unknown"
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        unpacked = None
        for before in read_json(asked.like)["results"]:
            name, rhs = before["system"], before["rhs"]
            if ":" in name:
                arguments = gallery_system(name).arguments
            elif name not in files:
                sys.exit(f"real_defaults: {name} is not in {asked.matrices}")
            else:
                if unpacked != name:
                    unpack(files[name], scratch / "A.mtx")
                    unpacked = name
                arguments = [scratch / "A.mtx"]
            report = solve(asked.command, [*arguments, "--rhs", rhs], asked.time_limit_s, scratch)
            commit = report.get("build", {}).get("commit", commit)
            now = summary(report)
            results.append({"system": name, "rhs": rhs, **now})
            converge.setdefault(rhs, []).append(now["status"] == "converged")
            more = now.get("iterations", 0) > 1.1 * before["iterations"] + 1
            if now["status"] != before["status"] or more:
                print(f"{name}, {rhs}: {before['status']}, {before['iterations']} -> "
                      f"{now['status']}, {now.get('iterations')}", flush=True)
    for rhs, each in converge.items():
        print(f"{sum(each)} of {len(each)} converge with {rhs}")
    if asked.out:
        record = {"comparison": "real matrices and hard problems by the defaults",
                  "command": f"real_defaults.py tessera --matrices FOLDER --like {asked.like.name}",
                  "commit": commit, "processor": processor(), "threads": 1,
                  "date": datetime.date.today().isoformat(), "results": results}
        asked.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
