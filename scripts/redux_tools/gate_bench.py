"""Running redux-bench: one fresh process a round, ended in good order when its time is over."""

from __future__ import annotations

import contextlib
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Protocol

from redux_tools.exit_codes import ExitCode, Failure

# What redux-bench has to write its last line in after it was asked to stop.
GRACE_SECONDS = 20
# Codes after which its results are worth reading: cases that failed are told apart by their status.
USABLE = (ExitCode.OK, ExitCode.WRONG_RESULT, ExitCode.NOT_MEASURED)
SPECIAL = frozenset("\\^$.|?*+()[]{}")
# Longer ones are parted: a command line holds 128 KiB a word.
MAX_FILTER = 60_000


class Interrupted(BaseException):
    """A signal asked to stop. Not an Exception, so that nothing takes it for a fault."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Inside, SIGINT and SIGTERM raise Interrupted; only where this is the main thread."""

    def stop(number: int, _: FrameType | None) -> None:
        raise Interrupted(number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def exact_filter(ids: Sequence[str]) -> str:
    """An ECMAScript regex that matches these ids and nothing else. Raises Failure if too long."""
    escaped = ("".join(f"\\{c}" if c in SPECIAL else c for c in case_id) for case_id in ids)
    pattern = f"^(?:{'|'.join(escaped)})$"
    if len(pattern) > MAX_FILTER:
        raise Failure(ExitCode.USAGE, f"{len(ids)} cases are too many to be named at once")
    return pattern


def nameable(ids: Sequence[str]) -> int:
    """How many of `ids`, from the first on, `exact_filter` takes; some of them may be alike."""
    seen: set[str] = set()
    length = len("^(?:)$")
    for index, case_id in enumerate(ids):
        if case_id not in seen:
            seen.add(case_id)
            length += len(case_id) + sum(c in SPECIAL for c in case_id) + 1
            if length > MAX_FILTER:
                return index
    return len(ids)


@dataclass(frozen=True)
class Bench:
    """A redux-bench with the words that it is always given (configs, backend, ...)."""

    binary: str
    words: tuple[str, ...]
    filter: str | None = None

    def command(self, output: Path | None = None, ids: Sequence[str] | None = None) -> list[str]:
        command = [self.binary, *self.words]
        pattern = self.filter if ids is None else exact_filter(ids)
        if pattern is not None:
            command += ["--filter", pattern]
        if output is not None:
            command += ["--output", str(output), "--quiet", "--color", "never"]
        return command

    def handicapped(self, rules: Sequence[str]) -> Bench:
        """`rules`: REGEX=FACTOR each."""
        added = tuple(word for rule in rules for word in ("--handicap", rule))
        return replace(self, words=self.words + added)


@dataclass(frozen=True)
class Outcome:
    code: int  # negative: ended by that signal
    seconds: float
    out_of_time: bool = False
    said: str = ""  # the end of its standard error


class Runner(Protocol):
    """Whoever runs a bench; tests have one without processes."""

    def run(
        self, bench: Bench, output: Path, ids: Sequence[str] | None, seconds: float | None
    ) -> Outcome: ...


class ProcessRunner:
    """Processes, each noted in a log with its command, exit code and time."""

    def __init__(self, log: Path, tick: Callable[[], None] = lambda: None) -> None:
        self._log = log
        self._tick = tick  # called every half second while one runs

    def run(
        self, bench: Bench, output: Path, ids: Sequence[str] | None, seconds: float | None
    ) -> Outcome:
        """Runs it for at most `seconds`. Raises Failure where it cannot be started."""
        output.parent.mkdir(parents=True, exist_ok=True)
        command = bench.command(output, ids)
        errors = output.with_suffix(".stderr")
        start = time.monotonic()
        with errors.open("wb") as stream:
            try:
                # A session of its own: a Ctrl-C is for the gate, which passes it on once.
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=stream,
                    start_new_session=True,
                )
            except OSError as error:
                message = f"{bench.binary}: cannot be run: {error.strerror}"
                raise Failure(ExitCode.USAGE, message) from None
            out_of_time = self._wait(process, seconds)
        said = errors.read_text(encoding="utf-8", errors="replace").strip()
        if not said:
            errors.unlink()
        taken = time.monotonic() - start
        with self._log.open("a", encoding="utf-8") as log:
            log.write(f"{shlex.join(command)}\n  exit {process.returncode}, {taken:.2f} s\n")
        return Outcome(process.returncode, taken, out_of_time, said[-2000:])

    def _wait(self, process: subprocess.Popen[bytes], seconds: float | None) -> bool:
        """True where the time was over before the process was."""
        end = None if seconds is None else time.monotonic() + seconds
        try:
            while True:
                left = 0.5 if end is None else min(0.5, max(0.0, end - time.monotonic()))
                try:
                    process.wait(timeout=left)
                    return False
                except subprocess.TimeoutExpired:
                    self._tick()
                if end is not None and time.monotonic() >= end:
                    self._stop(process, signal.SIGTERM)
                    return True
        except Interrupted as interrupted:
            self._stop(process, interrupted.number)
            raise

    @staticmethod
    def _stop(process: subprocess.Popen[bytes], number: int) -> None:
        process.send_signal(number)
        try:
            process.wait(timeout=GRACE_SECONDS)
        except (subprocess.TimeoutExpired, Interrupted):  # or whoever asked is out of patience
            process.kill()
            process.wait()
