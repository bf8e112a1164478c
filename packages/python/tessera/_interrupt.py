# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C and a user's own function during a solve, which runs without Python's lock."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from typing import Any

from ._library import Progress, call

#: Of (iteration, relative residual, milliseconds); what is true stops the solve.
ProgressFunction = Callable[[int, float, float], Any]


class Watched:
    """While it is entered, solves of the solver ask `progress` and heed Ctrl-C. What `progress` raises, and
    KeyboardInterrupt, is raised at the end."""

    def __init__(self, handle: Any, progress: ProgressFunction | None) -> None:
        self._handle = handle
        self._progress = progress
        self._failure: BaseException | None = None
        self._interrupted = False
        # Only the main thread gets signals, and another handler than Python's own is the program's.
        self._heeds_signals = (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
        self._function = Progress(self._on_iteration)

    def _on_iteration(self, _context: Any, iteration: int, residual: float, ms: float) -> int:
        # Python has run the handler of a signal by now, for this is Python again.
        if self._interrupted:
            return 1
        if self._progress is None:
            return 0
        try:
            return 1 if self._progress(iteration, residual, ms) else 0
        except BaseException as error:
            self._failure = error
            return 1

    def __enter__(self) -> Watched:
        # First what may be refused, for a solver in use.
        if self._heeds_signals or self._progress is not None:
            call("set_progress", self._handle, self._function, None)
        if self._heeds_signals:
            signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, _number: int, _frame: Any) -> None:
        self._interrupted = True

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if self._heeds_signals:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self._heeds_signals or self._progress is not None:
            call("set_progress", self._handle, Progress(), None)
        if error is not None:
            return
        if self._failure is not None:
            raise self._failure
        if self._interrupted:
            raise KeyboardInterrupt
