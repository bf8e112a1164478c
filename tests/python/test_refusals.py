# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""What is refused, and with which words; the limits of memory and iterations."""

import unittest

import numpy as np
from support import line

import tessera


class Refuses(unittest.TestCase):
    def check(self, kind, words, *arguments, **settings):
        with self.assertRaisesRegex(kind, words):
            tessera.solve(*arguments, **settings)

    def test_matrices(self):
        A, b = line(10), np.ones(10)
        self.check(tessera.ArgumentError, "dense", np.eye(10), b)
        self.check(tessera.ArgumentError, "expected a matrix of scipy.sparse", "A", b)
        self.check(tessera.ArgumentError, "complex", tessera.Csr(A.data * 1j, A.indices, A.indptr, A.shape), b)
        self.check(tessera.ArgumentError, "square", tessera.Csr(A.data, A.indices, A.indptr, (10, 11)), b)
        self.check(tessera.ArgumentError, "indptr has 11", tessera.Csr(A.data, A.indices, A.indptr, (9, 9)), b)
        self.check(tessera.ArgumentError, "integers", tessera.Csr(A.data, A.indices * 1.0, A.indptr, A.shape), b)
        self.check(tessera.ArgumentError, "as many", tessera.Csr(A.data[1:], A.indices, A.indptr, A.shape), b)
        far = A.indices.astype(np.int64) + 2**40
        self.check(tessera.ArgumentError, "beyond int32", tessera.Csr(A.data, far, A.indptr, A.shape), b)
        for place, value, words in ((3, 10, "column 10"), (3, -1, "column -1"), (3, 0, "row 1")):
            broken = line(10)
            broken.indices[place] = value
            self.check(tessera.InputError, words, broken, b)
        broken = line(10)
        broken.indptr[4] = 1000
        self.check(tessera.InputError, "offsets", broken, b)
        broken = line(10)
        broken.data[4] = np.nan
        self.check(tessera.InputError, "NaN", broken, b)
        self.check(ValueError, "NaN", broken, b)

    def test_vectors(self):
        A = line(10)
        solver = tessera.Solver(A)
        for b, words in ((np.ones(9), "rows is 9"), (np.ones((10, 0)), "0 columns"), (np.ones((1, 1, 10)), "3 dim"),
                         (np.ones(10) * 1j, "complex"), (np.array(["a"] * 10), "")):
            with self.assertRaisesRegex(ValueError, words):
                solver.solve(b)
        with self.assertRaisesRegex(tessera.ArgumentError, "x0 has the shape"):
            solver.solve(np.ones(10), x0=np.ones(9))
        with self.assertRaisesRegex(tessera.ArgumentError, "out is not float64"):
            solver.solve(np.ones(10), out=np.ones(10, np.float32))
        with self.assertRaisesRegex(tessera.ArgumentError, "out has the shape"):
            solver.solve(np.ones(10), out=np.ones(9))
        fixed = np.zeros(10)
        fixed.flags.writeable = False
        with self.assertRaisesRegex(tessera.ArgumentError, "read-only"):
            solver.solve(np.ones(10), out=fixed)
        with self.assertRaisesRegex(tessera.ArgumentError, "solve first"):
            solver.history

    def test_parameters(self):
        A, b = line(10), np.ones(10)
        self.check(tessera.ConfigurationError, "did you mean 'solver.tolerance'", A, b,
                   parameters={"solver.tolerence": 1})
        self.check(tessera.ConfigurationError, "expected key=value", A, b, parameters="amg")
        self.check(tessera.ConfigurationError, "solver.tolerance", A, b, tolerance=-1)
        self.check(tessera.ConfigurationError, "solver.absolute_tolerance", A, b,
                   absolute_tolerance=float("nan"))
        solver = tessera.Solver(A, tolerance=0, absolute_tolerance=10)
        np.testing.assert_array_equal(solver.solve(b), np.zeros(10))
        self.assertTrue(solver.report["columns"][0]["by_absolute_tolerance"])
        self.check(tessera.ConfigurationError, "device toaster", A, b, device="toaster")
        self.check(tessera.ArgumentError, "not a multiple", A, b, block_size=3)
        self.check(TypeError, "tolerence", A, b, tolerence=1)

    def test_nullspace(self):
        n = 30
        beam = np.diff(np.eye(n), 2, axis=0)
        dense = beam.T @ beam
        rows, columns = np.nonzero(dense)
        offsets = np.searchsorted(rows, np.arange(n + 1)).astype(np.int32)
        A = tessera.Csr(dense[rows, columns], columns.astype(np.int32), offsets, (n, n))
        basis = np.stack([np.ones(n), np.arange(n)], axis=1)
        b = dense @ np.sin(np.arange(n))
        for given in (basis, np.ascontiguousarray(basis @ [[1, 2], [3, -1]])):
            x = tessera.Solver(A, nullspace=given, method="gmres").solve(b)
            self.assertLess(np.linalg.norm(dense @ x - b), 1e-7 * np.linalg.norm(b))
            np.testing.assert_allclose(basis.T @ x, 0, atol=1e-6 * np.linalg.norm(x))
        self.check(tessera.ConfigurationError, "the nullspace given", A, b, nullspace=basis + np.eye(n, 2))

        units = 1 + 0.25 * (np.arange(n) % 3)  # of the rows: a nonsymmetric matrix, with a left nullspace of its own
        oblique = tessera.Csr(A.data * units[rows], A.indices, A.indptr, A.shape)
        left = basis / units[:, None]
        outside = units * b + left[:, 0]
        solver = tessera.Solver(oblique, nullspace=basis, left_nullspace=left, preconditioner="jacobi", method="gmres",
                                parameters={"solver.gmres.restart": 60})
        solver.solve(units * b)
        self.assertTrue(solver.result.converged)
        solver.solve(outside, check=False)
        self.assertEqual(solver.result.status, "least_squares")
        self.check(tessera.ConfigurationError, "the left nullspace", oblique, b, nullspace=basis, left_nullspace=basis)
        self.check(tessera.ArgumentError, "nullspace=, left_nullspace=", oblique, b, left_nullspace=left)

    def test_memory(self):
        problem = tessera.gallery("poisson3d", n=25)
        forecast = tessera.forecast(problem.A, preconditioner="amg")
        self.assertGreater(forecast.setup_bytes, 16 * 25**3)
        self.assertLess(forecast.peak_bytes, 4000 * 25**3)
        self.assertLessEqual(forecast.kept_bytes, forecast.setup_bytes)
        self.assertGreaterEqual(forecast.peak_bytes, forecast.kept_bytes + forecast.solve_bytes)
        enough = 1.5 * forecast.peak_bytes / 2**20
        solver = tessera.Solver(problem.A, preconditioner="amg", max_memory_mb=enough)
        solver.solve(problem.b)
        np.testing.assert_allclose(solver.report["setup_forecast_bytes"], forecast.setup_bytes, rtol=0.01)
        with self.assertRaisesRegex(tessera.OutOfMemoryError, "max_memory_mb is 0.01 MiB.*raise max_memory_mb"):
            tessera.Solver(problem.A, preconditioner="amg", max_memory_mb=0.01)
        with self.assertRaisesRegex(tessera.ConfigurationError, "max_memory_mb"):
            tessera.Solver(problem.A, max_memory_mb=-1)

    def test_what_does_not_converge(self):
        problem = tessera.gallery("poisson2d", n=50)
        solver = tessera.Solver(problem.A, preconditioner="amg", max_iterations=2)
        with self.assertRaisesRegex(tessera.NotConverged, "max_iterations after 2 iterations") as caught:
            solver.solve(problem.b)
        self.assertEqual(caught.exception.x.shape, (2500,))
        self.assertEqual(caught.exception.status, "max_iterations")
        self.assertEqual(caught.exception.result.iterations, 2)
        x = solver.solve(problem.b, check=False)
        np.testing.assert_array_equal(x, caught.exception.x)
        self.assertFalse(solver.result.converged)

    def test_the_smallest(self):
        none = tessera.Csr(np.zeros(0), np.zeros(0, np.int32), np.zeros(1, np.int32), (0, 0))
        self.assertEqual(tessera.solve(none, np.zeros(0)).shape, (0,))
        one = tessera.Csr(np.array([4.0]), np.array([0]), np.array([0, 1]), (1, 1))
        self.assertEqual(tessera.solve(one, [2.0])[0], 0.5)


if __name__ == "__main__":
    unittest.main()
