"""What the shelf and tables show is kept drawn for the next start."""

import threading
from pathlib import Path

import pytest
from PySide6.QtGui import QPixmap

from tabletop.storage import small_file
from ui.style import templates
from ui.style.art import Art
from ui.style.broken_drawing import BrokenDrawing
from ui.style.picture_store import PIXELS
from ui.style.theme import theme

FRONT = "sun/box-front.svg"
GHOST = "sun/ghost.svg"


def kept(art: Art) -> None:
    """All that was drawn lies on the disk."""
    art.keep_drawn()
    for thread in threading.enumerate():
        if thread.name == "pictures":
            thread.join()


def drawn(art: Art) -> tuple[QPixmap, ...]:
    icon = art.icon("undo", "#2F6F73", 2.0)
    plain = art.pixmap("common/app.svg", 9, 9, 1), art.pixmap(GHOST, 30, 30, 1)
    return art.pixmap(FRONT, 120, 180, 1.5), icon.pixmap(40), *plain, art.back("sun", "back", 60, 1)


def same(one: tuple[QPixmap, ...], other: tuple[QPixmap, ...]) -> bool:
    seen = [[each.toImage().convertToFormat(PIXELS) for each in shown] for shown in (one, other)]
    return seen[0] == seen[1]


@pytest.fixture
def folder(tmp_path: Path, qapp: object) -> Path:
    return tmp_path / "drawn"


def test_the_next_start_shows_the_same_pictures_without_a_template(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Art(theme("light"), drawn=folder)
    shown, size = drawn(first), first.natural_size(FRONT)
    kept(first)

    def fill_in(*given: object) -> bytes:
        raise AssertionError("nothing is to be drawn")

    monkeypatch.setattr(templates.Templates, "svg", fill_in)
    again = Art(theme("light"), drawn=folder)
    assert again.natural_size(FRONT) == size
    assert same(drawn(again), shown)
    assert again.pixmap(FRONT, 120, 180, 1.5).devicePixelRatio() == 1.5
    for other in (Art(theme("dark"), drawn=folder), Art(theme("light"))):
        with pytest.raises(AssertionError):
            drawn(other)


def test_a_drawing_that_was_changed_is_drawn_anew(folder: Path, tmp_path: Path) -> None:
    sign = tmp_path / "assets" / "common" / "sign.svg"
    sign.parent.mkdir(parents=True)

    def shown(colour: str) -> QPixmap:
        square = f'<rect width="9" height="9" fill="{colour}"/>'
        sign.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="9">{square}</svg>')
        art = Art(theme("light"), tmp_path / "assets", drawn=folder)
        made = art.pixmap("common/sign.svg", 9, 9, 1)
        kept(art)
        return made

    assert shown("#ff0000").toImage().pixelColor(4, 4).name() == "#ff0000"
    assert shown("#00ff7f").toImage().pixelColor(4, 4).name() == "#00ff7f"


@pytest.mark.parametrize("content", [b"", b"torn", small_file.with_digest(b"\x93torn")])
def test_a_damaged_file_is_as_good_as_none(folder: Path, content: bytes) -> None:
    folder.mkdir()
    for name in ("common", "sun"):
        (folder / name).write_bytes(content)
    art = Art(theme("light"), drawn=folder)
    shown = drawn(art)
    kept(art)
    assert all(small_file.recall(folder / name) for name in ("common", "sun"))
    assert same(drawn(Art(theme("light"), drawn=folder)), shown)


def test_where_nothing_can_be_kept_all_is_drawn(tmp_path: Path, qapp: object) -> None:
    (tmp_path / "file").write_text("no folder")
    art = Art(theme("light"), drawn=tmp_path / "file")
    assert same(drawn(art), drawn(Art(theme("light"))))
    kept(art)


def test_a_size_is_none_where_a_template_gives_no_svg(tmp_path: Path, qapp: object) -> None:
    (tmp_path / "common").mkdir()
    (tmp_path / "common" / "sign.svg").write_text("no drawing")
    with pytest.raises(BrokenDrawing, match="no SVG"):
        Art(theme("light"), tmp_path).natural_size("common/sign.svg")
