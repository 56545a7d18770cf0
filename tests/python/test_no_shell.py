"""No string of a config, a results file or a report is ever given to a shell."""

from __future__ import annotations

import ast
import re

import project_files
import pytest
from project_files import ROOT, name

# What starts a shell, or runs text as a program, whatever its arguments are.
FORBIDDEN = {
    "os.system",
    "os.popen",
    "os.spawnl",
    "os.spawnlp",
    "subprocess.getoutput",
    "subprocess.getstatusoutput",
    "commands.getoutput",
    "pty.spawn",
    "asyncio.create_subprocess_shell",
    "eval",
    "exec",
    "pickle.load",
    "pickle.loads",
    "yaml.load",
    "__import__",
}
STARTERS = {"subprocess.run", "subprocess.Popen", "subprocess.call", "subprocess.check_output"}
# Of C and C++: the last two would run what a variable of the environment or a file names.
C_FORBIDDEN = re.compile(r"(?<![\w.>:])(?:std::|::)?(system|popen|wordexp|execlp|execvp)\s*\(")
SHELLS = re.compile(r"^(?:/bin/|/usr/bin/)?(?:ba|da|z|k)?sh$")


def faults_of(source: str) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module in ("os", "subprocess", "pickle"):
            found.append(f"{node.lineno}: names of {node.module} have to stand with it")
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        if called in FORBIDDEN:
            found.append(f"{node.lineno}: {called}")
        if called not in STARTERS:
            continue
        shell = [key for key in node.keywords if key.arg in ("shell", "executable", None)]
        if any(key.arg is not None for key in shell) or (shell and called != "subprocess.run"):
            found.append(f"{node.lineno}: {called} with {shell[0].arg or '**'}")
        words = node.args[0] if node.args else None
        if isinstance(words, ast.Constant | ast.JoinedStr):
            found.append(f"{node.lineno}: {called} of a string")
        if isinstance(words, ast.List) and words.elts:
            first = words.elts[0]
            if isinstance(first, ast.Constant) and SHELLS.match(str(first.value)):
                found.append(f"{node.lineno}: {called} of a shell")
    return found


@pytest.mark.parametrize("path", project_files.files("scripts", suffixes=(".py",)), ids=name)
def test_no_script_starts_a_shell(path):
    assert faults_of(path.read_text(encoding="utf-8")) == []


def test_no_source_starts_a_shell():
    sources = project_files.files("src", "kernels", suffixes=(".cpp", ".hpp", ".cu", ".cuh", ".in"))
    assert ROOT / "src" / "main.cpp" in sources
    found = [
        f"{name(path)}: {match[0]}"
        for path in sources
        for match in C_FORBIDDEN.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "os.system(text)",
        "subprocess.run(text, shell=True)",
        "subprocess.run(['sh', '-c', text])",
        "subprocess.Popen(words, shell=flag)",
        "subprocess.Popen(f'ncu {text}')",
        "subprocess.Popen(words, **how)",
        "from os import system",
        "eval(text)",
    ],
)
def test_the_rule_finds_what_it_forbids(line):
    assert faults_of(line) != []


def test_the_rule_for_sources_finds_what_it_forbids():
    for text in ("std::system(command)", "  popen (x)", "::execvp(a, b)"):
        assert C_FORBIDDEN.search(text), text
    for text in ("file_system(x)", "path.system()", "using namespace system_error"):
        assert not C_FORBIDDEN.search(text), text
