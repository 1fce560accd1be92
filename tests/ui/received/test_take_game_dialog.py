"""The question whether a game is taken: all of its sentence is read, however long."""

import pytest
from PySide6.QtWidgets import QLabel

from tabletop.net.guest.missing_game import GameTransfer, MissingGame, resolve_game
from tabletop.protocol.game_files import OutsideGame
from tabletop.protocol.messages import SeatConfig, SeatInfo, TableInfo, TablePlan
from tests.ui.window_driver import Open, click, settle
from ui.received.take_game_dialog import GameDownloadDialog

SEATS = (SeatConfig(), SeatConfig())
TITLES = ("Pond Night", "The Long Night at the Pond Behind the House")


def assert_whole(texts: list[QLabel]) -> None:
    for text in texts:
        assert text.height() >= text.heightForWidth(text.width()), text.text()


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("title", TITLES)
def test_every_line_of_it_is_seen(opened: Open, language: str, title: str) -> None:
    window = opened(language=language, size=(1024, 600))
    outside = OutsideGame(title, 1, "3fa9c2d1b204" + "0" * 52, 2_400_000)
    sitters = (SeatInfo("person", "here", "Ann"), SeatInfo("open", "free"))
    info = TableInfo("t", TablePlan("river", SEATS), sitters, host=0, outside=outside)
    lacking = resolve_game(info)
    assert isinstance(lacking, MissingGame)
    dialog = GameDownloadDialog(window.context, window, lacking)
    dialog.show()
    settle()
    texts = [text for text in dialog.findChildren(QLabel) if text.isVisible()]
    assert len(texts) == 3  # the title, which a sheet shows itself, the question and a note
    assert dialog.windowTitle() in [text.text() for text in texts]
    assert_whole(texts)
    click(dialog.download_button)
    dialog.show_progress(GameTransfer(lacking, lambda question: None))
    settle()
    assert_whole(texts)
    dialog.close()
