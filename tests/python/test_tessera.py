# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""The Python package on numpy alone, for unittest and pytest."""

import contextlib
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest
import unittest.mock

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
            np.testing.assert_array_equal(solver.precondition(r[:, 0]), z[:, 0])
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
        with self.assertRaisesRegex(tessera.OutOfMemoryError, "max_memory_mb is 0.01 MiB.*give max_memory_mb more"):
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


class OnDevice(unittest.TestCase):
    """The protocol of arrays in device memory, spoken by arrays of the host: a build for hosts reads those."""

    class Array:
        def __init__(self, values, **more):
            self.values = values
            self.shape, self.dtype = values.shape, values.dtype
            self.__cuda_array_interface__ = values.__array_interface__ | {"version": 3} | more

    def setUp(self):
        if tessera._library.has_device():
            self.skipTest("in a build for a device these addresses would be taken for its own")

    def test_a_build_for_hosts_refuses_them(self):
        with self.assertRaisesRegex(tessera.ArgumentError, "this libtessera_c is for hosts"):
            tessera.Solver(line(10)).solve(self.Array(np.ones(10)))

    @unittest.mock.patch("tessera._library.has_device", lambda: True)
    def test_they_are_used_where_they_lie(self):
        A = line(30)
        there = tessera.Csr(self.Array(A.data), self.Array(A.indices), self.Array(A.indptr), A.shape)
        solver = tessera.Solver(there, near_nullspace=self.Array(np.ones(30)))
        x = np.zeros(30)
        out = self.Array(x)
        self.assertIs(solver.solve(self.Array(np.ones(30)), out=out), out)
        self.assertLess(np.abs(times(A, x) - 1).max(), 1e-6)
        columns = np.asfortranarray(np.zeros((30, 2)))
        solver.solve(self.Array(np.asfortranarray(np.ones((30, 2)))), out=self.Array(columns))
        np.testing.assert_allclose(columns, np.stack([x, x], axis=1))
        for b, words in (
            (self.Array(np.ones((30, 2))), "Fortran"),
            (self.Array(np.ones(30, np.float32)), "b holds float32; expected float64"),
            (self.Array(np.ones((30, 1, 1))), "3 dimensions"),
            (self.Array(np.ones(60)[::2]), "side by side"),
        ):
            with self.assertRaisesRegex(tessera.ArgumentError, words):
                solver.solve(b, out=out)
        with self.assertRaisesRegex(tessera.ArgumentError, "pass out="):
            solver.solve(self.Array(np.ones(30)))
        with self.assertRaisesRegex(tessera.ArgumentError, "int32 is needed"):
            far = self.Array(A.indices.astype(np.int64))
            tessera.Solver(tessera.Csr(there.data, far, there.indptr, A.shape))

    @unittest.mock.patch("tessera._library.has_device", lambda: True)
    def test_streams(self):
        A = line(30)
        with self.assertRaisesRegex(tessera.ArgumentError, "has no streams|which have no streams"):
            tessera.Solver(A, stream=12345)
        there = tessera.Csr(self.Array(A.data, stream=12345), A.indices, A.indptr, A.shape)
        with unittest.mock.patch("tessera._solver.wait_for_stream") as waited:
            tessera.Solver(there)
        waited.assert_any_call(12345, None)  # that of its arrays
        for stream in (None, 1, 2):  # the default ones
            there.data = self.Array(A.data, stream=stream)
            solver = tessera.Solver(there)
        with unittest.mock.patch("tessera._solver.wait_for_stream") as waited:
            solver.solve(self.Array(np.ones(30), stream=7), out=self.Array(np.zeros(30)))
        waited.assert_any_call(7, None)  # b's, which the solver's own stream does not wait for
        tessera._arrays.wait_for_stream(7, 7)

        class Stream:
            ptr = 77

        self.assertEqual(tessera._arrays.stream_address(Stream()), 77)
        self.assertEqual(tessera._arrays.stream_address(5), 5)


class Tells(unittest.TestCase):
    def test_tables(self):
        problem = tessera.gallery("poisson2d", n=40)
        solver = tessera.Solver(problem.A, preconditioner="amg")
        self.assertIn("1,600 unknowns", repr(solver))
        self.assertIsNone(solver.report["status"])
        solver.solve(problem.b)
        levels = solver.hierarchy
        self.assertEqual(levels[0]["unknowns"], 1600)
        self.assertEqual(levels["level"], list(range(len(levels))))
        self.assertIn("operator complexity", repr(levels))
        self.assertIn("<table>", levels._repr_html_())
        history = solver.history
        self.assertEqual(len(history), solver.result.iterations + 1)
        self.assertEqual(history[0]["relative residual"], 1)
        self.assertLess(history[-1]["relative residual"], 1e-8)
        self.assertEqual(len(history[2:4]), 2)
        self.assertEqual(set(history.to_dict()), set(history.columns))
        with self.assertRaisesRegex(KeyError, "the columns are"):
            history["nothing"]
        self.assertTrue(solver.notes)
        self.assertEqual(solver.report["status"], "converged")
        flat = tessera.Solver(problem.A, preconditioner="jacobi")
        self.assertIn("no levels: the preconditioner is jacobi", repr(flat.hierarchy))

    def test_text_in_a_page_is_escaped(self):
        table = tessera.Table(["a<b"], [["<i>"], [None], [1234567], [1.5e-9], [True]], "x & y")
        shown = table._repr_html_()
        self.assertIn("a&lt;b", shown)
        self.assertIn("&lt;i&gt;", shown)
        self.assertIn("x &amp; y", shown)
        self.assertIn("1,234,567", shown)
        self.assertIn("1.500e-09", shown)

    def test_the_library(self):
        self.assertEqual(tessera.__version__, tessera.version())
        self.assertIn("Kokkos", tessera.build())
        self.assertIn("solver", tessera.parameter_schema()["properties"])

    def test_gallery(self):
        problem = tessera.gallery("poisson3d", n=5, dtype=np.float32, index_dtype=np.int64)
        self.assertEqual(problem.A.data.dtype, np.float32)
        self.assertEqual(problem.b.shape, (125,))
        self.assertIsNone(problem.coordinates)
        self.assertIn("Poisson", repr(problem))
        with self.assertRaisesRegex(tessera.ConfigurationError, "no such option; its own: n"):
            tessera.gallery("poisson3d", order=2)
        with self.assertRaises(tessera.ArgumentError):
            tessera.gallery("poisson3d", dtype=np.int8)


#: A solve that is one launch on a GPU tells of its iterations when it is over.
LAUNCHES = {"solver.single_kernel": "off"}


def endless_solver(**parameters):
    """A solver of a million iterations, none of which gains much, and a right-hand side."""
    problem = tessera.gallery("poisson2d", n=1000)
    return tessera.Solver(problem.A, parameters=LAUNCHES, method="richardson", preconditioner="jacobi", tolerance=0,
                          max_iterations=1000000, **parameters), problem.b


class Runs(unittest.TestCase):
    def test_progress(self):
        problem = tessera.gallery("poisson2d", n=40)
        seen = []
        solver = tessera.Solver(problem.A, parameters=LAUNCHES, preconditioner="amg",
                                progress=lambda i, residual, ms: seen.append((i, residual, ms)))
        solver.solve(problem.b)
        self.assertEqual([i for i, _, _ in seen], list(range(solver.result.iterations + 1)))
        solver.progress = lambda i, residual, ms: i == 3
        with self.assertRaisesRegex(tessera.NotConverged, "interrupted after 3"):
            solver.solve(problem.b)

        def fails(i, residual, ms):
            raise ZeroDivisionError("mine")

        solver.progress = fails
        with self.assertRaisesRegex(ZeroDivisionError, "mine"):
            solver.solve(problem.b)
        solver.progress = None
        solver.solve(problem.b)
        self.assertTrue(solver.result.converged)

    def test_a_solver_is_not_shared_with_its_progress_function(self):
        problem = tessera.gallery("poisson2d", n=40)
        solver = tessera.Solver(problem.A, preconditioner="amg", progress=lambda *_: solver.report)
        with self.assertRaises(tessera.BusyError):
            solver.solve(problem.b)

    def test_threads_run_side_by_side(self):
        problem = tessera.gallery("poisson2d", n=40)
        alone = tessera.solve(problem.A, problem.b, preconditioner="amg")
        found, failures = {}, []

        def work(number):
            try:
                with tessera.Solver(problem.A, preconditioner="amg") as solver:
                    found[number] = solver.solve(problem.b)
            except Exception as error:  # shown below
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        for x in found.values():
            np.testing.assert_array_equal(x, alone)

    def test_the_lock_is_released(self):
        # A solve in another thread, which comes back to Python after two seconds: this one goes on meanwhile.
        solver, b = endless_solver(time_limit=2)
        thread = threading.Thread(target=lambda: solver.solve(b, check=False))
        thread.start()
        for _ in range(20):
            time.sleep(0.001)
        self.assertTrue(thread.is_alive())
        thread.join()
        self.assertEqual(solver.result.status, "time_limit")

    def test_ctrl_c_ends_a_solve(self):
        solver, b = endless_solver()
        solves = threading.Event()
        solver.progress = lambda *_: solves.set()

        def press_once_it_solves():
            solves.wait()
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=press_once_it_solves)
        thread.start()
        with self.assertRaises(KeyboardInterrupt):
            solver.solve(b)
        thread.join()
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)
        self.assertEqual(solver.report["status"], "interrupted")

    def test_ctrl_c_during_progress(self):
        problem = tessera.gallery("poisson2d", n=100)
        seen = []

        def progress(i, residual, ms):
            seen.append(i)
            if i == 5:
                os.kill(os.getpid(), signal.SIGINT)

        solver = tessera.Solver(problem.A, parameters=LAUNCHES, method="cg", preconditioner="none", progress=progress)
        with self.assertRaises(KeyboardInterrupt):
            solver.solve(problem.b)
        self.assertEqual(solver.report["status"], "interrupted")
        self.assertLessEqual(seen[-1], 6)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_a_solver_in_use_is_refused(self):
        problem = tessera.gallery("poisson2d", n=40)
        is_inside, may_go_on = threading.Event(), threading.Event()

        def wait(i, residual, ms):
            is_inside.set()
            may_go_on.wait(60)

        solver = tessera.Solver(problem.A, preconditioner="amg", progress=wait)
        thread = threading.Thread(target=lambda: solver.solve(problem.b))
        thread.start()
        self.assertTrue(is_inside.wait(60))
        with self.assertRaisesRegex(tessera.BusyError, "take one for each thread"):
            solver.solve(problem.b)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)
        may_go_on.set()
        thread.join()
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def in_a_process(self, text):
        return subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True,
                              timeout=120)

    def test_a_process_ends_well_and_silently(self):
        ended = self.in_a_process("""
            import tessera, numpy as np
            problem = tessera.gallery("poisson2d", n=30)
            kept = tessera.Solver(problem.A)
            kept.solve(problem.b)
            import builtins
            builtins.kept = kept          # until the very end
            """)
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "", ""))

    def test_a_fork_is_an_error_and_no_hang(self):
        ended = self.in_a_process("""
            import os, tessera
            problem = tessera.gallery("poisson2d", n=30)
            tessera.solve(problem.A, problem.b)
            child = os.fork()
            if child == 0:
                try:
                    tessera.solve(problem.A, problem.b)
                except tessera.RuntimeStateError as error:
                    os._exit(7)
                os._exit(1)
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """)
        self.assertEqual(ended.stdout, "7\n")

    def test_a_library_that_is_missing(self):
        with_other = dict(os.environ, TESSERA_LIBRARY="/nowhere/libtessera_c.so")
        ended = subprocess.run([sys.executable, "-c", "import tessera"], env=with_other, capture_output=True,
                               text=True)
        self.assertIn("name its file in TESSERA_LIBRARY", ended.stderr)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        unittest.main()
