#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Many solves in one process, for scripts that try many settings on a GPU, where starting a process takes longer than a solve.

`Solves` runs them through libtessera_c in a child process, which it starts again where one ends or is late, so that a crash
costs one solve; `CommandSolves` runs the command `tessera` for each instead. Both give dictionaries of the same keys. No
package of Python is needed.
"""
import array
import ctypes
import functools
import json
import os
import pathlib
import select
import statistics
import subprocess
import sys
import tempfile
import time
from ctypes import byref, c_char_p, c_double, c_int, c_int32, c_int64, c_uint32, c_uint64, c_void_p

from csr_file import read_csr

DOUBLE, INT32 = 2, 3
NEAR_NULLSPACE = 1


class Matrix(ctypes.Structure):
    """tessera_matrix of tessera.h."""

    _fields_ = [("rows", c_int64), ("entries", c_int64), ("offsets", c_void_p), ("columns", c_void_p), ("values", c_void_p)]
    _fields_ += [("offset_type", c_int), ("value_type", c_int), ("block_size", c_int32), ("flags", c_uint32)]
    _fields_ += [("reserved", c_int64 * 4)]


def gallery_words(name):
    """`poisson2d:n=400,contrast=1e3` as (problem, [(key, value)])."""
    problem, _, settings = name.partition(":")
    return problem, [tuple(pair.split("=")) for pair in settings.split(",") if pair]


@functools.lru_cache(maxsize=2)
def random_numbers(count):
    """What the command's `--rhs random` is: splitmix64 (Steele, Lea and Flood 2014)."""
    mask, values = 2**64 - 1, array.array("d", bytes(8 * count))
    for i in range(count):
        z = (i + 1) * 0x9E3779B97F4A7C15 & mask
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & mask
        values[i] = ((z ^ (z >> 31)) >> 11) * 2.0**-52 - 1.0
    return values


def shortened(report):
    """What is kept of a report by the command or by the library."""
    levels, parameters = report["levels"], report["parameters"]
    amg = parameters["amg"]
    kept = {key: report[key] for key in ("status", "iterations", "true_relative_residual", "setup_ms", "solve_ms")}
    kept |= {"solver": report["solver"], "preconditioner": report["preconditioner"], "precision": report["precision"]}
    if report["preconditioner"] == "amg" and levels:
        kept |= {"coarsening": amg["coarsening"], "smoother": amg["smoother"]["type"], "sweeps": amg["smoother"]["sweeps"]}
        kept |= {"aggregation": levels[0].get("aggregation"), "levels": len(levels)}
        kept["complexity"] = round(report["operator_complexity"], 3)
        kept["declined"] = [note for note in report["notes"] if "in place of" in note or "declin" in note]
    return {key: value for key, value in kept.items() if value not in (None, [])}


def medians(runs):
    """The last of the runs with the middle of their times; the single ones are kept."""
    found = dict(runs[-1])
    for key in ("setup_ms", "solve_ms"):
        times = [run[key] for run in runs]
        found[key] = round(statistics.median(times), 4)
        found[key.replace("_ms", "_runs_ms")] = [round(t, 4) for t in times]
    found["total_ms"] = round(found["setup_ms"] + found["solve_ms"], 4)
    return found


class Library:
    """libtessera_c, one system at a time: the child's side."""

    def __init__(self, path, threads):
        self.calls = ctypes.CDLL(path)
        self.calls.tessera_last_error.restype = self.calls.tessera_status_name.restype = c_char_p
        self.problem, self.owned = c_void_p(), None
        self.call("initialize", c_int32(threads))
        # As the command does: what a setup frees is there for the next one (no word of it in tessera.h).
        self.keeps_memory = self.keep_freed_memory()

    def call(self, name, *arguments):
        status = getattr(self.calls, "tessera_" + name)(*arguments)
        if status < 0:
            word = self.calls.tessera_status_name(status).decode()
            raise RuntimeError(f"{word}: {self.calls.tessera_last_error().decode()}")
        return status

    @staticmethod
    def keep_freed_memory():
        try:
            driver, device, pool, all_of_it = ctypes.CDLL("libcuda.so.1"), c_int(), c_void_p(), c_uint64(2**64 - 1)
            release_threshold = 4
            return (
                driver.cuDeviceGet(byref(device), 0) == 0
                and driver.cuDeviceGetDefaultMemPool(byref(pool), device) == 0
                and driver.cuMemPoolSetAttribute(pool, release_threshold, byref(all_of_it)) == 0
            )
        except (OSError, AttributeError):
            return False

    def load(self, system):
        """A problem of the gallery by name, or a file."""
        if self.problem:
            self.call("problem_destroy", self.problem)
            self.problem = c_void_p()
        self.A, self.block_size, self.modes = Matrix(), 0, None
        if system.endswith(".tsr"):
            self.owned = read_csr(system)
            arrays = self.owned.offsets, self.owned.columns, self.owned.values
            self.A.rows, self.A.entries = self.owned.rows, len(arrays[1])
            self.A.offsets, self.A.columns, self.A.values = (part.buffer_info()[0] for part in arrays)
            self.A.offset_type, self.A.value_type = INT32, DOUBLE
        else:
            problem, settings = gallery_words(system)
            words = " ".join([problem, *(f"{key}={value}" for key, value in settings)])
            self.call("problem_create", byref(self.problem), words.encode(), c_int(DOUBLE), c_int(INT32))
            self.call("problem_matrix", self.problem, byref(self.A))
            size, data, rows, columns = c_int32(), c_void_p(), c_int64(), c_int32()
            self.call("problem_about", self.problem, byref(size), None)
            self.call("problem_vectors", self.problem, c_int(NEAR_NULLSPACE), byref(data), byref(rows), byref(columns))
            self.block_size = size.value
            if columns.value > 0:
                self.modes = c_int(DOUBLE), rows, columns, data, rows
        self.b = random_numbers(self.A.rows)
        self.x = array.array("d", bytes(8 * self.A.rows))
        return {"rows": self.A.rows, "entries": self.A.entries}

    def run(self, settings):
        """One setup and one solve."""
        solver = c_void_p()
        self.call("create", byref(solver))
        try:
            self.call("set", solver, settings.encode())
            self.call("set_block_size", solver, c_int32(self.block_size))
            if self.modes:
                self.call("set_near_nullspace", solver, *self.modes)
            self.call("setup", solver, byref(self.A))
            b, x = (c_void_p(part.buffer_info()[0]) for part in (self.b, self.x))
            rows = c_int64(self.A.rows)
            ctypes.memset(x, 0, 8 * self.A.rows)
            self.call("solve", solver, c_int(DOUBLE), rows, c_int32(1), b, rows, x, rows)
            text = c_char_p()
            self.call("report", solver, byref(text))
            report = json.loads(text.value)
        finally:
            self.call("destroy", solver)
        machine = {key: report[key] for key in ("build", "device", "date")}
        return {**shortened(report), "machine": machine}


def serve(path, threads, make=Library):
    """Requests and replies, a line of JSON each, until there are no more."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    library = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            library = library or make(path, int(threads))
            reply = library.load(request["load"]) if "load" in request else library.run(request["run"])
        except RuntimeError as error:
            reply = {"status": "error", "error": str(error)[:300]}
        print(json.dumps(reply), file=replies, flush=True)


class Solves:
    """Solves of one system after the other, in a child with the library."""

    def __init__(self, library, threads, limit_s):
        self.words = [sys.executable, str(pathlib.Path(__file__).resolve()), str(pathlib.Path(library).resolve()), str(threads)]
        self.limit_s, self.child, self.system, self.machine, self.starts = limit_s, None, None, None, 0

    def reply(self, request, limit_s):
        """The child's, or how it ended."""
        if self.child is None:
            self.child = subprocess.Popen(self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.rest, self.starts = b"", self.starts + 1
        try:
            self.child.stdin.write((json.dumps(request) + "\n").encode())
            self.child.stdin.flush()
        except BrokenPipeError:
            return self.gone()
        end = time.monotonic() + limit_s
        while b"\n" not in self.rest:
            ready, _, _ = select.select([self.child.stdout], [], [], max(end - time.monotonic(), 0))
            if not ready:
                self.child.kill()
                self.gone()
                return {"status": f"more than {limit_s:g} s"}
            more = os.read(self.child.stdout.fileno(), 1 << 16)
            if not more:
                return self.gone()
            self.rest += more
        line, _, self.rest = self.rest.partition(b"\n")
        return json.loads(line)

    def gone(self):
        code = self.child.wait()
        self.child = None
        return {"status": "crash", "error": f"the process ended with {code}"}

    def load(self, system):
        self.system = system
        found = self.reply({"load": system}, 60 + self.limit_s)
        self.rows = found.get("rows", 0)
        return found

    def once(self, settings):
        if self.child is None:
            found = self.load(self.system)
            if "rows" not in found:
                return found
        found = self.reply({"run": settings}, self.limit_s)
        self.machine = found.pop("machine", None) or self.machine
        if found.get("error", "").startswith(("error_device", "error_internal", "error_memory", "error_runtime")):
            self.close()  # a device is of no more use to a process after that
        return found

    def measured(self, settings, repeats, max_ms):
        """After a run that is not counted the middle of `repeats`, or one where that takes more than `max_ms`."""
        found = self.once(settings)
        if "iterations" not in found:
            return found
        runs = [] if found["status"] == "converged" else [found]
        while len(runs) < (repeats if found["status"] == "converged" else 1):
            found = self.once(settings)
            if "iterations" not in found:
                return found
            runs.append(found)
            if runs[0]["setup_ms"] + runs[0]["solve_ms"] > max_ms:
                break
        return medians(runs)

    def close(self):
        if self.child is not None:
            try:
                self.child.stdin.close()
                self.child.wait(timeout=20)
            except (BrokenPipeError, subprocess.TimeoutExpired):
                self.child.kill()
                self.child.wait()
            self.child = None


class CommandSolves:
    """The same by the command, a process for each way."""

    def __init__(self, program, threads, limit_s):
        self.program, self.threads, self.limit_s = str(program), threads, limit_s
        self.machine, self.starts, self.rows = None, 0, 0

    def load(self, system):
        problem, settings = gallery_words(system)
        gallery = [problem, *(w for key, value in settings for w in ("--" + key.replace("_", "-"), value))]
        self.system = [system] if system.endswith(".tsr") else ["--problem", *gallery]
        return {}

    def measured(self, settings, repeats, _):
        self.starts += 1
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "report.json"
            words = [self.program, "solve", *self.system, "--rhs", "random", "--threads", str(self.threads), "--quiet"]
            words += ["--warm-up", "--repeat", str(max(repeats, 2)), "--report", str(path)]
            words += [w for setting in settings.split() for w in ("-p", setting)]
            try:
                ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=self.limit_s)
            except subprocess.TimeoutExpired:
                return {"status": f"more than {self.limit_s:g} s"}
            if not path.is_file():
                word = "crash" if ended.returncode < 0 else "error"
                return {"status": word, "error": f"exit {ended.returncode}: {ended.stderr.strip()[-300:]}"}
            report = json.loads(path.read_text(encoding="utf-8"))
        self.machine = {key: report[key] for key in ("build", "device", "date")}
        self.rows = report["problem"]["rows"]
        found, times = shortened(report), report["repeats"]
        return medians([{**found, "setup_ms": a, "solve_ms": b} for a, b in zip(times["setup_ms"], times["solve_ms"])])

    def once(self, settings):
        return self.measured(settings, 2, 0)

    def close(self):
        pass


if __name__ == "__main__":
    serve(*sys.argv[1:])
