# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""try_wheel.py SOURCE LIBRARY VERSION FOLDER: makes a wheel, unpacks it, and solves with it alone."""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

source, library, version, folder = sys.argv[1:]
if importlib.util.find_spec("numpy") is None or shutil.which("ldd") is None:
    print("skipped: numpy or ldd is not here")
    sys.exit(0)
shutil.rmtree(folder, ignore_errors=True)
made = subprocess.run(
    [sys.executable, f"{source}/packages/python/make_wheel.py", "--shared-library", library, "--version", version,
     "--license", f"{source}/LICENSE", "--output", folder],
    check=True, capture_output=True, text=True).stdout.strip()
with zipfile.ZipFile(made) as archive:
    names = archive.namelist()
    archive.extractall(f"{folder}/unpacked")
for name in ("tessera/__init__.py", "tessera/py.typed", "tessera/lib/libtessera_c.so",
             f"tessera-{version}.dist-info/RECORD"):
    assert name in names, name
assert any("libkokkos" in name for name in names) or "kokkos" not in subprocess.run(
    ["ldd", library], capture_output=True, text=True).stdout
environment = dict(os.environ, PYTHONPATH=f"{folder}/unpacked", OMP_NUM_THREADS="2", OMP_PROC_BIND="false")
environment.pop("TESSERA_LIBRARY", None)
program = """
import pathlib, tessera
assert "unpacked" in tessera.__file__, tessera.__file__
problem = tessera.gallery("poisson2d", n=40)
solver = tessera.Solver(problem.A, preconditioner="amg")
solver.solve(problem.b)
assert solver.result.converged
loaded = pathlib.Path("/proc/self/maps").read_text()
assert "unpacked/tessera/lib/libtessera_c.so" in loaded
for line in loaded.splitlines():
    if "libkokkos" in line:
        assert "unpacked" in line, line
"""
subprocess.run([sys.executable, "-c", program], check=True, env=environment, cwd=folder)
shutil.rmtree(folder)
