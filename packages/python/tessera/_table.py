# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Small tables with a good look at a prompt and in a notebook."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import Any


def _text(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        if value == 0 or 1e-2 <= abs(value) < 1e5:
            return f"{value:.4g}"
        return f"{value:.3e}"
    return str(value)


class Table(Sequence):
    """Rows with named columns: `table["iteration"]` is a column, `table[0]` a row as a dict."""

    def __init__(self, columns: Sequence[str], rows: Sequence[Sequence[Any]], title: str = "") -> None:
        self.columns = tuple(columns)
        self.title = title
        self._rows = [tuple(row) for row in rows]

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            if key not in self.columns:
                raise KeyError(f"{key!r}; the columns are {', '.join(self.columns)}")
            place = self.columns.index(key)
            return [row[place] for row in self._rows]
        if isinstance(key, slice):
            return Table(self.columns, self._rows[key], self.title)
        return dict(zip(self.columns, self._rows[key]))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (dict(zip(self.columns, row)) for row in self._rows)

    def to_dict(self) -> dict[str, list[Any]]:
        """Columns by name, as pandas.DataFrame takes them."""
        return {name: self[name] for name in self.columns}

    def _is_text(self, place: int) -> bool:
        return any(isinstance(row[place], str) for row in self._rows)

    def __repr__(self) -> str:
        cells = [list(self.columns)] + [[_text(value) for value in row] for row in self._rows]
        widths = [max(len(row[j]) for row in cells) for j in range(len(self.columns))]
        lines = [self.title] if self.title else []
        for row in cells:
            shown = [
                cell.ljust(width) if self._is_text(j) else cell.rjust(width)
                for j, (cell, width) in enumerate(zip(row, widths))
            ]
            lines.append("  ".join(shown).rstrip())
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        def row_of(tag: str, cells: Sequence[str]) -> str:
            shown = "".join(
                f'<{tag} style="text-align:{"left" if self._is_text(j) else "right"}">'
                f"{html.escape(cell)}</{tag}>"
                for j, cell in enumerate(cells)
            )
            return f"<tr>{shown}</tr>"

        caption = f"<caption>{html.escape(self.title)}</caption>" if self.title else ""
        body = "".join(row_of("td", [_text(value) for value in row]) for row in self._rows)
        head = row_of("th", self.columns)
        return f"<table>{caption}<thead>{head}</thead><tbody>{body}</tbody></table>"
