#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""cold_starts.py COMMAND --out RECORD [--processes N] [--driver VERSION]: the command's first solve in a fresh process.

Each case in processes of its own: as it is, with --warm-up, and with all kernels loaded at the start; and once with --repeat 5,
whose medians are what a warm process takes. Processes of all ways take turns. Medians over the processes; the single ones are kept.
`wall_ms` is the whole process, from its start to its end.
"""
import argparse
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

CASES = {
    "poisson3d:n=100": ["--problem", "poisson3d", "--n", "100"],
    "elasticity3d:n=60": ["--problem", "elasticity3d", "--n", "60"],
}
WAYS = {
    "first solve": ([], {}),
    "--warm-up": (["--warm-up"], {}),
    "CUDA_MODULE_LOADING=EAGER": ([], {"CUDA_MODULE_LOADING": "EAGER"}),
}
WARM = "warm, medians of --repeat 5"
TIMES = ("setup_ms", "solve_ms", "warm_up_ms")
LIMIT_S = 60


def once(command, words, env):
    """The report of one process, and its milliseconds from start to end."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "report.json"
        line = [command, "solve", *words, "--rhs", "random", "--quiet", "--report", path]
        begin = time.monotonic()
        ended = subprocess.run(line, env={**os.environ, **env}, timeout=LIMIT_S, capture_output=True, text=True, check=False)
        wall_ms = 1e3 * (time.monotonic() - begin)
        if not path.is_file():
            raise RuntimeError(f"exit {ended.returncode}: {ended.stderr.strip()[-300:]}")
        return json.loads(path.read_text()), wall_ms


def run_of(report, driver):
    build, device = report["build"], report["device"]
    settings = " ".join(f"{name}={os.environ[name]}" for name in ("OMP_NUM_THREADS", "OMP_PROC_BIND") if name in os.environ)
    return {
        "command": f"{settings} tessera solve PROBLEM --rhs random --quiet --report FILE".strip(),
        "commit": build["commit"],
        "compiler": build["compiler"],
        "kokkos": build["kokkos"],
        "space": device["space"],
        "gpu": device["name"],
        "gpu_driver": driver,
        "date": f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%dT%H:%M:%SZ}",
    }


def measure(command, processes, driver):
    record = {"comparison": "first solves of processes", "processes": processes, "rhs": "random", "results": []}
    found = {(case, way): [] for case in CASES for way in [*WAYS, WARM]}
    for turn in range(processes):
        for (case, way), runs in found.items():
            if way == WARM and turn:
                continue
            words, env = WAYS.get(way, (["--repeat", "5"], {}))
            report, wall_ms = once(command, [*CASES[case], *words], env)
            runs.append({**{key: report[key] for key in TIMES if report.get(key) is not None}, "wall_ms": wall_ms})
            record.setdefault("run", run_of(report, driver))
    for (case, way), runs in found.items():
        medians = {key: round(statistics.median(run[key] for run in runs), 3) for key in runs[0]}
        single = [{key: round(value, 3) for key, value in run.items()} for run in runs]
        record["results"].append({"name": case, "way": way, **medians, "runs": single})
        print(case, way, medians, f"{len(runs)} processes", flush=True)
    return record


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", help="the command tessera, of a build for a GPU")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="the record")
    parser.add_argument("--processes", type=int, default=5, help="of each way [5]")
    parser.add_argument("--driver", default="unknown", help="the driver's version, for the record")
    options = parser.parse_args()
    record = measure(options.command, options.processes, options.driver)
    options.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
