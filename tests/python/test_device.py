# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of cupy, torch and jax in place on a GPU, on the caller's stream: for a build for one, and skipped without.

Of cupy, torch and jax those are tested that are there.
"""

import importlib.util
import os
import unittest

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # else jax takes what the others need

import numpy as np

import tessera

N = 60


def problem(dtype=np.float64):
    """The five-point Laplacian with b = A 1, in numpy's arrays."""
    made = tessera.gallery("poisson2d", n=N, dtype=dtype)
    A = tessera.Csr(made.A.data, made.A.indices, made.A.indptr, made.A.shape)
    b = np.zeros(A.shape[0], dtype)
    np.add.at(b, np.repeat(np.arange(A.shape[0]), np.diff(A.indptr)), A.data)
    return A, b


def needs(*packages):
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if missing:
        return unittest.skip(f"there is no {missing[0]}")
    return unittest.skipUnless(tessera._library.has_device(), "libtessera_c is for hosts")


@unittest.skipUnless(tessera._library.has_device(), "libtessera_c is for hosts")
class OfTheHost(unittest.TestCase):
    def test_numpy_is_copied_there_and_back(self):
        A, b = problem()
        out = np.zeros_like(b)
        solver = tessera.Solver(A)
        self.assertIs(solver.solve(b, out=out), out)
        self.assertLess(np.abs(out - 1).max(), 1e-5)
        self.assertIn(solver.report["device"]["space"].lower(), ("cuda", "hip"))

    def test_the_host_solves_in_a_build_for_a_device(self):
        A, b = problem()
        self.assertLess(np.abs(tessera.Solver(A, device="host").solve(b) - 1).max(), 1e-5)


@needs("cupy")
class OfCupy(unittest.TestCase):
    def setUp(self):
        import cupy
        import cupyx.scipy.sparse

        self.cupy = cupy
        A, b = problem()
        self.A = cupyx.scipy.sparse.csr_matrix(
            (cupy.asarray(A.data), cupy.asarray(A.indices), cupy.asarray(A.indptr)), A.shape)
        self.b = cupy.asarray(b)

    def far(self, x):
        return float(self.cupy.abs(x - 1).max())

    def test_in_place(self):
        solver = tessera.Solver(self.A)
        out = self.cupy.zeros_like(self.b)
        self.assertIs(solver.solve(self.b, out=out), out)
        self.assertLess(self.far(out), 1e-5)
        x = solver.solve(self.b, out * 0.5)
        self.assertIsInstance(x, self.cupy.ndarray)
        self.assertLess(self.far(x), 1e-5)
        self.A.data *= 2  # the arrays are shared
        solver.update()
        self.assertLess(self.far(2 * solver.solve(self.b)), 1e-5)

    def test_float32_and_columns(self):
        A, b = self.A.astype(np.float32), self.b.astype(np.float32)
        columns = self.cupy.asfortranarray(self.cupy.stack([b, 2 * b, 3 * b], axis=1))
        x = tessera.Solver(A, tolerance=1e-5).solve(columns)
        self.assertEqual(x.dtype, np.float32)
        for j in range(3):
            self.assertLess(self.far(x[:, j] / (j + 1)), 1e-1)

    def test_wide_offsets_and_vectors_of_a_setup(self):
        wide = tessera.Csr(self.A.data, self.A.indices, self.A.indptr.astype(np.int64), self.A.shape)
        solver = tessera.Solver(wide, preconditioner="amg", near_nullspace=self.cupy.ones(self.b.size))
        self.assertLess(self.far(solver.solve(self.b)), 1e-5)
        with self.assertRaisesRegex(tessera.ArgumentError, "int32 is needed"):
            tessera.Solver(tessera.Csr(wide.data, wide.indices.astype(np.int64), wide.indptr, wide.shape))

    def test_a_nullspace(self):
        n = 200
        data = np.concatenate([[1.0, -1.0], np.tile([-1.0, 2.0, -1.0], n - 2), [-1.0, 1.0]])
        columns = np.concatenate([[0, 1]] + [[i - 1, i, i + 1] for i in range(1, n - 1)] + [[n - 2, n - 1]])
        offsets = np.concatenate([[0, 2], 2 + 3 * np.arange(1, n - 1), [3 * n - 2]])
        A = tuple(self.cupy.asarray(a) for a in (data, columns.astype(np.int32), offsets.astype(np.int32)))
        b = self.cupy.zeros(n)
        b[0], b[-1] = 1.0, -1.0
        x = tessera.Solver(A, nullspace=self.cupy.ones(n)).solve(b)
        self.assertLess(abs(float(x[0] - x[-1]) - (n - 1)), 1e-3)

    def test_the_callers_stream(self):
        """b is written on a stream that nothing else waits for, behind work that takes a while."""
        cupy = self.cupy
        right = self.b.copy()
        cupy.cuda.Device().synchronize()
        for given in (True, False):
            stream = cupy.cuda.Stream(non_blocking=True)
            with stream:
                solver = tessera.Solver(self.A, stream=stream) if given else tessera.Solver(self.A)
                busy = cupy.ones((4096, 4096), np.float32)
                b = cupy.zeros_like(right)
                for _ in range(20):
                    busy = busy @ busy * 0
                b += right + busy[0, 0]
                x = solver.solve(b)
                self.assertLess(self.far(x), 1e-5, f"stream= {given}")
        # A solver on another stream than b's.
        elsewhere = tessera.Solver(self.A)
        with cupy.cuda.Stream(non_blocking=True):
            busy = cupy.ones((4096, 4096), np.float32)
            for _ in range(20):
                busy = busy @ busy * 0
            x = elsewhere.solve(right + busy[0, 0])
        self.assertLess(self.far(x), 1e-5)

    def test_as_the_preconditioner_of_its_cg(self):
        from cupyx.scipy.sparse.linalg import LinearOperator, cg

        solver = tessera.Solver(self.A, preconditioner="amg")
        M = LinearOperator(self.A.shape, matvec=solver.precondition, dtype=self.b.dtype)
        steps = []
        x, info = cg(self.A, self.b, M=M, callback=lambda _: steps.append(1))
        self.assertEqual(info, 0)
        self.assertLess(self.far(x), 1e-2)
        self.assertLess(len(steps), 20)

    def test_the_host_refuses_them(self):
        with self.assertRaisesRegex(tessera.ArgumentError, "lies in device memory"):
            tessera.Solver(self.A, device="host")

    def test_not_converged(self):
        with self.assertRaises(tessera.NotConverged) as caught:
            tessera.Solver(self.A, preconditioner="none", max_iterations=2).solve(self.b)
        self.assertIsInstance(caught.exception.x, self.cupy.ndarray)


@needs("torch")
class OfTorch(unittest.TestCase):
    def setUp(self):
        import torch

        if not torch.cuda.is_available():
            self.skipTest("torch sees no GPU")
        self.torch = torch
        A, b = problem()
        self.A = tessera.Csr(*(torch.from_numpy(a).cuda() for a in (A.data, A.indices, A.indptr)), A.shape)
        self.b = torch.from_numpy(b).cuda()

    def test_in_place(self):
        solver = tessera.Solver(self.A)
        out = self.torch.zeros_like(self.b)
        self.assertIs(solver.solve(self.b, out=out), out)
        self.assertLess(float((out - 1).abs().max()), 1e-5)
        self.assertTrue(solver.solve(self.b).is_cuda)
        columns = self.torch.stack([self.b, self.b]).t()  # a column's entries side by side
        x = solver.solve(columns)
        self.assertEqual(tuple(x.shape), tuple(columns.shape))
        self.assertLess(float((x - 1).abs().max()), 1e-5)
        with self.assertRaisesRegex(tessera.ArgumentError, "Fortran"):
            solver.solve(columns.contiguous())

    def test_the_current_stream(self):
        torch = self.torch
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        solver = tessera.Solver(self.A)
        with torch.cuda.stream(side):
            on_side = tessera.Solver(self.A)
            given = tessera.Solver(self.A, stream=side)
            self.assertEqual(given._stream, side.cuda_stream)
            for each in (solver, on_side, given):
                busy = torch.ones(4096, 4096, device="cuda")
                for _ in range(20):
                    busy = busy @ busy * 0
                x = each.solve(self.b + busy[0, 0])
                self.assertLess(float((x - 1).abs().max()), 1e-5)

    def test_one_that_wants_a_gradient(self):
        with self.assertRaises(Exception) as caught:
            tessera.Solver(self.A).solve(self.b.clone().requires_grad_())
        self.assertIn("detach", str(caught.exception))


@needs("jax")
class OfJax(unittest.TestCase):
    def setUp(self):
        import jax

        jax.config.update("jax_enable_x64", True)
        if jax.default_backend() == "cpu":
            self.skipTest("jax sees no GPU")
        import jax.numpy as jnp

        self.jnp = jnp
        A, b = problem()
        self.A = tessera.Csr(*(jnp.asarray(a) for a in (A.data, A.indices, A.indptr)), A.shape)
        self.b = jnp.asarray(b)

    def test_in_place(self):
        solver = tessera.Solver(self.A)
        x = solver.solve(self.b)
        self.assertEqual(type(x), type(self.b))
        self.assertLess(float(self.jnp.abs(x - 1).max()), 1e-5)
        again = solver.solve(self.b, x)
        self.assertLess(float(self.jnp.abs(again - 1).max()), 1e-5)
        self.assertLessEqual(solver.result.iterations, 1)

    def test_what_is_not_computed_yet(self):
        busy = self.jnp.ones((4096, 4096))
        for _ in range(10):
            busy = busy @ busy * 0
        x = tessera.Solver(self.A).solve(self.b + busy[0, 0])
        self.assertLess(float(self.jnp.abs(x - 1).max()), 1e-5)


if __name__ == "__main__":
    unittest.main()
