"""Runs of matches on paths: their digests, recorded and compared."""

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter

import msgspec
from msgspec import Struct

from tabletop.background import faults
from tests.characterisation.fixed_chance import fixed_chance
from tests.characterisation.replays import describe_record
from tests.characterisation.scenarios import SAMPLE, Scenario, scenarios
from tests.characterisation.script import play_through
from tests.characterisation.transcript import Transcripts

DIGESTS = Path(__file__).with_name("digests.jsonl")
PATHS = ("hot seat", "own host", "guests", "phones", "one screen")


class Run(Struct, frozen=True):
    """One match on one path, as it is kept."""

    path: str
    match: str
    parts: dict[str, str]
    """The digest of each transcript."""
    counts: dict[str, int]
    """The number of lines of each kind."""

    @property
    def name(self) -> str:
        return f"{self.match} {self.path}"


def run(scenario: Scenario, path: str) -> tuple[Run, Transcripts]:
    """Play a match on a path; return its digests and its transcripts."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        fixed_chance(scenario, Path(folder) / "home"),
    ):
        table = _path_of(path)(scenario, Path(folder) / "host")
        heard = table.transcripts["faults"]
        stop = faults.add_listener(lambda text: heard.add("fault", text))
        try:
            play_through(table)
        finally:
            table.close()
            stop()
        describe_record(table.transcripts, table.record)
    found = table.transcripts
    digests = {name: found[name].digest for name in sorted(found) if found[name].lines}
    return Run(path, scenario.name, digests, dict(sorted(found.counts.items()))), found


def _path_of(name: str) -> type:
    """Return the class of a path; each is imported only if it is wanted."""
    match name:
        case "hot seat":
            from tests.characterisation.hot_seat import HotSeatPath

            return HotSeatPath
        case "own host":
            from tests.characterisation.own_host import OwnHostPath

            return OwnHostPath
        case "guests":
            from tests.characterisation.guests import GuestsPath

            return GuestsPath
        case "one screen":
            from tests.characterisation.one_screen import OneScreenPath

            return OneScreenPath
        case _:
            from tests.characterisation.phones import PhonesPath

            return PhonesPath


def wanted(names: Sequence[str]) -> Iterator[tuple[Scenario, str]]:
    """Yield the matches and paths whose names have all of these words; all without any. The word
    "sample" stands for the matches of `SAMPLE`."""
    words = [name for name in names if name != "sample"]
    for scenario in scenarios():
        if len(words) < len(names) and scenario.name not in SAMPLE:
            continue
        for path in PATHS:
            if path == "one screen" and len(scenario.people) < 2:
                continue  # it is passed on to nobody
            if all(word in f"{scenario.name} {path}" for word in words):
                yield scenario, path


def read_digests() -> dict[str, Run]:
    lines = DIGESTS.read_bytes().splitlines() if DIGESTS.exists() else []
    kept = (msgspec.json.decode(line, type=Run) for line in lines)
    return {each.name: each for each in kept}


def _play_all(names: Sequence[str], full: Path | None) -> Iterator[Run]:
    """Play matches, each processor one after the other; yield them in their order."""
    matches = tuple(wanted(names))
    if len(matches) <= len(SAMPLE):  # not worth more processes
        yield from map(partial(_play_one, full), matches)
        return
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        yield from pool.map(partial(_play_one, full), matches)


def _play_one(full: Path | None, wanted: tuple[Scenario, str]) -> Run:
    scenario, path = wanted
    started = perf_counter()
    found, transcripts = run(scenario, path)
    print(f"{perf_counter() - started:6.2f} s  {found.name}", file=sys.stderr)
    if full is not None:
        folder = full / path.replace(" ", "-") / scenario.name
        folder.mkdir(parents=True, exist_ok=True)
        for name, transcript in transcripts.items():
            file = folder / f"{name.replace(' ', '-')}.txt"
            file.write_text(transcript.text, encoding="utf-8")
    return found


def record(names: Sequence[str], full: Path | None) -> None:
    """Play matches; rewrite their digests, or with `full` only write their transcripts there."""
    kept = read_digests()
    for found in _play_all(names, full):
        kept[found.name] = found
    if full is None:
        order = [f"{scenario.name} {path}" for scenario, path in wanted(())]
        lines = (msgspec.json.encode(kept[name]) + b"\n" for name in order if name in kept)
        DIGESTS.write_bytes(b"".join(lines))


def compare(names: Sequence[str], full: Path | None) -> int:
    """Play matches and print what differs from the digests; return how many differ."""
    kept, count = read_digests(), 0
    for found in _play_all(names, full):
        if lines := differences(kept.get(found.name), found):
            count += 1
            print(found.name, *lines, sep="\n    ")
    print(f"{count} matches differ." if count else "All digests are as recorded.")
    return int(count > 0)


def differences(before: Run | None, now: Run) -> list[str]:
    """Return what differs between two runs of a match, a line each."""
    if before is None:
        return ["no digests are recorded"]
    names = [*before.parts, *(name for name in now.parts if name not in before.parts)]
    lines = [n for n in names if before.parts.get(n) != now.parts.get(n)]
    kinds = sorted({*before.counts, *now.counts})
    return lines + [
        f"{kind}: {before.counts.get(kind, 0)} lines before, {now.counts.get(kind, 0)} now"
        for kind in kinds
        if before.counts.get(kind) != now.counts.get(kind)
    ]


def paths_differ(names: Sequence[str]) -> None:
    """Print for each match which transcripts differ from those of the hot seat."""
    kept = read_digests()
    for scenario in scenarios():
        if not all(name in scenario.name for name in names):
            continue
        first = kept.get(f"{scenario.name} {PATHS[0]}")
        for path in PATHS[1:]:
            other = kept.get(f"{scenario.name} {path}")
            if first is None or other is None:
                continue
            shared = [name for name in first.parts if name in other.parts]
            differing = [name for name in shared if first.parts[name] != other.parts[name]]
            print(f"{other.name}: {', '.join(differing) or 'equal'}")
