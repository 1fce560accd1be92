"""The shelf's pictures are kept for the next start, and nothing of a table."""

import threading
from pathlib import Path

import pytest
from PySide6.QtGui import QPixmap

from tabletop.files import small_file
from ui.style import templates
from ui.style.art import Art
from ui.style.broken_drawing import BrokenDrawing
from ui.style.picture_store import PIXEL_FORMAT
from ui.style.theme import load_theme

FRONT = "sun/box-front.svg"


def kept(art: Art) -> None:
    """Check that all drawn pictures are on the disk."""
    art.save_shelf_pictures()
    for thread in threading.enumerate():
        if thread.name == "pictures":
            thread.join()


def drawn(art: Art) -> tuple[QPixmap, ...]:
    icon = art.icon("undo", "#2F6F73", 2.0)
    return art.pixmap(FRONT, 120, 180, 1.5), icon.pixmap(40), art.pixmap("common/app.svg", 9, 9, 1)


def same(one: tuple[QPixmap, ...], other: tuple[QPixmap, ...]) -> bool:
    seen = [
        [each.toImage().convertToFormat(PIXEL_FORMAT) for each in shown] for shown in (one, other)
    ]
    return seen[0] == seen[1]


@pytest.fixture
def file(tmp_path: Path, qapp: object) -> Path:
    return tmp_path / "cache" / "shelf-pictures"


def test_the_next_start_shows_cached_pictures(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Art(load_theme("light"), shelf=file)
    shown, size = drawn(first), first.natural_size(FRONT)
    kept(first)

    def fill_in(*given: object) -> bytes:
        raise AssertionError("nothing is to be drawn")

    monkeypatch.setattr(templates.Templates, "render_svg", fill_in)
    again = Art(load_theme("light"), shelf=file)
    assert again.natural_size(FRONT) == size
    assert same(drawn(again), shown)
    assert again.pixmap(FRONT, 120, 180, 1.5).devicePixelRatio() == 1.5
    for other in (Art(load_theme("dark"), shelf=file), Art(load_theme("light"))):
        with pytest.raises(AssertionError):
            drawn(other)


def test_a_drawing_that_was_changed_is_drawn_anew(file: Path, tmp_path: Path) -> None:
    sign = tmp_path / "assets" / "common" / "app.svg"
    sign.parent.mkdir(parents=True)

    def shown(colour: str) -> QPixmap:
        square = f'<rect width="9" height="9" fill="{colour}"/>'
        sign.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="9">{square}</svg>')
        art = Art(load_theme("light"), tmp_path / "assets", shelf=file)
        made = art.pixmap("common/app.svg", 9, 9, 1)
        kept(art)
        return made

    assert shown("#ff0000").toImage().pixelColor(4, 4).name() == "#ff0000"
    assert shown("#00ff7f").toImage().pixelColor(4, 4).name() == "#00ff7f"


@pytest.mark.parametrize("content", [b"", b"torn", small_file.add_digest(b"\x93torn")])
def test_a_damaged_file_is_as_good_as_none(file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    art = Art(load_theme("light"), shelf=file)
    shown = drawn(art)
    kept(art)
    assert small_file.read_cache(file)
    assert same(drawn(Art(load_theme("light"), shelf=file)), shown)


def test_what_lies_on_a_table_is_not_kept(file: Path) -> None:
    art = Art(load_theme("light"), shelf=file)
    art.card_back("sun", "back", 60, 1)
    art.pixmap("sun/ghost.svg", 30, 30, 1)
    art.pixmap("common/die.svg", 30, 30, 1, face=6)
    kept(art)
    assert not file.exists()


def test_where_nothing_can_be_kept_all_is_drawn(tmp_path: Path, qapp: object) -> None:
    (tmp_path / "file").write_text("no folder")
    art = Art(load_theme("light"), shelf=tmp_path / "file" / "shelf-pictures")
    assert same(drawn(art), drawn(Art(load_theme("light"))))
    kept(art)


def test_a_size_is_none_where_a_template_gives_no_svg(tmp_path: Path, qapp: object) -> None:
    (tmp_path / "common").mkdir()
    (tmp_path / "common" / "app.svg").write_text("no drawing")
    with pytest.raises(BrokenDrawing, match="no SVG"):
        Art(load_theme("light"), tmp_path).natural_size("common/app.svg")


def test_a_size_is_worked_out_once(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shelf of five boxes read their drawings forty times, where nothing keeps them."""
    art, read = Art(), list[str]()
    svg = art.render_svg
    monkeypatch.setattr(art, "render_svg", lambda path: read.append(path) or svg(path))
    art.natural_size(FRONT).setWidth(1)  # it belongs to whoever asked
    assert art.natural_size(FRONT).width() > 1
    assert read == [FRONT]
