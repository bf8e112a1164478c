# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Solves with arrays of numpy: types, guesses, new values, preconditioning, near-nullspaces."""

import gc
import unittest

import numpy as np
from support import line, times

import tessera


class Solves(unittest.TestCase):
    def test_every_type(self):
        for dtype in (np.float64, np.float32):
            for index in (np.int32, np.int64):
                A = line(200, dtype, index)
                b = np.ones(200, dtype)
                x = tessera.solve(A, b, tolerance=1e-10 if dtype == np.float64 else 1e-5)
                self.assertEqual(x.dtype, dtype)
                self.assertLess(np.abs(times(A, x) - b).max(), 1e-6 if dtype == np.float64 else 1e-1)

    def test_types_that_are_converted(self):
        A = line(50, np.int64)
        A.indices = A.indices.astype(np.int64)
        x = tessera.solve(A, [1] * 50)
        self.assertEqual(x.dtype, np.float64)
        self.assertLess(np.abs(times(A, x) - 1).max(), 1e-6)
        A.data = A.data.astype(">f8")  # of another byte order
        np.testing.assert_allclose(tessera.solve(A, np.ones(50)), x, rtol=1e-6)
        A.data = A.data.astype(np.float16)
        self.assertEqual(tessera.solve(A, np.ones(50), tolerance=1e-4).dtype, np.float32)

    def test_arrays_are_shared(self):
        A = line(100)
        solver = tessera.Solver(A)
        x = solver.solve(np.ones(100))
        A.data *= 2
        solver.update()  # the values that the arrays hold by now
        np.testing.assert_allclose(solver.solve(np.ones(100)), x / 2, rtol=1e-6)

    def test_arrays_live_as_long_as_the_solver(self):
        solver = tessera.Solver(line(3000))
        gc.collect()
        waste = [np.full(9000, np.nan) for _ in range(20)]
        self.assertLess(np.abs(times(line(3000), solver.solve(np.ones(3000))) - 1).max(), 1e-4)
        del waste

    def test_several_right_hand_sides_in_any_order(self):
        A = line(80)
        solver = tessera.Solver(A, tolerance=1e-10)
        rng = np.random.default_rng(1)
        B = rng.standard_normal((80, 3))
        for given in (B, np.asfortranarray(B), np.vstack([B, B])[:80], rng.standard_normal((80, 6))[:, ::2]):
            X = solver.solve(given)
            self.assertEqual(X.shape, given.shape)
            self.assertLess(np.abs(times(A, X) - given).max(), 1e-7)
        self.assertEqual(len(solver.result.columns), 3)
        wide = np.asfortranarray(np.zeros((100, 3)))
        solver.solve(B, out=wide[:80])  # columns further apart than they are long
        self.assertLess(np.abs(times(A, wide[:80]) - B).max(), 1e-7)
        self.assertTrue((wide[80:] == 0).all())

    def test_guess(self):
        A = line(60)
        solver = tessera.Solver(A, preconditioner="amg")
        x = solver.solve(np.ones(60))
        again = solver.solve(np.ones(60), x0=x)
        self.assertEqual(solver.result.iterations, 0)
        np.testing.assert_array_equal(x, again)
        self.assertIsNot(x, again)
        out = np.zeros(60)
        self.assertIs(solver.solve(np.ones(60), out=out), out)
        np.testing.assert_allclose(out, x)

    def test_arrays_of_others(self):
        class Foreign:
            """Speaks DLPack and nothing else."""

            def __init__(self, values):
                self.values = values

            def __dlpack_device__(self):
                return self.values.__dlpack_device__()

            def __dlpack__(self, **settings):
                return self.values.__dlpack__(**settings)

        solver = tessera.Solver(line(20))
        x = solver.solve(np.ones(20))
        np.testing.assert_array_equal(solver.solve(Foreign(np.ones(20))), x)
        np.testing.assert_array_equal(solver.solve(memoryview(np.ones(20))), x)
        np.testing.assert_array_equal(solver.solve([1] * 20), x)
        with self.assertRaisesRegex(tessera.ArgumentError, "b is no array of numbers: object"):
            solver.solve(object())

    def test_update(self):
        A = line(500)
        solver = tessera.Solver(A, preconditioner="amg", parameters={"amg": {"reuse": "symbolic"}})
        other = line(500)
        other.data[:] = A.data * 3
        solver.update(other)
        self.assertIsNone(solver.result)
        self.assertLess(np.abs(times(other, solver.solve(np.ones(500))) - 1).max(), 1e-5)
        with self.assertRaisesRegex(tessera.ArgumentError, "pattern|A->entries"):
            solver.update(tessera.Csr(np.ones(500), np.arange(500, dtype=np.int32),
                                      np.arange(501, dtype=np.int32), (500, 500)))

    def test_precondition(self):
        problem = tessera.gallery("poisson2d", n=40)
        with tessera.Solver(problem.A, preconditioner="amg") as solver:
            rng = np.random.default_rng(2)
            r = rng.standard_normal((1600, 2))
            z = solver.precondition(r)
            self.assertAlmostEqual(r[:, 0] @ z[:, 1] / (r[:, 1] @ z[:, 0]), 1, places=4)
            alone = solver.precondition(r[:, 0])  # whose sums a GPU has in another order
            self.assertLess(np.abs(alone - z[:, 0]).max(), 1e-12 * np.abs(alone).max())
        with self.assertRaisesRegex(tessera.ArgumentError, "closed"):
            solver.solve(problem.b)
        self.assertEqual(repr(solver), "<tessera.Solver, closed>")

    def test_elasticity(self):
        problem = tessera.gallery("elasticity3d", n=8)
        self.assertEqual(problem.block_size, 3)
        self.assertEqual(problem.near_nullspace.shape[1], 6)
        settings = {"preconditioner": "amg", "parameters": "amg.smoother.type=chebyshev"}
        iterations = []
        for known in (
            {},
            {"near_nullspace": problem.near_nullspace, "block_size": 3},
            {"near_nullspace": np.ascontiguousarray(problem.near_nullspace, np.float32), "block_size": 3},
            {"coordinates": problem.coordinates},
        ):
            solver = tessera.Solver(problem.A, **settings, **known)
            solver.solve(problem.b)
            iterations.append(solver.result.iterations)
        self.assertLess(max(iterations[1:]), iterations[0])
        self.assertLessEqual(max(iterations[1:]) - min(iterations[1:]), 1)


if __name__ == "__main__":
    unittest.main()
