"""Undo, hint, pass and zoom have the same keys in every game, shown where they can be pressed."""

from collections.abc import Callable
from itertools import cycle, product

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.model import Move
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Match, Player
from tabletop.match.reactions import PASS
from tests.net.loopback import LONG
from tests.ui.random_matches import some_answer
from tests.ui.window_driver import Open, key, settle
from ui.app import Window
from ui.match.local_match import LocalMatch
from ui.match.screen.table_screen import TableScreen
from ui.shell.commands import COMMANDS, shortcuts_of
from ui.shell.shortcut_text import shortcut_text

EVERYWHERE = ("undo", "hint", "pass", "zoom_in", "zoom_out", "zoom_usual")
NATIVE = QKeySequence.SequenceFormat.NativeText
PLAYED = catalogue.load_all().games


def native(name: str) -> str:
    return QKeySequence(COMMANDS[name].keys[0]).toString(NATIVE)


def played(kit: catalogue.GameKit, until: Callable[[Match], bool]) -> Match | None:
    """A random match of one person and bots, once this holds."""
    players = [Player(f"P{n}", kind="bot" if n else "person") for n in range(kit.box.seats[0])]
    for number in range(40):
        match, luck = Match(kit, players, seed=f"keys {number}"), FastRng(number)
        while match.state.result is None:
            if until(match):
                return match
            match.submit(*some_answer(match, luck))
    return None


def may_pass(match: Match) -> bool:
    """Whether the person is asked something that a pass answers."""
    return any(
        offer.admits(Move(number, PASS))
        for number, offers in match.offers(0).items()
        for offer in offers
    )


def sit(window: Window, match: Match) -> TableScreen:
    window.matches.show_match(match)
    settle()
    assert window.table is not None
    return window.table


def hints(screen: TableScreen, text: str) -> list[str]:
    """The tool tips of the buttons of the prompt that say this."""
    return [each.toolTip() for each in screen.prompt.buttons if each.text() == text]


@pytest.mark.parametrize(
    ("kit", "language"),
    [*(product(PLAYED, ("en", "ja")) if LONG else zip(PLAYED, cycle(("en", "ja"))))],
    ids=lambda given: getattr(given, "id", given),
)
def test_tool_tips_tell_the_keys(opened: Open, kit: catalogue.GameKit, language: str) -> None:
    window = opened(language=language, reaction="ask", animation="normal", bot_pause=10_000)
    undoable = played(kit, lambda match: match.can_undo(0) and bool(match.asks(0)))
    passing = played(kit, may_pass)
    assert (passing is not None) == (PASS in kit.words.verbs) or kit.is_external
    for match in filter(None, (undoable, passing)):
        screen = sit(window, match)
        for name in EVERYWHERE:
            action = window.menus.commands[name]
            assert native(name) in action.toolTip(), name
            assert action.shortcut().toString(NATIVE) == native(name) != ""
        if match is undoable:
            (hint,) = hints(screen, window.context.words("Undo"))
            assert native("undo") in hint
        else:
            (hint,) = hints(screen, screen.words.move(Move(0, PASS)))
            assert hint.endswith(native("pass"))


def test_a_key_of_ones_own_is_told_instead(opened: Open) -> None:
    window = opened(keys={"undo": "Ctrl+U", "pass": ""})
    assert shortcut_text(window.context, "undo") == "Ctrl+U"
    assert "Ctrl+U" in window.menus.commands["undo"].toolTip()
    assert window.menus.commands["pass"].toolTip() == "Pass"


def test_no_key_stands_for_two_things() -> None:
    taken = [key for command in COMMANDS.values() for key in shortcuts_of(command, {})]
    assert len(taken) == len(set(taken))


def test_the_pass_key_passes_where_the_question_admits_it(opened: Open) -> None:
    window = opened(reaction="ask", animation="normal", bot_pause=10_000)
    kit = catalogue.load("royale")
    screen = sit(window, played(kit, lambda match: bool(match.asks(0)) and not may_pass(match)))
    assert not window.menus.commands["pass"].isEnabled()
    match = played(kit, may_pass)
    screen = sit(window, match)
    assert window.menus.commands["pass"].isEnabled()
    screen.view.setFocus()
    key(Qt.Key.Key_P)
    assert match.record[-1].seat == 0
    assert match.record[-1].move.verb == PASS


# Pace


def test_the_pace_changes_by_a_click_or_a_key(opened: Open) -> None:
    window = opened(animation="slow", bot_pause=1000)
    context, button = window.context, window.menus.pace
    assert button.isVisible()
    seen = []
    for _ in range(4):
        assert native("change_pace") in button.toolTip()
        seen.append((context.settings.animation, button.accessibleName(), context.bot_pause_ms))
        button.click()
    assert seen == [
        ("slow", "Speed: Slow", 1600),
        ("normal", "Speed: Calm", 1000),
        ("fast", "Speed: Brisk", 500),
        ("off", "Speed: Instant", 0),
    ]
    assert context.settings.animation == "slow"
    window.matches.start_bot_match(catalogue.load("sun"))
    settle()
    table = window.table
    table.view.setFocus()
    assert QApplication.focusWidget() is table.view
    key(Qt.Key.Key_F)
    assert table.scene.animator.speed == "normal"
    chosen = [a.text() for a in window.menus.submenus["pace"].actions() if a.isChecked()]
    assert chosen == ["Calm"]
    again = opened()
    assert again.context.settings.animation == "normal"


def test_a_bot_that_pauses_already_keeps_to_the_new_pace(opened: Open, qtbot: QtBot) -> None:
    window = opened(bot_pause=10_000, animation="slow")
    kit = catalogue.load("sun")
    match = played(kit, lambda match: bool(match.asks(1)))
    record = sit(window, match).seated.record
    assert isinstance(record, LocalMatch)
    before = match.state.ply
    qtbot.waitUntil(lambda: record.table.hosted.hosted_match.bots.state == "ready")
    assert match.state.ply == before
    window.context.change_settings(animation="off")
    qtbot.waitUntil(lambda: match.state.ply > before)


def test_who_wants_no_motion_keeps_her_pace(opened: Open) -> None:
    context = opened(reduced_motion=True, animation="slow", bot_pause=1000).context
    assert context.animation_speed == "off"
    assert context.bot_pause_ms == 1600
