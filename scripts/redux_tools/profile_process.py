"""Running a tool with all that it starts, and ending all of it when its time is over."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.gate_bench import Interrupted

# Every process of a run inherits it, whatever session or parent it moves to.
MARK = "REDUX_PROFILE_RUN"
# What a tool has to write its report in, once the program that it looks at was ended.
GRACE_SECONDS = 15.0
POLL_SECONDS = 0.05


@dataclass(frozen=True)
class Ended:
    code: int  # negative: by that signal
    seconds: float
    timed_out: bool
    said: str


def _members(mark: bytes) -> dict[int, str]:
    """The processes of a run with what they execute."""
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                program = (folder / "cmdline").read_bytes().split(b"\0", 1)[0]
                found[int(folder.name)] = os.fsdecode(program)
    return found


def _signal(pids: Sequence[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, number)


class _Tree:
    def __init__(self, process: subprocess.Popen[bytes], mark: bytes, target: str) -> None:
        self._process = process
        self._mark = mark
        self._target = target

    def _wait(self, seconds: float, done: Callable[[], bool]) -> bool:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._process.poll()
            if done():
                return True
            time.sleep(POLL_SECONDS)
        return done()

    def stop(self, grace: float) -> None:
        """First the program alone, so that the tool still writes its report; then all."""
        targets = [pid for pid, name in _members(self._mark).items() if name == self._target]
        _signal(targets, signal.SIGTERM)
        if targets and self._wait(grace, lambda: self._process.poll() is not None):
            self.clean_up(grace)
            return
        _signal(list(_members(self._mark)), signal.SIGTERM)
        self._wait(grace, lambda: self._process.poll() is not None)
        self.clean_up(0)

    def clean_up(self, grace: float) -> None:
        """Ends what is left of the run; gives it `grace` to end by itself."""
        self._wait(grace, lambda: not _members(self._mark))
        for _ in range(100):  # a process may start another while it is looked for
            left = _members(self._mark)
            if not left:
                break
            _signal(list(left), signal.SIGKILL)
            self._process.poll()
            time.sleep(POLL_SECONDS)
        self._process.wait()


def run_tree(
    command: Sequence[str], log: Path, seconds: float | None, target: str, grace: float
) -> Ended:
    """Runs `command` for at most `seconds`, its output in `log`; `target` is what it looks at.

    Nothing that it started is left when this returns. Raises Failure where it cannot be started.
    """
    name = f"{MARK}={uuid.uuid4().hex}"
    start = time.monotonic()
    with log.open("wb") as stream:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**os.environ, "LC_ALL": "C", MARK: name.partition("=")[2]},
            )
        except OSError as error:
            message = f"{command[0]}: cannot be run: {error.strerror}"
            raise Failure(ExitCode.ENVIRONMENT, message) from None
        tree = _Tree(process, name.encode(), target)
        timed_out = False
        try:
            process.wait(timeout=seconds)
            tree.clean_up(2)
        except subprocess.TimeoutExpired:
            timed_out = True
            tree.stop(grace)
        except Interrupted:
            tree.stop(grace)
            raise
    said = log.read_text(encoding="utf-8", errors="replace")
    return Ended(process.returncode, time.monotonic() - start, timed_out, said)
