# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""What several tests solve."""


import numpy as np

import tessera


def line(n, dtype=np.float64, index=np.int32):
    """-u'' on n points."""
    rows = [[j for j in (i - 1, i, i + 1) if 0 <= j < n] for i in range(n)]
    indptr = np.cumsum([0] + [len(row) for row in rows]).astype(index)
    indices = np.array([j for row in rows for j in row], np.int32)
    data = np.array([2 if j == i else -1 for i, row in enumerate(rows) for j in row], dtype)
    return tessera.Csr(data, indices, indptr, (n, n))


def times(A, x):
    """A x of compressed rows."""
    x = np.asarray(x, np.float64)
    products = A.data.astype(np.float64)[:, None] * x.reshape(x.shape[0], -1)[A.indices]
    sums = np.add.reduceat(products, A.indptr[:-1], axis=0)
    return sums.reshape(x.shape)


#: A solve that is one launch on a GPU tells of its iterations when it is over.
LAUNCHES = {"solver.single_kernel": "off"}


def endless_solver(**parameters):
    """A solver of a million iterations, none of which gains much, and a right-hand side."""
    problem = tessera.gallery("poisson2d", n=1000)
    return tessera.Solver(problem.A, parameters=LAUNCHES, method="richardson", preconditioner="jacobi", tolerance=0,
                          max_iterations=1000000, **parameters), problem.b
