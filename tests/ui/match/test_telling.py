"""While scoring is being told, nothing in the window shows the end."""

import re
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QListWidget, QWidget

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_random_match
from tabletop.engine.events import Ended, Event, Said, ValueSet
from tabletop.engine.model import Move, Result, Value
from tabletop.match import match as matches
from tabletop.match.match import Match
from tests.net.loopback import LONG
from tests.ui.window_driver import Open, PatientBot, settle, table
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.pictures.window_shot import seat_one_person
from ui.shell.sound import Sounds
from ui.table.animation import animator
from ui.table.animation.final_count import FinalPause

GAMES = {"sun": 2, "sisters": 4, "chains": 4, "awss": 3, "royale": 4}
QUICK = {"royale": {"length": "4"}}
COUNTED = ("score/", "points/", "victory/", "gain/", "kills/", "deaths/", "difference/")
"""Values that a player reads as their score."""
Marker = Callable[[], None]
MARKED = re.compile(r"7\d{4}")
MARK = 70_000


def marked(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events with other points: every number tells by which event it came."""
    return tuple(_marked(event, MARK + number) for number, event in enumerate(events))


def _marked(event: Event, number: int) -> Event:
    match event:
        case ValueSet(key=key, value=value) if key.startswith(COUNTED) and isinstance(value, int):
            return replace(event, value=number)
        case Said(args=args):
            return replace(event, args={n: _told(n, arg, number) for n, arg in args.items()})
        case Ended(result=result):
            return replace(event, result=_ended(result, number))
    return event


def _told(name: str, arg: Value, number: int) -> Value:
    if name in ("bright", "lines", "lit") or name.startswith(("seat", "zone", "word")):
        return arg
    return number if isinstance(arg, int) else re.sub(r"\d+", str(number), arg)


def _ended(result: Result, number: int) -> Result:
    sheet = tuple(
        replace(
            line,
            points=tuple(number if n else 0 for n in line.points),
            formulas=tuple(re.sub(r"\d+", str(number), each) for each in line.formulas),
        )
        for line in result.sheet
    )
    return replace(result, scores=tuple(number for _ in result.scores), sheet=sheet)


def texts(*windows: QWidget) -> Iterator[str]:
    """All that can be read in these windows, and all that a screen reader reads there."""
    for window in windows:
        for widget in (window, *window.findChildren(QWidget)):
            if not widget.isVisible():
                continue
            yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
            match widget:
                case QLabel() | QAbstractButton():
                    yield widget.text()
                case QListWidget():
                    yield from (widget.item(row).text() for row in range(widget.count()))
            if widget.isWindow():
                yield widget.windowTitle()


def random_match(game: str, moves: int | None = None) -> Match:
    kit = catalogue.load(game)
    options = catalogue.options(kit) | QUICK.get(game, {})
    return play_random_match(kit, GAMES[game], "telling", moves, options)


@cache
def last_of(game: str) -> tuple[int, int, Move]:
    """The length of the match, and its last move with its seat."""
    record = random_match(game).record
    entry = record[-1]
    assert entry.seat is not None
    assert entry.move is not None
    return len(record), entry.seat, entry.move


def at_the_last_move(window: Window, game: str) -> tuple[Match, TableScreen]:
    """Sit down at a match of which one move is left, that of the person here."""
    moves, seat, _ = last_of(game)
    match = random_match(game, moves - 1)
    seat_one_person(match, seat, window.context.words)
    window.matches.show_match(match)
    settle()
    return match, table(window)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Marker:
    """Everything is told one after the other, and quickly; and once it is called, marked."""
    monkeypatch.setitem(animator.SPEED_FACTORS, "fast", 0.001)
    true = matches.events_by_viewer

    def heard(*args: object) -> dict[int, tuple[Event, ...]]:
        return {viewer: marked(events) for viewer, events in true(*args).items()}

    return lambda: monkeypatch.setattr(matches, "events_by_viewer", heard)


@pytest.mark.parametrize("game", GAMES)
def test_no_number_comes_before_it_is_told(
    game: str,
    opened: Open,
    qtbot: PatientBot,
    quick: Marker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = opened(animation="fast")
    match, screen = at_the_last_move(window, game)
    screen.dock.show_tab("score")
    window.public.toggle()
    public = window.public.table
    assert public is not None
    spoken: list[str] = []
    monkeypatch.setattr(type(screen.spoken.announcer), "screen_reader_active", True)
    screen.spoken.announcer.spoken.connect(spoken.append)
    sounds: list[str] = []
    monkeypatch.setattr(Sounds, "play", lambda _, name, *__: sounds.append(name))
    titles: list[str] = []
    screen.title_changed.connect(lambda *title: titles.append(" ".join(title)))
    playing = screen.scene.animator
    steps, seen, early = [0], set(), []

    def left() -> int:
        return sum(isinstance(event, Event) for event in playing._queue)

    def look() -> None:
        steps[0] += 1
        told = MARK + events[0] - left()
        shown = [*texts(window), *spoken, *titles]
        numbers = {int(n) for text in shown for n in MARKED.findall(text)}
        seen.update(numbers)
        early.extend(text for text in shown for n in MARKED.findall(text) if int(n) >= told)
        early.extend(name for name in sounds if name == "win" and left())
        assert not screen.ending.sheet.isVisible()
        assert screen.switch.is_animating

    def look_at_public() -> None:
        theirs = public.scene.animator
        told = MARK + events[0] - sum(isinstance(event, Event) for event in theirs._queue)
        early.extend(t for t in texts(public) for n in MARKED.findall(t) if int(n) >= told)

    events = [0]
    true = playing.play
    monkeypatch.setattr(
        playing, "play", lambda coming: (events.__setitem__(0, len(coming)), true(coming))
    )
    playing.progressed.connect(look)
    public.scene.animator.progressed.connect(look_at_public)
    quick()
    match.submit(*last_of(game)[1:])
    qtbot.waitUntil(lambda: screen.ending.is_shown and not screen.switch.is_animating)
    assert not early, early[:3]
    assert steps[0] > 3
    end = str(MARK + events[0] - 1)
    assert any(end in text for text in texts(window))  # once it is told, the end is seen
    assert seen or game == "chains"
    assert {"win", "loss"} & {*sounds} or not match.state.result.winners


@pytest.mark.parametrize("game", GAMES if LONG else ["sisters", "royale"])
def test_the_end_takes_its_time_and_a_click_skips(
    game: str, opened: Open, qtbot: PatientBot
) -> None:
    window = opened(animation="slow")
    match, screen = at_the_last_move(window, game)
    match.submit(*last_of(game)[1:])
    playing = screen.scene.animator
    assert any(isinstance(event, FinalPause) for event in playing._queue)
    settle()
    for _ in range(60):  # pages of a score are turned one by one
        if not playing.is_running:
            break
        QTest.mouseClick(screen.view.viewport(), Qt.MouseButton.LeftButton, pos=_corner(screen))
        QApplication.processEvents()
    qtbot.waitUntil(lambda: screen.ending.is_shown)


def _corner(screen: TableScreen) -> QPoint:
    return screen.view.viewport().rect().topLeft()


def test_the_log_ends_where_the_telling_is(opened: Open, quick: Marker, qtbot: PatientBot) -> None:
    window = opened(animation="fast")
    match, screen = at_the_last_move(window, "sisters")
    before = len(screen.seated.log)
    lengths = []
    screen.scene.animator.progressed.connect(
        lambda: lengths.append(screen.dock.log.list_widget.count())
    )
    match.submit(*last_of("sisters")[1:])
    qtbot.waitUntil(lambda: screen.ending.is_shown)
    assert lengths == sorted(lengths)
    assert len(set(lengths)) > 6
    assert lengths[0] < len(screen.seated.log)
    assert before <= lengths[0]


def test_the_condition_of_the_last_round_stays_on_the_table(opened: Open) -> None:
    window = opened()
    match, screen = at_the_last_move(window, "sisters")
    far = conditions(screen)
    match.submit(*last_of("sisters")[1:])
    settle()
    assert screen.seated.is_over
    assert far == conditions(screen) == ["Far"]


def conditions(screen: TableScreen) -> list[object]:
    """The sides of the condition cards that are drawn."""
    setting = screen.scene.stage.placed
    assert setting is not None
    drawn = [each for each in setting.drawings if "condition" in each.drawing]
    return [each.variables["side"] for each in drawn]
