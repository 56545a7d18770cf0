"""Runs the executable as a process: what a user or a script sees of it."""

import json
import os
import pathlib
import signal
import subprocess
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def _binary(variable, name):
    path = pathlib.Path(os.environ.get(variable, ROOT / "build" / "release" / name)).resolve()
    if not path.exists():
        pytest.fail(f"{path} does not exist: build it, or set {variable}")
    return path


def strict_json(text):
    """Parses as the standard says: no NaN, no Infinity, no duplicate keys."""

    def refuse(token):
        raise ValueError(f"{token} is not JSON")

    def unique(pairs):
        keys = [key for key, _ in pairs]
        if len(keys) != len(set(keys)):
            raise ValueError(f"duplicate keys in {keys}")
        return dict(pairs)

    return json.loads(text, parse_constant=refuse, object_pairs_hook=unique)


def read_results(path):
    """The lines of a results file, each parsed strictly; the last must be whole."""
    text = pathlib.Path(path).read_bytes().decode("utf-8")
    assert text.endswith("\n"), "the last line is cut short"
    return [strict_json(line) for line in text.splitlines()]


def cases_of(lines):
    return [line for line in lines if line["type"] == "case"]


class Bench:
    """One executable, run in a folder of its own."""

    def __init__(self, binary, folder, environment=None):
        self.binary = binary
        self.folder = folder
        self.environment = environment or {}

    def _environment(self, extra):
        kept = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith("LC_") and key not in ("LANG", "NO_COLOR", "COLUMNS")
        }
        return kept | {"LC_ALL": "C"} | self.environment | (extra or {})

    def __call__(self, *words, env=None, timeout=60, **kwargs):
        return subprocess.run(
            [str(self.binary), *map(str, words)],
            cwd=self.folder,
            env=self._environment(env),
            capture_output=True,
            text=True,
            errors="surrogateescape",
            timeout=timeout,
            check=False,
            **kwargs,
        )

    def start(self, *words, env=None):
        return subprocess.Popen(
            [str(self.binary), *map(str, words)],
            cwd=self.folder,
            env=self._environment(env),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def config(self, name="sweep", **sweep):
        """Writes NAME.json with one sweep over small shapes; returns the file's name."""
        measure = sweep.pop("measure", {})
        defaults = {
            "op": "argmax",
            "variants": ["host_serial"],
            "dtypes": ["float32"],
            "shapes": [[4, 8]],
        }
        document = {
            "version": 1,
            "name": name,
            "measure": {
                "modes": ["stream"],
                "caches": ["warm"],
                "min_samples": 2,
                "max_samples": 3,
                "max_seconds": 0.01,
            }
            | measure,
            "sweeps": [defaults | sweep],
        }
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps(document))
        return path.name


def wait_for_cases(path, count, seconds=30):
    """Until the results file holds that many cases."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if path.exists() and path.read_bytes().count(b'\n{"type":"case"') >= count:
            return
        time.sleep(0.005)
    pytest.fail(f"{path} never held {count} cases")


def stop(process, *signals, pause=0.0):
    """Sends the signals; returns exit code and stderr."""
    for number in signals:
        process.send_signal(number)
        time.sleep(pause)
    try:
        _, error = process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
        pytest.fail(f"did not stop after {signals}")
    return process.returncode, error


@pytest.fixture
def bench(tmp_path):
    return Bench(_binary("REDUX_BENCH", "redux-bench"), tmp_path)


@pytest.fixture
def hooks(tmp_path):
    """The executable that also has the variants of tests/hooks."""
    return Bench(_binary("REDUX_BENCH_HOOKS", "redux-bench-hooks"), tmp_path)


@pytest.fixture
def ending_hooks(tmp_path):
    """The same, where those variants run that hang or end their process."""
    binary = _binary("REDUX_BENCH_HOOKS", "redux-bench-hooks")
    return Bench(binary, tmp_path, {"REDUX_HOOKS_THAT_END": "1"})
