"""The processes of a run: its workers, found through /proc."""

import os
import pathlib
import time


def _stat(pid):
    """(state, parent) of a process; None where it is gone."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    state, parent = text.rpartition(")")[2].split()[:2]
    return state, int(parent)


def children(pid):
    found = []
    for entry in os.listdir("/proc"):
        stat = _stat(entry) if entry.isdigit() else None
        if stat is not None and stat[1] == pid:
            found.append(int(entry))
    return found


def workers_of(binary):
    """Ids of all workers of that executable that are still there, zombies too."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            words = pathlib.Path(f"/proc/{entry}/cmdline").read_bytes().split(b"\0")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if words[0] == str(binary).encode() and b"--worker-channel" in words:
            found.append(int(entry))
    return found


def gone(pid, seconds=10.0):
    """Whether a process ends, or is a zombie that waits for whoever adopted it, in that time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        stat = _stat(pid)
        if stat is None or stat[0] == "Z":
            return True
        time.sleep(0.01)
    return False


def worker_of(process, seconds=10.0):
    """The worker of a running supervisor; None where none is seen in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = children(process.pid)
        if found:
            return found[0]
        if process.poll() is not None:
            return None
        time.sleep(0.001)
    return None
