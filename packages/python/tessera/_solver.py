# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""The solver."""

from __future__ import annotations

import json
import weakref
from collections.abc import Mapping
from ctypes import byref, c_char_p, c_void_p
from typing import Any

import numpy as np

from . import _library
from ._arrays import (
    TYPE_OF,
    Columns,
    columns_of,
    guess_like,
    host_array,
    on_device,
    stream_address,
    wait_for_stream,
)
from ._errors import ArgumentError, NotConverged
from ._interrupt import ProgressFunction, Watched
from ._library import call, last_error, status_name
from ._matrix import MatrixArgument, matrix_argument
from ._results import Result, hierarchy_table, history_table, result_of
from ._settings import set_parameters
from ._table import Table


class Solver:
    """Solves A x = b for one A and any number of right-hand sides.

    A: scipy.sparse matrix or array (csr and bsr as they are, others converted), tessera.Csr, or
        (data, indices, indptr); n by n, real. Its arrays are shared where their types allow (float32 or float64,
        int32 indices, int32 or int64 indptr).
    parameters: those of `tessera params`, as a dict ({"amg.cycle": "w"}, or nested) or as words
        ("amg.cycle=w amg.smoother.type=chebyshev").
    tolerance, absolute_tolerance, max_iterations, time_limit (seconds), method, preconditioner, precision, max_memory_mb:
        the most common parameters; they override `parameters`.
    block_size: unknowns per node; near_nullspace: n by m, m <= 10; coordinates: nodes by 2 or 3.
    nullspace: n by m, a basis of the nullspace of A; solves stay in its complement. left_nullspace: for a
        nonsymmetric A also a basis of the nullspace of its transpose, which is removed from b.
    device: "auto", "host" or "device". stream: a stream's address, or a stream of cupy or torch; each call starts
        after the work that is queued on it by then.
    progress: called as progress(iteration, relative_residual, milliseconds); a true return value stops the solve.
    trusted: A is known to be valid, and is not checked.
    """

    def __init__(
        self,
        A: Any,
        *,
        parameters: Mapping[str, Any] | str | None = None,
        tolerance: float | None = None,
        absolute_tolerance: float | None = None,
        max_iterations: int | None = None,
        time_limit: float | None = None,
        method: str | None = None,
        preconditioner: str | None = None,
        precision: str | None = None,
        max_memory_mb: float | None = None,
        block_size: int = 0,
        near_nullspace: Any = None,
        nullspace: Any = None,
        left_nullspace: Any = None,
        coordinates: Any = None,
        device: str = "auto",
        stream: Any = None,
        progress: ProgressFunction | None = None,
        trusted: bool = False,
    ) -> None:
        handle = c_void_p()
        call("create", byref(handle))
        self._handle = handle
        self._finalizer = weakref.finalize(self, _destroy, handle)
        self.progress = progress
        self._trusted = trusted
        set_parameters(
            handle,
            parameters,
            tolerance=tolerance,
            absolute_tolerance=absolute_tolerance,
            max_iterations=max_iterations,
            time_limit=time_limit,
            method=method,
            preconditioner=preconditioner,
            precision=precision,
            max_memory_mb=max_memory_mb,
        )
        call("set_device", handle, device.encode())
        argument = matrix_argument(A, trusted)
        self._stream_object = stream  # every call waits for it: it must not go before the solver
        self._stream = None if stream is None else stream_address(stream)
        if stream is not None:
            call("set_stream", handle, c_void_p(self._stream))
        wait_for_stream(argument.stream, self._stream)
        call("set_block_size", handle, int(block_size))
        for name, vectors in (
            ("near_nullspace", near_nullspace),
            ("nullspace", nullspace),
            ("left_nullspace", left_nullspace),
            ("coordinates", coordinates),
        ):
            if vectors is None:
                continue
            columns = columns_of(vectors, name)
            wait_for_stream(columns.stream)
            call("set_" + name, handle, TYPE_OF[columns.dtype], columns.rows, columns.columns, columns.address,
                 columns.leading)
        self._set_up(argument)

    def _set_up(self, argument: MatrixArgument) -> None:
        call("setup", self._handle, byref(argument.matrix))
        self._take(argument)

    def _take(self, argument: MatrixArgument) -> None:
        self._argument = argument  # the arrays are shared
        self.dtype = argument.dtype
        n = argument.matrix.rows * max(argument.matrix.block_size, 1)
        self.shape = (n, n)
        self.result: Result | None = None

    def update(self, A: Any = None) -> None:
        """Takes new values in the same pattern: those of A or, without one, those that the arrays given before
        hold by now. The parameter amg.reuse says what is kept of a hierarchy."""
        if A is None:
            call("update", self._alive(), None)
            self.result = None
            return
        argument = matrix_argument(A, self._trusted)
        wait_for_stream(argument.stream, self._stream)
        call("update", self._alive(), byref(argument.matrix))
        self._take(argument)

    def _alive(self) -> c_void_p:
        if not self._finalizer.alive:
            raise ArgumentError("the solver was closed")
        return self._handle

    def _guess(self, b: Any, x0: Any, out: Any) -> Any:
        """The array that the solution goes to, with the guess in it."""
        if out is not None:
            if tuple(out.shape) != tuple(b.shape):
                raise ArgumentError(f"out has the shape {tuple(out.shape)}; expected {tuple(b.shape)}")
            if x0 is not None:
                out[...] = x0
            return out
        if on_device(b):
            return guess_like(b, x0)
        if x0 is None:
            return np.zeros(b.shape, self.dtype, order="F")
        x = np.array(host_array(x0, "x0"), self.dtype, order="F")
        if x.shape != b.shape:
            raise ArgumentError(f"x0 has the shape {x.shape}; expected {b.shape}")
        return x

    def solve(self, b: Any, x0: Any = None, *, out: Any = None, check: bool = True) -> Any:
        """The solution for b, of n or n by k entries, from the guess x0 (0 where it is None).

        out: the array for it, of A's type, columns in Fortran's order; its contents are the guess where x0 is
        None. A solve that does not converge raises NotConverged, whose `x` is the best iterate; with
        check=False it is returned, and `result` says how it ended.
        """
        handle = self._alive()
        if not on_device(b):
            b = host_array(b, "b")
        right = columns_of(b, "b", self.dtype)
        x = self._guess(b, x0, out)
        left = columns_of(x, "out", self.dtype)
        if left.keep is not x:
            raise ArgumentError(
                f"out is not {self.dtype} with the entries of a column side by side (order 'F')"
            )
        if isinstance(x, np.ndarray) and not x.flags.writeable:
            raise ArgumentError("out is read-only")
        self.result = None
        with Watched(handle, self.progress):
            status = self._run("solve", right, left)
            message = last_error()
        self.result = result_of(handle, status, right.columns)
        if status != 0 and check:
            raise NotConverged(message, status_name(status), x, self.result)
        return x

    def _run(self, name: str, right: Columns, left: Columns) -> int:
        wait_for_stream(right.stream, self._stream)
        wait_for_stream(left.stream, self._stream)
        return call(name, self._handle, TYPE_OF[self.dtype], right.rows, right.columns, right.address,
                    right.leading, left.address, left.leading)

    def precondition(self, r: Any) -> Any:
        """z = M r, where M approximates the inverse of A; r of n or n by k entries."""
        self._alive()
        if not on_device(r):
            r = host_array(r, "r")
        right = columns_of(r, "r", self.dtype)
        z = guess_like(r) if on_device(r) else np.empty(r.shape, self.dtype, order="F")
        left = columns_of(z, "z", self.dtype)
        self._run("apply", right, left)
        return z

    def as_preconditioner(self) -> Any:
        """A scipy.sparse.linalg.LinearOperator: the M of scipy's cg, gmres and others."""
        from scipy.sparse.linalg import LinearOperator

        return LinearOperator(self.shape, matvec=self._matvec, matmat=self.precondition, dtype=self.dtype)

    def _matvec(self, r: np.ndarray) -> np.ndarray:
        return self.precondition(np.ravel(r))

    @property
    def report(self) -> dict[str, Any]:
        """All that is known: picks with their reasons, levels, parameters, times, residuals."""
        text = c_char_p()
        call("report", self._alive(), byref(text))
        return json.loads(text.value or b"{}")

    @property
    def notes(self) -> list[str]:
        """What was picked or limited, and why."""
        return self.report["notes"]

    @property
    def hierarchy(self) -> Table:
        """The levels of the multigrid hierarchy, the finest first; none for another preconditioner."""
        return hierarchy_table(self.report)

    @property
    def history(self) -> Table:
        """The residuals of the last solve, from before the first iteration on."""
        return history_table(self._alive())

    def close(self) -> None:
        """Frees what the solver holds; it cannot be used afterwards."""
        self._finalizer()

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        if not self._finalizer.alive:
            return "<tessera.Solver, closed>"
        report = self.report
        levels = f", {len(report['levels'])} levels" if report["levels"] else ""
        ended = f"; {self.result.status} after {self.result.iterations} iterations" if self.result else ""
        return (
            f"<tessera.Solver: {report['solver']} with {report['preconditioner']}{levels}, "
            f"{report['problem']['rows']:,} unknowns{ended}>"
        )


def _destroy(handle: c_void_p) -> None:
    _library._library.tessera_destroy(handle)


def solve(A: Any, b: Any, x0: Any = None, *, check: bool = True, **settings: Any) -> Any:
    """The solution of A x = b; the settings are those of Solver."""
    with Solver(A, **settings) as solver:
        return solver.solve(b, x0, check=check)
