"""One odd file is reported, and keeps no other from being listed."""

import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.files import folders
from tabletop.files.errors import BadFile, StorageError
from tabletop.match.match import Match, Player
from tabletop.storage import save_summaries, saved_matches
from tabletop.storage.plies import plies
from tabletop.storage.record import read, record_of, save
from tabletop.storage.record_lines import End, end_of
from tabletop.storage.settings import Settings
from tabletop.storage.settings import save as save_settings
from tests.storage.odd_disks import BEYOND, date, lock
from tests.storage.played_matches import bare, begun, play
from tests.storage.redigested import redigested
from tests.storage.tidied import tidy


@pytest.fixture
def far_east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A place where a year begins earlier."""
    if sys.platform == "win32":
        pytest.skip("no process moves to another place there")
    with monkeypatch.context() as there:
        there.setenv("TZ", "UTC-9")
        time.tzset()
        yield
    time.tzset()


def ended() -> Match:
    """A match that is finished."""
    match = begun("sun", 10_000)
    play(match)
    assert match.state.result is not None
    return match


def good() -> Path:
    """A match that waits."""
    match = begun("sun", 3)
    path = folders.matches() / "good.tabletop"
    path.parent.mkdir(parents=True, exist_ok=True)
    save(replace(record_of(match, path), end=None), path)
    return path


def only(odd: str) -> None:
    """The good match is listed, and of the odd one the reason."""
    tidy()
    found, bad = saved_matches.unfinished_matches()
    assert [saved.path.name for saved in found] == ["good.tabletop"]
    assert [str(each) for each in bad] == [odd]


@pytest.mark.parametrize("card", [99_999, -99])
@pytest.mark.parametrize(
    "event", ['["moved",{},"a","b"]', '["said","Hm",[{}]]', '["shown","a",{}]']
)
def test_a_card_that_the_box_has_not(event: str, card: int, home: Path) -> None:
    good()
    odd = folders.matches() / "odd.tabletop"
    text = bare().replace('"heard":[', f'"heard":[{event.format(card)},', 1)
    odd.write_bytes(redigested(text.encode()))
    with pytest.raises(BadFile, match="damaged at line 3"):
        plies(read(odd))
    only('"odd.tabletop" is damaged at line 3.')


def test_cards_dealt_that_the_box_has_not(home: Path) -> None:
    good()
    odd, text = folders.matches() / "odd.tabletop", bare("sun")
    dealt = "},[-1,"
    assert dealt in text
    odd.write_bytes(redigested(text.replace(dealt, "},[99999,", 1).encode()))
    only('"odd.tabletop" is damaged at line 2.')


@pytest.mark.parametrize("seconds", [BEYOND, BEYOND * 10**6, -(10**15), BEYOND - 1])
@pytest.mark.usefixtures("far_east")
def test_a_date_beyond_the_calendar(
    seconds: float, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = shutil.copy(good(), folders.matches() / "odd.tabletop")
    date(odd, seconds, monkeypatch)
    only('"odd.tabletop" has an invalid date.')


def test_an_impossible_date_takes_no_replay_away(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = ended()
    shown = saved_matches.save_replay_copy(match)
    odd = shutil.copy(shown, shown.with_stem("odd"))
    date(odd, BEYOND * 10**6, monkeypatch)
    kept, bad = saved_matches.finished_matches()
    assert {each.path for each in kept} == {shown, odd}
    assert bad == (), "the header knows when it was played"


def test_an_end_that_names_an_unknown_seat(home: Path) -> None:
    match = ended()
    path = saved_matches.save_replay_copy(match)
    record = read(path)
    save(replace(record, end=End((7,), (1, 2))), path)
    with pytest.raises(BadFile, match="is damaged at line"):
        read(path)
    (listed,), bad = saved_matches.finished_matches()
    assert bad == ()
    assert match.state.result is not None
    assert listed.end == end_of(match.state.result), "of what is good of it"


def test_an_unforeseen_failure(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good()
    odd = folders.matches() / "odd.tabletop"
    odd.write_text(bare())

    def fails(record: object) -> object:
        if record.path == odd:
            raise ZeroDivisionError
        return plies(record)

    monkeypatch.setattr(save_summaries, "plies", fails)
    only('Can\'t read "odd.tabletop": it may be damaged.')


def test_a_home_that_may_not_be_looked_into(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = good()
    lock(home, monkeypatch)
    tidy()
    found, bad = saved_matches.unfinished_matches()
    assert found == ()
    assert [str(each) for each in bad] == ['Can\'t read "matches": permission denied.']
    over, (bad,) = saved_matches.finished_matches()
    assert over == ()
    assert str(bad) == 'Can\'t read "replays": permission denied.'
    for refused in (
        lambda: save_settings(Settings()),
        lambda: saved_matches.move_to_trash(kept),
        lambda: saved_matches.begin(begun("sun", 1).kit, (Player("A"),) * 2),
    ):
        with pytest.raises(StorageError, match="permission denied"):
            refused()


def test_a_file_where_the_folder_should_be(home: Path) -> None:
    home.mkdir()
    folders.matches().write_text("no folder")
    found, (bad,) = saved_matches.unfinished_matches()
    assert found == ()
    if sys.platform == "win32":
        assert str(bad).startswith('Can\'t read "matches": ')
    else:
        assert str(bad) == f'Can\'t read "matches": {os.strerror(20)}.'
    folders.matches().unlink()
    folders.matches().parent.rmdir()
    home.write_text("no home")
    tidy()
    found, bad = saved_matches.unfinished_matches()
    assert found == ()
    if sys.platform == "win32":  # a path below a file is simply not found there
        assert bad == ()
    else:
        assert [str(each) for each in bad] == [f'Can\'t read "matches": {os.strerror(20)}.']
