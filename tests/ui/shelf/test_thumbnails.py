"""Pictures of stored tables: drawn when looked at, off the click's way, and without secrets."""

import shutil
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from tabletop.engine.mask import mask
from tabletop.engine.model import AUDIENCE, State, is_face
from tabletop.engine.scratch import FastRng
from tabletop.files import folders
from tabletop.match.match import Match
from tabletop.match.seat import Seat
from tabletop.storage import save_summaries, saved_matches
from tabletop.storage.saved_matches import picture_path
from tests.storage.corpus import LATEST
from tests.ui.replay.listed_replays import rows, show_replays
from tests.ui.window_driver import Open, begin, key, pass_on, settle
from ui.replay.replay_model import FILE_ROLE
from ui.shelf import table_picture, thumbnails


def test_every_replay_gets_the_picture_of_its_last_table(opened: Open, qtbot: QtBot) -> None:
    folders.replays().mkdir(parents=True)
    for name in ("sun-2", "royale-2", "chains-1"):
        shutil.copy(LATEST / f"{name}.tabletop", folders.replays())
    listed = show_replays(opened())
    files = [row.data(FILE_ROLE) for row in rows(listed)]
    qtbot.waitUntil(lambda: not listed.thumbnails.is_busy)
    for file in files:
        picture = listed.thumbnails.thumbnail_of(file)
        assert not picture.isNull()
        assert len({picture.toImage().pixel(x, 100) for x in range(0, 400, 5)}) > 4
    listed.shown.grab()
    assert not listed.thumbnails.is_busy, "what was drawn is not drawn again"
    deleted = files[0]
    listed.shown.setCurrentIndex(rows(listed)[0])
    listed.shown.command_requested.emit("delete")
    settle()
    assert not picture_path(deleted).exists(), "it goes where the replay goes"


def test_two_hundred_replays_are_listed_unplayed(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders.replays().mkdir(parents=True)
    for number in range(200):
        shutil.copy(LATEST / "sun-2.tabletop", folders.replays() / f"{number:03}.tabletop")
    reading, go = threading.Event(), threading.Event()
    seen = save_summaries.read_summary

    def slowly(path: Path) -> object:
        reading.set()
        assert go.wait(60)
        return seen(path)

    drawn: list[Path] = []
    monkeypatch.setattr(thumbnails.summaries, "read_summary", slowly)
    monkeypatch.setattr(table_picture, "save_thumbnail", lambda *args: drawn.append(args[-1]))
    listed = show_replays(opened())
    assert len(rows(listed)) == 200, "the list stands"
    qtbot.waitUntil(reading.is_set)
    assert drawn == []
    go.set()
    qtbot.waitUntil(lambda: not listed.thumbnails.is_busy)
    assert 3 < len(drawn) < 20, "only what is seen"
    listed.shown.scrollToBottom()
    listed.shown.grab()
    qtbot.waitUntil(lambda: not listed.thumbnails.is_busy)
    assert rows(listed)[199].data(FILE_ROLE) in drawn


def test_a_hot_seat_matchs_picture_shows_public_cards(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    pass_on(qtbot, begin(window), FastRng(1), 6)
    whole = window.table.seated.match.state
    shown: list[State] = []
    picture_of = table_picture.render_table

    def watched(*args: object, **more: object) -> QImage:
        shown.append(args[2].view)
        return picture_of(*args, **more)

    monkeypatch.setattr(table_picture, "render_table", watched)
    window.run_command("leave")
    (picture,) = folders.matches().glob("*.png")
    picture.unlink()
    window.show_shelf()
    qtbot.waitUntil(picture.is_file)
    assert len(shown) == 2, "when it was left, and where its picture was missing"
    for view in shown:
        assert view == mask(whole, AUDIENCE)
        hands = [cards for zone, cards in view.cards.items() if zone.startswith("hand")]
        assert hands
        assert not any(is_face(card) for cards in hands for card in cards)


def test_a_match_of_unknown_rules_has_an_empty_table(opened: Open, qtbot: QtBot) -> None:
    folders.replays().mkdir(parents=True)
    (folders.replays() / "broken.tabletop").write_bytes(b"nonsense\n")
    listed = show_replays(opened())
    assert rows(listed)[0].data(FILE_ROLE) is None
    gone = folders.replays() / "gone.tabletop"
    assert listed.thumbnails.thumbnail_of(gone).isNull()
    assert not listed.thumbnails.is_busy


def test_a_deleted_record_leaves_the_others_their_pictures(opened: Open, qtbot: QtBot) -> None:
    folders.replays().mkdir(parents=True)
    files = [folders.replays() / f"{number}.tabletop" for number in range(3)]
    for file in files:
        shutil.copy(LATEST / "sun-2.tabletop", file)
    window = opened()
    shown = thumbnails.Thumbnails(window.context, window)
    for file in files:
        assert shown.thumbnail_of(file).isNull()
    files[0].unlink()
    qtbot.waitUntil(lambda: not shown.is_busy)
    assert [picture_path(file).exists() for file in files] == [False, True, True]


def test_a_picture_older_than_what_happened_is_drawn_anew(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    pass_on(qtbot, begin(window), FastRng(1), 3)
    window.run_command("leave")
    (file,) = folders.matches().glob("*.tabletop")
    match: Match = saved_matches.resume(file)
    ask = (match.asks(0) or match.asks(1))[0]
    seat = Seat.at_table(match, ask.seat)
    seat.send(seat.offers[ask.id][0].sample(ask.id, FastRng(2)))
    match.journal.close()
    assert picture_path(file).stat().st_mtime_ns < file.stat().st_mtime_ns
    again = opened()
    qtbot.waitUntil(lambda: picture_path(file).stat().st_mtime_ns >= file.stat().st_mtime_ns)
    assert not again.shelf.thumbnails.thumbnail_of(file).isNull()


@pytest.mark.parametrize(
    ("size", "columns"), [((1024, 600), 3), ((1280, 800), 3), ((2560, 1440), 4)]
)
def test_replays_are_cards_in_rows_with_pictures(
    opened: Open, qtbot: QtBot, size: tuple[int, int], columns: int
) -> None:
    folders.replays().mkdir(parents=True)
    for number in range(8):
        shutil.copy(LATEST / "sun-2.tabletop", folders.replays() / f"{number}.tabletop")
    listed = show_replays(opened(size))
    shown = listed.shown
    places = [shown.visualRect(row) for row in rows(listed)]
    tops = [place.top() for place in places]
    assert tops.count(tops[0]) == columns
    assert places[columns].left() == places[0].left()
    assert all(place.right() <= shown.viewport().width() for place in places)
    shown.setFocus()
    key(Qt.Key.Key_Right)
    assert shown.currentIndex().row() == 1
    key(Qt.Key.Key_Down)
    assert shown.currentIndex().row() == columns + 1
    qtbot.waitUntil(lambda: not listed.thumbnails.is_busy)
    picture = shown.grab(shown.visualRect(shown.currentIndex())).toImage()
    assert len({picture.pixel(x, picture.height() // 3) for x in range(20, 260, 5)}) > 6


def test_few_pictures_are_held_in_memory(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thumbnails, "MAX_LOADED", 3)
    folders.replays().mkdir(parents=True)
    for number in range(5):
        shutil.copy(LATEST / "sun-2.tabletop", folders.replays() / f"{number}.tabletop")
    listed = show_replays(opened())
    files = [row.data(FILE_ROLE) for row in rows(listed)]
    qtbot.waitUntil(lambda: not listed.thumbnails.is_busy)
    assert not any(listed.thumbnails.thumbnail_of(file).isNull() for file in files)
    assert list(listed.thumbnails._loaded) == files[-3:]
    assert not listed.thumbnails.thumbnail_of(files[0]).isNull(), "read again"
