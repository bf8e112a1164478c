# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""run.py MODULE: the tests of a module, or a line that CTest counts as a skipped test."""

import importlib.util
import io
import sys
import unittest

for package in ["numpy", "scipy"] if sys.argv[1] in ("test_scipy", "test_guide") else ["numpy"]:
    if importlib.util.find_spec(package) is None:
        print(f"skipped: there is no {package} for {sys.executable}")
        sys.exit(0)
shown = io.StringIO()
result = unittest.TextTestRunner(shown).run(unittest.defaultTestLoader.loadTestsFromName(sys.argv[1]))
if result.wasSuccessful() and 0 < result.testsRun == len(result.skipped):
    print(f"skipped: {result.skipped[0][1]}")
    sys.exit(0)
print(shown.getvalue())
sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
