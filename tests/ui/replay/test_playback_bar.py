"""The buttons below a replay: words beside signs, and what leaves it apart from what plays it."""

import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QFrame
from pytestqt.qtbot import QtBot

from tests.storage.corpus import LATEST
from tests.ui.window_driver import Open, begin, settle
from ui.replay.playback_bar import COMMANDS, STEPS, PlaybackBar
from ui.widgets.styled_widgets import scale_pixels


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("size", [(960, 540), (1024, 600), (1280, 800), (2560, 1440)])
def test_every_button_says_what_it_does_and_all_have_room(
    opened: Open, tmp_path: Path, size: tuple[int, int], language: str
) -> None:
    window = opened(size, language=language)
    window.open_file(Path(shutil.copy(LATEST / "sisters-4.tabletop", tmp_path / "a.tabletop")))
    settle()
    screen = window.replays.screen
    screen.set_viewer(None)  # "All cards open", the longest there is
    settle()
    bar, words = screen.playback_bar, window.context.words
    labels = {name: words(word) for name, _, word, *_ in (*STEPS, *COMMANDS)}
    ends = []
    for name, made in bar.buttons.items():
        assert made.text() == labels.get(name, made.text()) != ""
        assert made.toolTip()
        assert made.width() >= made.sizeHint().width(), name
        assert made.visibleRegion().boundingRect() == made.rect(), name
        left = made.mapTo(window, QPoint(0, 0)).x()
        ends.append((left, left + made.width(), name))
    assert (screen.growth > 1) == (size[0] == 2560), "as large as a table of this size"
    assert screen.timeline.height() == scale_pixels(screen, 54)
    assert screen.timeline.beat_at(screen.timeline.x_of_beat(20)) == 20
    ends.sort()
    assert ends[-1][1] <= window.width()
    gaps = {two[2]: two[0] - one[1] for one, two in pairwise(ends)}
    assert min(gaps.values()) >= 0
    steps = [gaps[name] for name, *_ in STEPS[1:]]
    assert gaps["leave"] > 3 + 3 * max(steps), "leaving is set apart"
    for name, made in bar.buttons.items():
        group = bar.transport if name in {"speed", *(step[0] for step in STEPS)} else bar.tools
        assert group.isAncestorOf(made) == (name != "leave")
    lines = [each for each in bar.findChildren(QFrame) if each.frameShape() is QFrame.Shape.VLine]
    assert len(lines) == 1
    assert bar.width() >= window.width() - 40, "it goes on below the dock"


def test_a_key_on_a_button_with_a_menu_asks_for_nothing_else(opened: Open, qtbot: QtBot) -> None:
    bar = PlaybackBar(opened().context)
    qtbot.addWidget(bar)
    asked: list[str] = []
    bar.command_requested.connect(asked.append)
    for made in bar.buttons.values():
        made.clicked.emit()  # as after a key
    assert asked == [name for name, made in bar.buttons.items() if made.menu() is None]
    assert not {"speed", "eyes", "export"} & set(asked)


@pytest.mark.parametrize("where", ["shelf", "table", "replays", "replay"])
def test_an_unknown_command_is_named(where: str, opened: Open, tmp_path: Path) -> None:
    window = opened()
    match where:
        case "table":
            begin(window)
        case "replays":
            window.run_command("replays")
        case "replay":
            window.open_file(Path(shutil.copy(LATEST / "sun-2.tabletop", tmp_path / "a.tabletop")))
    with pytest.raises(LookupError, match='no command "wash"'):
        window.run_command("wash")
    window.run_command("undo")  # there is one, but nothing to be done now
