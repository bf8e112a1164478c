# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Processes that load the library: how they end, what a fork does."""

import os
import subprocess
import sys
import textwrap
import unittest


class Processes(unittest.TestCase):
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
    unittest.main()
