#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""local_restrictions.py --out RECORD: does a restriction by local solves add to one by GMRES polynomials?

A reduction multigrid in NumPy and SciPy (reduction_steps.py) with either restriction, all else being equal: by the polynomial that
relaxes anyway (AIRG: S. Dargaville, A. Buchan, R. Smedley-Stevenson, P. Smith, C. Pain, J. Comput. Phys. 518, 2024), and by a dense system
for each coarse point, of the fine points near it (lAIR: T. Manteuffel, J. Ruge, B. Southworth, SIAM J. Sci. Comput. 40, 2018), at
distance one or two. "Above 0.1" is along the couplings of more than a tenth of their row's largest alone, in the local systems, or in the polynomial
and in what is multiplied by it. Two ways relax by Jacobi instead, fine points twice and then coarse ones, which a local restriction can do with. Upwind differences of straight flows, those of the gallery, and of flows that close, the vortex of vortex.py and
in space a rotation around the cube's diagonal.

GMRES without restarts to 1e-8, hashed numbers on the right. A record has for each problem and way the iterations, the operator complexity, and
in units of A's entries: those of all R, the multiplications of a setup (of the polynomial's Horner steps, of R, of R A P), and the
entries that a cycle and the product with A read. It is written again after each, and gone on with where it is there.
"""
import argparse
import dataclasses
import datetime
import json
import pathlib
import shlex
import subprocess
import sys
import time

import numpy as np
import scipy.sparse as sparse

from compare_results import processor
from reduction_steps import Hierarchy, TooMuchWork, hashed
from vortex import entries

TOLERANCE, MOST_ITERATIONS = 1e-8, 60
ANGLE = 0.5236
# Multiplications of local solves per entry of A beyond which they are counted and not done.
MAX_WORK = 1e6


@dataclasses.dataclass
class Way:
    distance: int = 0  # 0: by the polynomial
    theta: float = 0.0
    by_polynomial: bool = True  # relaxation


WAYS = {
    "AIRG": Way(),
    "AIRG, above 0.03": Way(theta=0.03),
    "AIRG, above 0.1": Way(theta=0.1),
    "AIRG, above 0.25": Way(theta=0.25),
    "local, distance 1": Way(1),
    "local, distance 2": Way(2),
    "local, distance 2, above 0.1": Way(2, 0.1),
    "local, distance 2, above 0.25": Way(2, 0.25),
    "AIRG, relaxed by Jacobi": Way(by_polynomial=False),
    "local, distance 2, above 0.1, relaxed by Jacobi": Way(2, 0.1, by_polynomial=False),
}
PECLETS = ("1e2", "1e4", "1e7", "1e12")
SIZES = {"straight2d": (128, 256, 512), "vortex2d": (128, 256, 512), "straight3d": (24, 32, 48), "vortex3d": (24, 32, 48)}


def upwind(shape, flow):
    """-Laplace u + flow grad u, times the square of the mesh width: `flow` is an array for each direction, times that width."""
    numbers = np.arange(np.prod(shape)).reshape(shape)
    diagonal = np.full(shape, 2.0 * len(shape)) + sum(np.abs(f) for f in flow)
    parts = [(numbers.ravel(), numbers.ravel(), diagonal.ravel())]
    for axis, speed in enumerate(flow):
        for sign in (1, -1):
            inside = [slice(None)] * len(shape)
            other = [slice(None)] * len(shape)
            inside[axis], other[axis] = (slice(None, -1), slice(1, None))[::sign]
            value = -1 - np.maximum(-sign * speed, 0)
            parts.append((numbers[tuple(inside)].ravel(), numbers[tuple(other)].ravel(), value[tuple(inside)].ravel()))
    rows, columns, values = (np.concatenate(part) for part in zip(*parts))
    n = numbers.size
    return sparse.csr_matrix((values, (rows, columns)), (n, n))


def matrix(flow, n, peclet):
    shape = (n, n) if flow.endswith("2d") else (n, n, n)
    speed = peclet / (n + 1)
    if flow == "vortex2d":
        i, j, a = zip(*entries(n, peclet))
        return sparse.csr_matrix((a, (i, j)), (n * n, n * n))
    if flow == "vortex3d":
        # The curl of phi (1, 1, 1), where phi vanishes at the boundary with its slopes.
        x = np.pi * np.stack(np.meshgrid(*[np.arange(1, n + 1) / (n + 1)] * 3, indexing="ij"))
        s, slope = np.sin(x) ** 2, np.sin(2 * x)
        d = [slope[0] * s[1] * s[2], s[0] * slope[1] * s[2], s[0] * s[1] * slope[2]]
        w = [d[1] - d[2], d[2] - d[0], d[0] - d[1]]
        largest = np.sqrt(sum(v**2 for v in w)).max()
        return upwind(shape, [speed * v / largest for v in w])
    plane = speed if len(shape) == 2 else speed / np.sqrt(2)
    along = [plane * np.sin(ANGLE), plane * np.cos(ANGLE)] if len(shape) == 2 else [plane, plane * np.sin(ANGLE), plane * np.cos(ANGLE)]
    return upwind(shape, [np.full(shape, v) for v in along])


def gmres(A, b, apply):
    """(iterations, relative residual), preconditioned from the right."""
    norm = np.linalg.norm(b)
    basis, corrections, H = [b / norm], [], np.zeros((MOST_ITERATIONS + 1, MOST_ITERATIONS))
    for k in range(MOST_ITERATIONS):
        corrections.append(apply(basis[k].copy()))
        w = A @ corrections[k]
        for _ in range(2):
            for j, v in enumerate(basis):
                share = v @ w
                H[j, k] += share
                w -= share * v
        H[k + 1, k] = np.linalg.norm(w)
        right = np.zeros(k + 2)
        right[0] = 1
        y, *_ = np.linalg.lstsq(H[: k + 2, : k + 1], right, rcond=None)
        if np.linalg.norm(right - H[: k + 2, : k + 1] @ y) <= TOLERANCE:
            break
        basis.append(w / H[k + 1, k])
    x = sum(c * z for c, z in zip(y, corrections)) * norm
    return k + 1, float(np.linalg.norm(b - A @ x) / norm)


def measured(A, way, max_work):
    begin = time.process_time()
    try:
        levels = Hierarchy(A, way, max_work)
    except TooMuchWork:
        return {"status": "too much work", "seconds": round(time.process_time() - begin, 1)}
    iterations, residual = gmres(A, hashed(A.shape[0]), levels.apply)
    found = {"status": "converged" if residual <= 1.01 * TOLERANCE else "max_iterations", "iterations": iterations, "residual": residual}
    found |= {"complexity": round(sum(levels.entries) / A.nnz, 3), "levels": len(levels.levels) + 1, "coarsest_rows": levels.coarsest_rows}
    found["entries_of_R"] = round(levels.entries_of_R() / A.nnz, 3)
    found["setup"] = {name: round(count / A.nnz, 1) for name, count in levels.work.items()}
    found["cycle"] = round(1 + levels.entries_of_cycle() / A.nnz, 2)
    return {**found, "seconds": round(time.process_time() - begin, 1)}


def run_of():
    here = pathlib.Path(__file__).resolve().parent
    git = ["git", "-C", str(here)]
    commit = subprocess.check_output([*git, "rev-parse", "--short=8", "HEAD"], text=True).strip()
    changed = subprocess.check_output([*git, "status", "--porcelain", "--untracked-files=no", "."], text=True).strip()
    run = {"command": shlex.join(["local_restrictions.py", *sys.argv[1:]]), "commit": commit + "-dirty" * bool(changed)}
    run |= {"date": f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%dT%H:%M:%SZ}", "processor": processor()}
    return run | {"numpy": np.__version__, "scipy": sys.modules["scipy"].__version__}


def problems(options):
    """The smaller sizes first."""
    for place in range(3):
        for flow, sizes in SIZES.items():
            for peclet in PECLETS:
                name = f"{flow}:n={sizes[place]},peclet={peclet}"
                if not options.only or any(part in name for part in options.only):
                    yield name, flow, sizes[place], float(peclet)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=pathlib.Path, help="the record")
    parser.add_argument("--only", nargs="+", help="problems whose name contains one of these")
    parser.add_argument("--max-work", type=float, default=MAX_WORK, help="multiplications of local solves per entry of A [%(default)g]")
    options = parser.parse_args()
    record = {"comparison": "local_restrictions", "tolerance": TOLERANCE, "ways": {name: dataclasses.asdict(way) for name, way in WAYS.items()}}
    record |= {"run": run_of(), "systems": []}
    if options.out.is_file():
        record = json.loads(options.out.read_text(encoding="utf-8"))
    known = {system["name"]: system for system in record["systems"]}
    for name, flow, n, peclet in problems(options):
        A = matrix(flow, n, peclet)
        system = known.get(name)
        if system is None:
            system = {"name": name, "rows": A.shape[0], "entries": A.nnz, "ways": {}}
            record["systems"].append(system)
        for title, way in WAYS.items():
            if title in system["ways"]:
                continue
            system["ways"][title] = found = measured(A, way, options.max_work)
            options.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
            print(name, title, found, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
