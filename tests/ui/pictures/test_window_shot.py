"""Pictures of the whole window, for designers of games."""

import os
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_random_match
from ui.pictures.window_shot import window_shot

SUN = catalogue.load("sun")


def test_the_window_is_drawn_and_nothing_of_it_is_kept(
    home: Path, tmp_path: Path, qapp: QApplication
) -> None:
    out, choosing = tmp_path / "table.png", tmp_path / "choosing.png"
    begun = play_random_match(SUN, 2, "1", 4)
    window_shot(begun, 0, (1024, 600), 2.0, "ja", "dark", out)
    picture = QImage(str(out))
    assert (picture.width(), picture.height()) == (2048, 1200)
    window_shot(
        play_random_match(SUN, 2, "1", 4), 0, (1024, 600), 2.0, "ja", "dark", choosing, "place"
    )
    assert QImage(str(choosing)) != picture
    public = tmp_path / "public.png"
    window_shot(
        play_random_match(SUN, 2, "1", 4), 0, (1024, 600), 2.0, "ja", "dark", public, public=True
    )
    drawn = QImage(str(public))
    assert drawn.size() == picture.size()
    assert drawn.pixelColor(1024, 20) != picture.pixelColor(1024, 20), "no menu, but the turn"
    with pytest.raises(LookupError, match='"plaec" cannot be done now'):
        window_shot(play_random_match(SUN, 2, "1", 4), 0, out=out, choosing="plaec")
    assert os.environ["TABLETOP_HOME"] == str(home)
    assert not home.exists()
    assert not any(w.isVisible() for w in qapp.topLevelWidgets())
