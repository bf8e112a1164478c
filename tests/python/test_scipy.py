# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""The Python package with scipy, for unittest and pytest."""

import unittest

import numpy as np

import tessera

try:
    import scipy.sparse as sparse
    import scipy.sparse.linalg as linalg
except ImportError:
    sparse = None


@unittest.skipIf(sparse is None, "there is no scipy here")
class WithScipy(unittest.TestCase):
    def setUp(self):
        self.problem = tessera.gallery("poisson2d", n=50)

    def residual(self, x):
        A, b = self.problem.A, self.problem.b
        return np.linalg.norm(b - A @ x) / np.linalg.norm(b)

    def test_every_format(self):
        A, b = self.problem.A, self.problem.b
        self.assertIsInstance(A, sparse.csr_array)
        for name in ("csr", "csc", "coo", "dia", "dok", "lil"):
            for kind in (sparse.csr_array, sparse.csr_matrix):
                self.assertLess(self.residual(tessera.solve(kind(A).asformat(name), b)), 1e-8, name)

    def test_blocks(self):
        problem = tessera.gallery("elasticity3d", n=6)
        blocks = sparse.bsr_array(problem.A, blocksize=(3, 3))
        solver = tessera.Solver(blocks, near_nullspace=problem.near_nullspace)
        x = solver.solve(problem.b)
        self.assertLess(np.linalg.norm(problem.b - problem.A @ x) / np.linalg.norm(problem.b), 1e-8)
        self.assertEqual(solver.shape, problem.A.shape)
        oblong = sparse.bsr_array(problem.A, blocksize=(3, 1))
        self.assertLess(np.linalg.norm(tessera.solve(oblong, problem.b) - x), 1e-4 * np.linalg.norm(x))

    def test_unsorted_and_twice(self):
        A, b = self.problem.A, self.problem.b
        reversed_rows = A.copy()
        for i in range(A.shape[0]):
            row = slice(A.indptr[i], A.indptr[i + 1])
            reversed_rows.indices[row] = A.indices[row][::-1]
            reversed_rows.data[row] = A.data[row][::-1]
        self.assertLess(self.residual(tessera.solve(reversed_rows, b)), 1e-8)
        indices = A.indices.copy()
        indices[1] = indices[0]
        with self.assertRaises(tessera.InputError):
            tessera.solve(sparse.csr_array((A.data, indices, A.indptr), shape=A.shape), b)

    def test_preconditioner(self):
        A, b = self.problem.A, self.problem.b
        solver = tessera.Solver(A, preconditioner="amg")
        M = solver.as_preconditioner()
        self.assertEqual((M.shape, M.dtype), (A.shape, np.dtype(np.float64)))
        steps = []
        x, info = linalg.cg(A, b, rtol=1e-8, M=M, callback=lambda _: steps.append(1))
        self.assertEqual(info, 0)
        self.assertLess(len(steps), 30)
        self.assertLess(self.residual(x), 1e-7)
        np.testing.assert_array_equal(M @ np.stack([b, b], axis=1), solver.precondition(np.stack([b, b], axis=1)))
        nonsymmetric = tessera.gallery("convdiff2d", n=50)
        M = tessera.Solver(nonsymmetric.A, preconditioner="amg").as_preconditioner()
        x, info = linalg.gmres(nonsymmetric.A, nonsymmetric.b, rtol=1e-8, M=M, restart=50)
        self.assertEqual(info, 0)

    def test_the_same_answer_as_spsolve(self):
        exact = linalg.spsolve(self.problem.A.tocsc(), self.problem.b)
        found = tessera.solve(self.problem.A, self.problem.b, tolerance=1e-12)
        self.assertLess(np.linalg.norm(found - exact), 1e-9 * np.linalg.norm(exact))


if __name__ == "__main__":
    unittest.main()
