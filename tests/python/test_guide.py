# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""The guide shows what its example prints: all but times, and the iterations of scipy's own methods."""

import pathlib
import re
import subprocess
import sys
import unittest

try:
    import scipy
except ImportError:
    scipy = None

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^<!-- example: (\S+) -->\n```\n(.*?)\n```$", re.MULTILINE | re.DOTALL)


def without_times(text):
    text = re.sub(r" *\d+ ms$", " T ms", text, flags=re.MULTILINE)
    return re.sub(r"^((?:cg|bicgstab with spilu) ) *\d+", r"\1N", text, flags=re.MULTILINE)


@unittest.skipIf(scipy is None, "there is no scipy here")
class Guide(unittest.TestCase):
    def test_shows_what_is_printed(self):
        printed = {}
        blocks = BLOCK.findall((SOURCE / "docs/guide/python.md").read_text())
        self.assertGreaterEqual(len(blocks), 3)
        for example, shown in blocks:
            if example not in printed:
                printed[example] = subprocess.run(
                    [sys.executable, SOURCE / example], check=True, capture_output=True, text=True, timeout=500
                ).stdout
            self.assertIn(without_times(shown), without_times(printed[example]))


if __name__ == "__main__":
    unittest.main()
