# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays that say they are in device memory."""

import unittest
import unittest.mock

import numpy as np
from support import line, times

import tessera


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


if __name__ == "__main__":
    unittest.main()
