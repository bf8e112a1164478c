# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""scipy's conjugate gradients with Tessera as the preconditioner, beside scipy's own means."""

import time

import numpy as np
import scipy.sparse.linalg as linalg

import tessera


def report(name, A, b, solve):
    """A line about one way to a solution; `solve` returns it with the number of iterations."""
    start = time.perf_counter()
    x, iterations = solve()
    ms = 1e3 * (time.perf_counter() - start)
    residual = np.linalg.norm(b - A @ x) / np.linalg.norm(b)
    print(f"{name:28} {iterations:>10} {residual <= 1e-8!s:>10} {ms:8.0f} ms")


def scipy_cg(A, b, M=None):
    steps = []
    x, _ = linalg.cg(A, b, rtol=1e-8, maxiter=2000, M=M, callback=lambda _: steps.append(1))
    return x, len(steps)


#! [problem]
problem = tessera.gallery("poisson2d", n=200)
A, b = problem.A, problem.b  # a scipy.sparse.csr_array and a numpy.ndarray
#! [problem]


def with_spilu():
    factors = linalg.spilu(A.tocsc(), drop_tol=1e-3, fill_factor=10)
    M = linalg.LinearOperator(A.shape, factors.solve)  # not symmetric, so that cg cannot have it
    steps = []
    x, _ = linalg.bicgstab(A, b, rtol=1e-8, maxiter=2000, M=M, callback=lambda _: steps.append(1))
    return x, len(steps)


def with_tessera():
    #! [preconditioner]
    M = tessera.Solver(A, preconditioner="amg").as_preconditioner()
    x, iterations = scipy_cg(A, b, M)
    #! [preconditioner]
    return x, iterations


def tessera_alone():
    solver = tessera.Solver(A)
    return solver.solve(b), solver.result.iterations


tessera.solve(A, b)  # what is loaded and started once
print(f"{problem.description}\n")
print(f"{'':28} {'iterations':>10} {'converged':>10} {'time':>11}")
report("spsolve", A, b, lambda: (linalg.spsolve(A.tocsc(), b), "-"))
report("cg", A, b, lambda: scipy_cg(A, b))
report("bicgstab with spilu", A, b, with_spilu)
report("cg with Tessera", A, b, with_tessera)
report("Tessera alone", A, b, tessera_alone)

#! [solver]
solver = tessera.Solver(A, tolerance=1e-10, preconditioner="amg", parameters={"amg.cycle": "v"})
x = solver.solve(b)
print(f"\n{solver}\n\n{solver.hierarchy}\n\n{solver.history[-3:]}")
#! [solver]

#! [update]
A.data *= 2
solver.update()  # the values that A holds now, in the same pattern
assert np.allclose(solver.solve(b), x / 2)
#! [update]

#! [errors]
try:
    tessera.solve(A, b, parameters={"amg.cycel": "w"})
except tessera.ConfigurationError as error:
    print(f"\n{error}")
#! [errors]
