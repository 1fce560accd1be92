"""Unknown names in a save are replaced by defaults, with a notice."""

import json
from pathlib import Path

import pytest

from tabletop.bots.decision import LEVELS
from tabletop.catalogue import catalogue
from tabletop.commands.command_line import main
from tabletop.match.match import SYMBOLS
from tabletop.storage.record import read, record_of, replay, save
from tabletop.storage.replacements import KNOWN_LEVELS
from tests.storage.played_matches import begun
from tests.storage.redigested import redigested


def altered(path: Path, *, seat: int = 1, **changes: object) -> Path:
    """A match in a file whose header says something else of a player, or of the options."""
    match = begun("chains", 5)
    save(record_of(match, path), path)
    first, *rest = path.read_text("utf-8").split("\n")
    head = json.loads(first)
    for key, value in changes.items():
        if key in head:
            head[key] = value
        else:
            head["players"][seat][key] = value
    path.write_bytes(redigested("\n".join([json.dumps(head), *rest]).encode()))
    return path


@pytest.mark.parametrize(
    ("changes", "becomes"),
    [
        ({"symbol": "zzz"}, {"symbol": "sun"}),
        ({"kind": "robot"}, {"kind": "person"}),
        ({"kind": "robot", "level": "hard"}, {"kind": "bot", "level": "hard"}),
        ({"kind": "bot", "level": "brilliant"}, {"kind": "bot", "level": "easy"}),
        ({"level": "brilliant"}, {"kind": "person", "level": ""}),
    ],
)
def test_of_a_player(changes: dict[str, str], becomes: dict[str, str], tmp_path: Path) -> None:
    record = read(altered(tmp_path / "odd.tabletop", **changes))
    player = record.header.players[1]
    assert {key: getattr(player, key) for key in becomes} == becomes
    word = next(value for value in changes.values() if value not in ("bot", "hard"))
    assert record.unknown.text.format(**record.unknown.args) == (
        f'"odd.tabletop" uses unknown values: {word}. Defaults are used instead.'
    )
    assert replay(record).players == record.header.players


def test_no_symbol_is_given_twice(tmp_path: Path) -> None:
    path = altered(tmp_path / "odd.tabletop", seat=0, symbol="sun")
    text = path.read_text("utf-8").replace(
        '"name": "P1", "symbol": ""', '"name": "P1", "symbol": "zzz"'
    )
    path.write_bytes(redigested(text.encode()))
    assert [p.symbol for p in read(path).header.players[:2]] == ["sun", "moon"]


def test_of_the_options(tmp_path: Path) -> None:
    usual = catalogue.options(catalogue.load("chains"))
    key = next(iter(usual))
    odd = {**usual, key: "f\u202eine", "weather": 7}
    record = read(altered(tmp_path / "odd.tabletop", options=odd))
    assert record.unknown.args["names"] == f"{key} = f?ine, weather = 7"
    assert replay(record).state.options == usual


def test_options_of_other_rules_are_theirs(tmp_path: Path) -> None:
    record = read(altered(tmp_path / "old.tabletop", rules=0, options={"weather": 7}))
    assert record.unknown is None
    assert record.header.options == {"weather": 7}


def test_known_kinds_stay_as_they_are(tmp_path: Path) -> None:
    for number, symbol in enumerate(("", *SYMBOLS)):
        known = altered(tmp_path / f"{number}.tabletop", symbol=symbol, kind="bot", level="random")
        assert read(known).unknown is None
        assert read(known).header.players[1].symbol == symbol
    assert set(LEVELS) < set(KNOWN_LEVELS)


def test_the_command_line_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = altered(tmp_path / "odd.tabletop", symbol="zzz")
    sentence = '"odd.tabletop" uses unknown values: zzz. Defaults are used instead.\n'
    assert main(["verify", str(odd)]) == 1
    assert capsys.readouterr().err == sentence
    assert main(["show", str(odd)]) == 0
    assert capsys.readouterr().err == sentence
