# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""A solve while it runs: progress, threads, Ctrl-C."""

import os
import signal
import threading
import time
import unittest

import numpy as np
from support import LAUNCHES, endless_solver

import tessera


class Runs(unittest.TestCase):
    def setUp(self):
        # A shell starts what it puts into the background with Ctrl-C ignored.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))

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
        # A GPU does so many iterations in that time that they may come to a stand before.
        self.assertIn(solver.result.status, ("time_limit", "stagnated"))

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


if __name__ == "__main__":
    unittest.main()
