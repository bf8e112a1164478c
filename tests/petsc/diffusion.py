# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""A program of petsc4py's that knows nothing of Tessera: time steps of diffusion on n by n points, whose
coefficient jumps by -jump, by whatever KSP and PC the options name. Ends with 1 where a solve fails, its true
residual is large, or it takes more than -most iterations."""

import sys

try:
    import petsc4py

    petsc4py.init(sys.argv)
    from petsc4py import PETSc
except ImportError as error:
    print(f"skipped: there is no petsc4py for {sys.executable}: {error}")
    sys.exit(0)

options = PETSc.Options()
n = options.getInt("n", 60)
jump = options.getReal("jump", 1e3)
most = options.getInt("most", 25)


def coefficient(i, j):
    """Of the cell between points: large in a bar across the middle."""
    return jump if 0.4 * n < j < 0.6 * n else 1.0


def fill(A, dt):
    """I / dt - div(k grad), scaled to a grid of width 1; the pattern is the same for every dt."""
    first, end = A.getOwnershipRange()
    for row in range(first, end):
        j, i = divmod(row, n)
        diagonal = 1 / dt
        for di, dj in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            k = min(coefficient(i, j), coefficient(i + di, j + dj))
            diagonal += k
            if 0 <= i + di < n and 0 <= j + dj < n:
                A.setValue(row, row + dj * n + di, -k)
        A.setValue(row, row, diagonal)
    A.assemble()


A = PETSc.Mat().createAIJ((n * n, n * n), nnz=5)
fill(A, 10.0)
x, b = A.createVecs()
ksp = PETSc.KSP().create()
ksp.setOperators(A)
ksp.setType("cg")
ksp.setTolerances(rtol=1e-8)
ksp.setInitialGuessNonzero(True)
ksp.setFromOptions()
good = True
for step, dt in enumerate((10.0, 10.0, 100.0, 1000.0)):
    fill(A, dt)
    b.set(1.0)
    b.axpy(1 / dt, x)
    ksp.solve(b, x)
    residual = (A * x - b).norm() / b.norm()
    iterations = ksp.getIterationNumber()
    PETSc.Sys.Print(f"step {step}: reason {ksp.getConvergedReason()} after {iterations} iterations, residual {residual:.1e}")
    good = good and ksp.getConvergedReason() > 0 and residual < 1e-4 and iterations <= most
ksp.view()
sys.exit(0 if good else 1)
