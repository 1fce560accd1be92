"""A received game shows at most a sentence, and opens no file outside its folder: in the window, on
a phone, on paper, and to `tabletop check`."""

import asyncio
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QLabel, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.catalogue.catalogue import BrokenGame
from tabletop.commands import command_line
from tabletop.match.match import Match, Player
from tabletop.storage import record
from tabletop.web import rulebook
from tabletop.web.drawer import DrawnTable, FaceOrder, PictureCells, PictureOrder
from tests.game_folders import change
from tests.hostile_drawings import DRAWINGS
from tests.hostile_games import GAMES, SHOWN, markup
from tests.net.loopback import LONG, hosting, run
from tests.net.playtest.prototypes import ferry
from tests.net.playtest.prototypes import opened as opened_table
from tests.short_check import shorten
from tests.ui.phones.asked_pictures import begun, image, order
from tests.ui.window_driver import Open, settle
from tests.watched_files import Watched, linux_only
from tests.web.gateways import Browser, gateway, seat_all
from ui.app import Window
from ui.phones.drawing import QtDrawer
from ui.rulebook.book import RulebookBrowser
from ui.shell import app_context
from ui.style.art import Art
from ui.widgets.styled_widgets import RichLabel

PIXELS = QImage.Format.Format_RGB32
COMMANDS = ("print {folder} --out {out}", "check {folder} --games 1")
SOME = [(name, COMMANDS[number % 2 :][:1]) for number, name in enumerate([*GAMES][::2])]
TAKEN = [(name, COMMANDS) for name in GAMES] if LONG else SOME
"""The games, and the commands to which each is given besides window, phone and rulebook: to one of
them by turns where time is short, as both draw the same pictures of the same cards."""


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A picture of this computer in a colour that nothing else has."""
    file = tmp_path / "secret.png"
    picture = QImage(9, 9, PIXELS)
    picture.fill(QColor(SHOWN))
    assert picture.save(str(file))
    return file


@pytest.fixture
def watched(secret: Path) -> Iterator[Watched]:
    watch = Watched([secret])
    yield watch
    watch.close()


@pytest.fixture
def folder(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Night Ferry, before anything is done to it."""
    made = ferry(tmp_path / "night_ferry", monkeypatch)
    yield made
    monkeypatch.undo()
    game_folders.clear_cache()


def known(folder: Path) -> str:
    """The game's id, once this computer knows its folder."""
    agreements.add_own_folder(folder)
    (game,) = game_folders.add(folder)
    catalogue.reread(game.id)
    return game.id


def refused(game: str) -> str:
    """Why this computer does not take the game; "" where it does."""
    try:
        catalogue.load(game)
    except BrokenGame as error:
        return error.fault
    return ""


def shows(picture: QImage) -> bool:
    """Whether the secret is to be seen on it."""
    pixels = picture.convertToFormat(PIXELS)
    return QColor(SHOWN).rgb() in set(memoryview(bytes(pixels.constBits())).cast("I"))


def played(window: Window, game: str) -> None:
    """A match of the game on the window's table, with names that are markup."""
    kit = catalogue.load(game)
    bot = Player("<img src=/dev/zero>", "", "bot", "easy")
    window.matches.show_match(Match(kit, (Player("A&B <b>x</b>"), bot), seed="1"))
    settle()


def on_a_phone(game: str) -> Iterator[QImage]:
    drawer = QtDrawer()
    drawn = asyncio.run(drawer.picture(order(begun(game, 2), game)))
    yield image(drawn.content)
    face = asyncio.run(drawer.face(FaceOrder(game, 0, -1, "en", "light", 240)))
    yield image(face.content)
    rulebook.rulebook_json(catalogue.load(game), "en")


def in_the_book(window: Window, game: str) -> QImage:
    book = RulebookBrowser(window.context, catalogue.load(game))
    book.resize(500, 700)
    book.show()
    settle()
    return book.grab().toImage()


@linux_only
@pytest.mark.parametrize(("name", "commands"), TAKEN)
def test_a_hostile_game_shows_at_most_a_sentence(
    name: str,
    commands: Sequence[str],
    folder: Path,
    secret: Path,
    watched: Watched,
    opened: Open,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(app_context, "Art", Art)
    shorten(monkeypatch)
    change(folder / "cards.toml", "seats = [2, 3, 4]", "seats = [2]")
    GAMES[name](folder, secret)
    game = known(folder)
    for command in commands:
        given = command.format(folder=folder, out=tmp_path / "cards.pdf")
        command_line.main(given.split())
        assert "Traceback" not in "".join(capfd.readouterr())
    fault = refused(game)
    assert "\n" not in fault
    if not fault:
        window = opened()
        played(window, game)
        assert not shows(window.grab().toImage())
        assert window.banner.isHidden() or "\n" not in window.banner.text
        assert not shows(in_the_book(window, game))
        assert not any(shows(picture) for picture in on_a_phone(game))
    assert not watched.opened()


@linux_only
def test_a_gateways_picture_shows_no_file_of_its_computer(
    folder: Path,
    secret: Path,
    watched: Watched,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    qapp: QApplication,
) -> None:
    """The picture of the table that went to a phone showed the gateway's own photo.png."""
    (folder / "assets" / "harbour.svg").write_bytes(DRAWINGS["path"](str(secret)))
    drawn: list[bytes] = []

    class Watching(QtDrawer):
        async def picture(self, order: PictureOrder, had: PictureCells | None = None) -> DrawnTable:
            made = await super().picture(order, had)
            drawn.append(made.content)
            return made

    async def work() -> None:
        async with hosting(tmp_path / "hosted") as host:
            ann, _, code = await opened_table(host, folder, monkeypatch)
            async with (
                gateway(host, takes_games=True, drawer=Watching()) as made,
                Browser(made.port, code=code) as one,
                Browser(made.port, code=code) as two,
            ):
                for browser in (one, two):
                    await browser.until(lambda browser=browser: browser.lobby)
                await seat_all(ann, one, two)
                one.send("look", width=780, height=500, theme="light")
                await one.until(lambda: any(each["kind"] == "picture" for each in one.heard))
                (note,) = one.notes
                assert "names other files" in note
            await ann.close()

    run(work)
    assert drawn
    assert not any(shows(image(each)) for each in drawn)
    assert not watched.opened()


@linux_only
def test_a_replays_title_and_comments_are_plain(
    folder: Path, secret: Path, watched: Watched, opened: Open, tmp_path: Path
) -> None:
    GAMES["texts"](folder, secret)
    game = known(folder)
    file = tmp_path / "odd.tabletop"
    made = begun(game, 2)
    saved = record.record_of(made, file)
    record.save(replace(saved, comments={1: markup(secret)}), file)
    window = opened()
    window.open_file(file)
    settle()
    (title,) = (each for each in window.menus.findChildren(RichLabel) if "Replay" in each.text())
    assert "&lt;img" in title.text()
    assert "<img" not in title.text()
    window.grab()
    assert not watched.opened()


@linux_only
def test_every_text_is_printed_letter_by_letter(
    folder: Path, secret: Path, watched: Watched, opened: Open, qtbot: QtBot
) -> None:
    GAMES["texts"](folder, secret)
    game = known(folder)
    window = opened()
    played(window, game)
    said = markup(secret)
    labels = [each for each in window.findChildren(QLabel) if "<img" in each.text()]
    assert labels
    plain = QLabel().textFormat().PlainText
    rich = [each for each in labels if each.textFormat() != plain]
    assert all("&lt;img" in each.text() and said not in each.text() for each in rich)
    for each in window.findChildren(QWidget):
        if "<" in each.toolTip():
            QToolTip.showText(each.mapToGlobal(each.rect().center()), each.toolTip(), each)
            settle()
            tips = [tip for tip in QApplication.topLevelWidgets() if tip.inherits("QTipLabel")]
            assert all(tip.textFormat() == plain for tip in tips)
    book = RulebookBrowser(window.context, catalogue.load(game))
    assert "<img src=" in book.book.toPlainText()
    assert "the secret" in book.book.toPlainText()
    assert os.fspath(secret) in book.book.toPlainText()
    assert not watched.opened()
