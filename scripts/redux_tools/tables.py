"""The one writer of tables: Markdown for pages, rich for terminals."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from redux_tools.terminal import printable

WIDTH_WITHOUT_TERMINAL = 160


class Column(NamedTuple):
    """`number` columns are set flush right; `fold` ones may break where space is short."""

    name: str
    number: bool = False
    fold: bool = False


class Cell(NamedTuple):
    text: str
    style: str = ""


def escaped(text: str) -> str:
    """`text` as one cell of a Markdown table: no markup, no line end and no bar of its own."""
    flat = printable(" ".join(text.split()))
    for character in "\\`*_{}[]<>|#~":
        flat = flat.replace(character, "\\" + character)
    return flat


def markdown_line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |\n"


def markdown_head(columns: Sequence[Column]) -> str:
    rule = ["---:" if column.number else "---" for column in columns]
    return markdown_line(column.name for column in columns) + markdown_line(rule)


def markdown_table(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], budget_bytes: int | None = None
) -> str:
    """Cells stand as they are given (see `escaped`). Says how many rows a budget left out."""
    lines = [markdown_head(columns)]
    used = len(lines[0])
    for index, row in enumerate(rows):
        line = markdown_line(row)
        used += len(line.encode())
        if budget_bytes is not None and used > budget_bytes:
            lines.append(f"\n{len(rows) - index} more rows left out for size.\n")
            break
        lines.append(line)
    return "".join(lines)


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Goes on in silence: rich would exit with 1, which here means a regression."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def console_for(color: str = "auto", stream: TextIO | None = None) -> Console:
    """Without a terminal the width is fixed, so that what is printed does not depend on it."""
    stream = stream or sys.stdout
    forced = {"always": True, "never": False}.get(color)
    return _Console(
        file=stream,
        force_terminal=forced,
        no_color=color == "never" or None,
        width=None if stream.isatty() else WIDTH_WITHOUT_TERMINAL,
        highlight=False,
        emoji=False,
    )


def one_line(text: str, style: str = "") -> Text:
    """`text` for a console, as it stands: without markup, line ends or controls of its own."""
    return Text(printable(text.replace("\n", "\\n")), style=style)


def terminal_table(columns: Sequence[Column], rows: Iterable[Sequence[Cell | str]]) -> Table:
    """No box: its characters would depend on the locale, and the output must not."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(
            column.name,
            justify="right" if column.number else "left",
            no_wrap=not column.fold,
            overflow="fold",
        )
    for row in rows:
        cells = [Cell(cell) if isinstance(cell, str) else cell for cell in row]
        table.add_row(*(one_line(cell.text, cell.style) for cell in cells))
    return table
