"""The shelf's pictures are kept for the next start, and nothing of a table."""

import threading
from pathlib import Path

import pytest
from PySide6.QtGui import QPixmap

from tabletop.files import small_file
from ui.style import templates
from ui.style.art import Art
from ui.style.broken_drawing import BrokenDrawing
from ui.style.picture_store import PIXELS
from ui.style.theme import theme

FRONT = "sun/box-front.svg"


def kept(art: Art) -> None:
    """Check that all drawn pictures are on the disk."""
    art.keep_shelf()
    for thread in threading.enumerate():
        if thread.name == "pictures":
            thread.join()


def drawn(art: Art) -> tuple[QPixmap, ...]:
    icon = art.icon("undo", "#2F6F73", 2.0)
    return art.pixmap(FRONT, 120, 180, 1.5), icon.pixmap(40), art.pixmap("common/app.svg", 9, 9, 1)


def same(one: tuple[QPixmap, ...], other: tuple[QPixmap, ...]) -> bool:
    seen = [[each.toImage().convertToFormat(PIXELS) for each in shown] for shown in (one, other)]
    return seen[0] == seen[1]


@pytest.fixture
def file(tmp_path: Path, qapp: object) -> Path:
    return tmp_path / "cache" / "shelf-pictures"


def test_the_next_start_shows_cached_pictures(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Art(theme("light"), shelf=file)
    shown, size = drawn(first), first.natural_size(FRONT)
    kept(first)

    def fill_in(*given: object) -> bytes:
        raise AssertionError("nothing is to be drawn")

    monkeypatch.setattr(templates.Templates, "svg", fill_in)
    again = Art(theme("light"), shelf=file)
    assert again.natural_size(FRONT) == size
    assert same(drawn(again), shown)
    assert again.pixmap(FRONT, 120, 180, 1.5).devicePixelRatio() == 1.5
    for other in (Art(theme("dark"), shelf=file), Art(theme("light"))):
        with pytest.raises(AssertionError):
            drawn(other)


def test_a_drawing_that_was_changed_is_drawn_anew(file: Path, tmp_path: Path) -> None:
    sign = tmp_path / "assets" / "common" / "app.svg"
    sign.parent.mkdir(parents=True)

    def shown(colour: str) -> QPixmap:
        square = f'<rect width="9" height="9" fill="{colour}"/>'
        sign.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="9">{square}</svg>')
        art = Art(theme("light"), tmp_path / "assets", shelf=file)
        made = art.pixmap("common/app.svg", 9, 9, 1)
        kept(art)
        return made

    assert shown("#ff0000").toImage().pixelColor(4, 4).name() == "#ff0000"
    assert shown("#00ff7f").toImage().pixelColor(4, 4).name() == "#00ff7f"


@pytest.mark.parametrize("content", [b"", b"torn", small_file.add_digest(b"\x93torn")])
def test_a_damaged_file_is_as_good_as_none(file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    art = Art(theme("light"), shelf=file)
    shown = drawn(art)
    kept(art)
    assert small_file.read_cache(file)
    assert same(drawn(Art(theme("light"), shelf=file)), shown)


def test_what_lies_on_a_table_is_not_kept(file: Path) -> None:
    art = Art(theme("light"), shelf=file)
    art.back("sun", "back", 60, 1)
    art.pixmap("sun/ghost.svg", 30, 30, 1)
    art.pixmap("common/die.svg", 30, 30, 1, face=6)
    kept(art)
    assert not file.exists()


def test_where_nothing_can_be_kept_all_is_drawn(tmp_path: Path, qapp: object) -> None:
    (tmp_path / "file").write_text("no folder")
    art = Art(theme("light"), shelf=tmp_path / "file" / "shelf-pictures")
    assert same(drawn(art), drawn(Art(theme("light"))))
    kept(art)


def test_a_size_is_none_where_a_template_gives_no_svg(tmp_path: Path, qapp: object) -> None:
    (tmp_path / "common").mkdir()
    (tmp_path / "common" / "app.svg").write_text("no drawing")
    with pytest.raises(BrokenDrawing, match="no SVG"):
        Art(theme("light"), tmp_path).natural_size("common/app.svg")


def test_a_size_is_worked_out_once(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shelf of five boxes read their drawings forty times, where nothing keeps them."""
    art, read = Art(), list[str]()
    svg = art.svg
    monkeypatch.setattr(art, "svg", lambda path: read.append(path) or svg(path))
    art.natural_size(FRONT).setWidth(1)  # it belongs to whoever asked
    assert art.natural_size(FRONT).width() > 1
    assert read == [FRONT]
