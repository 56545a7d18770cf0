"""Whether result files are the shards of one run, all of it and each once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from redux_tools.results import ResultFile, Segment

# What has to be the same in all headers of a config. Host and uuid need not: a job array runs on
# several machines of one kind.
SAME = (
    "config.sha256",
    "tool.version",
    "tool.git",
    "tool.build_id",
    "env.compiler",
    "env.build",
    "env.cuda_runtime",
    "env.gpu.name",
    "env.cpu",
    "measure",
    "handicap",
    "selection.backend",
    "selection.filter",
    "selection.exclude",
    "selection.verify_only",
    "selection.profile",
    "selection.cases",
)
SHARD = re.compile(r"([1-9][0-9]*)/([1-9][0-9]*)")
MAX_NAMED = 5


@dataclass(frozen=True)
class Shard:
    file: ResultFile
    index: int
    count: int

    @property
    def path(self) -> str:
        return self.file.path


def _value(header: dict[str, Any], name: str) -> Any:
    value: Any = header
    for key in name.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _listed(names: Sequence[object]) -> str:
    shown = ", ".join(str(name) for name in names[:MAX_NAMED])
    more = len(names) - MAX_NAMED
    return f"{shown} and {more} more" if more > 0 else shown


def shard_of(file: ResultFile) -> Shard | str:
    """The file as a shard, or why it is none."""
    if not file.segments:
        return f"{file.path}: holds no run"
    runs = {segment.run_id for segment in file.segments}
    if len(runs) > 1:
        return f"{file.path}: holds {len(runs)} runs; a shard is one"
    texts = {str(_value(segment.header, "selection.shard") or "") for segment in file.segments}
    text = texts.pop()
    match = SHARD.fullmatch(text)
    if texts or match is None:
        return f"{file.path}: was run without --shard: there is nothing to put together"
    return Shard(file, int(match[1]), int(match[2]))


def _number_faults(shards: Sequence[Shard]) -> Iterator[str]:
    first = shards[0]
    by_index: dict[int, Shard] = {}
    for shard in shards:
        if shard.count != first.count:
            yield (
                f"{shard.path}: is shard {shard.index}/{shard.count}, "
                f"{first.path} is one of {first.count}"
            )
            return
        earlier = by_index.setdefault(shard.index, shard)
        if earlier is not shard:
            yield f"{shard.path}: is shard {shard.index}/{shard.count}, as {earlier.path} is"
    missing = [index for index in range(1, first.count + 1) if index not in by_index]
    if missing:
        word = "shard" if len(missing) == 1 else "shards"
        yield f"{word} {_listed(missing)} of {first.count} not given"


def _header_faults(shards: Sequence[Shard]) -> Iterator[str]:
    first: dict[str, tuple[str, Segment]] = {}
    for shard in shards:
        for segment in shard.file.segments:
            path, other = first.setdefault(segment.config_name, (shard.path, segment))
            for name in SAME:
                here, there = _value(segment.header, name), _value(other.header, name)
                if here != there:
                    yield (
                        f"{shard.path}: config '{segment.config_name}': {name} is {here!r}, "
                        f"in {path} it is {there!r}"
                    )
                    break


def _case_faults(shards: Sequence[Shard]) -> Iterator[str]:
    """What is there twice or not at all."""
    held: dict[str, dict[str, Shard]] = {}
    selected: dict[str, int | None] = {}
    for shard in shards:
        for segment in shard.file.incomplete_runs():
            yield (
                f"{shard.path}: config '{segment.config_name}' was not run to its end: "
                f"go on with redux-bench --resume {shard.path}"
            )
        for segment in shard.file.segments:
            ids = held.setdefault(segment.config_name, {})
            cases = _value(segment.header, "selection.cases")
            selected[segment.config_name] = cases if isinstance(cases, int) else None
            twice = [case for case in segment.cases if ids.get(case, shard) is not shard]
            if twice:
                yield f"{shard.path}: {ids[twice[0]].path} has them too: {_listed(twice)}"
            ids.update((case, shard) for case in segment.cases if case not in ids)
    for name, ids in held.items():
        number = selected[name]
        if number is None:
            yield f"config '{name}': the headers do not say how many cases were selected"
        elif len(ids) < number:
            yield f"config '{name}': {number - len(ids)} of its {number} selected cases are missing"
        elif len(ids) > number:
            yield f"config '{name}': holds {len(ids)} cases, {number} were selected"


def faults_of(shards: Sequence[Shard]) -> list[str]:
    """Why these are not all shards of one run; empty where they are."""
    numbers = list(_number_faults(shards))
    headers = list(_header_faults(shards))
    # Of shards that do not belong together it would name all cases.
    return numbers + headers + ([] if numbers or headers else list(_case_faults(shards)))
