# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a solver, the library and the gallery tell of themselves."""

import unittest

import numpy as np

import tessera


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


if __name__ == "__main__":
    unittest.main()
