# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Solves of one system by two commands `tessera`: what is set, what is solved, and what they say.

Both are run in a scratch folder, and whatever a wrapper around them started ends with them.
"""
import csv
import gzip
import json
import lzma
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
from dataclasses import dataclass, field

SIDES = ("before", "now")
MESSAGE_BYTES = 300


def setting_pairs(text):
    """[(key, value)] of 'KEY=VALUE KEY=VALUE'."""
    pairs = []
    for word in shlex.split(text):
        key, equals, value = word.partition("=")
        if not key or not equals:
            raise ValueError(f"'{word}' is not KEY=VALUE")
        pairs.append((key, value))
    return pairs


def settings_of(text, renames):
    """{side: [KEY=VALUE]} of a set; `renames` has BEFORE's name by NOW's."""
    before, bar, now = text.partition("|")
    now = setting_pairs(now if bar else before)
    if bar:
        before = setting_pairs(before)
    else:
        before = [(renamed(key, renames), value) for key, value in now]
    return {side: [f"{key}={value}" for key, value in pairs]
            for side, pairs in zip(SIDES, (before, now))}


def renamed(key, renames):
    """BEFORE's name of a key: that of the longest part of it which was renamed."""
    parts = key.split(".")
    for count in range(len(parts), 0, -1):
        old = renames.get(".".join(parts[:count]))
        if old is not None:
            return ".".join([old, *parts[count:]])
    return key


@dataclass
class Solve:
    """What a command said of a system."""

    code: int | None = None  # None: the process was stopped after its limit
    message: str = ""
    report: dict = field(default_factory=dict)
    x: str = ""


@dataclass
class System:
    name: str
    arguments: list = field(default_factory=list)  # of the gallery
    file: pathlib.Path | None = None
    modes: pathlib.Path | None = None  # NAME.modes.mtx beside NAME.mtx: near-nullspace vectors


def gallery_system(text):
    """A system of 'poisson2d:n=64,epsilon=1'."""
    name, _, settings = text.partition(":")
    arguments = ["--problem", name]
    for setting in filter(None, settings.split(",")):
        key, equals, value = setting.partition("=")
        if not equals:
            raise ValueError(f"{text}: '{setting}' is not KEY=VALUE")
        arguments += ["--" + key.replace("_", "-"), value]
    return System(text, arguments)


def folder_systems(folder, max_entries):
    """The matrices of a folder that may be solved, small files first."""
    files = {}
    for path in folder.iterdir():
        found = re.fullmatch(r"(.+)\.mtx(?:\.gz|\.xz)?", path.name)
        if found:
            files[found[1]] = path
    index = folder / "INDEX.tsv"
    if index.is_file():
        with open(index, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                if row["rows"] != row["cols"] or int(row["nnz_expanded"]) > max_entries:
                    files.pop(row["name"], None)
    modes = {name.removesuffix(".modes"): files.pop(name) for name in list(files) if name.endswith(".modes")}
    names = sorted(files, key=lambda name: (files[name].stat().st_size, name))
    return [System(name, file=files[name], modes=modes.get(name)) for name in names]


def unpack(file, place):
    opener = {".gz": gzip.open, ".xz": lzma.open}.get(file.suffix, open)
    with opener(file, "rb") as packed, open(place, "wb") as plain:
        shutil.copyfileobj(packed, plain)


def read_x(file):
    """The numbers of a Matrix Market array as their texts; comments say nothing of x."""
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(line.strip() for line in lines if line.strip() and not line.startswith("%"))


class Runner:
    """Solves systems with both commands in a scratch folder."""

    def __init__(self, options, scratch):
        self.programs = {"before": options.before, "now": options.now}
        self.options = options
        self.scratch = scratch
        time_limit = f"solver.time_limit_s={options.time_limit_s:g}"
        self.time_limit = settings_of(time_limit, options.renames)
        self.environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads), OMP_PROC_BIND="false")

    def call(self, command):
        """Exit code, standard output and error; what a wrapper started ends with it, also after
        the limit of time (subprocess.TimeoutExpired) and Ctrl-C."""
        try:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                       errors="replace", env=self.environment, start_new_session=True)
        except OSError as wrong:
            raise RuntimeError(f"{command[0]} cannot be run: {wrong.strerror}") from wrong
        try:
            out, err = process.communicate(timeout=self.options.process_limit_s)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise
        return process.returncode, out, err

    def ask(self, side, *arguments):
        """The standard output of a command that has to succeed."""
        code, out, _ = self.call([self.programs[side], *arguments])
        if code != 0:
            raise RuntimeError(f"{self.programs[side]} {' '.join(arguments)} ended with {code}")
        return out

    def solve(self, side, system, matrix, settings):
        report, x = self.scratch / "report.json", self.scratch / "x.mtx"
        for file in (report, x):
            file.unlink(missing_ok=True)
        where = [str(matrix)] if matrix else system.arguments
        command = [self.programs[side], "solve", *where, "--rhs", self.options.rhs,
                   "--threads", str(self.options.threads)]
        for setting in [*self.time_limit[side], *settings[side]]:
            command += ["-p", setting]
        command += [*self.options.arguments, "--report", str(report), "-o", str(x)]
        try:
            code, out, err = self.call(command)
        except subprocess.TimeoutExpired:
            return Solve()
        said = (err.strip() or out.strip()).splitlines()
        found = Solve(code, said[0][:MESSAGE_BYTES] if said else "")
        try:
            if report.is_file():
                found.report = json.loads(report.read_text(encoding="utf-8"))
            if x.is_file():
                found.x = read_x(x)
        except ValueError as wrong:
            raise RuntimeError(f"the report of {self.programs[side]} is not JSON: {wrong}") from wrong
        return found
