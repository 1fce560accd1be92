"""The file of the match in the window is taken away: it is said at once, and nothing is lost."""

import shutil
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tabletop.engine.scratch import FastRng
from tabletop.files import folders
from tabletop.storage.record import read
from tests.ui.window_driver import Open, begin, button, click, hold, play, saving_to

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="no open file is deleted, moved or replaced there"
)


def test_a_deleted_match_is_written_again_and_said(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    hold(qtbot, screen)
    file = screen.seated.record.file
    file.unlink()
    play(screen, FastRng(1))
    assert "was deleted, moved or replaced while its match was open" in window.banner.text
    assert read(file).entries == tuple(screen.seated.match.record)
    assert len(screen.seated.match.record) == 1


def test_where_it_cannot_be_saved_it_is_saved_elsewhere(
    opened: Open, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    screen = begin(window)
    hold(qtbot, screen)
    state = screen.seated.match.state
    shutil.rmtree(folders.matches())
    folders.matches().write_text("no folder")
    play(screen, FastRng(1))
    assert screen.seated.match.state == state, "a move that is not on the disk is taken back"
    assert screen.seated.view.ply == 0
    assert "can't be written again" in window.banner.text
    out = tmp_path / "elsewhere.tabletop"
    saving_to(monkeypatch, out)
    click(button(window.banner, "Save as…"))
    assert read(out).entries == tuple(screen.seated.match.record)
    play(screen, FastRng(1))
    window.show_shelf()
    assert "can't be written again" in window.banner.text, "it is said when the match is left, too"
    out.unlink()
    click(button(window.banner, "Save as…"))
    assert read(out).entries == tuple(screen.seated.match.record)
