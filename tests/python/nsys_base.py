"""Writes an export of nsys's by hand, after its documented schema; the numbers are made up."""

from __future__ import annotations

import sqlite3
from pathlib import Path

SCHEMA = """
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL,
  text TEXT, globalTid INTEGER, textId INTEGER, domainId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL,
  eventClass INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL,
  deviceId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
  demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, registersPerThread INTEGER NOT NULL,
  gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL,
  blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL,
  staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL);
"""
PROCESS = 0x0001000000000000
THREAD = PROCESS | 4242
OTHER_THREAD = PROCESS | 4243
PUSH_POP = 59


class Base:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.base = sqlite3.connect(path)
        self.base.executescript(SCHEMA)
        self.strings: dict[str, int] = {}
        self.calls = 0

    def string(self, text: str) -> int:
        if text not in self.strings:
            self.strings[text] = len(self.strings) + 1
            self.base.execute("INSERT INTO StringIds VALUES (?, ?)", (self.strings[text], text))
        return self.strings[text]

    def range(self, name: str, start: int, end: int | None, registered: bool = True) -> None:
        names = (None, self.string(name)) if registered else (name, None)
        self.base.execute(
            "INSERT INTO NVTX_EVENTS VALUES (?, ?, ?, ?, ?, ?, 1)",
            (start, end, PUSH_POP, names[0], THREAD, names[1]),
        )

    def kernel(
        self, name: str, called: int, start: int, taken_ns: int, thread: int = THREAD
    ) -> None:
        self.calls += 1
        self.base.execute(
            "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, 0, ?, ?, ?)",
            (called, called + 5, thread, self.calls, self.string("cudaLaunchKernelExC")),
        )
        self.base.execute(
            "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES "
            "(?, ?, 0, 13, ?, ?, ?, ?, 40, 64, 1, 1, 256, 1, 1, 1152, 0)",
            (start, start + taken_ns, self.calls, PROCESS, self.string(name), self.string(name)),
        )

    def done(self) -> Path:
        self.base.commit()
        self.base.close()
        return self.path
