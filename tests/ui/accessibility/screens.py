"""Every screen and every dialog of the program, one after the other, and what is to be heard of
each by somebody who does not see it."""

import inspect
import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QGraphicsOpacityEffect,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QScrollBar,
    QTabWidget,
    QTextEdit,
    QWidget,
)

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tabletop.lan.discovery import DiscoveredTable
from tabletop.match.match import Player
from tabletop.net.guest.missing_game import MissingGame, resolve_game
from tabletop.protocol.game_files import OutsideGame
from tabletop.protocol.invitation import Address
from tabletop.protocol.listing import ListedTable
from tabletop.protocol.messages import SeatConfig, SeatInfo, TableInfo, TablePlan
from tabletop.studio.exchange import reading
from tabletop.studio.exchange.found_game import FoundGame
from tests.storage.corpus import LATEST
from tests.studio.exchange.other_programs import udonarium
from tests.ui.accessibility.reader import described, inside, name
from tests.ui.late_matches import near_its_end
from tests.ui.window_driver import page, play, settle
from ui.app import Window
from ui.match.note_sheet import NoteSheet
from ui.match.screen.table_screen import TableScreen
from ui.online.certificate_prompt import ask_trust
from ui.online.move_dialog import MoveDialog
from ui.online.online_session import OTHER_LINK
from ui.online.remote_table import RemoteTable
from ui.received.take_game_dialog import GameDownloadDialog
from ui.setup.lineup import MatchSetup
from ui.setup.play_on_dialog import PlayOnDialog
from ui.shelf.agreement_prompt import ask_to_run_game
from ui.studio.exchange.import_dialog import ImportDialog
from ui.widgets.confirm import ask_to_confirm
from ui.widgets.game_box import GameBox
from ui.widgets.qr_code import EnlargedQrCodeDialog
from ui.widgets.question import ask_question
from ui.widgets.styled_widgets import Screen

PAGES = ("settings", "statistics", "shortcuts", "rules", "fair", "phones", "about")
Role = QAccessible.Role
MUTE = {
    *(Role.NoRole, Role.Client, Role.Border, Role.LayeredPane),
    *(Role.Whitespace, Role.Separator, Role.Animation),
}
"""Roles that a screen reader passes over, or takes for a window."""
MOST_TABS = 200
"""So many presses lead round any screen."""
SIGN = re.compile("[\u2060←-⯿×−·※]")
"""Signs that are to be read as words."""
TABS = ("now", "card", "log", "rules", "actions")


def screens(window: Window, folder: Path) -> Iterator[tuple[str, QWidget]]:
    """Every screen that one computer alone can show, by its name, in the window."""
    yield "the shelf", window
    for command in PAGES:
        yield command, page(window, command)
    window.show_shelf()
    window.show_new_game(catalogue.load("sun"))
    yield "a new game", window
    window.show_new_game(catalogue.load("awss"))
    yield "a new game with more options", window
    window.run_command("host")
    yield "hosting", window
    window.show_shelf()
    window.run_command("join")
    yield "joining", window
    listed = ListedTable("t", "Kaname's table", "awss", 4, 2, playing=True)
    found = DiscoveredTable(listed, Address(("127.0.0.1",), 1, "00"), "kaname-pc", "0.0.1", True)
    window.online.join_screen.show_found([found])
    settle()
    yield "joining a table that was found", window
    window.show_shelf()
    window.run_command("workshop")
    yield "the workshop", window
    window.show_shelf()
    (folder / "pond.zip").write_bytes(udonarium())
    pond = reading.look(folder / "pond.zip")
    assert isinstance(pond, FoundGame)
    yield from _dialog("an import", ImportDialog(window.context, window, pond).open)
    yield from _dialog(
        "a received game", GameDownloadDialog(window.context, window, _lacking()).open
    )
    window.open_file(Path(shutil.copy(LATEST / "sun-2.tabletop", folder / "film.tabletop")))
    yield "a replay", window
    window.show_shelf()
    window.run_command("replays")
    yield "the list of replays", window
    window.show_shelf()
    window.matches.start_bot_match(catalogue.load("sun"))
    settle()
    table = window.table
    for tab in TABS:
        table.dock.show_tab(tab)
        yield f"the table with its tab {tab}", window
    yield from _dialog("the table in words", lambda: window.run_command("tell"))
    card = next(item for item in table.scene.stage.items if item.is_known and item.is_playable)
    yield from _menu("the menu of a card", lambda: table.scene.open_card_menu(card))
    window.run_command("public_table")
    settle()
    assert window.public.table is not None
    yield "the public table", window.public.table
    window.public.close()
    window.show_shelf()
    end(near_its_end(window, players=(Player("Hinata", "sun"), Player("Mugi", kind="bot"))))
    yield "the score sheet", window
    (share,) = window.table.ending.sheet.findChildren(QMenu)
    yield from _menu("the ways to share a result", lambda: share.popup(QPoint()))
    window.show_shelf()
    for tab in _tabs(page(window, "settings")):
        yield f"the settings' tab {tab}", window
    page(window, "about").licences_button.setChecked(True)
    settle()
    yield "the licences", window
    window.show_shelf()
    players = (Player("Hinata", "sun"), Player("Kaname", "moon"))
    window.matches.start_match(MatchSetup(catalogue.load("sun"), players, {}))
    settle()
    assert window.table.curtain.is_drawn
    yield "the curtain", window
    _open(window.table)
    yield from _menu("the menu of the seats", window.table.open_stand_in_menu)
    window.show_shelf()
    yield "the shelf with a match to go on with", window
    left = window.menus.submenus["continue"]
    yield from _menu("the menu of matches to go on with", lambda: left.popup(QPoint()))
    yield "the statistics of a match", page(window, "statistics")
    window.show_shelf()
    yield from _dialogs(window, players)


def _tabs(screen: QWidget) -> Iterator[str]:
    """Each tab of a page, in front."""
    (tabs,) = screen.findChildren(QTabWidget)
    for number in range(tabs.count()):
        tabs.setCurrentIndex(number)
        settle()
        yield tabs.tabText(number)


def _dialogs(window: Window, players: tuple[Player, ...]) -> Iterator[tuple[str, QWidget]]:
    """The dialogs that come up over several screens."""
    context = window.context
    code = EnlargedQrCodeDialog(context, window, "tabletop://join")
    code.setWindowTitle("Code")
    shown = (
        ("a large code", code),
        ("moving a table", MoveDialog(context, window, {"cards.example.org": ""})),
        ("playing on", PlayOnDialog(context, window, players)),
        ("a note", NoteSheet(context, window, "Turn 3", "Mugi")),
    )
    for title, dialog in shown:
        yield from _dialog(title, dialog.open)
    (box, *_) = window.shelf.findChildren(GameBox)
    yield from _menu("the menu of a box", lambda: _ask_for_menu(box))
    words = context.words
    text = words("Leave")
    asked = {
        "a question": lambda: ask_question(words, window, text, text, text, text),
        "a question not to be asked again": lambda: ask_to_confirm(
            context, window, "leave", text, text
        ),
        "another certificate": lambda: ask_trust(context, window, OTHER_LINK),
        "an agreement": lambda: ask_to_run_game(
            context, window, replace(box.game, waits_for="0" * 64)
        ),
    }
    for title, ask in asked.items():
        yield from _question(title, ask)
    host = SimpleNamespace(is_host=True, guest=SimpleNamespace(invitation=None), info=None)
    phones = window.online.phones
    phones.set_table(cast("RemoteTable", host))
    phones.gateway.addresses = ("http://192.168.2.9:18980/#ABCDE",)
    yield from _dialog("hands on phones", phones.show_dialog)
    phones.set_table(None)


def _ask_for_menu(widget: QWidget) -> None:
    reason, middle = QContextMenuEvent.Reason.Keyboard, widget.rect().center()
    QApplication.sendEvent(widget, QContextMenuEvent(reason, middle, widget.mapToGlobal(middle)))


def _menu(name: str, show: Callable[[], object]) -> Iterator[tuple[str, QWidget]]:
    yield from _shown(name, show, QApplication.activePopupWidget, QMenu)


def _question(title: str, ask: Callable[[], object]) -> Iterator[tuple[str, QWidget]]:
    """A question, which holds up what asks it."""
    with pytest.MonkeyPatch.context() as patch:
        boxes: list[QMessageBox] = []
        patch.setattr(QMessageBox, "exec", lambda box: boxes.append(box))
        patch.setattr(QMessageBox, "deleteLater", lambda _: None)
        ask()
    (box,) = boxes
    yield from _dialog(title, box.open)
    box.deleteLater()


def _lacking() -> MissingGame:
    """A table whose game is not here."""
    outside = OutsideGame("Pond Night", 1, "3fa9c2d1b204" + "0" * 52, 2_400_000)
    plan = TablePlan("river", (SeatConfig(), SeatConfig()))
    sitters = (SeatInfo("person", "here", "Ann"), SeatInfo("open", "free"))
    lacking = resolve_game(TableInfo("t", plan, sitters, host=0, outside=outside))
    assert isinstance(lacking, MissingGame)
    return lacking


def end(table: TableScreen) -> None:
    """Play on to the score sheet."""
    while not table.seated.is_over:
        seat = table.switch.shown_seat
        if seat is not None and seat.offers:
            play(table, FastRng("sheet"))
        settle()
    while not table.ending.sheet.isVisible():  # what was said comes first
        settle()


def _open(table: TableScreen) -> None:
    """Hold the curtain until it is open."""
    QTest.mousePress(table.curtain, Qt.MouseButton.LeftButton)
    while table.curtain.is_drawn:
        settle()
    QTest.mouseRelease(table.curtain, Qt.MouseButton.LeftButton)


def _dialog(name: str, show: Callable[[], None]) -> Iterator[tuple[str, QWidget]]:
    yield from _shown(name, show, QApplication.activeModalWidget, QDialog)


def _shown(
    name: str,
    show: Callable[[], object],
    found: Callable[[], QWidget | None],
    kind: type[QWidget],
) -> Iterator[tuple[str, QWidget]]:
    """What is found in front once it is shown, of this kind; it is closed afterwards."""
    show()
    settle()
    shown = found()
    assert isinstance(shown, kind), name
    yield name, shown
    shown.close()
    settle()


def seen(top: QWidget) -> list[QWidget]:
    """All widgets of a screen that are shown, but for those that Qt makes for its own use."""
    widgets = [top, *top.findChildren(QWidget)]
    return [each for each in widgets if each.isVisible() and not _inner(each)]


def _inner(widget: QWidget) -> bool:
    around = widget.parentWidget()
    viewport = isinstance(around, QAbstractScrollArea) and around.viewport() is widget
    return viewport or widget.objectName().startswith("qt_")


def name_of(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name).strip() if interface is not None else ""


def unnamed(top: QWidget) -> list[str]:
    """The widgets without a name that can be focused or pressed."""
    return [
        _path(each)
        for each in seen(top)
        if each.isEnabled() and (_tabbed(each) or isinstance(each, QAbstractButton))
        if not name_of(each)
    ]


def silent(top: QWidget) -> list[str]:
    """What of a screen is nothing, or no words, to who does not see it."""
    return [*unnamed(top), *painted(top), *mute(top), *nameless(top)]


def nameless(top: QWidget) -> list[str]:
    """The parts of widgets that the keys come to, and that have no name: lines, cells, tabs."""
    parts = inside(QAccessible.queryAccessibleInterface(top))
    return [
        f"{part.role().name} in {name(part.parent())!r}"
        for part in parts
        if part.state().focusable or part.state().selectable
        if not isinstance(part.object(), QWidget) and not name(part).strip()
    ]


def painted(top: QWidget) -> list[str]:
    """What paints a text of its own, and tells nobody of it who does not see it."""
    return [
        _path(each)
        for each in seen(top)
        if any("drawText" in _source(kind) for kind in type(each).__mro__[:2])
        if not name_of(each) and not isinstance(each, QAbstractItemView)
    ]


@cache
def _source(kind: type) -> str:
    """The text of one of the program's own classes."""
    return inspect.getsource(kind) if kind.__module__.startswith("ui.") else ""


def mute(top: QWidget) -> list[str]:
    """What has a name, but a role with which no screen reader reads it."""
    root = QAccessible.queryAccessibleInterface(top)
    return [
        f"{_path(thing)}, {interface.text(QAccessible.Text.Name)!r}"
        for interface in inside(root)
        if interface.role() in MUTE
        and interface.text(QAccessible.Text.Name).strip()
        and isinstance(thing := interface.object(), QWidget)
    ]


def faded(top: QWidget) -> list[str]:
    """The widgets that are there but invisible, because another is drawn over them."""
    effects = [(each, each.graphicsEffect()) for each in seen(top)]
    return [
        _path(each)
        for each, effect in effects
        if isinstance(effect, QGraphicsOpacityEffect) and effect.isEnabled()
        if effect.opacity() < 1
    ]


def backwards(top: QWidget) -> list[str]:
    """Steps of the Tab key against the order of reading: up in the same column, or left in the
    same line. From the last one it begins again with the first. A menu has arrows instead."""
    if isinstance(top, QMenu):
        return []
    way = _tabbing(top)
    places = [(each, _place(each, top)) for each in way]
    return [
        f"from {name_of(one)!r} back to {name_of(other)!r}"
        for (one, here), (other, there) in pairwise(places)
        if _before(there, here)
    ]


def _tabbing(top: QWidget) -> list[QWidget]:
    """Where Tab leads, from the first in the order of reading round to it again."""
    widgets: list[QWidget] = []
    for _ in range(MOST_TABS):
        focus = QApplication.focusWidget()
        if focus is not None and (not widgets or widgets[-1] is not focus):
            if focus in widgets:
                break
            widgets.append(focus)
        QTest.keyClick(focus or top, Qt.Key.Key_Tab)
    if not widgets:
        return []
    places = [_place(each, top) for each in widgets]
    begin = [here for here in places if not any(_before(other, here) for other in places)]
    first = min(begin or places, key=lambda here: (here.top(), here.left()))
    start = places.index(first)
    return widgets[start:] + widgets[:start]


def _before(there: QRect, here: QRect) -> bool:
    above = there.bottom() <= here.top() and _overlap(
        (there.left(), there.right()), (here.left(), here.right())
    )
    left = there.right() <= here.left() and _overlap(
        (there.top(), there.bottom()), (here.top(), here.bottom())
    )
    return above or left


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return min(one[1], other[1]) - max(one[0], other[0]) > 4


def _place(widget: QWidget, top: QWidget) -> QRect:
    return QRect(widget.mapTo(top, QPoint(0, 0)), widget.size())


def _tabbed(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)


def _path(widget: QWidget) -> str:
    names = []
    each: QWidget | None = widget
    while each is not None and len(names) < 4:
        names.append(type(each).__name__)
        each = each.parentWidget()
    return " in ".join(names)


FIELDS = (
    QComboBox,
    QLineEdit,
    QAbstractSpinBox,
    QAbstractSlider,
    QAbstractItemView,
    QTextEdit,
    QPlainTextEdit,
    QKeySequenceEdit,
)
LABEL = QAccessible.RelationFlag.Label


def fields() -> list[QWidget]:
    """All fields that there are, but for the parts of others: also those of pages that are not in
    front."""
    return [each for each in QApplication.allWidgets() if isinstance(each, FIELDS) if _own(each)]


def _own(field: QWidget) -> bool:
    around = field.parentWidget()
    while around is not None:
        if isinstance(around, FIELDS):
            return False
        around = around.parentWidget()
    return not isinstance(field, QScrollBar) and not field.objectName().startswith("qt_")


def called(field: QWidget) -> str:
    """What a screen reader calls a field, besides its value: on Linux Qt gives the value of a
    drop-down for its name."""
    interface = QAccessible.queryAccessibleInterface(field)
    labels = [each.text(QAccessible.Text.Name) for each, _ in interface.relations(LABEL)]
    if isinstance(field, QComboBox):
        return " ".join(labels).strip()
    return interface.text(QAccessible.Text.Name).strip()


def unnamed_fields(seen: set[str]) -> list[str]:
    """The fields that are not called anything; `seen` gets the classes of all."""
    found = [each for each in fields() if not called(each)]
    seen |= {type(each).__name__ for each in fields()}
    return [f"{type(each).__name__} in {type(each.parentWidget()).__name__}" for each in found]


def unnamed_screens(window: Window) -> list[str]:
    """The screens that are seen, and do not say what they are as the keys come to them."""
    shown = (window.shelf, window.stack.page, window.stack.currentWidget())
    return [
        type(each).__name__
        for each in shown
        if isinstance(each, Screen) and each.isVisible() and not name_of(each)
    ]


def signs(top: QWidget) -> set[str]:
    """What would be read with a sign."""
    root = QAccessible.queryAccessibleInterface(top)
    read = (text for part in inside(root) for text in texts(part))
    return {text for text in read if SIGN.search(text)}


def texts(part: QAccessibleInterface) -> list[str]:
    thing = part.object()
    if isinstance(thing, QLabel) and part.role() is QAccessible.Role.Graphic:
        return []
    return [name(part), described(part)]
