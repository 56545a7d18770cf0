"""What is printed of somebody else's text does not steer the terminal."""

from __future__ import annotations

import ast
import io

import project_files
import pytest
from project_files import ROOT, name
from redux_tools.tables import console_for, escaped, one_line, terminal_table
from redux_tools.terminal import printable, say

# Prints that say what a program decided, never what a file holds; each with its reason.
OWN_PRINTS = {
    "gate_progress.py": "rewrites its own line",
    "terminal.py": "is what all others use",
    "compare_cli.py": "workflow commands, which are encoded",
    "gate_cli.py": "workflow commands, which are encoded",
    "report_github.py": "a token of its own",
}


def test_controls_are_shown_as_escapes():
    assert printable("a\x1b[31mb\x07\x7f") == "a\\x1b[31mb\\x07\\x7f"
    assert printable("\x9b2J\r\t\0") == "\\x9b2J\\x0d\\x09\\x00"
    assert printable("\u202egpj.exe\u2066") == "\\u202egpj.exe\\u2066"
    assert printable("half \ud800") == "half \\ud800"
    assert printable("ä 中\nnext ±") == "ä 中\nnext ±"


def test_every_way_to_print_uses_it():
    out = io.StringIO()
    say("\x1b]0;x\x07", out)
    console = console_for("never", out)
    console.print(one_line("a\x1b[2J[bold]b\nc"))
    console.print(terminal_table([], []))
    assert out.getvalue().startswith("\\x1b]0;x\\x07\na\\x1b[2J[bold]b\\nc\n")
    assert escaped("a\x1b|b") == r"a\\x1b\|b"  # in Markdown a backslash of the text is doubled


def calls(path, function):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == function:
            yield node


@pytest.mark.parametrize("path", project_files.files("scripts", suffixes=(".py",)), ids=name)
def test_nothing_else_prints(path):
    if path.name in OWN_PRINTS:
        return
    constant = [
        node.lineno
        for node in calls(path, "print")
        if not all(isinstance(argument, ast.Constant) for argument in node.args)
    ]
    assert constant == []
    # rich takes what is not of its own classes for markup.
    for node in (*calls(path, "console.print"), *calls(path, "console_for().print")):
        for argument in node.args:
            kind = ast.unparse(argument.func) if isinstance(argument, ast.Call) else ""
            own = isinstance(argument, ast.Constant) or ast.unparse(argument) == "LEGEND"
            assert own or kind in ("one_line", "terminal_table"), f"{name(path)}:{node.lineno}"


def test_the_rule_finds_the_scripts():
    assert ROOT / "scripts/redux_tools/compare_cli.py" in project_files.files(
        "scripts", suffixes=(".py",)
    )
