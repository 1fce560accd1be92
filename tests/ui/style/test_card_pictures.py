"""Pictures that cards name: drawn from files of their game's folder, and from nowhere else."""

from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from ui.style.art import Art
from ui.style.card_pictures import CardPictures, find_picture
from ui.style.photograph import UnreadableImage

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'
RED = '<rect width="9" height="9" fill="#ff0000"/>'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with pictures, of which some are odd."""
    home = tmp_path / "game"
    (home / "pictures").mkdir(parents=True)
    image = QImage(40, 30, QImage.Format.Format_RGB32)
    image.fill(QColor("#ff0000"))
    for name in ("a.png", "pictures/b.jpg"):
        assert image.save(str(home / name))
    (home / "c.svg").write_text(SVG.format(RED))
    (home / "far.svg").write_text(SVG.format('<image href="file:///etc/hosts"/>'))
    (home / "torn.png").write_bytes(b"\x89PNG nothing")
    (home / "rules.txt").write_text("no picture")
    image.save(str(tmp_path / "outside.png"))
    return home


@pytest.mark.parametrize("name", ["a.png", "b.jpg", "c.svg"])
def test_a_face_shows_its_picture(name: str, folder: Path, qapp: QApplication) -> None:
    card = {"name": "Carp", "value": 3, "picture": name, "text": "Red."}
    given = CardPictures(str(folder))
    for simple, y in ((False, 130), (True, 190)):
        drawn = Art().card_face("common", card, 240, 1.0, simple=simple, picture=given).toImage()
        colour = drawn.pixelColor(8 + 120, 8 + y)
        assert (colour.red() > 230, colour.green() < 40) == (True, True), simple


@pytest.mark.parametrize(
    "name", ["far.svg", "torn.png", "none.png", "rules.txt", "../outside.png", "/etc/hosts.png"]
)
def test_whatever_is_no_picture_of_the_folder_is_left_out(
    name: str, folder: Path, qapp: QApplication, caplog: pytest.LogCaptureFixture
) -> None:
    assert CardPictures(str(folder))(name, 100, 100) == ""
    assert caplog.text
    card = {"name": "Carp", "picture": name}
    Art().card_face("common", card, 240, 1.0, simple=False, picture=CardPictures(str(folder)))


def test_a_name_leads_out_of_no_folder(folder: Path) -> None:
    (folder / "link.png").symlink_to(folder.parent / "outside.png")
    for name in ("../outside.png", "link.png", str(folder.parent / "outside.png")):
        with pytest.raises(UnreadableImage):
            find_picture(folder, name)
