"""Any damaged file is read, or refused in one sentence that names it.

The seeds are fixed. With TABLETOP_LONG=1 a hundred thousand files are damaged.
"""

import os
import random
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.files import folders
from tabletop.files.errors import BadFile
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.match.playback import Playback
from tabletop.storage import saved_matches
from tabletop.storage.plies import plies
from tabletop.storage.record import (
    Record,
    kit_for,
    public_record,
    read,
    record_of,
    replay,
    to_bytes,
)
from tests.mutations import mutated
from tests.storage.played_matches import begun, play

FILES = 100_000 if os.environ.get("TABLETOP_LONG") else 2_400
GAMES = catalogue.names()
KINDS = ("open", "sealed", "stripped", "over")


def good(game: str, kind: str) -> bytes:
    """A good record of one kind, as the content of its file."""
    match = begun(game, 12)
    if kind == "over":
        play(match)
    record = record_of(match, Path("good.tabletop"))
    if kind == "stripped":
        return to_bytes(public_record(record, match))
    if kind == "open":
        people = tuple(Player(player.name) for player in record.header.players)
        record = replace(record, header=replace(record.header, players=people))
    if kind != "over":
        record = replace(record, end=None)
    return to_bytes(record)


def look(record: Record) -> None:
    """Do with a record all that the program does: list, watch and play it on."""
    kit = kit_for(record)
    shown = Playback(kit, record.header.players, plies(record))
    words = Words("ja", kit, record.header.players)
    for _, said in shown.log(None)[-5:]:
        assert words.log_line(said) is not None
    assert words.heading(shown.state(shown.last_beat)) is not None
    replay(record)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_record_is_read_or_refused(game: str, kind: str) -> None:
    path = folders.matches() / "odd.tabletop"
    path.parent.mkdir(parents=True)
    chance, fate = random.Random(f"{game}/{kind}"), Counter[str]()
    whole = good(game, kind)
    for _ in range(FILES // len(GAMES) // len(KINDS)):
        path.write_bytes(mutated(whole, chance))
        before = path.read_bytes()
        refusal = ""
        try:
            look(read(path))
        except BadFile as error:
            refusal = str(error)
        fate["refused" if refusal else "read"] += 1
        assert not refusal or ("odd.tabletop" in refusal and "\n" not in refusal)
        assert path.read_bytes() == before, "who only looks changes nothing"
        found, bad = saved_matches.unfinished_matches()
        assert len(found) + len(bad) <= 1
        assert all(isinstance(each, BadFile) for each in bad)
    assert fate["refused"] > fate["read"] // 10, "the damage is real"
